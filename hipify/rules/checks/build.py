"""Kinds of findings in build files, and about files as a whole. The project package finds them; nothing runs here."""

from __future__ import annotations

from hipify.model import Severity
from hipify.rules.kinds import FindingKind

FLAG = FindingKind(
    "HPY801",
    Severity.WARNING,
    "nvcc option without a counterpart in hipcc",
    "hipcc does not know the option, or has nothing that does the same; it was left out of the command.",
    "Look at what the option was for; `hipify-py flags -- nvcc OPTION` says what is known of it.",
    before="# Makefile\nmain: main.cu\n\tnvcc -maxrregcount=32 -o main main.cu\n",
    after="# Makefile\nmain: main.cu\n\thipcc -o main main.cu\n",
)
LIBRARY = FindingKind(
    "HPY802",
    Severity.ERROR,
    "CUDA library without a ROCm counterpart",
    "ROCm ships no library that takes its place: the program does not link.",
    "Port the calls into the library, or leave the part that needs it out of the AMD build.",
    before="# Makefile\nmain: main.cu\n\tnvcc -o main main.cu -lcupti\n",
    after="# Makefile\nmain: main.cu\n\thipcc -o main main.cu -lrocprofiler-sdk\n",
)
CONSTRUCT = FindingKind(
    "HPY803",
    Severity.ERROR,
    "build file construct that is not translated",
    "It does something with the CUDA toolchain that the HIP toolchain does another way, or not at all.",
    "Write it by hand for hipcc or CMake's HIP language.",
    before="# CMakeLists.txt\ncuda_compile_ptx(PTX_FILES kernels.cu)\n",
    after="# CMakeLists.txt\nadd_custom_command(OUTPUT kernels.co COMMAND hipcc --genco -o kernels.co kernels.hip)\n",
)
ARCHITECTURE = FindingKind(
    "HPY804",
    Severity.NOTE,
    "GPU architectures of NVIDIA replaced",
    "A list of NVIDIA's compute capabilities does not say which AMD GPUs the program is to run on.",
    "Choose the GPUs with `hipify-py convert --offload-arch`, or in the build file.",
    before="# CMakeLists.txt\nset(CMAKE_CUDA_ARCHITECTURES 70 80)\n",
    after="# CMakeLists.txt\nset(CMAKE_HIP_ARCHITECTURES gfx90a gfx942)\n",
)
OTHER_SYSTEM = FindingKind(
    "HPY805",
    Severity.WARNING,
    "build system that is reported, not translated",
    "The file builds CUDA code by means that only a person can move to ROCm.",
    "Change the lines by hand.",
    before="# meson.build\nproject('demo', 'cpp', 'cuda')\n",
    after="# meson.build\nproject('demo', 'cpp')\n",
)
PYTHON = FindingKind(
    "HPY806",
    Severity.NOTE,
    "Python build of CUDA code",
    "PyTorch's extension builder uses hipcc by itself where PyTorch was built for ROCm, and hipifies again what it is "
    "given; already translated sources pass through it unharmed.",
    "Nothing needs to be done for CUDAExtension with a ROCm build of PyTorch.",
    before="# setup.py\next = CUDAExtension('demo', ['demo.cu'])\n",
    after="# setup.py\next = CppExtension('demo', ['demo.cpp'])\n",
)
RUNTIME_SOURCE = FindingKind(
    "HPY807",
    Severity.WARNING,
    "CUDA source in a Python string",
    "The string is compiled when the program runs, by hipRTC on AMD; its text was not translated.",
    "Translate the string's text by hand, or keep it in a file that hipify-py can translate.",
    before="# kernels.py\nkernel = cupy.RawKernel(source, 'add')\n",
    after="# kernels.py\nkernel = cupy.ElementwiseKernel('T x', 'T y', 'y = x', 'copy')\n",
)
FORTRAN = FindingKind(
    "HPY808",
    Severity.ERROR,
    "CUDA in Fortran",
    "Only C and C++ are translated. Kernels in CUDA Fortran have no compiler for AMD GPUs.",
    "Write the kernels in HIP C++ and call them through C interfaces; hipfort has interfaces of HIP's libraries.",
    before="# kernels.cuf\nattributes(global) subroutine add(x)\n",
    after="# kernels.f90\nsubroutine add(x)\n",
)
WITHOUT_CLANG = FindingKind(
    "HPY905",
    Severity.WARNING,
    "file translated without clang",
    "clang took too long over the file, or died: it was translated from its words alone. What only clang can tell, as "
    "types and whose name one is, was not asked.",
    "Look at the file's other findings and compile it. Convert again with a larger --timeout, or fewer jobs (-j).",
)
CONFLICT = FindingKind(
    "HPY906",
    Severity.ERROR,
    "two rewritings of one place",
    "Two rules want to change the same text, which is a defect of the translator: one of them was carried out.",
    "Look at the line in the output and write there what HIP needs.",
)
NOT_TRANSLATED = FindingKind(
    "HPY909",
    Severity.ERROR,
    "file that could not be translated",
    "The translator failed on the file, or took too long: the output holds the CUDA text unchanged.",
    "Translate the file alone (`hipify-py FILE --verbose`); give --no-clang or a larger --timeout.",
)

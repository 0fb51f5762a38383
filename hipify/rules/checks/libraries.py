"""Libraries whose counterpart differs where names do not tell: CUB's warp primitives, modules of PTX, pragmas."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.structure import Argument
from hipify.patterns import lazy
from hipify.rules.arch import wavefronts
from hipify.rules.constants import number
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

CUB_WARP = FindingKind(
    "HPY704",
    Severity.WARNING,
    "CUB warp primitive of the default width",
    "The default logical warp is the hardware's: 32 lanes in CUB, 64 in hipCUB on gfx9. Results cover twice the lanes, "
    "and arrays of TempStorage are indexed by another warp number.",
    "Give the width: WarpReduce<T, 32>.",
    "#include <cub/cub.cuh>\n__global__ void f() { typedef cub::WarpReduce<float> Reduce; }\n",
    "#include <hipcub/hipcub.hpp>\n__global__ void f() { typedef hipcub::WarpReduce<float, 32> Reduce; }\n",
)
NVCC_PRAGMA = FindingKind(
    "HPY705",
    Severity.NOTE,
    "pragma of NVIDIA's compiler",
    "clang does not know it and ignores it with a warning (-Wunknown-pragmas).",
    "Remove it, or guard it with #ifdef __NVCC__.",
    "#pragma nv_diag_suppress 177\n",
    '#pragma clang diagnostic ignored "-Wunused-variable"\n',
)
PTX_MODULE = FindingKind(
    "HPY706",
    Severity.ERROR,
    "module of PTX or cubin code",
    "hipModuleLoad takes AMD code objects: a file of NVIDIA code is rejected when the program runs.",
    "Build the kernels with `hipcc --genco --offload-arch=…` and load the .co or .hsaco file.",
    'void f(CUmodule* m) { cuModuleLoad(m, "kernels.ptx"); }\n',
    'void f(hipModule_t* m) { hipModuleLoad(m, "kernels.hsaco"); }\n',
)
OLD_CUBLAS = FindingKind(
    "HPY713",
    Severity.ERROR,
    "cuBLAS call without a handle",
    "<cublas.h> declares the first version of cuBLAS: no handle, numbers instead of enumerators, and results as return "
    "values. hipBLAS has the second version alone, so that the call does not compile.",
    "Move to <cublas_v2.h> first: create a handle, pass it first, and pass scalars and results by address.",
    "#include <cublas.h>\nvoid f(float* x) { cublasSscal(1, 2.0f, x, 1); }\n",
    "#include <hipblas/hipblas.h>\nvoid f(hipblasHandle_t h, float a, float* x) { hipblasSscal(h, 1, &a, x, 1); }\n",
)

_OLD_CUBLAS = lazy(rb"cublas[ISDCZ][a-z]\w+\Z")
_NEW_CUBLAS = frozenset((b"cublasHandle_t", b"cublasCreate", b"cublasCreate_v2", b"CUBLAS_V2_H_"))
_WARP_PRIMITIVES = {
    # position of the logical width among the template parameters
    b"WarpReduce": 1, b"WarpScan": 1, b"WarpExchange": 2, b"WarpLoad": 3, b"WarpStore": 3, b"WarpMergeSort": 2,
}  # fmt: skip
_PRAGMA = lazy(rb"nv_\w+|diag_(?:suppress|default|error|warning|remark|once)|hd_warning_disable")
_CODE_FILE = lazy(rb'[^"]*\.(?:ptx|cubin|fatbin)"\Z')
_LOADERS = frozenset(
    b"cuModuleLoad cuModuleLoadData cuModuleLoadDataEx cuModuleLoadFatBinary cuLibraryLoadFromFile cuLinkAddFile "
    b"cudaLibraryLoadFromFile cuLibraryLoadData".split()
)
_JIT_PTX = (b"CU_JIT_INPUT_PTX", b"CU_JIT_INPUT_CUBIN", b"CU_JIT_INPUT_FATBINARY")


def run(context: Context) -> None:
    """Report each of them."""
    vocabulary = context.tokens.vocabulary
    for name in sorted(vocabulary & _WARP_PRIMITIVES.keys()):
        _warp_primitive(context, name)
    for directive in context.structure.directives:
        if directive.name == b"pragma":
            word = context.tokens.next(directive.body, directive.stop)
            if word < directive.stop and _PRAGMA.fullmatch(context.tokens.text[word]):
                shown = context.tokens.text[word].decode()
                context.find(NVCC_PRAGMA, directive.first, directive.stop, message=f"#pragma {shown} is NVIDIA's")
    if vocabulary & _LOADERS:
        _modules(context)
    includes = {include.name for include in context.structure.includes}
    if b"cublas.h" in includes and b"cublas_v2.h" not in includes and not vocabulary & _NEW_CUBLAS:
        _old_cublas(context)


def _old_cublas(context: Context) -> None:
    """Report the calls of a file that knows no handle."""
    for name in sorted(n for n in context.tokens.vocabulary if n[:6] == b"cublas" and _OLD_CUBLAS.match(n)):
        if name not in context.library.names or context.declared_here(name):
            continue
        for index in context.structure.index.get(name, ()):
            if context.is_code(index) and context.structure.call_at(index) is not None:
                context.find(OLD_CUBLAS, index, message=f"{name.decode()} without a handle: hipBLAS's takes one")


def _warp_primitive(context: Context, name: bytes) -> None:
    """Report `cub::WarpReduce<T>` without a width, where 64-lane GPUs are meant."""
    archs = context.options.offload_arch
    lanes = wavefronts(archs)
    if archs and 64 not in lanes:
        return
    structure, position = context.structure, _WARP_PRIMITIVES[name]
    for index in structure.index[name]:
        if not _is_cub(context, index):
            continue
        less = structure.next_code(index + 1)
        greater = structure.angle_end(less) if context.text(less) == b"<" else None
        if greater is None:
            continue
        arguments = template_arguments(context, less, greater)
        if len(arguments) > position:
            if number(context, arguments[position]) != 64:
                continue
        elif any(context.text(a.stop - 1) == b"." for a in arguments):
            continue
        shown = name.decode()
        context.find(CUB_WARP, index, greater + 1, message=f"cub::{shown} of the default width: 64 lanes on gfx9")


def _is_cub(context: Context, index: int) -> bool:
    structure = context.structure
    before = structure.prev_code(index - 1)
    if context.text(before) == b"::":
        return context.text(structure.prev_code(before - 1)) == b"cub"
    if context.text(before) in (b"struct", b"class", b".", b"->") or context.declared_here(context.text(index)):
        return False
    return any(context.text(structure.prev_code(i - 1)) == b"namespace" for i in structure.index.get(b"cub", ()))


def template_arguments(context: Context, less: int, greater: int) -> list[Argument]:
    """The arguments between `<` and `>`, nested lists kept whole."""
    structure, text = context.structure, context.tokens.text
    out, depth, first, index = [], 0, less + 1, less + 1
    while index <= greater:
        token = text[index]
        if token in (b"(", b"[", b"{"):
            index = structure.partner.get(index, index)
        elif token == b"<":
            depth += 1
        elif token == b">" and index < greater:
            depth -= 1
        elif (token == b"," and depth == 0) or index == greater:
            begin = context.tokens.next(first, index)
            end = context.tokens.prev(index - 1) + 1
            if begin < end:
                out.append(Argument(begin, end))
            first = index + 1
        index += 1
    return out


def _modules(context: Context) -> None:
    """Report code file names given to a loader, anywhere in a file that calls one."""
    for token in sorted(t for t in context.tokens.vocabulary if t[-1:] == b'"' and _CODE_FILE.search(t)):
        for index in context.structure.index.get(token, ()):
            directive = context.structure.directive_at(index)
            if directive is not None and directive.name != b"define":
                continue
            shown = token.decode("utf-8", "replace")
            context.find(PTX_MODULE, index, message=f"{shown} is loaded as a module: AMD GPUs run code objects")
    for name in _JIT_PTX:
        reported = {f.start for f in context.analysis.findings}
        for index in context.structure.index.get(name, ()):
            if context.is_code(index) and context.tokens.start[index] not in reported:
                message = f"{name.decode()}: AMD's linker takes LLVM bitcode and code objects"
                context.find(PTX_MODULE, index, message=message)

"""Libraries whose counterpart differs where names do not tell: CUB's warp primitives, modules of PTX, pragmas."""

from __future__ import annotations

import re

from hipify.model import Severity
from hipify.parser.tokens import is_ident
from hipify.patterns import lazy
from hipify.rules.arch import wavefronts
from hipify.rules.checks.warp_code import warp_code
from hipify.rules.compared import is_compared
from hipify.rules.context import Context
from hipify.rules.embedded import adjacent, is_string
from hipify.rules.kinds import FindingKind

CUB_WARP = FindingKind(
    "HPY704",
    Severity.WARNING,
    "CUB warp primitive of the hardware's width",
    "The default logical warp is the hardware's: 32 lanes in CUB, 64 in hipCUB on gfx9. Results cover twice the lanes, "
    "and arrays of TempStorage are indexed by another warp number. --warp preserve gives the width 32.",
    "Give the width, WarpReduce<T, 32>, and count lanes and warps from threadIdx.",
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
_PRAGMA = lazy(rb"nv_\w+|diag_(?:suppress|default|error|warning|remark|once)|hd_warning_disable")
_WORD = lazy(rb"\w+")
_CODE_FILE = lazy(rb'[^"]*\.(?:ptx|cubin|fatbin)"\Z')
_PTX_TEXT = lazy(rb"\.version\s*\d|\.target\s+sm_|\.visible\s+\.entry")
_FAT_BINARY = lazy(
    rb"0x50\s*,\s*0xed\s*,\s*0x55\s*,\s*0xba|\b80\s*,\s*237\s*,\s*85\s*,\s*186\b|\\x50\\xed\\x55\\xba|0xba55ed50",
    re.IGNORECASE,
)
_CODE_NAME = lazy(rb"(?i:.*(?:ptx|cubin|fatbin).*)")
_COMPILERS = (b"nvrtcCompileProgram", b"nvrtcGetPTX", b"nvrtcGetCUBIN")
_IMAGES = {
    b"cuModuleLoadData": 1, b"cuModuleLoadDataEx": 1, b"cuModuleLoadFatBinary": 1, b"cuLibraryLoadData": 1,
    b"cudaLibraryLoadData": 1, b"cuLinkAddData": 2,
}  # fmt: skip
_LOADERS = frozenset(
    b"cuModuleLoad cuModuleLoadData cuModuleLoadDataEx cuModuleLoadFatBinary cuLibraryLoadFromFile cuLinkAddFile "
    b"cudaLibraryLoadFromFile cuLibraryLoadData cudaLibraryLoadData cuLinkAddData".split()
)
_JIT_PTX = (b"CU_JIT_INPUT_PTX", b"CU_JIT_INPUT_CUBIN", b"CU_JIT_INPUT_FATBINARY")

NEEDS = frozenset((*_LOADERS, b"cub", b"pragma", b"_Pragma", b"__pragma", b"cublas", b'"cublas.h"'))


def run(context: Context) -> None:
    """Report each of them."""
    vocabulary = context.tokens.vocabulary
    if b"cub" in vocabulary:
        _warp_primitives(context)
    for directive in context.structure.directives:
        if directive.name == b"pragma":
            word = context.tokens.next(directive.body, directive.stop)
            if word < directive.stop and _PRAGMA.fullmatch(context.tokens.text[word]):
                shown = context.tokens.text[word].decode()
                context.find(NVCC_PRAGMA, directive.first, directive.stop, message=f"#pragma {shown} is NVIDIA's")
    for operator in (b"_Pragma", b"__pragma"):
        if operator in vocabulary:
            _pragma_operators(context, operator)
    if vocabulary & _LOADERS:
        _modules(context)
    includes = {include.name for include in context.structure.includes}
    if b"cublas.h" in includes and b"cublas_v2.h" not in includes and not vocabulary & _NEW_CUBLAS:
        _old_cublas(context)


def _pragma_operators(context: Context, operator: bytes) -> None:
    """Report `_Pragma("nv_diag_suppress 177")` and `__pragma(nv_exec_check_disable)`."""
    for index in context.structure.index.get(operator, ()):
        call = context.structure.call_at(index)
        word = _WORD.search(context.argument_bytes(call.args[0])) if call is not None and call.args else None
        if call is not None and word is not None and _PRAGMA.fullmatch(word[0]):
            message = f"{operator.decode()} of {word[0].decode()} is NVIDIA's"
            context.find(NVCC_PRAGMA, index, call.close + 1, message=message)


def _old_cublas(context: Context) -> None:
    """Report the calls of a file that knows no handle."""
    for name in (n for n in context.tokens.beginning((b"cublas",)) if _OLD_CUBLAS.match(n)):
        if name not in context.library.names or context.declared_here(name):
            continue
        for index in context.structure.index.get(name, ()):
            if context.is_code(index) and context.structure.call_at(index) is not None:
                context.find(OLD_CUBLAS, index, message=f"{name.decode()} without a handle: hipBLAS's takes one")


def _warp_primitives(context: Context) -> None:
    """Report `cub::WarpReduce<T>` without a width, and what hipCUB counts in wavefronts."""
    from hipify.rules.passes.cub_warp import HARDWARE, WIDTHS, is_cub, primitives

    for name in sorted(context.tokens.vocabulary.intersection((*WIDTHS, *HARDWARE))):
        shown, code = name.decode(), warp_code(context)
        for use in primitives(context, name) if name in WIDTHS else ():
            message, severity = f"cub::{shown} of the default width: 64 lanes on gfx9", Severity.WARNING
            if use.name in code.preserved_cub:
                message, severity = f"cub::{shown} of the default width: given the 32 lanes that CUB has", Severity.NOTE
            context.find(CUB_WARP, use.name, use.greater + 1, message=message, severity=severity)
        archs = context.options.offload_arch
        for index in context.structure.index[name] if name not in WIDTHS else ():
            if index in code.preserved or context.structure.call_at(index) is None or not is_cub(context, index):
                continue
            if not archs or 64 in wavefronts(archs):
                context.find(CUB_WARP, index, message=f"cub::{shown}: hipCUB's counts in wavefronts, 64 lanes on gfx9")


def _modules(context: Context) -> None:
    """Report code file names given to a loader, anywhere in a file that calls one."""
    for token in sorted(t for t in context.tokens.vocabulary if t[-1:] == b'"' and _CODE_FILE.search(t)):
        for index in context.structure.index.get(token, ()):
            directive = context.structure.directive_at(index)
            if (directive is not None and directive.name != b"define") or is_compared(context, index):
                continue
            shown = token.decode("utf-8", "replace")
            context.find(PTX_MODULE, index, message=f"{shown} is loaded as a module: AMD GPUs run code objects")
    _texts(context)
    if not any(name in context.tokens.vocabulary for name in _COMPILERS):
        _images(context)
    for name in _JIT_PTX:
        reported = {f.start for f in context.analysis.findings}
        for index in context.structure.index.get(name, ()):
            if context.is_code(index) and context.tokens.start[index] not in reported:
                message = f"{name.decode()}: AMD's linker takes LLVM bitcode and code objects"
                context.find(PTX_MODULE, index, message=message)


def _texts(context: Context) -> None:
    """Report PTX in strings, and the first bytes of a fat binary, in a file that loads modules."""
    for token in sorted(t for t in context.tokens.vocabulary if is_string(t) and _PTX_TEXT.search(t)):
        for index in context.structure.index.get(token, ()):
            group = adjacent(context, index)
            first = next(i for i in group if _PTX_TEXT.search(context.text(i)))
            if index == first:
                message = "PTX in a string is loaded as a module: AMD GPUs run code objects"
                context.find(PTX_MODULE, group[0], message=message)
    for match in _FAT_BINARY.finditer(context.source.data):
        message = "a fat binary of NVIDIA's is loaded as a module: AMD GPUs run code objects"
        context.find_bytes(PTX_MODULE, match.start(), match.end(), message=message)


def _images(context: Context) -> None:
    """Report code that a file loads and neither compiles nor holds, where its name says what it is."""
    for name, place in _IMAGES.items():
        for index in context.structure.index.get(name, ()):
            call = context.structure.call_at(index)
            if call is None or place >= len(call.args) or not context.is_code(index):
                continue
            words = (context.text(i) for i in context.tokens.significant(call.args[place].first, call.args[place].stop))
            shown = next((w for w in words if is_ident(w) and _CODE_NAME.fullmatch(w)), b"")
            if shown:
                message = f"{shown.decode()} is loaded as a module: AMD GPUs run code objects"
                context.find(PTX_MODULE, index, message=message, severity=Severity.WARNING)

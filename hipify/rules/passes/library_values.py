"""Constants of CUDA libraries that HIP has no value for: the nearest one is written, and said."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.owner import Owner
from hipify.patterns import lazy
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind
from hipify.rules.library import map_name

NEAREST_VALUE = FindingKind(
    "HPY703",
    Severity.WARNING,
    "library constant that becomes the nearest one of HIP",
    "HIP's enumeration has no such value. The one written instead means more, or leaves the choice to the library.",
    "Check that the program does not tell the two apart.",
    "#include <cublas_v2.h>\ncublasGemmAlgo_t algo = CUBLAS_GEMM_DEFAULT_TENSOR_OP;\n",
    "#include <hipblas/hipblas.h>\nhipblasGemmAlgo_t algo = HIPBLAS_GEMM_DEFAULT;\n",
)

_GEMM_ALGORITHM = lazy(rb"CUBLAS_GEMM_(?:ALGO\d+(?:_TENSOR_OP)?|DFALT(?:_TENSOR_OP)?|DEFAULT_TENSOR_OP|AUTOTUNE)")
# Mapped by the tables, to a value that stands for other CUDA values too.
_WIDER = {
    b"CUBLAS_STATUS_LICENSE_ERROR": "no licence is asked for on ROCm, and other errors share the value",
    b"CUSOLVER_STATUS_IRS_INTERNAL_ERROR": "other internal errors share the value",
    b"CUSOLVER_STATUS_IRS_PARAMS_INVALID": "other invalid arguments share the value",
    b"CUSOLVER_STATUS_IRS_NOT_SUPPORTED": "other unsupported requests share the value",
}
# Enumerators that are passed as numbers: HIP has the attribute that takes them, and no names.
_NUMBERS = {
    name + word: number
    for name, words in (
        (b"cudaSharedmemCarveout", (b"Default", b"MaxL1", b"MaxShared")),
        (b"CU_SHAREDMEM_CARVEOUT_", (b"DEFAULT", b"MAX_L1", b"MAX_SHARED")),
    )
    for word, number in zip(words, (b"-1", b"0", b"100"), strict=True)
}

# hiprtc gives bitcode of code that is linked later alone; what NVRTC calls a cubin is a module that can be loaded.
_LOADABLE = {b"nvrtcGetCUBIN": b"hiprtcGetCode", b"nvrtcGetCUBINSize": b"hiprtcGetCodeSize"}
_LINKED = lazy(rb'"--?(?:dc|device-c|rdc|relocatable-device-code|dlto|dlink-time-opt)\b')
_LINKERS = (b"cuLinkAddData", b"cuLinkAddData_v2", b"cuLinkCreate", b"cuLinkCreate_v2", b"nvJitLinkAddData")

NEEDS = frozenset((*_NUMBERS, *_LOADABLE, *_WIDER, b"CUBLAS_GEMM_*"))


def run(context: Context) -> None:
    """Write the nearest value, and report it."""
    vocabulary = context.tokens.vocabulary
    for name in sorted(vocabulary & _NUMBERS.keys()):
        for index in _uses(context, name):
            context.replace(index, _NUMBERS[name])
            context.refer(index, "enum_constant", "runtime", True)
    if not vocabulary.isdisjoint(_LOADABLE) and vocabulary.isdisjoint(_LINKERS):
        _loadable(context)
    for name in (n for n in context.tokens.beginning((b"CUBLAS_GEMM_",)) if _GEMM_ALGORITHM.fullmatch(n)):
        api = context.library.get(name)
        if api is None or not map_name(api, context.target).name:
            _default_algorithm(context, name)
    for name in sorted(vocabulary & _WIDER.keys()):
        api = context.library.get(name)
        new = map_name(api, context.target).name if api is not None else ""
        for index in _uses(context, name) if new else ():
            context.find(NEAREST_VALUE, index, message=f"{name.decode()} becomes {new}: {_WIDER[name]}")


def _loadable(context: Context) -> None:
    """What NVRTC compiled for a GPU is loaded as it is, unless options make it a part of something that is linked."""
    if _LINKED.search(context.source.data):
        return
    for name, new in _LOADABLE.items():
        for index in _uses(context, name):
            context.replace(index, new)
            context.refer(index, "function", "nvrtc", True)


def _uses(context: Context, name: bytes) -> list[int]:
    return [
        i
        for i in context.structure.index.get(name, ())
        if i not in context.claimed and context.is_code(i) and context.owner(i)[0] is not Owner.USER
    ]


def _default_algorithm(context: Context, name: bytes) -> None:
    new = b"rocblas_gemm_algo_standard" if context.target.roc else b"HIPBLAS_GEMM_DEFAULT"
    for index in _uses(context, name):
        context.replace(index, new)
        context.refer(index, "enum_constant", "cublas", True)
        message = f"{name.decode()} becomes {new.decode()}: the library chooses the algorithm"
        # The tensor cores' default is the default by now, for CUDA too; the other numbers are but hints.
        severity = Severity.NOTE if b"DEFAULT" in name or b"DFALT" in name else None
        context.find(NEAREST_VALUE, index, message=message, severity=severity)

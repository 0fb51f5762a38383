"""Declarations of all CUDA names, made from the rule tables, so that clang parses CUDA without a CUDA SDK.

Hand-written parts (`cuda_decls/*.h`) declare what needs a shape: templates, vector types, handles. Every other name of
the tables is declared here by rule. Values and parameters are placeholders: clang only has to resolve names and know
the kinds of results.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from hipify.parser.declared_types import TypeNames, handles, structs
from hipify.patterns import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.rules.library import Api, Library

HAND_WRITTEN = Path(__file__).parent / "cuda_decls"
_BEFORE = ("language", "runtime", "half")
_AFTER = ("addresses", "device", "groups", "cub", "thrust")
_WORD = lazy(r"[A-Za-z_]\w*")
# Names that the hand-written macros put together, and those that the C library declares.
_PASTED = lazy(
    r"(?:make_)?(?:u?char|u?short|u?int|u?long|u?longlong|float|double)[1-4](?:_16a|_32a)?"
    r"|atomic(?:Add|Sub|Exch|Min|Max|Inc|Dec|And|Or|Xor)(?:_block|_system)?"
    r"|(?:rsqrt|rcbrt|sinpi|cospi|tanpi|erfinv|erfcinv|erfcx|normcdf|normcdfinv|cyl_bessel_i[01]|rhypot|fdivide)f?"
    r"|surf(?:[123]D|[12]DLayered|Cubemap|CubemapLayered)(?:read|write)"
    r"|curandState(?:MRG32k3a|Mtgp32|Philox4_32_10|(?:Scrambled)?Sobol(?:32|64))?(?:_t)?"
    r"|(?:__half2?|__nv_bfloat162?)_raw"
)
_C_LIBRARY = lazy(
    r"(?:a?(?:cos|sin|tan)h?|atan2|cbrt|ceil|copysign|erfc?|exp|exp2|expm1|exp10|fabs|fdim|floor|fma|fmax|fmin|fmod"
    r"|frexp|hypot|ilogb|j[01n]|ldexp|lgamma|ll?rint|ll?round|log|log10|log1p|log2|logb|modf|nan|nearbyint|nextafter"
    r"|pow|remainder|remquo|rint|round|scalbl?n|sincos|sqrt|tgamma|trunc|y[01n])f?"
    r"|abs|l?labs|isfinite|isinf|isnan|signbit|malloc|free|memcpy|memset|printf|assert|clock|__assert_fail"
    r"|__finite[fl]?|__isinf[fl]?|__isnan[fl]?|__signbit[fl]?|_fdsign|_ldsign|_Pow_int"
)
_STATUS = {
    "runtime": "cudaError_t",
    "driver": "CUresult",
    "cublas": "cublasStatus_t",
    "cublaslt": "cublasStatus_t",
    "cudnn": "cudnnStatus_t",
    "cufft": "cufftResult",
    "cusolver": "cusolverStatus_t",
    "cusparse": "cusparseStatus_t",
    "cusparselt": "cusparseStatus_t",
    "cutensor": "cutensorStatus_t",
    "nccl": "ncclResult_t",
    "nvrtc": "nvrtcResult",
    "nvjitlink": "nvJitLinkResult",
}
_TEXT_RESULT = lazy(r"(?:cu|nccl|nvrtc|nvJit)\w*Get(?:ErrorString|StatusString|StatusName|ErrorName)|ncclGetLastError")
_CALLS = frozenset(("function", "device_function"))
_TARGETS = {
    "half": "__half",
    "half2": "__half2",
    "bfloat16": "__nv_bfloat16",
    "bfloat162": "__nv_bfloat162",
    "float": "float",
    "float2": "float2",
    "double": "double",
    "int": "int",
    "uint": "unsigned",
    "short": "short",
    "ushort": "unsigned short",
    "char": "signed char",
    "uchar": "unsigned char",
    "ll": "long long",
    "ull": "unsigned long long",
    "longlong": "long long",
}
_CONVERSION = lazy(r"_?_?\w*?[a-z0-9](?:2|_as_)({})(?:_r[nzud])?".format("|".join(_TARGETS)))
_RESULTS = (
    (re.compile(r"__(?:h?isinf|isnan|finite|signbit)[fl]?"), "int"),
    (re.compile(r"__f(?:add|mul|fma)2_r[nzud]"), "float2"),
    (re.compile(r"__cluster(?:Dim|Idx|GridDimInClusters|RelativeBlockIdx)"), "dim3"),
    (re.compile(r"__cluster_map_shared_\w+"), "void *"),
    (re.compile(r"make_(half2|bfloat162)"), "_"),
    (re.compile(r"__hb?(?:eq|ne|lt|le|gt|ge)u?2?|__hisnan|__hb\w+2"), "bool"),
    (
        re.compile(r"__h\w+_mask|__v\w+|__byte_perm|__funnelshift_\w+|__brev|__umul24|__umulhi|__u?sad|umul24"),
        "unsigned",
    ),
    (re.compile(r"__brevll|__umul64hi|__cvta_\w+"), "unsigned long long"),
    (re.compile(r"__mul64hi|mul64hi"), "long long"),
    (re.compile(r"__d\w+_r[nzud]|__drcp\w*|__dsqrt\w*|__hiloint2double|__ddiv\w*"), "double"),
    (re.compile(r"__f\w+_r[nzud]|__\w+f|__saturatef|__fdividef|__frsqrt_rn|__tanhf"), "float"),
)
_VERSION_MACRO = lazy(r"\w+_(?:VERSION|VER_MAJOR|VER_MINOR|VER_PATCH|VER_BUILD|MAJOR|MINOR|PATCH|PATCHLEVEL)")
_STREAM_MACRO = lazy(r"(?:cuda|CU_)Stream(?:Legacy|PerThread)|CU_STREAM_(?:LEGACY|PER_THREAD)")
_SKIPPED_MACRO = lazy(
    r"CUB_\w+|THRUST_\w+|__CUDA\w*|__NVCC\w*|CUDA\w*API|CUDA_CB|CUDART_DEVICE|\w+_(?:DEPRECATED|EXTERN)"
)


def declarations(library: Library, cuda_version: str) -> str:
    """The whole header. `cuda_version` is CUDA's own number, as 12090."""
    hand = {path.stem: path.read_text() for path in sorted(HAND_WRITTEN.glob("*.h"))}
    known = {word for text in hand.values() for word in _WORD.findall(text)}
    apis = [library.get(name) for name in library.in_order()]
    wanted = [api for api in apis if api is not None and _wanted(api.name, known)]
    parts = [hand.pop(name) for name in _BEFORE]
    parts += ['extern "C++" {', *_generated(wanted, library, known), "}"]
    parts += [hand[name] for name in _AFTER if name in hand]
    return "\n".join([_prologue(cuda_version), *parts, ""])


def _wanted(name: str, known: set[str]) -> bool:
    return "::" not in name and name not in known and not _PASTED.fullmatch(name) and not _C_LIBRARY.fullmatch(name)


def _prologue(cuda_version: str) -> str:
    major, minor = divmod(int(cuda_version), 1000)
    lines = [
        "#pragma once",
        "#define __CUDACC__ 1",
        "#define __NVCC__ 1",
        f"#define __CUDACC_VER_MAJOR__ {major}",
        f"#define __CUDACC_VER_MINOR__ {minor // 10}",
        "#define __CUDACC_VER_BUILD__ 0",
        f"#define CUDART_VERSION {cuda_version}",
        f"#define CUDA_VERSION {cuda_version}",
        "#define __CUDACC_EXTENDED_LAMBDA__ 1",
    ]
    return "\n".join(lines)


def _generated(apis: list[Api], library: Library, known: set[str]) -> Iterator[str]:
    types = TypeNames(
        [api.name for api in apis if api.kind in ("type", "device_type")],
        [api.name for api in apis if api.kind == "enum_constant"],
    )
    yield from types.enums()
    yield from handles(types)
    yield from structs(types, library, lambda name: not _wanted(name, known))
    yield "enum : unsigned {"
    yield from (f"{name}," for name in types.loose_constants)
    yield from (f"{api.name}," for api in apis if api.kind in ("macro", "unknown") and _plain_macro(api.name))
    yield "};"
    for api in apis:
        if api.kind in _CALLS:
            yield f"{_result(api)} {api.name}(...);"
        elif api.kind == "macro":
            yield _macro(api.name)


def _plain_macro(name: str) -> bool:
    return not (_VERSION_MACRO.fullmatch(name) or _SKIPPED_MACRO.fullmatch(name) or _macro(name))


def _macro(name: str) -> str:
    """The declaration of a macro that is no plain integer; '' for the others."""
    if name in ("CUDA_VERSION", "CUDART_VERSION") or _SKIPPED_MACRO.fullmatch(name):
        return ""
    if _VERSION_MACRO.fullmatch(name):
        return f"#define {name} 12"
    if _STREAM_MACRO.fullmatch(name):
        return f"static const cudaStream_t {name} = nullptr;"
    if name.startswith("CU_LAUNCH_PARAM_") and not name.endswith("_AS_INT"):
        return f"static void *const {name} = nullptr;"
    if name.startswith("CUDART_") and "_FP16" not in name and "_BF16" not in name:
        return f"static constexpr {'float' if name.endswith('_F') else 'double'} {name} = 1;"
    if re.fullmatch(r"cu[A-Z]\w+Async", name):
        return f"CUresult {name}(...);"
    return ""


def _result(api: Api) -> str:
    """What a call of this function gives."""
    if _TEXT_RESULT.fullmatch(api.name):
        return "const char *"
    if api.library == "curand":
        return "curandStatus_t" if re.match(r"curand[A-Z]", api.name) else "unsigned"
    status = _STATUS.get(api.library)
    if status and api.kind == "function":
        return status
    if api.library == "profiler":
        return "cudaError_t" if api.name.startswith("cuda") else "CUresult"
    return _device_result(api.name)


def _device_result(name: str) -> str:
    if match := _CONVERSION.fullmatch(name):
        return _TARGETS[match[1]]
    for pattern, result in _RESULTS:
        if match := pattern.fullmatch(name):
            return _TARGETS[match[1]] if result == "_" else result
    return "int"

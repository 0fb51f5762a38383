"""8-bit floats in device code: CUDA's are OCP's, the hardware of gfx942 has others."""

from __future__ import annotations

from bisect import bisect_left

from hipify.model import Severity
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

OCP_FLOAT = FindingKind(
    "HPY414",
    Severity.WARNING,
    "8-bit float of OCP's format in device code",
    "gfx942 computes with the FNUZ formats. HIP's header gives the OCP types no conversions in device code there: "
    "hipcc does not compile it for gfx942. gfx950, gfx12 and GPUs without 8-bit hardware have them.",
    "Use __hip_fp8_e4m3_fnuz and __hip_fp8_e5m2_fnuz for gfx942 (#ifdef __gfx942__); their bits and ranges differ.",
    "#include <cuda_fp8.h>\n__device__ float f(__nv_fp8_e4m3 x) { return float(x); }\n",
    "#include <hip/hip_fp8.h>\n__device__ float f(__hip_fp8_e4m3_fnuz x) { return float(x); }\n",
)
_TYPES = frozenset(f"__nv_fp8{width}_{kind}".encode() for width in ("", "x2", "x4") for kind in ("e4m3", "e5m2"))
_FNUZ = ("gfx940", "gfx941", "gfx942")
NEEDS = _TYPES


def run(context: Context) -> None:
    """Report the first use of such a type in each device function, where a GPU with other formats may run it."""
    names = _TYPES & context.tokens.vocabulary
    archs = [name.split(":")[0] for name in context.options.offload_arch]
    hit = [name for name in archs if name in _FNUZ]
    if not names or (archs and not hit) or context.options.language == "hip":
        return
    places = sorted(i for name in names - context.own_macros for i in context.structure.index[name])
    for function in context.functions.all:
        at = bisect_left(places, function.first)
        if function.is_device and at < len(places) and places[at] < function.stop and context.is_code(places[at]):
            shown, where = context.text(places[at]).decode(), ", ".join(hit) or "gfx942"
            message = f"{shown}: no conversions of it in device code of {where}"
            context.find(OCP_FLOAT, places[at], message=message, severity=Severity.ERROR if hit else None)

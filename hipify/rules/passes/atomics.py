"""Atomic functions that a program defines because CUDA lacked them and HIP has."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.functions import Function
from hipify.rules.conditionals import conditionals_of
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind
from hipify.rules.passes.vector_operators import guard_range

OWN_ATOMIC = FindingKind(
    "HPY418",
    Severity.NOTE,
    "atomic function of the file's own that HIP has too",
    "HIP declares the function with these operands: a second definition is an error. The file's own is kept from HIP's "
    "compiler.",
    "Nothing needs to be done where the two do the same.",
    "#include <cuda_runtime.h>\n__device__ double atomicMax(double* p, double v) { return v; }\n",
    "#include <hip/hip_runtime.h>\n__device__ double own_atomic_max(double* p, double v) { return v; }\n",
)
_HIP_HAS = {
    b"atomicMax": (b"float", b"double"),
    b"atomicMin": (b"float", b"double"),
    b"atomicAdd": (b"double", b"float"),
}
# HIP's NVIDIA headers define these as well, so there too a second definition is an error.
_ON_BOTH_PLATFORMS = (b"atomicMax", b"atomicMin")
_CUDA_ALONE = b"#if !defined(__HIP_PLATFORM_AMD__) && !defined(__HIP_PLATFORM_NVIDIA__)"
NEEDS = frozenset(_HIP_HAS)


def run(context: Context) -> None:
    """Guard definitions that HIP has."""
    if context.options.language == "hip":
        return
    text = context.tokens.text
    for function in context.functions.all:
        if function.name >= 0 and text[function.name] in _HIP_HAS:
            _own(context, function)


def _own(context: Context, function: Function) -> None:
    structure, text = context.structure, context.tokens.text
    call = structure.call_at(function.name)
    if call is None or len(call.args) != 2 or conditionals_of(context).leaves_out(context.tokens.start[function.name]):
        return
    kinds = [context.argument_bytes(a).replace(b"const ", b"").split() for a in call.args]
    operand = kinds[1][0] if kinds[1] else b""
    if operand not in _HIP_HAS[text[function.name]] or not kinds[0] or not kinds[0][0].startswith(operand):
        return
    if structure.directive_at(function.name) is not None or _nested(context, function.first):
        return
    # Where an #if already chooses by architecture, the guards' pass decides.
    before = structure.directives_between(-1, function.first)
    depth = sum(d.name in (b"if", b"ifdef", b"ifndef") for d in before) - sum(d.name == b"endif" for d in before)
    if depth > (1 if context.source.path.endswith((".h", ".hpp", ".cuh")) else 0):
        return
    first = context.structure.declaration_start(function.first)
    name = f"{text[function.name].decode()}({operand.decode()}*, {operand.decode()})"
    if text[function.name] in _ON_BOTH_PLATFORMS:
        context.find(OWN_ATOMIC, function.name, message=f"{name}: HIP has it, the file's own is for CUDA alone now")
        guard_range(context, first, function.stop + 1, _CUDA_ALONE)
    else:
        context.find(OWN_ATOMIC, function.name, message=f"{name}: HIP has it, the file's own is for NVIDIA alone now")
        guard_range(context, first, function.stop + 1)


def _nested(context: Context, index: int) -> bool:
    return context.structure.enclosing(index) is not None

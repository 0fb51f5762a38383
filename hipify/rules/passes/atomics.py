"""Atomic functions that a program defines because CUDA lacked them and HIP has, and operand types that HIP lacks."""

from __future__ import annotations

from hipify.model import Confidence, Severity
from hipify.parser.functions import Function
from hipify.patterns import lazy
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
HALF_ATOMIC = FindingKind(
    "HPY419",
    Severity.ERROR,
    "atomicAdd on a 16-bit floating-point type",
    "HIP's atomicAdd takes no __half, __half2 or bf16 operands: hipcc finds no matching function.",
    "Use unsafeAtomicAdd where the GPU has it, or a loop with atomicCAS on the 32-bit word.",
    "__global__ void k(__half2* p, __half2 v) { atomicAdd((__half2*)p, v); }\n",
    "__global__ void k(__half2* p, __half2 v) { unsafeAtomicAdd(p, v); }\n",
)
_HIP_HAS = {
    b"atomicMax": (b"float", b"double"),
    b"atomicMin": (b"float", b"double"),
    b"atomicAdd": (b"double", b"float"),
}
_HALF_CAST = lazy(rb"\(\s*(?:__)?(?:half2?|nv_bfloat162?)\s*\*\s*\)")
_HALF_TYPE = lazy(r"__half2?|__nv_bfloat162?|\bhalf2?\b")


def run(context: Context) -> None:
    """Guard definitions that HIP has; report operands that it lacks."""
    if context.options.language == "hip":
        return
    text = context.tokens.text
    for function in context.functions.all:
        if function.name >= 0 and text[function.name] in _HIP_HAS:
            _own(context, function)
    for index in context.structure.index.get(b"atomicAdd", ()):
        _half(context, index)


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
    first = _declaration_start(context, function.first)
    name = f"{text[function.name].decode()}({operand.decode()}*, {operand.decode()})"
    context.find(OWN_ATOMIC, function.name, message=f"{name}: HIP has it, the file's own is for NVIDIA alone now")
    guard_range(context, first, function.stop + 1)


def _nested(context: Context, index: int) -> bool:
    return context.structure.enclosing(index) is not None


def _declaration_start(context: Context, index: int) -> int:
    """First token of the declaration that token `index` belongs to, on its own side of directives."""
    structure = context.structure
    while (before := structure.prev_code(index - 1)) >= 0 and not structure.directives_between(before, index):
        if context.text(before) in (b";", b"}", b"{"):
            break
        index = before
    return index


def _half(context: Context, index: int) -> None:
    call = context.structure.call_at(index)
    if call is None or len(call.args) != 2 or not context.functions.in_device(index):
        return
    pointer = context.argument_bytes(call.args[0])
    confidence = Confidence.LEXICAL
    if not _HALF_CAST.match(pointer):
        if context.semantics is None or call.args[0].empty:
            return
        kind = context.semantics.expr_type(*context.argument_range(call.args[0]))
        if not _HALF_TYPE.search(kind):
            return
        confidence = Confidence.CLANG
    context.find(HALF_ATOMIC, index, confidence=confidence)

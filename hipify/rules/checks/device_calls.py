"""Runtime API calls in device code: CUDA's device runtime, which HIP does not have."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.owner import Owner
from hipify.rules.context import Context
from hipify.rules.passes.launches import DYNAMIC_PARALLELISM

# Device-side functions of CUDA that are no host API: tables and headers deal with them.
_DEVICE_SIDE = frozenset(
    b"cudaGridDependencySynchronize cudaTriggerProgrammaticLaunchCompletion cudaGetCurrentGraphExec "
    b"cudaGraphSetConditional cudaCGGetIntrinsicHandle cudaCGSynchronize cudaCGGetSize cudaCGGetRank".split()
)


def run(context: Context) -> None:
    """Report each host API that device code calls."""
    names = [n for n in context.api_names if n[:4] == b"cuda" and n not in _DEVICE_SIDE]
    reported = {f.start for f in context.analysis.findings if f.severity is Severity.ERROR}
    for name in sorted(names):
        api = context.library.get(name)
        if api is None or api.library != "runtime" or "function" not in api.kind:
            continue
        for index in context.structure.index.get(name, ()):
            if context.tokens.start[index] not in reported and context.functions.in_device(index):
                _report(context, index, name)


def _report(context: Context, index: int, name: bytes) -> None:
    call = context.structure.call_at(index)
    owner, confidence = context.owner(index)
    function = context.functions.function_at(index)
    if call is None or owner is Owner.USER or function is None:
        return
    if b"__host__" in function.attributes and not _for_device_alone(context, index):
        return  # the call may be never instantiated in the device pass
    shown = name.decode()
    context.find(
        DYNAMIC_PARALLELISM,
        index,
        call.close + 1,
        message=f"{shown} called in device code: HIP has no device runtime",
        confidence=confidence,
    )


def _for_device_alone(context: Context, index: int) -> bool:
    if not context.structure.directives:
        return False
    from hipify.rules.conditionals import conditionals_of

    return conditionals_of(context).for_device_alone(context.tokens.start[index])

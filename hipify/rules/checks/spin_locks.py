"""Locks and flags that lanes spin on: a wavefront runs in step, so that the lane that would free them waits, too."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.functions import Function
from hipify.parser.tokens import is_ident
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

SPIN_LOCK = FindingKind(
    "HPY310",
    Severity.WARNING,
    "lock or flag that lanes spin on",
    "NVIDIA's GPUs since Volta let each lane go on by itself. The lanes of an AMD wavefront run in step: the lane that"
    " got the lock, or that is to set the flag, waits behind the loop for those that wait in it, for ever.",
    "Let one lane of the wavefront (or one thread of the block) take the lock, set a flag in front of the branch that"
    " waits for it (or use a barrier), or try once a turn and do the work in the turn that got it:"
    " while (!done) if (atomicCAS(m, 0, 1) == 0) { ...; atomicExch(m, 0); done = true; }.",
    "__global__ void k(int* m, int* x) { while (atomicCAS(m, 0, 1) != 0); x[0]++; atomicExch(m, 0); }\n",
    "#include <hip/hip_runtime.h>\n"
    "__global__ void k(int* m, int* x) {\n"
    "    bool done = false;\n"
    "    while (!done) if (atomicCAS(m, 0, 1) == 0) { x[0]++; atomicExch(m, 0); done = true; }\n"
    "}\n",
)

_TAKING = frozenset(b"atomicCAS atomicExch atomicCAS_system atomicCAS_block atomicExch_system atomicExch_block".split())
_WAITING = frozenset(b"__nanosleep __threadfence __threadfence_block __threadfence_system continue".split())
NEEDS = frozenset((b"while",))


def run(context: Context) -> None:
    """Report loops in device code that do nothing but try to take a lock, or wait for a lane of their wavefront."""
    structure, text = context.structure, context.tokens.text
    taking = sorted(i for name in _TAKING & context.tokens.vocabulary for i in structure.index.get(name, ()))
    for index in structure.index.get(b"while", ()):
        opener = structure.next_code(index + 1)
        close = structure.partner.get(opener)
        if close is None or not _waits(context, index, close):
            continue
        function = context.functions.function_at(index)
        if function is None or not function.is_device:
            continue
        taken = next((i for i in taking if opener < i < close), None)
        if taken is None:
            _flag(context, function, index, opener, close)
            continue
        severity = _severity(context, function, index)
        if severity is not None:
            message = f"lanes spin on {text[taken].decode()}: those of one wavefront wait for each other for ever"
            context.find(SPIN_LOCK, index, close + 1, message=message, severity=severity)


def _flag(context: Context, function: Function, index: int, opener: int, close: int) -> None:
    """A loop that waits for memory which a lane of the same wavefront writes."""
    from hipify.rules.checks.lane_waits import awaited

    name = awaited(context, function, index, opener, close).decode("utf-8", "replace")
    if name:
        message = f"lanes spin until {name} changes: a lane of their wavefront that writes it waits for them for ever"
        context.find(SPIN_LOCK, index, close + 1, message=message)


def _waits(context: Context, index: int, close: int) -> bool:
    """Whether the body of the loop at `index` does nothing, or waits."""
    structure, text = context.structure, context.tokens.text
    first = structure.next_code(close + 1)
    if context.text(first) == b";" and text[before := structure.prev_code(index - 1)] in (b"}", b";"):
        begin = structure.partner.get(before, before)
        if text[structure.prev_code(begin - 1)] == b"do":
            return _idle(context, begin + 1, before)
    if context.text(first) == b"{":
        return _idle(context, first + 1, structure.partner.get(first, first))
    stop = first
    while stop < len(text) and stop - first < 16 and text[stop] not in (b";", b"{", b"}"):
        stop += 1
    return context.text(stop) == b";" and _idle(context, first, stop)


def _idle(context: Context, first: int, stop: int) -> bool:
    """Whether statements do nothing, or wait."""
    text = context.tokens.text
    return all(text[i] in _WAITING for i in context.tokens.significant(first, stop) if is_ident(text[i]))


def _severity(context: Context, function: Function, index: int) -> Severity | None:
    """None where one lane alone comes here, a note where nobody knows who does."""
    if _one_lane(context, function, index):
        return None
    if function.is_kernel:
        return Severity.WARNING
    if function.name < 0:
        return Severity.NOTE
    structure, name = context.structure, context.tokens.text[function.name]
    calls = [i for i in structure.index.get(name, ()) if i != function.name and structure.call_at(i) is not None]
    callers = [(caller, i) for i in calls if (caller := context.functions.function_at(i)) is not None]
    if not callers:
        return Severity.NOTE
    return None if all(_one_lane(context, caller, i) for caller, i in callers) else Severity.WARNING


def _one_lane(context: Context, function: Function, index: int) -> bool:
    """Whether an `if` around a token lets one lane alone in."""
    from hipify.rules.checks.lane_waits import lets_one_lane_in

    return lets_one_lane_in(context, function, index)

"""Locks and flags that lanes spin on: a wavefront runs in step, so that the lane that would free them waits, too."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.functions import Function
from hipify.rules.checks.wait_loops import WaitLoop, wait_loop
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
# A `for` that waits has `volatile` or an atomic: a compiler may leave any other out.
NEEDS = frozenset((b"while", b"volatile", *_TAKING))


def run(context: Context) -> None:
    """Report loops in device code that do nothing but try to take a lock, or wait for a lane of their wavefront."""
    structure = context.structure
    taking = sorted(i for name in _TAKING & context.tokens.vocabulary for i in structure.index.get(name, ()))
    heads = [b"while"]
    if b"volatile" in context.tokens.vocabulary or any(True for _ in context.tokens.beginning((b"atomic",))):
        heads.append(b"for")
    for index in (i for head in heads for i in structure.index.get(head, ())):
        loop = wait_loop(context, index)
        function = context.functions.function_at(index) if loop is not None else None
        if loop is None or function is None or not function.is_device:
            continue
        taken = next((i for i in taking if loop.opener < i < loop.close), None)
        if taken is None:
            _flag(context, function, loop)
        elif not loop.is_whole or _is_lock(context, taken, loop):
            severity = _severity(context, function, index)
            if severity is not None:
                name = context.text(taken).decode()
                message = f"lanes spin on {name}: those of one wavefront wait for each other for ever"
                context.find(SPIN_LOCK, index, loop.last + 1, message=message, severity=severity)


def _is_lock(context: Context, index: int, loop: WaitLoop) -> bool:
    """Whether an atomic tries for a fixed value: with one that the loop has read, it computes."""
    call = context.structure.call_at(index)
    if call is None:
        return False
    text = context.tokens.text
    words = {text[i] for argument in call.args[1:] for i in range(argument.first, argument.stop)}
    return words.isdisjoint(loop.filled)


def _flag(context: Context, function: Function, loop: WaitLoop) -> None:
    """A loop that waits for memory which a lane of the same wavefront writes."""
    from hipify.rules.checks.lane_waits import awaited

    name = awaited(context, function, loop.word, loop.opener, loop.close).decode("utf-8", "replace")
    if name:
        message = f"lanes spin until {name} changes: a lane of their wavefront that writes it waits for them for ever"
        context.find(SPIN_LOCK, loop.word, loop.last + 1, message=message)


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

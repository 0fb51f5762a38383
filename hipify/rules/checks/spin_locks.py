"""Locks that lanes spin on: a wavefront runs in step, so that the lane that holds a lock waits for the others."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.functions import Function
from hipify.parser.tokens import is_ident
from hipify.patterns import lazy
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

SPIN_LOCK = FindingKind(
    "HPY310",
    Severity.WARNING,
    "lock that lanes spin on",
    "NVIDIA's GPUs since Volta let each lane go on by itself. The lanes of an AMD wavefront run in step: the lane that"
    " got the lock waits behind the loop for those that want it, for ever.",
    "Let one lane of the wavefront (or one thread of the block) take the lock, or try once a turn and do the work"
    " in the turn that got it: while (!done) if (atomicCAS(m, 0, 1) == 0) { ...; atomicExch(m, 0); done = true; }.",
    "__global__ void k(int* m, int* x) { while (atomicCAS(m, 0, 1) != 0); x[0]++; atomicExch(m, 0); }\n",
    "#include <hip/hip_runtime.h>\n"
    "__global__ void k(int* m, int* x) {\n"
    "    bool done = false;\n"
    "    while (!done) if (atomicCAS(m, 0, 1) == 0) { x[0]++; atomicExch(m, 0); done = true; }\n"
    "}\n",
)

_TAKING = frozenset(b"atomicCAS atomicExch atomicCAS_system atomicCAS_block atomicExch_system atomicExch_block".split())
_WAITING = frozenset((b"__nanosleep", b"__threadfence", b"__threadfence_block"))
# One lane only: `threadIdx.x == 0`, `0 == lane`, `!tid`.
_ONE_LANE = lazy(rb"==0[uUlL]*(?![\w.])|(?<![\w.])0[uUlL]*==|(?:^|&&|\|\||\()!(?=\w)")
NEEDS = _TAKING


def run(context: Context) -> None:
    """Report loops in device code that do nothing but try to take a lock."""
    structure, text = context.structure, context.tokens.text
    taking = sorted(i for name in _TAKING & context.tokens.vocabulary for i in structure.index.get(name, ()))
    if not taking:
        return
    for index in structure.index.get(b"while", ()):
        opener = structure.next_code(index + 1)
        close = structure.partner.get(opener)
        if close is None or not any(opener < i < close for i in taking) or not _waits(context, index, close):
            continue
        function = context.functions.function_at(index)
        if function is None or not function.is_device:
            continue
        severity = _severity(context, function, index)
        if severity is not None:
            taken = next(i for i in taking if opener < i < close)
            message = f"lanes spin on {text[taken].decode()}: those of one wavefront wait for each other for ever"
            context.find(SPIN_LOCK, index, close + 1, message=message, severity=severity)


def _waits(context: Context, index: int, close: int) -> bool:
    """Whether the body of the loop at `index` does nothing, or waits."""
    structure, text = context.structure, context.tokens.text
    body = structure.next_code(close + 1)
    if text[body] == b";":
        before = structure.prev_code(index - 1)
        begin = structure.partner.get(before, before)
        return text[before] != b"}" or text[structure.prev_code(begin - 1)] != b"do" or begin + 1 == before
    if text[body] != b"{" or body not in structure.partner:
        return False
    words = {text[i] for i in context.tokens.significant(body + 1, structure.partner[body]) if is_ident(text[i])}
    return words <= _WAITING


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
    structure, text = context.structure, context.tokens.text
    for word in structure.index.get(b"if", ()):
        if not function.body < word < index:
            continue
        opener = structure.next_code(word + 1)
        close = structure.partner.get(opener)
        if close is None or close > index:
            continue
        body = structure.next_code(close + 1)
        stop = structure.partner.get(body, body) if text[body] == b"{" else _statement_end(context, body)
        if body <= index <= stop:
            condition = b"".join(text[i] for i in context.tokens.significant(opener + 1, close))
            if _ONE_LANE.search(condition):
                return True
    return False


def _statement_end(context: Context, index: int) -> int:
    text, partner = context.tokens.text, context.structure.partner
    while index < len(text) and text[index] != b";":
        index = partner.get(index, index) + 1 if text[index] in (b"(", b"{", b"[") else index + 1
    return index

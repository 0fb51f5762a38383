"""Code that relies on the lockstep of a warp, groups that span a wavefront, and the host's view of the warp size."""

from __future__ import annotations

from bisect import bisect_left
from itertools import chain

from hipify.model import Severity
from hipify.parser.functions import Function
from hipify.parser.tokens import is_ident
from hipify.rules.arch import wavefronts
from hipify.rules.context import Context
from hipify.rules.declared import declared_type
from hipify.rules.kinds import FindingKind

IMPLICIT_SYNC = FindingKind(
    "HPY306",
    Severity.WARNING,
    "warp-synchronous code without a barrier",
    "The statements exchange values through shared memory and rely on the lanes running in step. The compiler may keep"
    " or reorder what is not volatile, and nothing promises the order.",
    "Put __syncwarp() (or __syncthreads() outside divergent code) between the steps, or reduce with shuffles.",
    "__device__ void tail(volatile float* s, int t) { s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8]; }\n",
    "#include <hip/hip_runtime.h>\n"
    "__device__ void tail(float* s, int t) { s[t] += s[t + 32]; __syncthreads(); s[t] += s[t + 16]; }\n",
)
COALESCED = FindingKind(
    "HPY308",
    Severity.WARNING,
    "coalesced group: as wide as a wavefront",
    "coalesced_threads() holds the active lanes of the whole wavefront: up to 64 on gfx9, two warps of CUDA.",
    "Use tiled_partition<32>(this_thread_block()) where the code counts on at most 32 threads.",
    "#include <cooperative_groups.h>\n"
    "__global__ void k(int* x) { auto g = cooperative_groups::coalesced_threads(); x[0] = g.size(); }\n",
)
HOST_WARP_SIZE = FindingKind(
    "HPY309",
    Severity.WARNING,
    "warp size asked for on the host",
    "The device property tells the lanes of a wavefront: 64 on gfx9.",
    "Where it sizes grids, blocks or buffers for kernels that count in warps of 32, write 32.",
    "__global__ void k(int* x) { x[0] = __any(x[1]); }\nint f(cudaDeviceProp p) { return 256 / p.warpSize; }\n",
)

_BARRIERS = (
    b"__syncthreads",
    b"__syncwarp",
    b"sync",
    b"__syncthreads_and",
    b"__syncthreads_or",
    b"__syncthreads_count",
)
_SIZES = (b"warpSize", b"cudaDevAttrWarpSize", b"CU_DEVICE_ATTRIBUTE_WARP_SIZE", b"hipDeviceAttributeWarpSize")
_ANY_WIDTH = (b"sync", b"thread_rank", b"size", b"num_threads", b"any", b"all")
_Step = tuple[int, int, bytes]
_NO_ASSIGNMENT = frozenset((b";", b",", b")", b"]", b".", b"}", b"->", b":", b"?"))
_STEPS = frozenset((b"1", b"2", b"4", b"8", b"16", b"32"))


def run(context: Context) -> None:
    """Report implicit warp synchronisation, coalesced groups and the host's warp size."""
    index_of = context.structure.index
    functions = [function for function in context.functions.all if function.is_device]
    words = (b"[", *_BARRIERS) if functions else ()
    events = sorted(chain.from_iterable(index_of.get(word, ()) for word in words))
    for function in functions:
        _lockstep(context, events, function)
    for index in context.structure.index.get(b"coalesced_threads", ()):
        if context.is_code(index) and context.structure.call_at(index) is not None:
            severity = Severity.WARNING if _may_have_64(context) and not _any_width(context, index) else Severity.NOTE
            message = "coalesced_threads() spans the active lanes of a wavefront, up to 64 on gfx9"
            context.find(COALESCED, index, message=message, severity=severity)
    if context.options.language != "hip" and not context.tokens.vocabulary.isdisjoint(_SIZES):
        _host_size(context)


def _any_width(context: Context, index: int) -> bool:
    """Whether code asks a coalesced group only for what is right for any number of lanes: `auto g = coalesced_…`."""
    structure, text = context.structure, context.text
    equals = structure.prev_code(index - 1)
    while text(equals) == b"::" or is_ident(text(equals) or b"0"):
        equals = structure.prev_code(equals - 1)
    name = structure.prev_code(equals - 1)
    function = context.functions.function_at(index)
    if text(equals) != b"=" or not is_ident(text(name) or b"0") or function is None:
        return False
    uses = [i for i in structure.index.get(text(name), ()) if name < i < function.stop]
    return bool(uses) and all(_is_neutral(context, use) for use in uses)


def _is_neutral(context: Context, use: int) -> bool:
    """Whether one use of a group is `sync()`, its lane number or size outside of `[]`, or a value of its first lane."""
    structure, text = context.structure, context.text
    dot = structure.next_code(use + 1)
    member = structure.next_code(dot + 1)
    call = structure.call_at(member)
    if text(dot) != b"." or call is None:
        return False
    if text(member) == b"shfl":
        return len(call.args) == 2 and context.argument_bytes(call.args[1]) == b"0"
    around = structure.enclosing(use)
    while around is not None and text(around) == b"(":
        around = structure.enclosing(around)
    return text(member) in _ANY_WIDTH and (around is None or text(around) == b"{")


def _may_have_64(context: Context) -> bool:
    """Whether a wavefront may have 64 lanes, whatever the translation keeps."""
    return wavefronts(context.options.offload_arch) != {32}


def _lockstep(context: Context, events: list[int], function: Function) -> None:
    """Runs of statements `s[t] op= s[t + N]` with no barrier between: one finding a run."""
    text, structure = context.tokens.text, context.structure
    steps: list[_Step] = []
    arrays: set[bytes] | None = None
    reached = function.body
    for index in [*events[bisect_left(events, function.body) : bisect_left(events, function.stop)], function.stop]:
        if text[index] == b"[":
            if index > reached and (step := _exchange(context, index)) is not None:
                steps.append(step)
                reached = step[1]
        elif len(steps) > 1 and (index == function.stop or text[structure.next_code(index + 1)] == b"("):
            arrays = _volatile(context, function) if arrays is None else arrays
            shared = [step for step in steps if not _of_one_thread(context, function, step)]
            _report_run(context, shared, arrays)
            steps = []
        elif index != function.stop:
            steps = []


def _exchange(context: Context, opener: int) -> _Step | None:
    """`s[t] = ... s[t + 8]` with its `[` at token `opener`: (first, stop, array); None for anything else."""
    text, structure = context.tokens.text, context.structure
    close = structure.partner.get(opener, len(text))
    if close + 1 >= len(text) or text[close + 1] in _NO_ASSIGNMENT or close - opener > 40:
        return None  # told at a glance
    first = structure.prev_code(opener - 1)
    before = text[structure.prev_code(first - 1)]
    if before not in (b";", b"{", b"}", b")", b"else", b"=", b"*"):
        return None
    at = structure.next_code(close + 1)
    while at < len(text) and text[at] in (b"+", b"*", b"|", b"&", b"^"):
        at += 1
    if at >= len(text) or text[at] != b"=" or text[at + 1] == b"=":
        return None
    stop = at
    while stop < len(text) and text[stop] not in (b";", b"}"):
        stop = structure.partner.get(stop, stop) + 1 if text[stop] in (b"{",) else stop + 1
        if stop - at > 120:
            return None
    for index in range(at + 1, stop):
        if text[index] == text[first] and text[structure.next_code(index + 1)] == b"[":
            inner = structure.next_code(index + 1)
            if _shifted(context, inner, opener, close):
                return first, stop, text[first]
    return None


def _shifted(context: Context, inner: int, opener: int, close: int) -> bool:
    """Whether the subscript at `inner` is that at `opener` plus or minus a power of two up to 32."""
    text, tokens = context.tokens.text, context.tokens
    end = context.structure.partner.get(inner)
    if end is None:
        return False
    mine = [text[i] for i in tokens.significant(opener + 1, close)]
    other = [text[i] for i in tokens.significant(inner + 1, end)]
    return (
        other[: len(mine)] == mine
        and len(other) == len(mine) + 2
        and (other[-2] in (b"+", b"-") and other[-1] in _STEPS)
    )


def _of_one_thread(context: Context, function: Function, step: _Step) -> bool:
    """Whether a step stays with its thread: its array is the function's own, or a loop counts its subscript up."""
    text, structure = context.tokens.text, context.structure
    first, _, array = step
    opener = structure.next_code(first + 1)
    subscript = {text[i] for i in context.tokens.significant(opener + 1, structure.partner[opener])}
    if any(_counts(context, function, name) for name in subscript if is_ident(name)):
        return True
    for index in structure.index[array]:
        declared = function.body < index < first and text[structure.next_code(index + 1)] == b"["
        if declared and context.declares(index):
            return b"__shared__" not in _statement_words(context, index)
    return False


def _counts(context: Context, function: Function, name: bytes) -> bool:
    """Whether a function counts a variable in steps of a literal, as loops do and lanes do not."""
    text, structure = context.tokens.text, context.structure
    for index in structure.index.get(name, ()):
        if not function.body < index < function.stop:
            continue
        after, before = structure.next_code(index + 1), structure.prev_code(index - 1)
        pairs = [text[after : after + 2], text[max(before - 1, 0) : before + 1]]
        if any(pair in ([b"+", b"+"], [b"-", b"-"]) for pair in pairs):
            return True
        if pairs[0] in ([b"+", b"="], [b"-", b"="]):
            value = structure.next_code(after + 2)
            if text[value][:1].isdigit() and text[structure.next_code(value + 1)] in (b")", b",", b";"):
                return True
    return False


def _statement_words(context: Context, index: int) -> list[bytes]:
    """The tokens of a declaration in front of the name at `index`."""
    text, words = context.tokens.text, list[bytes]()
    while index > 0 and text[index - 1] not in (b";", b"{", b"}"):
        index -= 1
        words.append(text[index])
    return words


def _volatile(context: Context, function: Function) -> set[bytes]:
    """Arrays and pointers that a function declares volatile, its parameters included."""
    text, structure = context.tokens.text, context.structure
    out: set[bytes] = set()
    for index in structure.index.get(b"volatile", ()):
        if not function.first <= index < function.stop:
            continue
        at = index + 1
        while at < function.stop and text[at] not in (b",", b")", b";", b"=", b"[", b"("):
            at += 1
        name = structure.prev_code(at - 1)
        if is_ident(text[name]):
            out.add(text[name])
    return out


def _report_run(context: Context, run: list[_Step], arrays: set[bytes]) -> None:
    """A finding for a run of two steps on volatile memory, or three on memory that is not even volatile."""
    for name in sorted({step[2] for step in run}):
        steps = [step for step in run if step[2] == name]
        if len(steps) < (2 if name in arrays else 3):
            continue
        severity = Severity.WARNING if _may_have_64(context) else Severity.NOTE
        kept = "volatile" if name in arrays else "not even volatile"
        message = (
            f"{len(steps)} steps exchange {name.decode('utf-8', 'replace')}[] ({kept}) between lanes without a barrier"
        )
        context.find(IMPLICIT_SYNC, steps[0][0], steps[-1][1], message=message, severity=severity)


def _host_size(context: Context) -> None:
    """`prop.warpSize` and cudaDevAttrWarpSize in a file with warp-level code."""
    from hipify.rules.checks.warp_code import warp_code

    if not warp_code(context):
        return
    structure = context.structure
    severity = Severity.WARNING if _may_have_64(context) else Severity.NOTE
    for name in _SIZES:
        for index in structure.index.get(name, ()):
            member = context.text(structure.prev_code(index - 1)) in (b".", b"->")
            if (name == b"warpSize") != member or not context.is_code(index) or (member and _is_own(context, index)):
                continue
            message = f"{name.decode()} is 64 on gfx9"
            if context.options.warp == "preserve":
                message += "; the kernels of this file keep warps of 32 lanes"
            context.find(HOST_WARP_SIZE, index, message=message, severity=severity)


def _is_own(context: Context, index: int) -> bool:
    """Whether a member belongs to a struct of the program's own."""
    structure = context.structure
    base = structure.prev_code(structure.prev_code(index - 1) - 1)
    kind = declared_type(context, base) if is_ident(context.text(base) or b"0") else b""
    return (
        bool(kind) and kind not in (b"auto", b">") and kind not in context.library.names and _is_struct(context, kind)
    )


def _is_struct(context: Context, kind: bytes) -> bool:
    """Whether the file has a struct of that name."""
    structure = context.structure
    return any(
        context.text(structure.prev_code(at - 1)) in (b"struct", b"class") for at in structure.index.get(kind, ())
    )

"""Flags that lanes wait for in a loop, and that lanes of the same wavefront write only behind it."""

from __future__ import annotations

from bisect import bisect, bisect_left
from collections.abc import Iterator
from functools import cached_property

from hipify.parser.functions import Function
from hipify.parser.scopes import expression_end, statement_end
from hipify.parser.structure import KEYWORDS
from hipify.parser.tokens import is_ident
from hipify.patterns import lazy
from hipify.records import NamedTuple
from hipify.rules.checks.warp_threads import LANE_NAME
from hipify.rules.context import Context
from hipify.rules.declared import parameter_words

_HEADS = (b"if", b"for", b"while")
_PLACES = frozenset((b"threadIdx", b"thread_rank", b"__lane_id", b"warpid"))
# One lane only: `threadIdx.x == 0`, `0 == lane`, `!tid`.
_ONE_LANE = lazy(rb"==0[uUlL]*(?![\w.])|(?<![\w.])0[uUlL]*==|(?:^|&&|\|\||\()!(?=\w)")
_OTHER_WAVEFRONT = lazy(rb"==(?:6[4-9]|[7-9]\d|\d{3,})(?!\d)")
_CLOCK = lazy(rb"(?i)clock|timer|elapsed")
_IN_MEMORY = frozenset((b"volatile", b"__device__", b"__shared__", b"__managed__"))
_BARRIERS = frozenset(
    b"__syncthreads __syncthreads_and __syncthreads_or __syncthreads_count __syncwarp sync __barrier_sync".split()
)
_STORES = lazy(rb"(?i)^(?:atomic|_*st(?:ore|[cw]|_))")
_MEMBERS = frozenset(b"store exchange fetch_add fetch_sub fetch_or fetch_and fetch_xor".split())


class _Branch(NamedTuple):
    """One branch of an `if`, or the body of a loop: its word, condition and body, as tokens."""

    word: int
    opener: int
    close: int
    first: int
    stop: int
    is_then: bool = True


class Flow:
    """The branches and loops of one device function, and the values in it that differ from lane to lane."""

    def __init__(self, context: Context, function: Function) -> None:
        self.context = context
        self.function = function

    @cached_property
    def branches(self) -> list[_Branch]:
        """Every branch and loop body of the function, outer ones first."""
        structure, found = self.context.structure, list[_Branch]()
        for head in _HEADS:
            words = structure.index.get(head, [])
            for word in words[bisect(words, self.function.body) : bisect_left(words, self.function.stop)]:
                opener = structure.next_code(word + 1)
                if self.context.text(opener) == b"constexpr":
                    opener = structure.next_code(opener + 1)
                close = structure.partner.get(opener)
                if close is None:
                    continue
                first = structure.next_code(close + 1)
                stop = statement_end(structure, first)
                found.append(_Branch(word, opener, close, first, stop))
                other = structure.next_code(stop + 1)
                if head == b"if" and self.context.text(other) == b"else":
                    first = structure.next_code(other + 1)
                    found.append(_Branch(word, opener, close, first, statement_end(structure, first), False))
        return sorted(found)

    def around(self, index: int) -> list[_Branch]:
        """The branches and loops around a token, outer ones first."""
        return [branch for branch in self.branches if branch.first <= index <= branch.stop]

    def condition(self, branch: _Branch) -> bytes:
        """The text of a condition without blanks."""
        return b"".join(self.context.tokens.text[i] for i in self._inside(branch))

    def _inside(self, branch: _Branch) -> Iterator[int]:
        return self.context.tokens.significant(branch.opener + 1, branch.close)

    @cached_property
    def _varying(self) -> set[bytes]:
        """Variables that are filled from a thread's place or from what an atomic gives back."""
        text, out = self.context.tokens.text, set[bytes]()
        fills = [i for i in range(self.function.body, self.function.stop) if text[i] == b"="]
        for _ in range(3):
            before = len(out)
            for equals in fills:
                left = self.context.structure.prev_code(equals - 1)
                stop = expression_end(self.context.structure, equals + 1)
                if is_ident(text[left]) and any(
                    self._is_place(i, out) or text[i].startswith(b"atomic") for i in range(equals + 1, stop)
                ):
                    out.add(text[left])
            if len(out) == before:
                break
        return out

    def _is_place(self, index: int, varying: set[bytes]) -> bool:
        word = self.context.tokens.text[index]
        return word in _PLACES or word in varying or (is_ident(word) and bool(LANE_NAME.match(word)))

    def lets_one_in(self, branch: _Branch) -> bool:
        """Whether a condition holds for one lane of a wavefront: `threadIdx.x == 0`, `tid == last`."""
        if _ONE_LANE.search(self.condition(branch)):
            return True
        text = self.context.tokens.text
        inner = [text[i] for i in self._inside(branch)]
        return b"||" not in inner and any(self._names_thread(part) for part in _split(inner, b"&&"))

    def _names_thread(self, words: list[bytes]) -> bool:
        """Whether these words compare a thread's number with what all lanes have in common."""
        while words[:1] == [b"("] and words[-1:] == [b")"]:
            words = words[1:-1]
        sides = _split(words, b"==")
        if len(sides) != 2:
            return False
        for mine, other in (sides, sides[::-1]):
            common = all(w not in _PLACES and w not in self._varying and w != b"[" for w in other)
            if common and (mine[:2] == [b"threadIdx", b"."] if len(mine) == 3 else mine in self._threads):
                return True
        return False

    @cached_property
    def _threads(self) -> list[list[bytes]]:
        """The variables that hold a thread's number: each lane has its own."""
        text, found = self.context.tokens.text, []
        for equals in (i for i in range(self.function.body, self.function.stop) if text[i] == b"="):
            stop = expression_end(self.context.structure, equals + 1)
            words = [text[i] for i in self.context.tokens.significant(equals + 1, stop)]
            if b"threadIdx" in words and {b"[", b"/", b">>", b"%", b"&", b"?"}.isdisjoint(words):
                found.append([text[self.context.structure.prev_code(equals - 1)]])
        return found

    def varies(self, branch: _Branch) -> bool:
        """Whether a condition may differ from lane to lane."""
        return any(self._is_place(i, self._varying) for i in self._inside(branch))


def _split(words: list[bytes], at: bytes) -> list[list[bytes]]:
    """Words between those that are `at`."""
    out: list[list[bytes]] = [[]]
    for word in words:
        if word == at:
            out.append([])
        else:
            out[-1].append(word)
    return out


def awaited(context: Context, function: Function, loop: int, opener: int, close: int) -> bytes:
    """The memory that the idle loop at token `loop` waits for, if lanes of its own wavefront write it; else nothing.

    That needs lanes that part: a loop in a branch, or with a condition, that differs from lane to lane. A function that
    waits for what it is handed is judged by its callers in the file.
    """
    return _awaited(context, function, loop, opener, close, _roots(context, opener, close), 3)


def _awaited(
    context: Context, function: Function, loop: int, opener: int, close: int, roots: set[bytes], depth: int
) -> bytes:
    if not roots:
        return b""
    flow = Flow(context, function)
    own = _Branch(loop, opener, close, close, close)
    around = flow.around(loop)
    if flow.varies(own) or any(flow.varies(branch) for branch in around):
        for name in sorted(_aliases(context, function, roots)):
            for index in context.structure.index[name]:
                outside = not opener < index < close and function.body < index < function.stop
                if outside and _writes(context, index) and _same_wavefront(flow, own, around, index):
                    return name
    return _awaited_by_callers(context, function, roots, depth) if depth and not function.is_kernel else b""


def _awaited_by_callers(context: Context, function: Function, roots: set[bytes], depth: int) -> bytes:
    """The same for calls of a function that waits for its parameters."""
    structure, text = context.structure, context.tokens.text
    handed = [place for place, name in enumerate(parameter_names(context, function)) if name in roots]
    for index in structure.index.get(text[function.name], ()) if function.name >= 0 and handed else ():
        call = structure.call_at(index)
        caller = context.functions.function_at(index) if index != function.name and call is not None else None
        if call is None or caller is None or len(call.args) <= max(handed):
            continue
        given = {
            text[i]
            for place in handed
            for i in range(call.args[place].first, call.args[place].stop)
            if is_ident(text[i]) and text[i] not in KEYWORDS
        }
        if name := _awaited(context, caller, index, call.open, call.close, given, depth - 1):
            return name
    return b""


def parameter_names(context: Context, function: Function) -> list[bytes]:
    """The names of a function's parameters."""
    call = context.structure.call_at(function.name) if function.name >= 0 else None
    words = [parameter_words(context, argument) for argument in call.args] if call is not None else []
    return [parameter[-1] if parameter else b"" for parameter in words]


def _aliases(context: Context, function: Function, roots: set[bytes]) -> set[bytes]:
    """These names, and those of pointers and references in the function that lead to the same memory."""
    text, structure = context.tokens.text, context.structure
    found = set(roots)
    pairs = []
    for index in range(function.body, function.stop):
        if text[index] != b"=":
            continue
        name = structure.prev_code(index - 1)
        if text[structure.prev_code(name - 1)] not in (b"*", b"&", b"__restrict__", b"restrict"):
            continue
        stop = index + 1
        while stop < function.stop and text[stop] not in (b";", b","):
            stop = structure.partner.get(stop, stop) + 1 if text[stop] in (b"[", b"{") else stop + 1
        source = next((text[i] for i in range(index + 1, stop) if _leads(context, i)), b"")
        if is_ident(text[name]) and source:
            pairs.append((text[name], source))
    for _ in range(2):
        for alias, source in pairs:
            if alias in found or source in found:
                found.update((alias, source))
    return found


def _leads(context: Context, index: int) -> bool:
    """Whether a word of an initialiser is the memory that it begins with: not part of a cast, nor of a place in it."""
    structure, text = context.structure, context.tokens.text
    word = text[index]
    if not is_ident(word) or word in KEYWORDS or word in _PLACES or word in (b"blockIdx", b"gridDim", b"blockDim"):
        return False
    after = text[structure.next_code(index + 1)]
    return after not in (b"(", b"*", b"<", b">", b"::") and not (after == b")" and word.endswith(b"_t"))


def lets_one_lane_in(context: Context, function: Function, index: int) -> bool:
    """Whether an `if` around a token lets one lane alone in."""
    flow = Flow(context, function)
    guards = [branch for branch in flow.around(index) if context.text(branch.word) == b"if"]
    return any(branch.is_then and flow.lets_one_in(branch) for branch in guards)


def _roots(context: Context, opener: int, close: int) -> set[bytes]:
    """The names of the memory that a condition reads; none where it counts, or looks at a clock."""
    text, structure = context.tokens.text, context.structure
    inner = list(context.tokens.significant(opener + 1, close))
    for at, index in enumerate(inner):
        if is_ident(text[index]) and _CLOCK.search(text[index]):
            return set()
        if text[index] in (b"+", b"-") and at + 1 < len(inner) and text[inner[at + 1]] in (text[index], b"="):
            return set()
    found: set[bytes] = set()
    for index in inner:
        before, after = text[structure.prev_code(index - 1)], text[structure.next_code(index + 1)]
        if not is_ident(text[index]) or after == b"(" or before in (b".", b"->", b"::"):
            continue
        if (
            after in (b"[", b"->", b".")
            or before in (b"*", b"&", b")")
            or _is_memory(context, index)
            or _of_atomic(context, index)
        ):
            found.add(text[index])
    return {name for name in found if name not in _PLACES and name not in (b"blockIdx", b"gridDim", b"blockDim")}


def _of_atomic(context: Context, index: int) -> bool:
    """Whether a name begins the first argument of an atomic: `atomicAdd(x + 1, 0)`."""
    opener = context.structure.prev_code(index - 1)
    return context.text(opener) == b"(" and context.text(context.structure.prev_code(opener - 1)).startswith(b"atomic")


def _is_memory(context: Context, index: int) -> bool:
    """Whether a name is declared volatile, or as a variable of the device or of the block."""
    text = context.tokens.text
    for place in context.structure.index[text[index]][:8]:
        for at in range(place - 1, max(place - 24, -1), -1):
            if text[at] in (b";", b"{", b"}", b"("):
                break
            if text[at] in _IN_MEMORY:
                return True
    return False


def _writes(context: Context, index: int, depth: int = 2) -> bool:
    """Whether the memory that token `index` names is written there: assigned, counted, or by an atomic or store.

    Functions of the file are looked into, `depth` deep.
    """
    text, structure = context.tokens.text, context.structure
    at = structure.next_code(index + 1)
    while True:
        if context.text(at) == b"[":
            at = structure.next_code(structure.partner.get(at, at) + 1)
        elif context.text(at) in (b".", b"->"):
            at = structure.next_code(at + 1)
            if context.text(at) in _MEMBERS:
                return True
            at = structure.next_code(at + 1)
        elif context.text(at) == b")" and context.text(structure.next_code(at + 1)) == b"=":
            at = structure.next_code(at + 1)
        else:
            break
    pair = text[at : at + 2]
    if pair[:1] == [b"="] or (pair[1:] == [b"="] and pair[0] in (b"+", b"-", b"|", b"&", b"^")):
        return True
    before = structure.prev_code(index - 1)
    if pair in ([b"+", b"+"], [b"-", b"-"]) or text[max(before - 1, 0) : before + 1] in ([b"+", b"+"], [b"-", b"-"]):
        return True
    return _stored(context, index, depth)


def _stored(context: Context, index: int, depth: int) -> bool:
    """Whether a call around a token stores to it: not `atomicAdd(&x, 0)` nor `atomicCAS(&x, n, n)`, which read."""
    structure = context.structure
    opener = structure.enclosing(index)
    while opener is not None and context.text(opener) in (b"(", b"["):
        name = structure.prev_code(opener - 1)
        call = structure.call_at(name) if context.text(opener) == b"(" and _STORES.search(context.text(name)) else None
        if call is not None and call.args and call.args[0].first <= index < call.args[0].stop:
            values = [context.argument_bytes(argument).strip() for argument in call.args[1:]]
            reads = values == [b"0"] and b"Exch" not in context.text(name)
            return not reads and not (len(values) > 1 and values[0] == values[1])
        handed = structure.call_at(name) if depth and call is None and context.text(opener) == b"(" else None
        if handed is not None and any(
            argument.first <= index < argument.stop and _fills(context, name, place, depth - 1)
            for place, argument in enumerate(handed.args)
        ):
            return True
        opener = structure.enclosing(opener)
    return False


def _fills(context: Context, name: int, place: int, depth: int) -> bool:
    """Whether the file's device function that token `name` calls writes to what it is handed at a place."""
    for function in context.functions.by_name.get(context.text(name), ()):
        if function.body < name < function.stop:
            continue
        names = parameter_names(context, function)
        inner = names[place] if place < len(names) and names[place] else b""
        uses = [i for i in context.structure.index.get(inner, ()) if function.body < i < function.stop]
        if any(_writes(context, i, depth) for i in uses):
            return True
    return False


def _same_wavefront(flow: Flow, own: _Branch, around: list[_Branch], write: int) -> bool:
    """Whether a lane that waits in a loop may keep a lane of its wavefront from a write."""
    guards = [branch for branch in flow.around(write) if flow.context.text(branch.word) == b"if"]
    waits = [branch for branch in around if flow.context.text(branch.word) == b"if"]
    parted = [(a, b) for a in waits for b in guards if a.word == b.word and a.first != b.first]
    if any(not flow.varies(a) for a, _ in parted):
        return False  # other blocks
    text = flow.context.tokens.text
    if not parted and (write < own.close or any(text[i] in _BARRIERS for i in range(own.close, write))):
        return False
    its, mine = {flow.condition(b) for b in guards}, {flow.condition(b) for b in waits}
    if any(_OTHER_WAVEFRONT.search(condition) for condition in its ^ mine):
        return False
    if any(flow.lets_one_in(a) for a in waits for b in guards if (a.word, a.first) == (b.word, b.first)):
        return False  # one and the same lane
    both_first = all(any(_ONE_LANE.search(c) for c in conditions) for conditions in (its, mine))
    if both_first or (its >= mine and any(flow.lets_one_in(b) for b in waits)):
        return parted != [] and its == mine  # the same lane, but for the branches of one `if`
    return True

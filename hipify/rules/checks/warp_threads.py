"""Which variables of a kernel tell a thread's place: those that follow from threadIdx, ranks and lane numbers.

Read on demand, one variable at a time, from the assignments inside the function.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from hipify.parser.scopes import expression_end
from hipify.parser.tokens import is_ident
from hipify.patterns import lazy
from hipify.rules.checks.warp_values import Values
from hipify.rules.context import Context

_THREAD = frozenset((b"threadIdx", b"blockDim"))
LANE_NAME = lazy(rb"(?i)^(?:get_?)?(?:warp_?|thread_?|w)?lane(?:_?(?:id|idx|index))?$")
"""What people call a lane number, and functions that give it."""
_RANK_CALLS = frozenset((b"thread_rank", b"num_threads", b"__lane_id", b"int", b"unsigned", b"uint"))
_OPEN_CALLS = _RANK_CALLS | {b"min", b"max", b"return", b"size"}
_DEPTH = 4


class Threads:
    """The answers for one file."""

    def __init__(self, context: Context, values: Values) -> None:
        self.context = context
        self.values = values
        self._known: dict[tuple[bytes, int], tuple[bool, bool]] = {}

    def operand(self, last: int, region: tuple[int, int], lanes_only: bool) -> bool:
        """Whether the operand that ends at token `last` is a thread's place, or (`lanes_only`) its lane number."""
        text, structure = self.context.tokens.text, self.context.structure
        if last <= region[0]:
            return False
        token = text[last]
        if token == b")":
            opener = structure.partner.get(last)
            if opener is None:
                return False
            lead = structure.prev_code(opener - 1)
            if is_ident(text[lead]) and text[lead] not in (b"return", b"if", b"while", b"case"):
                return text[lead] in _RANK_CALLS or bool(LANE_NAME.match(text[lead]))
            return not lanes_only and self.places(opener + 1, last, region)
        if not is_ident(token):
            return False
        before = structure.prev_code(last - 1)
        if text[before] == b".":
            return not lanes_only and text[structure.prev_code(before - 1)] in _THREAD
        if text[before] in (b"->", b"::"):
            return False
        return self.variable(token, region)[1 if lanes_only else 0]

    def starts_at_lane(self, last: int, region: tuple[int, int]) -> bool:
        """Whether the variable at token `last` is first given a sum with a lane number in it: `j = begin + lane`."""
        structure, text = self.context.structure, self.context.tokens.text
        if not is_ident(text[last]) or text[structure.prev_code(last - 1)] in (b".", b"->", b"::"):
            return False
        places = structure.index.get(text[last], [])
        before = places[bisect_left(places, region[0]) : bisect_left(places, last)]
        equals = next((e for i in reversed(before) if text[e := structure.next_code(i + 1)] == b"="), -1)
        stop = expression_end(structure, equals + 1) if equals >= 0 else -1
        words = list(self.context.tokens.significant(equals + 1, stop)) if 0 < stop - equals < 200 else []
        for at, word in enumerate(words):
            around = {text[words[n]] for n in (at - 1, at + 1) if 0 <= n < len(words)}
            is_term = b"+" in around and around <= {b"+", b"]", b")"}
            is_term = is_term and is_ident(text[word]) and structure.enclosing(word) == structure.enclosing(equals)
            if is_term and self.variable(text[word], region)[1]:
                return True
        return False

    def places(self, first: int, stop: int, region: tuple[int, int], depth: int = 0) -> bool:
        """Whether tokens [first, stop) compute with a thread's place, outside subscripts and calls of functions."""
        text = self.context.tokens.text
        for index in self._top(first, stop):
            token = text[index]
            if token in _THREAD or token == b"thread_rank":
                return True
            if is_ident(token) and text[index - 1] != b"." and self.variable(token, region, depth)[0]:
                return True
        return False

    def _top(self, first: int, stop: int) -> Iterator[int]:
        text, structure = self.context.tokens.text, self.context.structure
        index = first
        while index < stop:
            token = text[index]
            if token == b"[":
                index = structure.partner.get(index, stop)
            elif token == b"(":
                lead = text[structure.prev_code(index - 1)]
                if is_ident(lead) and lead not in _OPEN_CALLS:
                    index = structure.partner.get(index, stop)
            elif token[:1].isalpha() or token[:1] == b"_":
                yield index
            index += 1

    def variable(self, name: bytes, region: tuple[int, int], depth: int = 0) -> tuple[bool, bool]:
        """Whether a variable of a function is a thread's place, and whether it is a lane number."""
        key = (name, region[0])
        if key not in self._known:
            lane = bool(LANE_NAME.match(name))
            self._known[key] = (lane, lane)  # an assignment that needs itself tells nothing
            if not lane and depth < _DEPTH:
                self._known[key] = self._follow(name, region, depth)
        return self._known[key]

    def _follow(self, name: bytes, region: tuple[int, int], depth: int) -> tuple[bool, bool]:
        place = lane = False
        structure = self.context.structure
        places = structure.index.get(name, [])
        for index in places[bisect_left(places, region[0]) : bisect_left(places, region[1])][:40]:
            after = structure.next_code(index + 1)
            token = self.context.text(after)
            if token == b"=":
                first, stop = after + 1, expression_end(structure, after + 1)
            elif token in (b"(", b"{") and self._initialises(index):
                first, stop = after + 1, structure.partner.get(after, after)
            else:
                continue
            if stop - first < 200 and self.places(first, stop, region, depth + 1):
                place = True
                lane = lane or self._remainder(first, stop, region, depth)
        return place, lane

    def _initialises(self, name: int) -> bool:
        before = self.context.text(self.context.structure.prev_code(name - 1))
        return before in (b"int", b"unsigned", b"auto", b"const", b"long", b"size_t", b"uint32_t", b"int32_t", b"uint")

    def _remainder(self, first: int, stop: int, region: tuple[int, int], depth: int) -> bool:
        """Whether an initialiser takes a remainder by 32 (`% 32`, `& 31`, `% warpSize`) or copies a lane number."""
        text, structure = self.context.tokens.text, self.context.structure
        for index in range(first, stop):
            if text[index] in (b"%", b"&"):
                right = structure.next_code(index + 1)
                inside = text[right : structure.partner.get(right, right) + 1]
                if b"warpSize" in inside or self.values.number(right, right + len(inside)) in (32, 31):
                    return True
        words = [i for i in self.context.tokens.significant(first, stop) if text[i] not in (b"(", b")", b"int")]
        return len(words) == 1 and is_ident(text[words[0]]) and self.variable(text[words[0]], region, depth + 1)[1]

"""Casts where clang rejects a file once device addresses are pointers, as in HIP: tried until nothing more is mended.

The file is parsed as it is with the casts made so far, CUdeviceptr being a `void*`; what clang says names the operand,
argument or initialiser that needs a cast. What no cast mends is reported where it is.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from re import Match

from hipify.emit.rewriter import apply, in_order
from hipify.model import Confidence, Edit
from hipify.parser.faults import Fault
from hipify.parser.source import Source
from hipify.parser.tokens import is_ident
from hipify.records import NamedTuple
from hipify.rules.context import Context
from hipify.rules.pointer_faults import (
    ADDRESSES,
    ARITHMETIC,
    BINARY,
    CAST,
    CAST_POINTER,
    CAST_TO,
    CONDITIONAL,
    FORMAT,
    GIVEN,
    MADE,
    NUMBER,
    POINTERS,
    UNARY,
    UNFIT,
    bare,
    cast_between,
    conversion,
    is_about,
    real,
    split_arguments,
    to_integer,
    to_pointer,
)

_ROUNDS = 8
_INTEGER = "unsigned long long"
_STEPS = (b"++", b"--")


class Cast(NamedTuple):
    """What is put in front of the bytes [start, end), and behind them."""

    start: int
    end: int
    before: bytes
    behind: bytes


def settle(context: Context, edits: list[Edit], names: frozenset[bytes], streamed: Callable[[int], bool]) -> Trial:
    """Try a file with these edits in it; `names` are declared as addresses, `streamed` tells what is printed."""
    tokens, semantics = context.tokens, context.semantics

    def is_address(start: int, end: int) -> bool:
        words = tokens.text[tokens.index_at(start) : tokens.index_at(end - 1) + 1]
        known = semantics is not None and semantics.expr_type(start, end).removeprefix("const ") == _INTEGER
        return known and not names.isdisjoint(words)

    trial = Trial(context, edits, is_address, streamed)
    trial.settle()
    return trial


class Trial:
    """A file with casts, and what clang has against it."""

    def __init__(
        self,
        context: Context,
        edits: list[Edit],
        is_address: Callable[[int, int], bool],
        streamed: Callable[[int], bool],
    ) -> None:
        self.context = context
        self.edits = edits
        self.is_address = is_address
        self.streamed = streamed
        self.casts: list[Cast] = []
        self.left: list[tuple[int, str]] = []
        """Where clang still sees a fault, and what it says."""
        self._segments: list[tuple[int, int, bool]] = []

    def settle(self) -> None:
        """Cast until clang has nothing more to say that a cast mends."""
        known, outside = self._known_faults()
        kept = 0
        for _ in range(_ROUNDS):
            found = self._faults()
            if found is None:
                return
            fresh = [f for f in found if is_about(f) and not self._is_known(f, known, outside)]
            if any(f.text.startswith("expected ") for f in fresh):
                del self.casts[kept:]  # a cast that is none where it stands: what was left before it is told
                return
            kept, self.left = len(self.casts), []
            for fault in fresh:
                if not self._mend(fault) and (at := self._place(fault)) >= 0 and not FORMAT.match(fault.text):
                    self.left.append((at, fault.text))
            if len(self.casts) == kept:
                return
            self.left += [(self._place(f), f.text) for f in fresh if self._place(f) >= 0 and not FORMAT.match(f.text)]

    def all_edits(self) -> list[Edit]:
        """The edits that were there, with the casts around them."""
        outer_first = [Edit(c.start, c.start, c.before, Confidence.CLANG) for c in reversed(self.casts)]
        inner_first = [Edit(c.end, c.end, c.behind, Confidence.CLANG) for c in self.casts if c.behind]
        return [*outer_first, *self.edits, *inner_first]

    # -- what clang says

    def _known_faults(self) -> tuple[set[int], set[str]]:
        semantics = self.context.semantics
        said = semantics.diagnostics() if semantics is not None else []
        return {offset for _, here, offset in said if here}, {text for text, here, _ in said if not here}

    def _is_known(self, fault: Fault, known: set[int], outside: set[str]) -> bool:
        return fault.text in outside if fault.start < 0 else self._origin(fault.start) in known

    def _faults(self) -> list[Fault] | None:
        from hipify.parser.clang import pointer_faults

        source = self.context.source
        edits = self.all_edits()
        self._segments, grown = [(0, 0, False)], 0
        for edit in in_order(edits, len(source.data)):
            self._segments.append((edit.start + grown, edit.start, True))
            grown += len(edit.text) - (edit.end - edit.start)
            self._segments.append((edit.end + grown, edit.end, False))
        tried = Source(apply(source.data, edits), source.path)
        return pointer_faults(tried, self.context.options)

    def _origin(self, offset: int) -> int:
        """The byte of the input that a byte of what was parsed comes from."""
        begin, origin, written = self._segments[bisect_right(self._segments, (offset, 1 << 62, True)) - 1]
        return origin if written else origin + offset - begin

    def _place(self, fault: Fault) -> int:
        """Where a fault is told: at the call in this file when it is in a template's instance."""
        made = [n.start for n in fault.notes if n.start >= 0 and n.text.startswith("in instantiation of")]
        if made:
            return self._origin(made[-1])
        return self._origin(fault.start) if fault.start >= 0 else -1

    # -- what mends it

    def _mend(self, fault: Fault) -> bool:
        made = any(n.text.startswith("in instantiation of") for n in fault.notes)
        if fault.start < 0 or (made and "CUdeviceptr" not in fault.text):
            return self._mend_call(fault)
        return self._cast_all(self._mends(fault))

    def _ranges(self, fault: Fault) -> list[tuple[int, int]]:
        return [(self._origin(start), self._origin(end)) for start, end in fault.ranges]

    def _mends(self, fault: Fault) -> Iterator[tuple[tuple[int, int], bytes]]:
        """The ranges that need casts, and those."""
        ranges, text = self._ranges(fault), fault.text
        if unfit := [m for m in (UNFIT.match(n.text) for n in fault.notes) if m]:
            yield from self._arguments(
                fault, ranges, [(int(m[5]), cast_between(real(m, 1), real(m, 3))) for m in unfit]
            )
        elif not ranges:
            return
        elif match := GIVEN.match(text):
            first = next(k for k in range(1, 17, 4) if match[k])
            wanted = real(match, first) + (" &" if text.startswith("non-const lvalue") else "")
            yield ranges[-1], cast_between(real(match, first + 2), wanted)
        elif match := CAST_POINTER.match(text):
            yield ranges[-1], cast_between(real(match, 1), real(match, 3))
        elif match := CAST.match(text):
            target = CAST_TO.match(text)
            if target and len(ranges) > 1:
                yield ranges[-1], to_pointer(real(target, 1)) or self._integer_of(match)
        elif match := CONDITIONAL.match(text):
            kinds = real(match, 1), real(match, 3)
            cast = to_pointer(kinds[0]) or to_pointer(kinds[1])
            yield from ((r, cast) for r, k in zip(ranges, kinds, strict=False) if not k.endswith("*"))
        elif match := BINARY.match(text):
            yield from self._operands(fault, ranges, (real(match, 1), real(match, 3)))
        elif match := FORMAT.match(text):
            kind = bare(real(match, 2))
            if (kind in ADDRESSES or kind in POINTERS) and NUMBER.fullmatch(match[1]) and len(ranges) > 1:
                is_long = match[1].endswith("long")
                yield ranges[1], b"(" + match[1].encode() + b")" + (b"" if is_long else to_integer(kind))
        elif match := UNARY.match(text):
            yield ranges[-1], to_integer(real(match, 1) if match[1] else real(match, 3))
        elif ARITHMETIC.match(text):
            yield from ((r, self._arithmetic(r)) for r in ranges)

    @staticmethod
    def _integer_of(match: Match[str]) -> bytes:
        """The integer that a cast wants: `cast from pointer to` does not say of what."""
        return to_integer(real(match, 2)) if match[2] else b"(size_t)"

    def _operands(
        self, fault: Fault, ranges: list[tuple[int, int]], kinds: tuple[str, str]
    ) -> Iterator[tuple[tuple[int, int], bytes]]:
        """Integers of the pointers on both sides; on the left of `%=` and its like one that can be assigned to."""
        index = self.context.tokens.index_at(self._origin(fault.start))
        assigns = self.context.text(index + 1) == b"=" or self.context.text(index + 2) == b"="
        is_test = fault.text.startswith(("comparison", "ordered"))
        for k, (place, kind) in enumerate(zip(ranges, kinds, strict=False)):
            if kind.endswith("*"):
                yield place, b"(size_t&)" if assigns and not is_test and not k else to_integer(kind)

    def _arithmetic(self, place: tuple[int, int]) -> bytes:
        context = self.context
        index = context.tokens.index_at(place[0])
        behind = context.structure.next_code(context.tokens.index_at(place[1] - 1) + 1)
        before = context.structure.prev_code(index - 1)
        operator = context.text(behind) + context.text(behind + 1)
        stepped = context.text(before - 1) + context.text(before) in _STEPS
        if stepped or operator in (*_STEPS, b"+=", b"-="):
            return b"((char*&)" if operator in _STEPS else b"(char*&)"
        is_added = context.text(before) == b"=" and context.text(before - 1) in (b"+", b"-")
        return b"(size_t)" if is_added or self.streamed(index) else b"(char*)"

    def _arguments(
        self, fault: Fault, ranges: list[tuple[int, int]], wanted: list[tuple[int, bytes]]
    ) -> Iterator[tuple[tuple[int, int], bytes]]:
        """The first argument that no candidate takes."""
        places = self._argument_ranges(fault, ranges)
        for number in sorted({n for n, _ in wanted}):
            casts = {cast for n, cast in wanted if n == number and cast}
            if casts and number <= len(places):
                yield places[number - 1], b"(size_t)" if b"(size_t)" in casts else sorted(casts)[0]
                return

    def _argument_ranges(self, fault: Fault, ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
        context = self.context
        structure, tokens = context.structure, context.tokens
        if fault.text.startswith("no viable overloaded '"):
            return ranges[-1:]
        name = tokens.index_at(self._origin(fault.start))
        places = [structure.next_code(name + 1)]
        if ranges:
            first, last = tokens.index_at(ranges[0][0]), tokens.index_at(ranges[0][1] - 1)
            around = first if context.text(first) == b"{" else structure.enclosing(first)
            places = [structure.next_code(last + 1), -1 if around is None else around, *places]
        if fault.text.startswith("no matching constructor"):
            places = places[1:]
        opener = next((i for i in places if context.text(i) in (b"(", b"[", b"{")), -1)
        arguments = structure.arguments(opener) if opener >= 0 else None
        return [_tight(context, a.first, a.stop) for a in arguments or () if not a.empty]

    def _mend_call(self, fault: Fault) -> bool:
        """Casts for the arguments of the call that makes an instance of a template which cannot be."""
        made = [n for n in fault.notes if n.start >= 0 and n.text.startswith("in instantiation of")]
        if not made:
            return False
        context, note = self.context, made[-1]
        call = context.structure.call_at(context.tokens.index_at(self._origin(note.start)))
        match = MADE.match(note.text)
        if call is None or match is None:
            return False
        places = [_tight(context, a.first, a.stop) for a in call.args if not a.empty]
        if (given := split_arguments(match[1])) and len(given) == len(places) and fault.start < 0:
            source, cast = conversion(fault)
            return self._cast_all((p, cast) for p, kind in zip(places, given, strict=True) if bare(kind) == source)
        if call.open != context.structure.next_code(call.name + 1):
            return False  # the arguments of the template are written out
        return self._cast_all((place, b"(size_t)") for place in places if self.is_address(*place))

    def _cast_all(self, wanted: Iterable[tuple[tuple[int, int], bytes]]) -> bool:
        """Whether one of the casts is new."""
        count = len(self.casts)
        for place, before in wanted:
            self._cast(place, before)
        return len(self.casts) > count

    def _cast(self, place: tuple[int, int], before: bytes) -> None:
        """Put a cast around a range, unless it is there already or the range is no whole expression."""
        start, end = place
        if not before or not self._is_expression(start, end):
            return
        if before == b"(hipfftHandle)" and not self._is_number(start, end):
            return  # an `int` that is no pointer any more
        cast = Cast(start, end, before, b")" if before.startswith(b"((") else b"")
        if not cast.behind and not self._is_primary(start, end):
            cast = Cast(start, end, before + b"(", b")")
        if cast not in self.casts:
            self.casts.append(cast)

    def _is_expression(self, start: int, end: int) -> bool:
        context, tokens = self.context, self.context.tokens
        first, last = tokens.index_at(start), tokens.index_at(end - 1)
        if start >= end or tokens.start[first] != start or tokens.end(last) != end:
            return False
        if context.structure.directive_at(first) is not None:
            return False
        behind = context.text(context.structure.next_code(last + 1))
        return self._is_whole(first, last) and not (behind == b"(" and is_ident(tokens.text[last]))

    def _is_number(self, start: int, end: int) -> bool:
        """Whether nothing but numbers stands in a range."""
        words = self.context.tokens.text[
            self.context.tokens.index_at(start) : self.context.tokens.index_at(end - 1) + 1
        ]
        return all(word[:1].isdigit() or word in (b"-", b"~", b"(", b")", b" ") for word in words)

    def _is_whole(self, first: int, last: int) -> bool:
        """Whether all brackets of a range are closed in it, and it is neither a list nor more than one expression."""
        partner, text = self.context.structure.partner, self.context.tokens.text
        index = first
        while index <= last:
            if text[index] in (b"(", b"["):
                index = partner.get(index, last + 1)
                if index > last:
                    return False
            elif text[index] in (b")", b"]", b"{", b"}", b";"):
                return False
            index += 1
        return True

    def _is_primary(self, start: int, end: int) -> bool:
        """Whether a cast binds to the whole range: a name or number with what is behind it, a cast, parentheses."""
        context, structure = self.context, self.context.structure
        index, last = context.tokens.index_at(start), context.tokens.index_at(end - 1)
        while index <= last:
            word = context.text(index)
            if word in (b"(", b"["):
                index = structure.partner.get(index, last)
            elif not (is_ident(word) or word[:1].isdigit() or word in (b".", b"->", b"::")):
                return False
            index = structure.next_code(index + 1)
        return True


def _tight(context: Context, first: int, stop: int) -> tuple[int, int]:
    last = context.structure.prev_code(stop - 1)
    return context.tokens.start[context.structure.next_code(first)], context.tokens.end(last)

"""What the tokens of a file form: includes, calls, kernel launches, functions, asm statements.

Read from tokens alone, so that code which no compiler sees (dead branches, macro bodies, missing headers) counts too.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property

from hipify.parser.brackets import Directive, find_brackets, find_directives, match_brackets
from hipify.parser.places import Places
from hipify.parser.source import Source
from hipify.parser.tokens import Tokens, is_blank, is_ident, tokenize
from hipify.patterns import lazy
from hipify.records import NamedTuple

_BLANK = rb"(?:[ \t\f\v]|\\\r?\n|/\*[\s\S]*?\*/)*"
_QUOTED = rb'(<(?:\\\r?\n|[^>\n])*>|"(?:\\\r?\n|[^"\n])*")'
_SPLICE = lazy(rb"\\\r?\n")
_INCLUDE = lazy(rb"(?:#|%:)" + _BLANK + rb"(include|include_next|import)" + _BLANK + _QUOTED)
# What may be chevrons in pieces or a digraph, and a word cut by a splice: quick to look for, not exact.
_PIECES = lazy(rb"<<[ \t]*(?:[/\\]|[ \t]<)|>>\s*(?:[/\\]|\s>)|>\\|%[>:]|<%|<:(?!:[^:>])|:>")
_SPLICED_WORD = lazy(rb"\\\r?\n[A-Za-z0-9_$\x80-\xff]")

# Words that cannot be the callee of a call or the last word of a type in front of a declared name.
KEYWORDS = frozenset(
    b"if while for switch return sizeof alignof decltype catch throw new delete do else case default goto operator "
    b"static_assert noexcept co_return co_await co_yield and or not typeid static_cast const_cast dynamic_cast "
    b"reinterpret_cast alignas asm __asm__ __asm".split()
)


class Include(NamedTuple):
    """An `#include`: bytes [start, end) are the header name with its delimiters."""

    directive: Directive
    start: int
    end: int
    name: bytes
    angled: bool


class Argument(NamedTuple):
    """One argument as tokens [first, stop), blanks at its edges left out; empty if first == stop."""

    first: int
    stop: int

    @property
    def empty(self) -> bool:
        """Whether nothing stands there."""
        return self.first >= self.stop


class Call(NamedTuple):
    """An identifier with an argument list: token indices of the name, both parentheses, and the arguments."""

    name: int
    open: int
    close: int
    args: tuple[Argument, ...]


class Macro(NamedTuple):
    """A `#define`: its name token, parameter names (None for an object-like macro) and body tokens [first, stop)."""

    directive: Directive
    name: int
    parameters: tuple[bytes, ...] | None
    first: int
    stop: int


class Structure:
    """Lazily read structure of one token stream."""

    def __init__(self, source: Source, tokens: Tokens | None = None) -> None:
        self.source = source
        found = first = tokens if tokens is not None else tokenize(source)
        if pieces := [match.start() for match in _PIECES.finditer(source.data)]:
            from hipify.parser.odd_tokens import is_odd, joined

            found = joined(found) if any(is_odd(found, place) for place in pieces) else found
        self.tokens = found.spelled() if _SPLICED_WORD.search(source.data) else found
        self.as_spelled = self.tokens is first
        """Whether each token stands in the file as it is spelled."""

    @cached_property
    def directives(self) -> list[Directive]:
        """All preprocessor directives in order."""
        return find_directives(self.tokens, self.index.get(b"#", ()))

    @cached_property
    def partner(self) -> dict[int, int]:
        """Partner of each matched bracket token."""
        return match_brackets(self.tokens, self.directives, self._brackets)

    @cached_property
    def _brackets(self) -> list[int]:
        return find_brackets(self.tokens.text)

    @cached_property
    def _directive_starts(self) -> list[int]:
        return [d.first for d in self.directives]

    @cached_property
    def index(self) -> Places:
        """Token indices by token text, for identifiers and the punctuation that structure is read from."""
        return Places(self.tokens, self.source.data if self.as_spelled else b"")

    @cached_property
    def _in_directive(self) -> bytearray:
        """For each token, and for the place behind the last one, whether it is part of a directive."""
        marks = bytearray(len(self.tokens.text) + 1)
        for directive in self.directives:
            marks[directive.first : directive.stop] = b"\1" * (directive.stop - directive.first)
        return marks

    def directive_at(self, index: int) -> Directive | None:
        """The directive that token `index` is part of."""
        marks = self._in_directive
        return self._directive_of(index) if 0 <= index < len(marks) and marks[index] else None

    def _directive_of(self, index: int) -> Directive:
        """The directive of a token that is known to be part of one."""
        return self.directives[bisect_right(self._directive_starts, index) - 1]

    def directives_between(self, first: int, last: int) -> list[Directive]:
        """The directives that start in tokens (first, last]."""
        starts = self._directive_starts
        return self.directives[bisect_right(starts, first) : bisect_right(starts, last)]

    @cached_property
    def includes(self) -> list[Include]:
        """Every `#include` with a literal header name, in all branches."""
        out = []
        data = self.source.data
        for d in self.directives:
            if d.name not in (b"include", b"include_next", b"import"):
                continue
            if m := _INCLUDE.match(data, self.tokens.start[d.first]):
                name = m[2][1:-1]
                name = _SPLICE.sub(b"", name) if b"\n" in name else name
                out.append(Include(d, m.start(2), m.end(2), name, m[2][:1] == b"<"))
        return out

    @cached_property
    def macros(self) -> list[Macro]:
        """Every `#define` with a name."""
        return [m for d in self.directives if d.name == b"define" and (m := self._macro(d))]

    def _macro(self, d: Directive) -> Macro | None:
        tokens = self.tokens
        name = tokens.next(d.body, d.stop)
        if name >= d.stop:
            return None
        first, parameters = name + 1, None
        if first < d.stop and tokens.text[first] == b"(":
            close = self.partner.get(first, first)
            parameters = tuple(
                tokens.text[i] for i in tokens.significant(first + 1, close) if tokens.text[i] not in (b",",)
            )
            first = close + 1
        return Macro(d, name, parameters, tokens.next(first, d.stop), d.stop)

    def macro_at(self, index: int) -> Macro | None:
        """The `#define` whose directive holds token `index`."""
        d = self.directive_at(index)
        return self._macro(d) if d is not None and d.name == b"define" else None

    def declaration_start(self, index: int) -> int:
        """The first token of the declaration that token `index` belongs to, on its own side of directives."""
        while (before := self.prev_code(index - 1)) >= 0 and not self.directives_between(before, index):
            if self.tokens.text[before] in (b";", b"}", b"{"):
                break
            index = before
        return index

    def next_code(self, index: int) -> int:
        """The first token at or after `index` that is neither blank nor part of a directive (inside one: its end)."""
        text, blanks, marks = self.tokens.text, self.tokens.blanks, self._in_directive
        limit = len(text)
        if 0 <= index < limit and marks[index]:
            return self.tokens.next(index, self._directive_of(index).stop)
        while index < limit:
            if marks[index]:
                index = self._directive_of(index).stop
            elif text[index] in blanks:
                index += 1
            else:
                return index
        return limit

    def prev_code(self, index: int) -> int:
        """The last token at or before `index` that is neither blank nor part of another directive; -1 if none."""
        text, blanks, marks = self.tokens.text, self.tokens.blanks, self._in_directive
        if index >= 0 and marks[index] and index > (first := self._directive_of(index).first):
            at = self.tokens.prev(index)
            return at if at > first else -1
        while index >= 0:
            if marks[index]:
                index = self._directive_of(index).first - 1
            elif text[index] in blanks:
                index -= 1
            else:
                return index
        return -1

    def arguments(self, opener: int) -> tuple[Argument, ...] | None:
        """The arguments between the bracket at `opener` and its partner; None when the bracket has none."""
        close = self.partner.get(opener)
        return None if close is None else self.split(opener + 1, close)

    def split(self, first: int, stop: int) -> tuple[Argument, ...]:
        """Split tokens [first, stop) at their own commas: those in brackets and template arguments do not count."""
        text, partner = self.tokens.text, self.partner
        out: list[Argument] = []
        begin = index = first
        while index < stop:
            token = text[index]
            if token == b",":
                out.append(self._trim(begin, index))
                begin = index + 1
            elif token in (b"(", b"[", b"{"):
                index = max(index, min(partner.get(index, index), stop))
            elif token == b"<":
                index = self._template_end(index, stop) or index
            index += 1
        last = self._trim(begin, stop)
        if out or not last.empty:
            out.append(last)
        return tuple(out)

    def _trim(self, first: int, stop: int) -> Argument:
        text = self.tokens.text
        while first < stop and is_blank(text[first]):
            first += 1
        while stop > first and is_blank(text[stop - 1]):
            stop -= 1
        return Argument(first, stop)

    def _template_end(self, less: int, stop: int) -> int | None:
        """The `>` of a template argument list opened at `less`, if that reading holds a comma and is safe."""
        text, partner = self.tokens.text, self.partner
        before = self.tokens.prev(less - 1)
        if before < 0 or not is_ident(text[before]):
            return None
        depth, comma, index = 1, False, less + 1
        while index < stop:
            token = text[index]
            if token in (b"(", b"[", b"{"):
                index = partner.get(index, stop)
            elif token == b"<":
                depth += 1
            elif token == b">":
                depth -= 1
                if depth == 0:
                    follower = self.tokens.next(index + 1, stop)
                    safe = follower >= stop or text[follower] in (b"(", b"::", b"{", b",", b"*", b"&", b"&&", b">")
                    return index if comma and safe else None
            elif token == b",":
                comma = True
            elif token in (b";", b"&&", b"||", b"?", b"<<<", b"="):
                return None
            index += 1
        return None

    def call_at(self, name: int) -> Call | None:
        """The call whose callee is the identifier token `name`, template arguments allowed between."""
        tokens = self.tokens
        opener = self.next_code(name + 1)
        if opener < len(tokens) and tokens.text[opener] == b"<":
            end = self.angle_end(opener)
            opener = self.next_code(end + 1) if end is not None else opener
        if opener >= len(tokens) or tokens.text[opener] != b"(":
            return None
        close = self.partner.get(opener)
        return None if close is None else Call(name, opener, close, self.split(opener + 1, close))

    def angle_end(self, less: int, limit: int = 400) -> int | None:
        """The `>` that balances the `<` at `less`, brackets skipped; None at a statement end or past `limit` tokens."""
        text = self.tokens.text
        depth, index, stop = 0, less, min(len(text), less + limit)
        while index < stop:
            token = text[index]
            if token == b"<":
                depth += 1
            elif token == b">":
                depth -= 1
                if depth == 0:
                    return index
            elif token in (b"(", b"[", b"{"):
                index = self.partner.get(index, stop)
            elif token in (b";", b")", b"]", b"}", b"<<<"):
                return None
            index += 1
        return None

    def angle_start(self, greater: int, floor: int = 0) -> int | None:
        """The `<` that the `>` at `greater` balances, reading backwards."""
        text = self.tokens.text
        depth, index = 0, greater
        while index >= max(floor, greater - 400):
            token = text[index]
            if token == b">":
                depth += 1
            elif token == b"<":
                depth -= 1
                if depth == 0:
                    return index
            elif token in (b")", b"]", b"}"):
                opener = self.partner.get(index)
                if opener is None:
                    return None
                index = opener
            elif token in (b";", b"(", b"[", b"{", b"<<<"):
                return None
            index -= 1
        return None

    def enclosing(self, index: int) -> int | None:
        """The opening bracket around token `index`."""
        places, around = self._nesting
        at = bisect_left(places, index) - 1
        return around[at] if at >= 0 else None

    @cached_property
    def _nesting(self) -> tuple[list[int], list[int | None]]:
        """Every bracket token, and the opening bracket around what stands directly behind it."""
        text, partner = self.tokens.text, self.partner
        places = self._brackets
        number = {place: n for n, place in enumerate(places)}
        around: list[int | None] = []
        last: int | None = None
        for place in places:
            other = partner.get(place)
            if other is not None:
                if text[place] in (b"(", b"[", b"{"):
                    last = place
                else:
                    before = number[other] - 1
                    last = around[before] if before >= 0 else None
            around.append(last)
        return places, around

    def bytes_of(self, argument: Argument) -> bytes:
        """The source bytes of an argument."""
        start = self.tokens.start
        return self.source.data[start[argument.first] : start[argument.stop]] if not argument.empty else b""

"""Preprocessor directives and bracket pairs, both aware of `#if` branches and safe on unbalanced code."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from contextlib import suppress
from itertools import compress

from hipify.parser.tokens import Tokens, is_blank
from hipify.records import NamedTuple

_OPEN = {b"(": b")", b"[": b"]", b"{": b"}"}
_CLOSE = {b")": b"(", b"]": b"[", b"}": b"{"}
_BRACKETS = frozenset(_OPEN) | frozenset(_CLOSE)


class Directive(NamedTuple):
    """One `#` line: tokens [first, stop), its name, and the index of the first token behind the name."""

    first: int
    stop: int
    name: bytes
    body: int


def find_directives(tokens: Tokens, hashes: Iterable[int]) -> list[Directive]:
    """All preprocessor directives, in order, of the `#` tokens at these places.

    A directive ends before the line end that no splice or comment hides.
    """
    text = tokens.text
    out: list[Directive] = []
    stop = 0
    for at in hashes:
        if at < stop or not _starts_line(text, at):
            continue
        stop = _line_end(tokens, at)
        name = tokens.next(at + 1, stop)
        out.append(Directive(at, stop, text[name] if name < stop else b"", min(name + 1, stop)))
    return out


def _line_end(tokens: Tokens, at: int) -> int:
    """The line end behind token `at`; the end of the file when there is none."""
    text = tokens.text
    ends = [b"\n", b"\r\n"] if b"\r\n" in tokens.vocabulary else [b"\n"]
    stop = len(text)
    for end in ends:
        with suppress(ValueError):
            stop = text.index(end, at, stop)
    return stop


def _starts_line(text: list[bytes], at: int) -> bool:
    """Whether only spaces and comments stand before token `at` on its line."""
    back = at - 1
    while back >= 0 and is_blank(text[back]):
        if text[back][-1] == 0x0A and text[back][0] != 0x5C:
            return True
        back -= 1
    return back < 0 or text[back] == b"\xef\xbb\xbf"


class _Matcher:
    """The open brackets at one point, and what `#if` branches do to them."""

    def __init__(self, text: list[bytes], partner: dict[int, int]) -> None:
        self.text = text
        self.partner = partner
        self.stack: list[int] = []
        self.saved: list[tuple[list[int], list[int] | None, bool]] = []

    def brackets(self, places: list[int]) -> None:
        """Look at the brackets at these tokens."""
        text, stack, partner = self.text, self.stack, self.partner
        for index in places:
            wanted = _CLOSE.get(text[index])
            if wanted is None:
                stack.append(index)
                continue
            if wanted == b"{":  # a brace ends every parenthesis left open inside it
                while stack and text[stack[-1]] != b"{":
                    stack.pop()
            if stack and text[stack[-1]] == wanted:
                opener = stack.pop()
                partner.setdefault(opener, index)
                partner[index] = opener

    def conditional(self, name: bytes, dead: bool) -> None:
        if name.startswith(b"if"):
            self.saved.append((list(self.stack), None, dead))
        elif not self.saved:
            return
        elif name == b"endif":
            entry, first, _ = self.saved.pop()
            if first is not None:
                self.stack = first
            elif _:
                self.stack = entry
        else:
            entry, first, was_dead = self.saved[-1]
            if first is None and not was_dead:
                first = self.stack
            self.saved[-1] = (entry, first, dead and first is None)
            self.stack = list(entry)


def match_brackets(tokens: Tokens, directives: list[Directive], events: list[int]) -> dict[int, int]:
    """Partner index of each bracket token that has one; `events` are all of them.

    Each branch of a conditional starts from the brackets open at its `#if`; behind the `#endif` those of the first
    branch that is not `#if 0` count. Directive bodies (macros) are matched on their own.
    """
    text = tokens.text
    partner: dict[int, int] = {}
    outer = _Matcher(text, partner)
    done = 0
    for directive in directives:
        first = bisect_left(events, directive.first, done)
        stop = bisect_left(events, directive.stop, first)
        outer.brackets(events[done:first])
        if first < stop:
            _Matcher(text, partner).brackets(events[first:stop])
        _conditional(outer, tokens, directive)
        done = stop
    outer.brackets(events[done:])
    return partner


def find_brackets(text: list[bytes]) -> list[int]:
    """The indices of the bracket tokens."""
    return list(compress(range(len(text)), map(_BRACKETS.__contains__, text)))


def _conditional(matcher: _Matcher, tokens: Tokens, directive: Directive) -> None:
    if directive.name in (b"if", b"ifdef", b"ifndef", b"elif", b"elifdef", b"elifndef", b"else", b"endif"):
        condition = tokens.next(directive.body, directive.stop)
        dead = condition < directive.stop and tokens.text[condition] == b"0" and directive.name in (b"if", b"elif")
        matcher.conditional(directive.name, dead)

"""C++ tokens of every byte of a file: all `#if` branches, dead code and unfinished literals included.

Nothing is dropped and nothing fails: joining `Tokens.text` gives the input back. Kinds are read off the first bytes of
a token when they are asked for, so that a pass over a large file costs one regular expression and no objects.
"""

from __future__ import annotations

import enum
import re
from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate

from hipify.parser.source import Source
from hipify.patterns import lazy

_SPLICE = rb"\\\r?\n"

_SPACE = rb"[ \t\f\v]+"
_WORD = rb"[A-Za-z_$\x80-\xff][A-Za-z0-9_$\x80-\xff]*+"
_RAW_STRING = rb'(?:u8|[uUL])?R"([^()\\\s"]{0,16})\([\s\S]*?\)\1"'
# Order matters: strings before words (prefixes), comments before punctuation.
_OTHERS = (
    rb"\r?\n"
    rb'|(?:u8|[uUL])?"(?:[^"\\\n]|\\(?:\r\n|[\s\S])?)*+"?'
    rb"|(?:u8|[uUL])?'(?:[^'\\\n]|\\(?:\r\n|[\s\S])?)*+'?"
    rb"|//[^\n\\]*+(?:\\(?:\r\n|[\s\S])?[^\n\\]*+)*"
    rb"|/\*[^*]*+(?:\*++[^*/][^*]*+)*+(?:\*++/?)?"
    rb"|\.?[0-9](?:[eEpP][+-]|'[0-9A-Za-z_]|[0-9A-Za-z_.])*+"
    rb"|\\\r?\n"
    rb"|<<<|::|->\*?|\#\#|<<=?|[<=!]=|&&|\|\||\.\.\."
    rb"|" + _WORD + rb"(?:\\\r?\n[A-Za-z0-9_$\x80-\xff]++)*"
    rb"|[\s\S]"
)
_TOKEN = lazy(_SPACE + rb"|" + _RAW_STRING + rb"|" + _OTHERS)
# The same without raw strings: no group, so that findall can be used, and what is frequent comes first: signs that are
# tokens wherever they stand, blanks, words, digits, and signs of which nothing longer begins here.
_PLAIN_TOKEN = lazy(
    rb"[(){}\[\],;*+~?\n>%^]|[ \t\f\v]++"
    rb"|" + _WORD + rb"(?![\"'\\])"
    rb"|[0-9](?![.0-9A-Za-z_'])|[=.<\-:&|!](?![=.0-9<>:&|])"
    rb"|" + _OTHERS
)
_IDENT_START = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$") | frozenset(range(0x80, 0x100))
_BLANK_START = frozenset(b" \t\n\r\f\v")
_BLANK_OR_SIGN = _BLANK_START | frozenset(b"/\\")
_DIGITS = frozenset(b"0123456789")


class Kind(enum.Enum):
    """What a token is."""

    SPACE = "space"
    NEWLINE = "newline"
    COMMENT = "comment"
    SPLICE = "splice"
    IDENT = "identifier"
    NUMBER = "number"
    STRING = "string"
    CHAR = "char"
    PUNCT = "punctuation"


def kind_of(text: bytes) -> Kind:
    """The kind of one token text."""
    first = text[0]
    if first == 0x0A or text == b"\r\n":
        return Kind.NEWLINE
    if first in _BLANK_START:
        return Kind.SPACE
    if first in _IDENT_START:
        last = text[-1]
        if last == 0x22 or (first in b"uULR" and b'"' in text):
            return Kind.STRING
        return Kind.CHAR if last == 0x27 or (first in b"uUL" and b"'" in text) else Kind.IDENT
    if first == 0x2F and len(text) > 1:
        return Kind.COMMENT
    if first in _DIGITS or (first == 0x2E and len(text) > 1 and text[1] in _DIGITS):
        return Kind.NUMBER
    if first == 0x22:
        return Kind.STRING
    if first == 0x27:
        return Kind.CHAR
    if first == 0x5C and len(text) > 1:
        return Kind.SPLICE
    return Kind.PUNCT


def is_blank(text: bytes) -> bool:
    """Whether a token is white space, a line end, a splice or a comment."""
    first = text[0]
    return first in _BLANK_START or (len(text) > 1 and (text[:2] in (b"//", b"/*") or first == 0x5C))


def is_ident(text: bytes) -> bool:
    """Whether a token is an identifier or keyword."""
    return text[0] in _IDENT_START and text[-1] not in b"\"'" and kind_of(text) is Kind.IDENT


class Tokens:
    """The tokens of one source: `text[i]` stands at byte `start[i]`; `start` has one entry more, the file's length."""

    def __init__(self, text: list[bytes], start: Sequence[int]) -> None:
        self.text = text
        self.start = start

    def __len__(self) -> int:
        return len(self.text)

    def kind(self, index: int) -> Kind:
        """The kind of token `index`."""
        return kind_of(self.text[index])

    def end(self, index: int) -> int:
        """The byte offset just behind token `index`."""
        return self.start[index + 1]

    def next(self, index: int, stop: int | None = None) -> int:
        """The first token at or after `index` that is no space or comment; `stop` (default: the end) when none is."""
        text, blanks = self.text, self.blanks
        limit = len(text) if stop is None else stop
        while index < limit:
            if text[index] not in blanks:
                return index
            index += 1
        return limit

    def prev(self, index: int) -> int:
        """The last token at or before `index` that is no space or comment; -1 when none is."""
        text, blanks = self.text, self.blanks
        while index >= 0 and text[index] in blanks:
            index -= 1
        return index

    def significant(self, start: int, stop: int) -> Iterator[int]:
        """Indices in [start, stop) of tokens that are no space or comment."""
        text, blanks = self.text, self.blanks
        return (i for i in range(start, stop) if text[i] not in blanks)

    @cached_property
    def vocabulary(self) -> frozenset[bytes]:
        """Every distinct token text: one set operation tells which names of a table occur at all."""
        return frozenset(self.text)

    @cached_property
    def _by_start(self) -> dict[bytes, list[bytes]]:
        """Every distinct token text by its first two characters."""
        found: defaultdict[bytes, list[bytes]] = defaultdict(list)
        for text in self.vocabulary:
            found[text[:2]].append(text)
        return found

    def beginning(self, starts: Iterable[bytes]) -> list[bytes]:
        """The distinct token texts that begin in one of these ways (two characters at least), sorted."""
        by_start = self._by_start
        return sorted({t for start in starts for t in by_start.get(start[:2], ()) if t.startswith(start)})

    @cached_property
    def blanks(self) -> frozenset[bytes]:
        """Those of them that are white space, line ends, splices or comments."""
        return frozenset(t for t in self.vocabulary if t[0] in _BLANK_OR_SIGN and is_blank(t))

    def spelled(self) -> Tokens:
        """The same tokens with identifiers that a line splice cuts in two spelled as one word, each at its place.

        `start` alone tells how long a token is.
        """
        spliced = {t: spelling(t) for t in self.vocabulary if b"\\" in t and b"\n" in t and is_ident(t)}
        return Tokens([spliced.get(t, t) for t in self.text], self.start) if spliced else self

    def index_at(self, offset: int) -> int:
        """The index of the token that holds byte `offset`."""
        return bisect_right(self.start, offset) - 1


def tokenize(source: Source | bytes) -> Tokens:
    """Split a source into tokens. Never fails; a byte order mark is a token of its own."""
    data = source.data if isinstance(source, Source) else source
    bom = [data[:3]] if data[:3] == b"\xef\xbb\xbf" else []
    start = 3 if bom else 0
    text = bom + ([m[0] for m in _TOKEN.finditer(data, start)] if b'R"' in data else _PLAIN_TOKEN.findall(data, start))
    return Tokens(text, array("I", accumulate(map(len, text), initial=0)))


def spelling(text: bytes) -> bytes:
    """An identifier token's name, with line splices inside it taken out."""
    return re.sub(_SPLICE, b"", text) if b"\\" in text else text

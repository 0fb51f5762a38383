"""From a place in an output to the place in the input that it came from, byte by byte where the text was kept."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from hipify.model import Edit

_ENDS, _COMPILERS_ENDS = re.compile(rb"\n"), re.compile(rb"\r\n?|\n")
_WORD = re.compile(rb"[A-Za-z_]\w*|\d[\w.]*|[^\s\w]")


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a text: 1-based, the column in bytes; `exact` where the very byte was found."""

    line: int
    column: int
    exact: bool = True


class Lines:
    """The lines of a text; a compiler's end with a carriage return alone, too."""

    def __init__(self, data: bytes, *, compilers: bool = False) -> None:
        self.data = data
        self.starts = [0, *(match.end() for match in (_COMPILERS_ENDS if compilers else _ENDS).finditer(data))]

    def offset(self, line: int, column: int) -> int:
        """The offset of a place; one that lies outside is moved to the nearest end."""
        at = self.starts[min(max(line, 1), len(self.starts)) - 1]
        return min(at + max(column, 1) - 1, len(self.data))

    def place(self, offset: int, exact: bool = True) -> Place:
        """The place of an offset."""
        line = bisect_right(self.starts, offset)
        return Place(line, offset - self.starts[line - 1] + 1, exact)

    def text(self, line: int) -> str:
        """The text of a line, without its end."""
        if not 1 <= line <= len(self.starts):
            return ""
        end = self.starts[line] if line < len(self.starts) else len(self.data)
        return self.data[self.starts[line - 1] : end].rstrip(b"\r\n").decode("utf-8", "replace")


class Locator:
    """Finds the places of an output in its input.

    `generated` is the text that the edits made of the input. Where a person changed the output since, `actual` is what
    the compiler saw: its lines are compared with the generated ones first.
    """

    def __init__(self, data: bytes, generated: bytes, edits: Iterable[Edit], actual: bytes | None = None) -> None:
        self.input = Lines(data)
        self.output = Lines(generated if actual is None else actual, compilers=True)
        self._generated = Lines(generated, compilers=True)
        self._edits = list(edits)
        self._starts: list[int] = []
        moved = 0
        for edit in self._edits:
            self._starts.append(edit.start + moved)
            moved += len(edit.text) - (edit.end - edit.start)
        changed = actual is not None and actual != generated
        self._changes = _matches(generated, actual or b"") if changed else None

    def find(self, line: int, column: int) -> Place:
        """The input's place for a place of the output."""
        exact = True
        if self._changes is not None:
            line, exact = _follow(self._changes, line)
        place = self._in_input(self._generated.offset(line, column))
        return place if exact else Place(place.line, place.column, exact=False)

    def _in_input(self, offset: int) -> Place:
        at = bisect_right(self._starts, offset) - 1
        if at < 0:
            return self.input.place(offset)
        # Of several edits at one place (insertions, then a replacement) the last that begins at or before the offset
        # decides; an insertion that ends before it is behind us.
        edit, start = self._edits[at], self._starts[at]
        if offset >= start + len(edit.text):
            return self.input.place(min(edit.end + offset - start - len(edit.text), len(self.input.data)))
        return self._in_edit(edit, offset - start)

    def _in_edit(self, edit: Edit, at: int) -> Place:
        """A place inside of a new text: the same word of the old one, else the line that stands as far down."""
        old, new = self.input.data[edit.start : edit.end], edit.text
        word = next((m for m in _WORD.finditer(new) if m.start() <= at < m.end()), None)
        if word is not None and old:
            found = _same_word(old, new, word)
            if found is not None:
                return self.input.place(edit.start + found + (at - word.start()))
        place = self.input.place(edit.start, exact=False)
        if not old:
            return place
        down = min(new.count(b"\n", 0, at), old.count(b"\n"))
        return Place(place.line + down, 1 if down else place.column, exact=False)


def _same_word(old: bytes, new: bytes, word: re.Match[bytes]) -> int | None:
    """Where the old text has the word that the new one has: the one of the same number, when both have as many."""
    before = [m.start() for m in _WORD.finditer(old) if m[0] == word[0]]
    after = [m.start() for m in _WORD.finditer(new) if m[0] == word[0]]
    return before[after.index(word.start())] if before and len(before) == len(after) else None


def _matches(generated: bytes, actual: bytes) -> list[tuple[int, int, int]]:
    """(line of the actual text, line of the generated one, how many lines are the same from there), in order."""
    matcher = SequenceMatcher(None, actual.splitlines(), generated.splitlines(), autojunk=False)
    return [(block.a + 1, block.b + 1, block.size) for block in matcher.get_matching_blocks()]


def _follow(changes: Sequence[tuple[int, int, int]], line: int) -> tuple[int, bool]:
    """The generated line of an actual one; for one that a person wrote, the line behind which it stands."""
    at = bisect_right(changes, (line, 1 << 60, 0)) - 1
    if at < 0:
        return 1, False
    first, generated, size = changes[at]
    if line < first + size:
        return generated + line - first, True
    return max(generated + size - 1, 1), False

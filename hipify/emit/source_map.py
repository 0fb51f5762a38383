"""Which output line holds which input line, and back, worked out from the edits."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from hipify.emit.rewriter import in_order
from hipify.model import Edit
from hipify.records import NamedTuple

_FORMAT = 1


class _Splice(NamedTuple):
    """An edit as seen from one side: `removed` newlines of this side stand against `inserted` ones of the other."""

    line: int
    at_line_start: bool
    empty: bool
    removed: int
    ends_line: bool
    inserted: int


class LineMap:
    """A step function from lines to lines: from each anchor on, both count up together until the next anchor."""

    def __init__(self, anchors: Iterable[tuple[int, int]]) -> None:
        table = {1: 1}
        table.update(anchors)
        self._lines = sorted(table)
        self._mapped = [table[line] for line in self._lines]

    def __getitem__(self, line: int) -> int:
        """The line of the other side."""
        at = bisect_right(self._lines, line) - 1
        return self._mapped[at] + line - self._lines[at]

    def anchors(self) -> list[list[int]]:
        """The [line, mapped line] pairs, in order."""
        return [[line, mapped] for line, mapped in zip(self._lines, self._mapped, strict=True)]


class SourceMap:
    """The line correspondence of one translated file. Lines are 1-based."""

    def __init__(self, to_output: LineMap, to_input: LineMap) -> None:
        self._to_output = to_output
        self._to_input = to_input

    @classmethod
    def of(cls, data: bytes, output: bytes, edits: Iterable[Edit]) -> SourceMap:
        """The map of an input, its output and the edits between them."""
        forward, backward = _splices(data, output, in_order(edits, len(data)))
        return cls(LineMap(_anchors(forward)), LineMap(_anchors(backward)))

    def output_line(self, line: int) -> int:
        """Where the input line went; a line that was replaced or removed leads to what stands in its place."""
        return self._to_output[line]

    def input_line(self, line: int) -> int:
        """Where the output line came from; an added line leads to the line it was added for."""
        return self._to_input[line]

    def as_dict(self) -> dict[str, object]:
        """The JSON form."""
        return {"version": _FORMAT, "to_output": self._to_output.anchors(), "to_input": self._to_input.anchors()}

    @classmethod
    def from_dict(cls, saved: dict[str, list[list[int]]]) -> SourceMap:
        """The map that `as_dict` saved."""
        sides = [LineMap((line, mapped) for line, mapped in saved[side]) for side in ("to_output", "to_input")]
        return cls(sides[0], sides[1])


def _splices(data: bytes, output: bytes, edits: list[Edit]) -> tuple[list[_Splice], list[_Splice]]:
    """The edits that hold a newline on either side, seen from the input and from the output."""
    forward: list[_Splice] = []
    backward: list[_Splice] = []
    line, counted, shift, moved = 1, 0, 0, 0
    for edit in edits:
        removed, inserted = data.count(b"\n", edit.start, edit.end), edit.text.count(b"\n")
        start, end = edit.start + moved, edit.start + moved + len(edit.text)
        moved += len(edit.text) - (edit.end - edit.start)
        if not removed and not inserted:
            continue
        line += data.count(b"\n", counted, edit.start)
        counted = edit.start
        forward.append(_seen(data, line, edit.start, edit.end, removed, inserted))
        backward.append(_seen(output, line + shift, start, end, inserted, removed))
        shift += inserted - removed
    return forward, backward


def _seen(data: bytes, line: int, start: int, end: int, removed: int, inserted: int) -> _Splice:
    at_line_start = start == 0 or data[start - 1 : start] == b"\n"
    return _Splice(line, at_line_start, start == end, removed, data[end - 1 : end] == b"\n", inserted)


def _anchors(splices: list[_Splice]) -> Iterator[tuple[int, int]]:
    shift = 0
    for splice in splices:
        first = splice.line + shift
        shift += splice.inserted - splice.removed
        if splice.empty and splice.at_line_start:
            yield splice.line, splice.line + shift
        # Lines that begin inside the removed text: to their counterpart, or to the last line there is.
        inside = splice.removed - (1 if splice.ends_line and not splice.empty else 0)
        for step in range(1, inside + 1):
            yield splice.line + step, first + min(step, splice.inserted)
        after = splice.line + inside + 1
        yield after, after + shift

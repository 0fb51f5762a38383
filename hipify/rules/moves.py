"""Edits that carry pieces of the input elsewhere, with every other edit inside those pieces.

A rule that swaps or drops arguments cannot say what the new text is: other passes still rename names inside them. So
it asks for a `Move`, and `compose` turns all moves into plain edits when every pass has spoken.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from operator import attrgetter

from hipify.model import Confidence, Edit
from hipify.records import NamedTuple

Span = tuple[int, int]


class Move(NamedTuple):
    """Replace bytes [start, end) by `parts`: new text, or a span of the input, taken with the edits in it.

    Insertions at either end belong to the replaced text, unless the move is an `outer` one (it replaces a whole call,
    and what others put around that call stays). Moves of one `group` do not apply inside each other's parts.
    """

    start: int
    end: int
    parts: tuple[bytes | Span, ...]
    group: int
    outer: bool = False
    confidence: Confidence = Confidence.LEXICAL


# Moves nest as calls do. No person nests calls as deep as this; generated text must not exhaust the stack.
_DEEPEST = 150
_BY_PLACE = attrgetter("start", "end")


def compose(data: bytes, edits: Iterable[Edit], moves: Iterable[Move]) -> list[Edit]:
    """The edits with all moves carried out."""
    composer = _Composer(data, edits, moves)
    return composer.within(0, len(data), frozenset())


class _Composer:
    def __init__(self, data: bytes, edits: Iterable[Edit], moves: Iterable[Move]) -> None:
        self.data = data
        self.edits = sorted(edits, key=_BY_PLACE)
        # Wider before narrower; of two with one span, the slot that is filled before the call that fills it.
        self.moves = sorted(moves, key=lambda m: (m.start, -m.end, m.outer))
        self.edit_starts = [e.start for e in self.edits]
        self.move_starts = [m.start for m in self.moves]

    def within(self, start: int, end: int, active: frozenset[int]) -> list[Edit]:
        """The plain edits of [start, end), insertions at both ends included."""
        chosen: list[Move] = []
        at = bisect_left(self.move_starts, start)
        while len(active) < _DEEPEST and at < len(self.moves) and self.moves[at].start <= end:
            move = self.moves[at]
            if move.end <= end and move.group not in active and (not chosen or move.start >= chosen[-1].end):
                chosen.append(move)
            at += 1
        out = [e for e in self._plain(start, end) if not _swallowed(e, chosen)]
        for move in chosen:
            text = b"".join(self._part(p, active | {move.group}) for p in move.parts)
            out.append(Edit(move.start, move.end, text, move.confidence))
        return sorted(out, key=_BY_PLACE)

    def _plain(self, start: int, end: int) -> list[Edit]:
        out = []
        at = bisect_left(self.edit_starts, start)
        while at < len(self.edits) and self.edits[at].start <= end:
            if self.edits[at].end <= end:
                out.append(self.edits[at])
            at += 1
        return out

    def _part(self, part: bytes | Span, active: frozenset[int]) -> bytes:
        if isinstance(part, bytes):
            return part
        start, end = part
        out, last = [], start
        for edit in self.within(start, end, active):
            out += [self.data[last : edit.start], edit.text]
            last = edit.end
        return b"".join([*out, self.data[last:end]])


def _swallowed(edit: Edit, moves: list[Move]) -> bool:
    """Whether an edit lies in what a move replaces."""
    at = bisect_left(moves, edit.start + 1, key=attrgetter("start")) - 1
    if at < 0:
        return False
    move = moves[at]
    if edit.start == edit.end and edit.start in (move.start, move.end):
        return not move.outer
    return edit.end <= move.end

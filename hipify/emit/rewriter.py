"""Apply edits to bytes."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from hipify.model import Edit


class EditConflict(ValueError):
    """Two edits want the same bytes, or an edit lies outside the input: a defect of a rule, never of the user."""


def in_order(edits: Iterable[Edit], size: int) -> list[Edit]:
    """The edits sorted by place, checked to lie inside `size` bytes and not to overlap.

    Insertions at one place keep their order and come before a replacement that starts there.
    """
    ordered = sorted(edits, key=attrgetter("start", "end"))
    last = 0
    for edit in ordered:
        if edit.start < last or edit.end < edit.start or edit.end > size:
            raise EditConflict(f"edit [{edit.start}, {edit.end}) -> {edit.text[:40]!r} overlaps or leaves the input")
        last = edit.end
    return ordered


def apply(data: bytes, edits: Iterable[Edit]) -> bytes:
    """The bytes after all edits; every byte outside of them is kept."""
    return joined(data, in_order(edits, len(data)))


def joined(data: bytes, edits: Iterable[Edit]) -> bytes:
    """The same for edits that are in order, as `in_order` gives them."""
    parts: list[bytes] = []
    last = 0
    for start, end, text, _ in edits:
        parts.append(data[last:start])
        parts.append(text)
        last = end
    parts.append(data[last:])
    return b"".join(parts)

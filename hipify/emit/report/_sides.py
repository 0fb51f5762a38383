"""Input and output side by side: which lines of one stand against which of the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from hipify.emit import rewriter
from hipify.model import Translation
from hipify.parser.source import Source


@dataclass(frozen=True, slots=True)
class Hunk:
    """Input lines that became other lines: `count` of them from `line` on (1-based; 0 lines are an insertion)."""

    line: int
    count: int
    output: tuple[str, ...]


def lines_of(data: bytes) -> list[str]:
    """The lines as text, without their ends; bytes that are no UTF-8 are shown as replacement characters."""
    text = data.decode("utf-8", "replace").split("\n")
    if text and text[-1] == "":
        text.pop()
    return [line.removesuffix("\r") for line in text] if b"\r" in data else text


def hunks(translation: Translation, before: list[str], after: list[str], source: Source) -> list[Hunk]:
    """All places where the output differs, in order, none touching another's lines; `source` is the input's."""
    if not translation.changed:
        return []
    spans = _from_edits(translation, source)
    if spans is None:
        spans = _from_texts(before, after)
    return [hunk for first, last, start, stop in spans for hunk in _trimmed(before, after, first, last, start, stop)]


Span = tuple[int, int, int, int]
"""Lines [first, last) of the input against lines [start, stop) of the output, counted from 0."""


def _from_edits(translation: Translation, source: Source) -> list[Span] | None:
    """The lines that edits touch; None when the output is not what the edits make of the input."""
    data = translation.input
    try:
        edits = rewriter.in_order(translation.edits, len(data))
    except rewriter.EditConflict:
        return None
    if rewriter.joined(data, edits) != translation.output:
        return None
    spans: list[Span] = []
    shift = 0
    for edit in edits:
        first, last = source.line(edit.start) - 1, source.line(edit.end)
        grown = edit.text.count(b"\n") - (last - 1 - first)
        if spans and first < spans[-1][1]:
            begin, _, start, stop = spans[-1]
            spans[-1] = (begin, last, start, stop + (last - spans[-1][1]) + grown)
        else:
            spans.append((first, last, first + shift, last + shift + grown))
        shift += grown
    return spans


def _from_texts(before: list[str], after: list[str]) -> list[Span]:
    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [(first, last, start, stop) for tag, first, last, start, stop in codes if tag != "equal"]


def _trimmed(before: list[str], after: list[str], first: int, last: int, start: int, stop: int) -> Iterator[Hunk]:
    """The span without the equal lines at both of its ends."""
    last, stop = min(last, len(before)), min(stop, len(after))
    while first < last and start < stop and before[first] == after[start]:
        first, start = first + 1, start + 1
    while first < last and start < stop and before[last - 1] == after[stop - 1]:
        last, stop = last - 1, stop - 1
    if first < last or start < stop:
        yield Hunk(first + 1, last - first, tuple(after[start:stop]))

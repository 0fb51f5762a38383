"""What to do when two rules want to rewrite the same bytes: a defect of ours, which shall not cost the translation."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from hipify.model import Edit, Finding
from hipify.parser.source import Source
from hipify.rules.checks.build import CONFLICT


def settled(source: Source, edits: Iterable[Edit]) -> tuple[list[Edit], list[Finding]]:
    """The edits in order without those that overlap an earlier one, and a finding at each that was left away."""
    kept: list[Edit] = []
    found: list[Finding] = []
    last, size = 0, len(source.data)
    for edit in sorted(edits, key=attrgetter("start", "end")):
        if last <= edit.start <= edit.end <= size:
            kept.append(edit)
            last = edit.end
        elif not (kept and kept[-1] == edit):
            found.append(_finding(source, edit))
    return kept, found


def _finding(source: Source, edit: Edit) -> Finding:
    size = len(source.data)
    start, end = min(edit.start, size), min(max(edit.start, edit.end), size)
    message = f"left out, as another rewriting is here already: {edit.text[:60].decode('utf-8', 'replace')!r}"
    place = (*source.position(start), *source.position(end))
    kind = CONFLICT
    return Finding(kind.id, kind.severity, source.path, *place, message, kind.why, kind.fix, start=start, end=end)

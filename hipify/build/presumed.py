"""Lines that `#line` renames, taken back to where they stand: nvcc tells the new names alone (clang can be asked)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from hipify.build.diagnostics import Diagnostic, Spot
from hipify.records import NamedTuple

_LINE = re.compile(rb'^[ \t]*#[ \t]*(?:line[ \t]+)?(\d+)(?:[ \t]+"([^"\r\n]*)")?', re.MULTILINE)


class Stretch(NamedTuple):
    """Lines under one name, "" being the file's own: `first` to before `stop` as told, the first of them at `real`."""

    file: str
    first: int
    stop: int
    real: int


def stretches(data: bytes) -> list[Stretch]:
    """What the `#line` directives of a file make of its lines; nothing where there is none."""
    found = list(_LINE.finditer(data))
    if not found:
        return []
    starts = [data.count(b"\n", 0, match.start()) + 2 for match in found]
    name, made = "", [Stretch("", 1, starts[0], 1)]
    for match, start, stop in zip(found, starts, [*starts[1:], data.count(b"\n") + 3], strict=True):
        name = name if match[2] is None else match[2].decode("utf-8", "surrogateescape")
        made.append(Stretch(name, int(match[1]), int(match[1]) + stop - start, start))
    return made


class Presumed:
    """The files of a build that have such directives: `files` are their names and stretches, `same` compares names."""

    def __init__(self, files: Sequence[tuple[str, list[Stretch]]], same: Callable[[str, str], bool]) -> None:
        self._files = files
        self._same = same

    def undone(self, diagnostic: Diagnostic) -> Diagnostic:
        """A message with its places as they are."""
        if not self._files:
            return diagnostic
        notes = [self._real(note) for note in diagnostic.notes]
        return replace(diagnostic, spot=self._real(diagnostic.spot), notes=notes)

    def _real(self, spot: Spot) -> Spot:
        for name, found in self._files if spot.line else ():
            for part in found:
                named = self._same(spot.file, name) if not part.file else spot.file == part.file
                if named and part.first <= spot.line < part.stop:
                    return replace(spot, file=name, line=part.real + spot.line - part.first)
        return spot

"""What clang rejects in a parsed file, with the ranges and notes that say which operand or argument is meant."""

from __future__ import annotations

from hipify.parser.libclang_fast import LibClang
from hipify.parser.semantics import Unit
from hipify.records import NamedTuple

_WARNING = 2


class Note(NamedTuple):
    """What clang adds to an error: its text, and the byte of the file that it points at (-1: in another file)."""

    text: str
    start: int


class Fault(NamedTuple):
    """One error: its text, its byte (-1: in another file), what it underlines, and its notes."""

    text: str
    start: int
    ranges: tuple[tuple[int, int], ...]
    notes: tuple[Note, ...]


def faults(unit: Unit, path: bytes) -> list[Fault]:
    """The errors of a unit that are in the file `path`, or in what that file makes an instance of."""
    clang = unit.clang
    main = clang.clang_getFile(unit.handle, path)
    found = []
    for i in range(clang.clang_getNumDiagnostics(unit.handle)):
        diagnostic = clang.clang_getDiagnostic(unit.handle, i)
        if clang.clang_getDiagnosticSeverity(diagnostic) >= _WARNING:
            found.append(_fault(clang, main, diagnostic))
        clang.clang_disposeDiagnostic(diagnostic)
    return found


def _fault(clang: LibClang, main: int | None, diagnostic: int) -> Fault:
    ranges = []
    for k in range(clang.clang_getDiagnosticNumRanges(diagnostic)):
        extent = clang.clang_getDiagnosticRange(diagnostic, k)
        file, start = clang.place(clang.clang_getRangeStart(extent))
        _, end = clang.place(clang.clang_getRangeEnd(extent))
        if file == main and start < end:
            ranges.append((start, end))
    children = clang.clang_getChildDiagnostics(diagnostic)
    notes = []
    for k in range(clang.clang_getNumDiagnosticsInSet(children)):
        note = clang.clang_getDiagnosticInSet(children, k)
        notes.append(Note(clang.text(clang.clang_getDiagnosticSpelling(note)), _start(clang, main, note)))
        clang.clang_disposeDiagnostic(note)
    text = clang.text(clang.clang_getDiagnosticSpelling(diagnostic))
    return Fault(text, _start(clang, main, diagnostic), tuple(ranges), tuple(notes))


def _start(clang: LibClang, main: int | None, diagnostic: int) -> int:
    file, offset = clang.place(clang.clang_getDiagnosticLocation(diagnostic))
    return offset if file == main else -1

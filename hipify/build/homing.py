"""Bring the compiler's messages home: to the line of the CUDA input, with the finding that foretold each."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from hipify.build.diagnostics import ERROR, Diagnostic, Spot
from hipify.build.locate import Locator, Place
from hipify.build.presumed import Presumed, Stretch, stretches
from hipify.model import Confidence, Finding, Severity, Translation
from hipify.parser.source import Source
from hipify.parser.structure import Structure
from hipify.rules.checks.compiler import COMPILER

_QUOTED = re.compile(r"'([^']*)'")
_NAME = re.compile(r"[A-Za-z_]\w*")
_ARGUMENT = re.compile(r"not viable: .* for (\d+)\w\w argument")
_LAUNCH, _BEFORE_ARGUMENTS = "hipLaunchKernelGGL", 5
_STATEMENT_ENDS = (b";", b"{", b"}")
_MACRO = "expanded from macro"


class Home:
    """A translated file: its input, what was made of it, and what the compiler was given."""

    def __init__(self, translation: Translation, output: str, actual: bytes | None = None) -> None:
        self._translation = translation
        self.path = translation.path
        self.output = output
        self._actual = actual

    @property
    def translation(self) -> Translation:
        """What was made of the input, and the findings."""
        return self._translation

    @property
    def text(self) -> bytes:
        """What the compiler reads."""
        return self.translation.output if self._actual is None else self._actual

    def foretell(self, findings: Iterable[Finding]) -> None:
        """Findings that a build made before it compiled stand among the others."""
        together = sorted([*self._translation.findings, *findings], key=lambda f: (f.line, f.column, f.id))
        self._translation = self._translation._replace(findings=tuple(together))

    @cached_property
    def locator(self) -> Locator:
        """Finds places of the output in the input."""
        made = self.translation
        return Locator(made.input, made.output, made.edits, self._actual)

    @cached_property
    def structure(self) -> Structure:
        """The input's tokens."""
        return Structure(Source(self.translation.input, self.path))

    def statement(self, offset: int) -> tuple[int, int]:
        """The bytes of the statement that an offset of the input lies in."""
        from bisect import bisect_right

        tokens = self.structure.tokens
        at = max(bisect_right(tokens.start, offset) - 1, 0)
        first = stop = at
        while first > 0 and tokens.text[first - 1] not in _STATEMENT_ENDS and at - first < 2000:
            first -= 1
        while stop < len(tokens.text) - 1 and tokens.text[stop] not in _STATEMENT_ENDS and stop - at < 2000:
            stop += 1
        return tokens.start[first], tokens.start[stop] + len(tokens.text[stop])

    @cached_property
    def _output_structure(self) -> Structure:
        return Structure(Source(self.locator.output.data, self.output))

    def argument(self, spot: Spot, names: set[str], number: int) -> Spot:
        """The place of an argument of the call at a place of the output; that place where there is no such call."""
        from bisect import bisect_right

        tokens = self._output_structure.tokens
        at = bisect_right(tokens.start, self.locator.output.offset(spot.line, spot.column)) - 1
        name = tokens.text[at].decode("utf-8", "replace") if 0 <= at < len(tokens) else ""
        call = self._output_structure.call_at(at) if name == _LAUNCH or name in names else None
        if call is None:
            return spot
        position = number - 1 + (_BEFORE_ARGUMENTS if name == _LAUNCH else 0)
        if position >= len(call.args) or call.args[position].empty:
            return spot
        place = self.locator.output.place(tokens.start[call.args[position].first])
        return Spot(spot.file, place.line, place.column)

    def token(self, line: int, column: int) -> str:
        """The name at a place of the output."""
        data, at = self.locator.output.data, self.locator.output.offset(line, column)
        match = re.compile(rb"[A-Za-z_]\w*").match(data, at)
        return match[0].decode() if match else ""


@dataclass
class Arrival:
    """A message at home; `used_at` are the places of inputs whose macro or template led to it.

    `within` is the place in a macro's body that the compiler means, where the message stands at the macro's use.
    """

    diagnostic: Diagnostic
    home: Home
    place: Place
    output: Spot
    used_at: tuple[tuple[str, int], ...] = ()
    foretold: Finding | None = None
    passes: list[str] = field(default_factory=list)
    said_by: str = "hipcc"
    within: tuple[str, int] | None = None

    @property
    def severity(self) -> Severity:
        """Error or warning."""
        return Severity.ERROR if self.diagnostic.kind == ERROR else Severity.WARNING

    @property
    def texts(self) -> tuple[str, str]:
        """The line of the input, and that of the output."""
        locator = self.home.locator
        return locator.input.text(self.place.line).strip(), locator.output.text(self.output.line).strip()

    @property
    def verdict(self) -> str:
        """Whether somebody said so before."""
        if self.foretold is not None:
            where = "" if self.foretold.line == self.place.line else f" at line {self.foretold.line}"
            elsewhere = "" if self.foretold.file == self.home.path else f" of {self.foretold.file}"
            return f"foretold by {self.foretold.id}{where}{elsewhere}"
        about_source = self.diagnostic.spot.line or self.diagnostic.symbol
        return "no finding foretold this" if self.severity is Severity.ERROR and about_source else ""

    @property
    def _foreign(self) -> str:
        """Where the message stands, when that is in a header that is none of ours."""
        spot = self.diagnostic.spot
        same = not spot.line or spot == self.output or spot.file == self.output.file
        return "" if same else f" (in {os.path.basename(spot.file)}:{spot.line})"  # noqa: PTH119

    def message(self) -> str:
        """The finding's message."""
        used = "".join(f", used at {file}:{line}" for file, line in self.used_at[:3])
        if self.within is not None and self.within != (self.home.path, self.place.line):
            used = f", in the macro at {self.within[0]}:{self.within[1]}{used}"
        parts = [f"{self.said_by}: {self.diagnostic.text}{self._foreign}{used}", self.verdict]
        return "; ".join(part for part in parts if part)

    def finding(self) -> Finding:
        """As a finding for reports."""
        data = self.home.locator.input.data
        start = self.home.locator.input.offset(self.place.line, self.place.column)
        match = re.compile(rb"\w+|\S").match(data, start)
        size = len(match[0]) if match else 0
        cuda, hip = self.texts
        why = f"{COMPILER.why} CUDA: {cuda} | HIP: {hip}" if cuda != hip else f"{COMPILER.why} CUDA and HIP: {cuda}"
        fix = self.foretold.fix if self.foretold is not None else COMPILER.fix
        return Finding(
            COMPILER.id, self.severity, self.home.path, self.place.line, self.place.column, self.place.line,
            self.place.column + size, self.message(), why, fix, Confidence.CLANG, start, start + size, self.output.line,
        )  # fmt: skip


class Homes:
    """All translated files of a build, by the paths that the compiler knows them by."""

    def __init__(self, homes: Iterable[Home]) -> None:
        self._by_output: dict[str, Home] = {os.path.realpath(home.output): home for home in homes}
        self._resolved: dict[tuple[str, str], Home | None] = {}

    def __iter__(self) -> Iterator[Home]:
        return iter(self._by_output.values())

    def get(self, path: str, folder: str = "") -> Home | None:
        """The file that a compiler run in `folder` calls by a path."""
        key = (folder, path)
        if key not in self._resolved:
            self._resolved[key] = self._by_output.get(os.path.realpath(os.path.join(folder, path)))  # noqa: PTH118
        return self._resolved[key]

    def presumed(self, folder: str) -> Presumed:
        """What takes back the names that `#line` gives, for messages of a compiler that ran in `folder`."""

        def same(told: str, output: str) -> bool:
            home = self.get(told, folder)
            return home is not None and home.output == output

        return Presumed(self._stretches, same)

    @cached_property
    def _stretches(self) -> list[tuple[str, list[Stretch]]]:
        """The files that rename lines, each read once for all units."""
        return [(home.output, found) for home in self if (found := stretches(home.text))]

    def arrive(self, diagnostic: Diagnostic, unit: Home, folder: str = "") -> Arrival:
        """Bring one message home; `unit` is the file that was compiled."""
        arrival = self._placed(diagnostic, folder) or self._without_place(diagnostic, unit)
        arrival.foretold = self._foretold(arrival, unit)
        return arrival

    def _placed(self, diagnostic: Diagnostic, folder: str) -> Arrival | None:
        """The message at its own place, or, for one in a foreign header, at the place of ours that led there."""
        spot = within = diagnostic.spot
        used: list[Spot] = []
        home = self.get(spot.file, folder) if spot.line else None
        if home is not None:
            spot, within, used = self._into_macro(diagnostic, spot, folder)
            home = self.get(spot.file, folder) or home
            spot = _to_argument(diagnostic, home, spot)
        else:
            for candidate in self._led(diagnostic, folder):
                home = self.get(candidate.file, folder)
                if home is not None:
                    spot = candidate
                    break
        if home is None:
            return None
        used += [n for n in diagnostic.notes if "requested here" in n.text and n is not spot]
        place = home.locator.find(spot.line, spot.column or _first_column(home, spot.line))
        arrival = Arrival(diagnostic, home, place, spot, tuple(self._inputs(used, folder)))
        if within not in (spot, diagnostic.spot):
            arrival.within = next(self._inputs([within], folder), None)
        return arrival

    def _led(self, diagnostic: Diagnostic, folder: str) -> Iterator[Spot]:
        """The places that led to a message in a header that is none of ours, the nearest first.

        Clang tells an instantiation with its first message alone. A message that tells none is from the last one told,
        but where the header is included only behind it: then it is from reading the header.
        """
        own = [note for note in diagnostic.notes if note in diagnostic.context or _MACRO in note.text]
        yield from own
        ours = [spot for spot in diagnostic.context if self.get(spot.file, folder) is not None]
        for spot in diagnostic.included_from if ours and not own else ():
            if any(told.file == spot.file and told.line < spot.line for told in ours):
                ours = []
        yield from ours
        yield from diagnostic.included_from

    def _into_macro(self, diagnostic: Diagnostic, spot: Spot, folder: str) -> tuple[Spot, Spot, list[Spot]]:
        """Follow a message from a macro's use into its body, when the name it complains of stands there.

        Gives the place of the message, that in the macro, and the use where the two are the same.
        """
        quoted = {name for part in _QUOTED.findall(diagnostic.text) for name in _NAME.findall(part)}
        at, used = spot, []
        for note in diagnostic.notes:
            here, there = self.get(at.file, folder), self.get(note.file, folder)
            if not note.macro or here is None or there is None or here.token(at.line, at.column) != note.macro:
                break
            used.append(at)
            at = note
        home = self.get(at.file, folder)
        if used and home is not None and home.token(at.line, at.column) in quoted:
            return at, at, used[:1]
        return spot, at, []

    def _inputs(self, spots: Sequence[Spot], folder: str) -> Iterator[tuple[str, int]]:
        for spot in spots:
            home = self.get(spot.file, folder)
            if home is not None:
                yield home.path, home.locator.find(spot.line, spot.column).line

    def _without_place(self, diagnostic: Diagnostic, unit: Home) -> Arrival:
        """A message of the linker at the first use of what it misses; any other at the file's beginning."""
        names = _NAME.findall(diagnostic.symbol.partition("(")[0])
        for home in (unit, *self) if names else ():
            found = home.structure.index.get(names[-1].encode(), [])
            if len(found):
                place = home.locator.input.place(home.structure.tokens.start[found[0]])
                return Arrival(diagnostic, home, place, Spot(home.output, _output_line(home, place.line)))
        return Arrival(diagnostic, unit, Place(1, 1, exact=False), Spot(unit.output, 1))

    def _foretold(self, arrival: Arrival, unit: Home) -> Finding | None:
        """The finding that said so: on the line, in the statement, or about a name that the message quotes."""
        home, line = arrival.home, arrival.place.line
        findings = [f for f in home.translation.findings if f.id != COMPILER.id]
        quoted = {name for part in _QUOTED.findall(arrival.diagnostic.text) for name in _NAME.findall(part)}
        named = [
            f for h in (home, unit) for f in h.translation.findings
            if f.id != COMPILER.id and quoted.intersection(_names(h.translation, f))
        ]  # fmt: skip
        on_line = [f for f in findings if f.line <= line <= f.end_line or f.output_line == arrival.output.line]
        best = [f for f in named if f in on_line] or _serious(on_line)
        if not best and findings and arrival.diagnostic.spot.line:
            first, stop = home.statement(home.locator.input.offset(line, arrival.place.column))
            best = _serious(f for f in findings if first <= f.start < stop)
        best = best or _serious(named)
        column = arrival.place.column
        return min(best, key=lambda f: (-f.severity, abs(f.line - line), abs(f.column - column)), default=None)


def _to_argument(diagnostic: Diagnostic, home: Home, spot: Spot) -> Spot:
    """From a call that fits no function to the argument that all candidates refuse, where that is one."""
    if not diagnostic.text.startswith("no matching "):
        return spot
    numbers = {int(found[1]) for note in diagnostic.notes if (found := _ARGUMENT.search(note.text))}
    names = {name for part in _QUOTED.findall(diagnostic.text) for name in _NAME.findall(part)}
    return home.argument(spot, names, numbers.pop()) if len(numbers) == 1 else spot


def _serious(findings: Iterable[Finding]) -> list[Finding]:
    """Findings that foretell trouble; a note foretells none."""
    return [finding for finding in findings if finding.severity is not Severity.NOTE]


def _names(translation: Translation, finding: Finding) -> set[str]:
    """The names that a finding is about: those of its text, of its message, and what its text became."""
    text = translation.input[finding.start : finding.end][:200].decode("utf-8", "replace")
    return {*_NAME.findall(text)} if finding.end - finding.start < 200 else set()


def _first_column(home: Home, line: int) -> int:
    text = home.locator.output.text(line)
    return len(text) - len(text.lstrip()) + 1


def _output_line(home: Home, line: int) -> int:
    from hipify.emit.source_map import SourceMap

    made = home.translation
    return SourceMap.of(made.input, made.output, made.edits).output_line(line)


def collect(
    homes: Homes, found: Iterable[tuple[Home, str, Mapping[str, Sequence[Diagnostic]]]], said_by: str = "hipcc"
) -> list[Arrival]:  # fmt: skip
    """All messages at home, each once. `found` has for each unit its folder and the messages of each pass."""
    arrivals: dict[tuple[object, ...], Arrival] = {}
    for unit, folder, passes in found:
        presumed = homes.presumed(folder) if said_by == "nvcc" else None
        for name, diagnostics in passes.items():
            for diagnostic in diagnostics:
                told = diagnostic if presumed is None else presumed.undone(diagnostic)
                arrival = homes.arrive(told, unit, folder)
                arrival.said_by = said_by
                key = (arrival.home.path, arrival.place.line, arrival.place.column, diagnostic.kind, diagnostic.text)
                known = arrivals.setdefault(key, arrival)
                if name not in known.passes:
                    known.passes.append(name)
    return sorted(arrivals.values(), key=lambda a: (a.home.path, a.place.line, a.place.column, a.diagnostic.text))

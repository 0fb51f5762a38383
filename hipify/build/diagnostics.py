"""Read what compilers and linkers print: clang's (hipcc's) messages with their notes, nvcc's, and the linkers'."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

ERROR, WARNING = "error", "warning"

_CLANG = re.compile(
    r"(?P<file>[^\s:][^:\n]*|/.*?):(?P<line>\d+):(?P<column>\d+): "
    r"(?P<kind>fatal error|error|warning|note|remark): (?P<text>.*)"
)
_NVCC = re.compile(
    r"(?P<file>[^\s(][^(\n]*|/.*?)\((?P<line>\d+)\): (?P<kind>catastrophic error|fatal error|error|warning|remark)"
    r"(?: #[\w-]+)?: (?P<text>.*)"
)
_INCLUDED = re.compile(r"(?:In file included|\s+) from (?P<file>[^:\n]+|/.+?):(?P<line>\d+)(?::\d+)?[:,]")
_MACRO = re.compile(r"expanded from macro '([^']+)'")
_UNDEFINED = (
    re.compile(r"undefined (?:hidden )?(?:symbol|reference to)[: ]+[`']?(?P<name>[^'\n]+?)'?$"),
    re.compile(r"cannot find -l(?P<name>[^\s:]+)|unable to find library -l(?P<library>\S+)"),
)
_TOOL = re.compile(
    r"(?:\S*/)?(?:clang[\w+.-]*|ld(?:\.\w+)?|lld|hipcc|nvcc\s*\w*|collect2|cc1(?:plus)?)\s*: "
    r"(?:fatal )?error\s*: (?P<text>.*)"
)
_CONSEQUENCE = re.compile(
    r"linker command failed|command failed|ld returned|device-side linking? failed|generating stopped|too many errors"
    r"|compilation terminated|\d+ errors? detected in the compilation"
)
_LED_HERE = re.compile(r"in instantiation of|while substituting|requested here|called by")
_FLAG = re.compile(r" \[-W[\w+=,-]+\]$")


@dataclass(frozen=True, slots=True)
class Spot:
    """A place that a message names, in the file as the compiler calls it. Column 0 where the compiler tells none."""

    file: str
    line: int
    column: int = 0
    text: str = ""

    @property
    def macro(self) -> str:
        """The macro that was expanded here, for a note that says so."""
        match = _MACRO.match(self.text)
        return match[1] if match else ""


@dataclass(slots=True)
class Diagnostic:
    """One error or warning: where, what, the notes below it, and the files that included the one it is in.

    `line` is 0 for what belongs to no line (the linker's messages); `symbol` is the name that the linker misses.
    `context` are the instantiations that led here: clang tells them once, not for each message from inside of the same.
    """

    kind: str
    spot: Spot
    text: str
    flag: str = ""
    notes: list[Spot] = field(default_factory=list)
    included_from: tuple[Spot, ...] = ()
    symbol: str = ""
    context: tuple[Spot, ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """What makes two of them the same: the passes for several GPUs and the host repeat each other."""
        return self.kind, self.spot, self.text, self.symbol


def parse(text: str) -> list[Diagnostic]:
    """The diagnostics of a compiler's output, each once, in order."""
    found: dict[tuple[object, ...], Diagnostic] = {}
    context: tuple[Spot, ...] = ()
    for diagnostic in _read(text):
        context = tuple(note for note in diagnostic.notes if _LED_HERE.search(note.text)) or context
        diagnostic.context = context
        found.setdefault(diagnostic.key, diagnostic)
    return list(found.values())


def _read(text: str) -> Iterator[Diagnostic]:
    current: Diagnostic | None = None
    included: list[Spot] = []
    stacks: dict[str, tuple[Spot, ...]] = {}  # clang tells how it came to a file once, not for each message in it
    for line in text.splitlines():
        match = _CLANG.fullmatch(line) or _NVCC.fullmatch(line)
        if match is None:
            stack = _INCLUDED.match(line)
            if stack is not None:
                included.append(Spot(stack["file"], int(stack["line"])))
                continue
            if (found := _without_place(line)) is not None:
                if current is not None:
                    yield current
                current = None
                yield found
            continue
        groups = match.groupdict()
        spot = Spot(groups["file"], int(groups["line"]), int(groups.get("column") or 0), groups["text"])
        if included:
            stacks[spot.file] = tuple(included)
            included = []
        if groups["kind"] == "note":
            if current is not None:
                current.notes.append(spot)
            continue
        if current is not None:
            yield current
        current = None
        if groups["kind"] != "remark" and not _CONSEQUENCE.search(groups["text"]):
            current = _diagnostic(groups["kind"], spot, stacks.get(spot.file, ()))
    if current is not None:
        yield current


def _diagnostic(kind: str, spot: Spot, included: tuple[Spot, ...]) -> Diagnostic:
    flag = _FLAG.search(spot.text)
    text = spot.text[: flag.start()] if flag else spot.text
    place = Spot(spot.file, spot.line, spot.column)
    return Diagnostic(
        WARNING if kind == "warning" else ERROR, place, text, flag[0].strip(" []") if flag else "", [], included
    )


def _without_place(line: str) -> Diagnostic | None:
    """A message that names no line: of a linker, or about the command itself."""
    if _CONSEQUENCE.search(line):
        return None
    undefined = _UNDEFINED[0].search(line)
    if undefined is not None:
        name = undefined["name"]
        return Diagnostic(ERROR, Spot("", 0), f"undefined symbol: {name}", symbol=name)
    library = _UNDEFINED[1].search(line)
    if library is not None:
        name = library["name"] or library["library"]
        return Diagnostic(ERROR, Spot("", 0), f"library not found: {name}", symbol="")
    tool = _TOOL.fullmatch(line.strip())
    return Diagnostic(ERROR, Spot("", 0), tool["text"]) if tool else None

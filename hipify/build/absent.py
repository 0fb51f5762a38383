"""Headers of ROCm's libraries that this machine lacks: looked for before anything is compiled (HPY903)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence

from hipify.build import install
from hipify.build.compiler import Amd
from hipify.build.homing import Home
from hipify.model import Confidence, Finding
from hipify.parser.source import Source
from hipify.parser.structure import Include, Structure
from hipify.rules.checks.compiler import ABSENT

_WITH_FOLDER = ("-I", "-isystem", "-iquote", "-idirafter")
_ELSEWHERE = ("@", "--sysroot", "-isysroot", "--config", "-iprefix", "-iwithprefix", "-include-pch", "-ivfsoverlay")
_VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")
_QUOTED = re.compile(rb'^[ \t]*#[ \t]*(if|endif|include[ \t]*"([^"]+)")', re.MULTILINE)
_LIBRARY = re.compile(
    rb"#[ \t]*include[ \t]*[<\"](?:%s)[/.]" % b"|".join(p.header.split("/")[0].encode() for p in install.LIBRARIES)
)
_SYSTEM = ("/usr/local/include", "/usr/include")


def folders(compiler: Amd, commands: Iterable[Sequence[str]]) -> list[str] | None:
    """Where the compiler looks for headers, for all of some commands together; None where flags say it otherwise."""
    found = [str(compiler.tool.headers)]
    for variable in _VARIABLES:
        found += compiler.environ.get(variable, "").split(os.pathsep)
    if compiler.environ.get("HIPCC_COMPILE_FLAGS_APPEND"):
        return None
    for words in commands:
        if any(word.startswith(_ELSEWHERE) for word in words):
            return None
        for word, following in zip(words, [*words[1:], ""], strict=False):
            option = next((o for o in _WITH_FOLDER if word.startswith(o)), "")
            if option:
                found.append(word[len(option) :] or following)
    return [*dict.fromkeys(filter(None, found)), *_SYSTEM]


def look(homes: Iterable[Home], places: Sequence[str] | None) -> dict[str, list[Finding]]:
    """What is absent, by the path of the input; each file's own findings get it."""
    found: dict[str, list[Finding]] = {}
    for home in homes if places is not None else ():
        told = findings(home, places or ())
        if told:
            home.foretell(told)
            found[home.path] = told
    return found


def findings(home: Home, places: Sequence[str]) -> list[Finding]:
    """HPY903 for each header of a known library that a translation includes and none of the folders has whole."""
    if not _LIBRARY.search(home.text):
        return []
    structure = Structure(Source(home.text, ""))
    found = []
    for include in structure.includes:
        part = _part(include)
        if part is None or _is_asked_for(structure, include):
            continue
        problem = _problem(include.name.decode("utf-8", "surrogateescape"), places)
        if problem:
            found.append(_finding(home, include, f"{problem} ({part.name})", install.command(part, "")))
    return found


def _part(include: Include) -> install.Part | None:
    name = include.name.decode("utf-8", "replace")
    return next((part for part in install.LIBRARIES if install.is_of(name, part.header)), None)


def _is_asked_for(structure: Structure, include: Include) -> bool:
    """Whether an include stands in an `#if`, a header's guard left out."""
    outer = [d.name for d in structure.directives if d.first < include.directive.first]
    depth = sum(name.startswith(b"if") for name in outer) - outer.count(b"endif")
    return depth > (1 if outer[:2] == [b"ifndef", b"define"] else 0)


def _problem(name: str, places: Sequence[str]) -> str:
    """What is wrong with a header here; '' where it is there with all that it includes."""
    path = next((p for folder in places if os.path.isfile(p := os.path.join(folder, name))), None)  # noqa: PTH113, PTH118
    if path is None:
        return f"{name} is not on this machine"
    lost = next((inner for inner in _inner(path) if not _is_there(inner, path, places)), None)
    return f"{name} is there, but not {lost}, which it includes" if lost is not None else ""


def _inner(path: str) -> Iterator[str]:
    """What a header includes in quotes, in no `#if` but its guard."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            data = file.read(100_000)
    except OSError:
        return
    depth = 0
    for match in _QUOTED.finditer(data):
        depth += {b"if": 1, b"endif": -1}.get(match[1], 0)
        if match[2] and depth <= 1:
            yield match[2].decode("utf-8", "surrogateescape")


def _is_there(name: str, includer: str, places: Sequence[str]) -> bool:
    beside = os.path.dirname(includer)  # noqa: PTH120
    return any(os.path.exists(os.path.join(folder, name)) for folder in (beside, *places))  # noqa: PTH110, PTH118


def _finding(home: Home, include: Include, message: str, how: str) -> Finding:
    locator = home.locator
    at = locator.output.place(include.start)
    place = locator.find(at.line, at.column)
    start = locator.input.offset(place.line, place.column)
    text = locator.input.data
    end = next((i for i in range(start, len(text)) if text[i] in b"\r\n"), len(text))
    return Finding(
        ABSENT.id, ABSENT.severity, home.path, place.line, place.column, place.line, place.column + end - start,
        message, ABSENT.why, f"{ABSENT.fix} {how}.", Confidence.LEXICAL, start, end, at.line,
    )  # fmt: skip

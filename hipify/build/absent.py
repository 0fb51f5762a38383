"""Headers of HIP's libraries that this machine lacks: looked for before anything is compiled (HPY903).

For HIP's NVIDIA platform CUDA's headers, too, that HIP's are made of.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence

from hipify.build import install, nvidia
from hipify.build.compiler import Amd, Compiler, Nvidia
from hipify.build.homing import Home
from hipify.included import SEARCHED
from hipify.model import Confidence, Finding
from hipify.parser.source import Source
from hipify.parser.structure import Include, Structure
from hipify.rules.checks.compiler import ABSENT

_WITH_FOLDER = ("-I", "-isystem", "-iquote", "-idirafter")
_ELSEWHERE = ("@", "--sysroot", "-isysroot", "--config", "-iprefix", "-iwithprefix", "-include-pch", "-ivfsoverlay")
_QUOTED = re.compile(rb'^[ \t]*#[ \t]*(if|endif|include[ \t]*"([^"]+)")', re.MULTILINE)
_LIBRARY = re.compile(
    rb"#[ \t]*include[ \t]*[<\"](?:%s)[/.]" % b"|".join(p.header.split("/")[0].encode() for p in install.EVERY)
)
_SYSTEM = ("/usr/local/include", "/usr/include")


# What HIP's headers are made of on NVIDIA GPUs, and which of them are for AMD's alone.
_OF_HIP = re.compile(r"(?:hip[a-z]*|roctracer)/")
_OF_AMD = re.compile(r"amd|rocm|rocprim|hcc|clang")
_OF_CUDA = re.compile(r"(?:cuda|curand|cublas|cufft|cusparse|cusolver|nvrtc|nccl)[\w.]*\.h\Z|(?:cub|nvtx3)/")
_INCLUDED = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)
_OF_TOOLKIT = "Install the part of the CUDA toolkit that has it."


def folders(compiler: Compiler, commands: Iterable[Sequence[str]]) -> list[str] | None:
    """Where the compiler looks for headers, for all of some commands together; None where flags say it otherwise."""
    found = _own_folders(compiler)
    if found is None:
        return None
    for variable in SEARCHED:
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


def _own_folders(compiler: Compiler) -> list[str] | None:
    if isinstance(compiler, Amd):
        return [str(compiler.tool.headers)]
    toolkit = nvidia.toolkit_folders(compiler.nvcc.path, compiler.environ)
    return None if toolkit is None else [str(nvidia.OVERLAY), str(compiler.headers), *toolkit]


def look(homes: Iterable[Home], compiler: Compiler, commands: Iterable[Sequence[str]]) -> dict[str, list[Finding]]:
    """What is absent, by the path of the input; each file's own findings get it."""
    found: dict[str, list[Finding]] = {}
    homes = [home for home in homes if _LIBRARY.search(home.text) or isinstance(compiler, Nvidia)]
    places = folders(compiler, commands) if homes else None
    known: dict[str, str | None] = {}
    for home in homes if places is not None else ():
        told = of_nvidia(home, places or (), known) if isinstance(compiler, Nvidia) else findings(home, places or ())
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
            how = f"{ABSENT.fix} {install.command(part, '')}."
            found.append(_finding(home, include, f"{problem} ({part.name})", how))
    return found


def of_nvidia(home: Home, places: Sequence[str], known: dict[str, str | None]) -> list[Finding]:
    """HPY903 for what a translation includes and HIP's NVIDIA platform does not have, or has no CUDA header for.

    `known` keeps what each of HIP's headers lacks, for the next file that includes it.
    """
    structure = Structure(Source(home.text, ""))
    found: list[Finding] = []
    told: set[str] = set()
    for include in structure.includes:
        name = include.name.decode("utf-8", "surrogateescape")
        part = _part(include)
        if (part is None and not _OF_HIP.match(name)) or _is_asked_for(structure, include):
            continue
        path = _path(name, places)
        if part is not None and path is None:
            found.append(_finding(home, include, f"{name} is not on this machine ({part.name})", _way_out(part)))
        if path is not None and path not in known:
            known[path] = _lost_of_cuda(path, places)
        lost = known[path] if path is not None else None
        if lost is not None and lost not in told:
            told.add(lost)
            message = f"{name} is there, but not {lost}, which it includes (CUDA toolkit)"
            found.append(_finding(home, include, message, _OF_TOOLKIT))
    return found


def _way_out(part: install.Part) -> str:
    """What helps where a library's header is not here for NVIDIA GPUs."""
    if part.name == "rocThrust":
        return _OF_TOOLKIT
    if part.name.startswith("hip"):
        return f"Name the folder that has it with --hip-include or -I. {install.command(part, '')}."
    return f"{part.name} is for AMD GPUs alone: on an NVIDIA GPU build the CUDA original."


def _lost_of_cuda(path: str, places: Sequence[str]) -> str | None:
    """The first header of CUDA's that a header of HIP's includes, by itself or by others of HIP's, and is not here."""
    seen, waiting = {path}, [path]
    while waiting:
        includer = waiting.pop(0)
        for name in _included(includer):
            if _OF_CUDA.match(name):
                if not _is_there(name, includer, places):
                    return name
            elif _OF_HIP.match(name) or "/" not in name:
                inner = _path(name, [os.path.dirname(includer), *places])  # noqa: PTH120
                if inner is not None and inner not in seen and "/hip" in inner and not _OF_AMD.search(name):
                    seen.add(inner)
                    waiting.append(inner)
    return None


def _included(path: str) -> list[str]:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            data = file.read(2_000_000)
    except OSError:
        return []
    return [name.decode("utf-8", "surrogateescape") for name in _INCLUDED.findall(data)]


def _path(name: str, places: Sequence[str]) -> str | None:
    return next((p for folder in places if os.path.isfile(p := os.path.join(folder, name))), None)  # noqa: PTH113, PTH118


def _part(include: Include) -> install.Part | None:
    name = include.name.decode("utf-8", "replace")
    return next((part for part in install.EVERY if install.is_of(name, part.header)), None)


def _is_asked_for(structure: Structure, include: Include) -> bool:
    """Whether an include stands in an `#if`, a header's guard left out."""
    outer = [d.name for d in structure.directives if d.first < include.directive.first]
    depth = sum(name.startswith(b"if") for name in outer) - outer.count(b"endif")
    return depth > (1 if outer[:2] == [b"ifndef", b"define"] else 0)


def _problem(name: str, places: Sequence[str]) -> str:
    """What is wrong with a header here; '' where it is there with all that it includes."""
    path = _path(name, places)
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


def _finding(home: Home, include: Include, message: str, fix: str) -> Finding:
    locator = home.locator
    at = locator.output.place(include.start)
    place = locator.find(at.line, at.column)
    start = locator.input.offset(place.line, place.column)
    text = locator.input.data
    end = next((i for i in range(start, len(text)) if text[i] in b"\r\n"), len(text))
    return Finding(
        ABSENT.id, ABSENT.severity, home.path, place.line, place.column, place.line, place.column + end - start,
        message, ABSENT.why, fix, Confidence.LEXICAL, start, end, at.line,
    )  # fmt: skip

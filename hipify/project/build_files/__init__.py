"""Build files: one module a build system, each with `convert(file: BuildFile) -> None`. The table of flags is flags."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Protocol, cast

from hipify.model import Confidence, Edit, Finding, Options, Severity, Translation
from hipify.parser.source import Source
from hipify.patterns import lazy
from hipify.project.includes import follow
from hipify.rules.checks.build import CONSTRUCT
from hipify.rules.kinds import FindingKind

_SOURCE = lazy(r"([\w./${}()%*?+@~-]*?)(\.cuh?)(?![\w.])")


@dataclass(frozen=True)
class BuildContext:
    """What a build file needs to know of the project. Paths are relative to its root, with slashes."""

    options: Options
    folder: str = ""
    """The folder of the build file."""
    renames: Mapping[str, str] = field(default_factory=dict)
    """The files whose names change."""
    cxx17: bool = False
    """Whether the project uses libraries of templates (Thrust, CUB) whose ROCm versions need C++17."""
    suffixes: Mapping[str, str] = field(default_factory=dict)
    """What the endings of sources become (`.cu`: `.hip`), where they change."""
    hosts: tuple[str, ...] = ()
    """The sources in this folder and below that use HIP and that a host compiler may compile, in order of path."""
    defines: tuple[str, ...] = ()
    """Macros without which HIP's headers of this release hide what the project's device code uses."""
    root: str = ""
    """The root of the input, and of the output, as absolute paths."""
    out: str = ""

    @cached_property
    def _moves(self) -> dict[str, str]:
        """Files and folders by their old names; a folder follows the files in it."""
        found = dict(self.renames)
        for old, new in self.renames.items():
            before, after = posixpath.dirname(old), posixpath.dirname(new)
            while before and before not in found and before.count("/") == after.count("/"):
                if before != after:
                    found[before] = after
                before, after = posixpath.dirname(before), posixpath.dirname(after)
        return found

    @cached_property
    def _by_base(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for old in self.renames:
            found.setdefault(posixpath.basename(old), []).append(old)
        return found

    def follow(self, text: str) -> str:
        """A path as a build file in our folder writes it, with the new names of what it leads to."""
        if not self.renames or text.startswith("/"):
            return text
        full = posixpath.normpath(posixpath.join(self.folder, text))
        moves = self._moves
        while full not in moves and "/" in full and posixpath.dirname(full) != self.folder:
            full = posixpath.dirname(full)
        if full in moves:
            depth = len(posixpath.normpath(posixpath.join(self.folder, text)).split("/")) - len(full.split("/"))
            parts = text.rstrip("/").split("/")
            head = "/".join(parts[: len(parts) - depth]) if depth else text.rstrip("/")
            return follow(head, full, moves[full]) + text[len(head) :]
        same = self._by_base.get(posixpath.basename(text), [])
        fitting = [old for old in same if f"/{old}".endswith(f"/{text.lstrip('./')}")]
        return follow(text, fitting[0], self.renames[fitting[0]]) if len(fitting) == 1 else text

    def sources_in(self, text: str) -> str:
        """A text with the names and patterns of CUDA sources in it following: `a.cu`, `%.cu`, `$(X).cu`, `.cu=`."""
        return _SOURCE.sub(lambda m: self._source(m), text) if self.suffixes else text

    def _source(self, match: re.Match[str]) -> str:
        text, ending = match[0], match[2]
        if match[1] == "" or any(mark in match[1] for mark in "$%*?)}"):
            return match[1] + self.suffixes.get(ending, ending)
        return self.follow(text)


class BuildFile:
    """A build file under conversion: its text, and what is to be changed and said."""

    def __init__(self, data: bytes, path: str, context: BuildContext) -> None:
        self.source = Source(data, path)
        self.context = context
        self.edits: list[Edit] = []
        self.findings: list[Finding] = []

    @property
    def data(self) -> bytes:
        """The text."""
        return self.source.data

    def replace(self, start: int, end: int, text: bytes) -> None:
        """Replace bytes [start, end)."""
        if self.data[start:end] != text or start == end:
            self.edits.append(Edit(start, end, text))

    def find(
        self,
        kind: FindingKind,
        start: int,
        end: int,
        message: str,
        *,
        fix: str = "",
        severity: Severity | None = None,
    ) -> None:
        """Report `kind` at bytes [start, end)."""
        line, column = self.source.position(start)
        end_line, end_column = self.source.position(end)
        self.findings.append(
            Finding(
                kind.id, kind.severity if severity is None else severity, self.source.path, line, column, end_line,
                end_column, message, kind.why, fix or kind.fix, Confidence.LEXICAL, start, end,
            )
        )  # fmt: skip


def _apart(file: BuildFile) -> list[Edit]:
    """The edits without those that meet an earlier one, which are reported: one odd line costs no whole file."""
    kept: list[Edit] = []
    for edit in sorted(file.edits, key=lambda e: (e.start, e.end)):
        if kept and edit.start < kept[-1].end:
            end = min(max(edit.end, edit.start + 1), len(file.data))
            file.find(CONSTRUCT, edit.start, end, "two translations meet here; only the first was made")
        else:
            kept.append(edit)
    return kept


class _Converter(Protocol):
    def convert(self, file: BuildFile) -> None:
        """Collect the edits and findings."""


_MODULES = {
    "cmake": "cmake",
    "make": "make",
    "python": "setuptools",
    "meson": "others",
    "bazel": "others",
    "other": "others",
    "fortran": "fortran",
    "shell": "shell",
    "commands": "commands",
}


def convert(kind: str, data: bytes, path: str, context: BuildContext) -> Translation:
    """Convert a build file of the kind that `discover.build_kind` names."""
    from hipify.emit import rewriter
    from hipify.emit.source_map import SourceMap

    file = BuildFile(data, path, context)
    cast(_Converter, import_module(f"{__name__}.{_MODULES[kind]}")).convert(file)
    edits = rewriter.in_order(_apart(file), len(data))
    output = rewriter.apply(data, edits)
    lines = SourceMap.of(data, output, edits)
    findings = sorted(file.findings, key=lambda f: (f.start, f.id))
    placed = tuple(f._replace(output_line=lines.output_line(f.line)) for f in findings)
    return Translation(path, data, output, tuple(edits), placed, ())

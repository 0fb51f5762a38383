"""Reports of a run. A format is a module of this package, found by name: nothing registers it.

Such a module has `SUFFIXES`, the file endings it is chosen for, and `render(report) -> bytes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module

from hipify import __version__, plugins
from hipify.errors import UsageError
from hipify.model import Finding, Options, Severity, Translation
from hipify.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    class Writer(Protocol):
        """What a module of this package offers."""

        SUFFIXES: tuple[str, ...]

        def render(self, report: Report) -> bytes:
            """The report as a file's content."""


TOOL = "hipify-py"


class FileResult(NamedTuple):
    """One input: its translation and where that went, or what went wrong (in reading, or in writing the output)."""

    path: str
    translation: Translation | None = None
    output: str | None = None
    error: str = ""


class Report(NamedTuple):
    """Everything that a report can tell about a run."""

    options: Options
    files: tuple[FileResult, ...]
    tool: str = TOOL
    version: str = __version__
    target_origin: str = ""
    """Why the release of the options is the target: the option, a settings file, an installation."""
    cuda_origin: str = ""
    """Where the CUDA release of the options is known from."""

    @property
    def cuda(self) -> str:
        """The CUDA release that the inputs are taken to be written for; '' when nothing tells."""
        return self.options.cuda_version or self.options.cuda_assumed

    @property
    def translations(self) -> Iterator[Translation]:
        """The translations there are."""
        return (file.translation for file in self.files if file.translation is not None)

    @property
    def findings(self) -> Iterator[Finding]:
        """All findings, file by file."""
        return (finding for translation in self.translations for finding in translation.findings)


def formats() -> list[str]:
    """The names of the formats there are."""
    return plugins.names(__path__)


def writer(path: str, name: str = "") -> Writer:
    """The module that writes a report: the named one, or the one that the path's ending chooses."""
    known = formats()
    if name:
        if name not in known:
            raise UsageError(f"unknown report format {name!r}: the known ones are {', '.join(known)}")
        return _load(name)
    for module in map(_load, known):
        if path.lower().endswith(module.SUFFIXES):
            return module
    raise UsageError(f"{path}: no report format has this ending: add --report-format ({', '.join(known)})")


def _load(name: str) -> Writer:
    module: Any = import_module(f"{__name__}.{name}")
    found: Writer = module
    return found


def counts(findings: Iterable[Finding]) -> dict[Severity, int]:
    """How many findings there are of each severity, the worst first."""
    table = dict.fromkeys((Severity.ERROR, Severity.WARNING, Severity.NOTE), 0)
    for finding in findings:
        table[finding.severity] += 1
    return table

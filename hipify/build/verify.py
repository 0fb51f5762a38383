"""Compile a converted tree, and tell how much of it compiles, why the rest does not, and what is missing."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hipify.build import absent
from hipify.build.advice import missing_headers
from hipify.build.builder import CHECK, Settings, run_passes
from hipify.build.compiler import Amd
from hipify.build.diagnostics import ERROR, Diagnostic
from hipify.build.flags import read_makefile
from hipify.build.homing import Arrival, Homes, collect
from hipify.build.machine import Machine
from hipify.build.process import guarded, side_by_side
from hipify.build.tell import causes
from hipify.build.toolchain import target_for
from hipify.build.tree import Converted, Tree
from hipify.compile_commands import CompilationDatabase
from hipify.emit.report import FileResult
from hipify.errors import InputError
from hipify.model import Severity
from hipify.rules.checks.compiler import COMPILER

_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")


@dataclass
class Verdict:
    """What became of a tree: the units by whether they compile, all messages at home, and what is missing."""

    tree: Tree
    compiles: list[Converted] = field(default_factory=list)
    fails: list[Converted] = field(default_factory=list)
    arrivals: list[Arrival] = field(default_factory=list)
    homes: Homes = field(default_factory=lambda: Homes(()))

    @property
    def ok(self) -> bool:
        """Whether everything compiles."""
        return not self.fails

    @property
    def errors(self) -> list[Arrival]:
        """The errors."""
        return [arrival for arrival in self.arrivals if arrival.severity is Severity.ERROR]

    def results(self) -> Iterator[FileResult]:
        """The files that have something to be reported: their own findings, and the compiler's."""
        found: dict[str, list[Arrival]] = {}
        for arrival in self.arrivals:
            found.setdefault(arrival.home.path, []).append(arrival)
        for home in self.homes:
            arrivals = found.get(home.path, [])
            if arrivals or home.translation.findings:
                added = [arrival.finding() for arrival in arrivals]
                together = sorted([*home.translation.findings, *added], key=lambda f: (f.line, f.column, f.id))
                yield FileResult(home.path, home.translation._replace(findings=tuple(together)), home.output)


def verify(tree: Tree, settings: Settings) -> Verdict:
    """Compile every unit of a tree."""
    verdict = Verdict(tree, homes=tree.homes())
    units = tree.units
    flags = [_flags(tree, unit, settings) for unit in units]
    absent.look(verdict.homes, settings.compiler, flags)
    folder = Path(tempfile.mkdtemp(prefix="hipify-verify-"))

    def compile_unit(numbered: tuple[int, Converted]) -> dict[str, list[Diagnostic]]:
        number, unit = numbered
        output = None if settings.goal == CHECK else folder / f"{number}.o"
        passes = run_passes(settings, unit.output.absolute(), flags[number], output, folder)
        if output is not None:
            output.unlink(missing_ok=True)
        return passes

    with guarded(folder):
        passes = side_by_side(compile_unit, list(enumerate(units)), settings.jobs)
    found = []
    for unit, messages in zip(units, passes, strict=True):
        failed = any(message.kind == ERROR for said in messages.values() for message in said)
        (verdict.fails if failed else verdict.compiles).append(unit)
        home = verdict.homes.get(str(unit.output))
        assert home is not None
        found.append((home, str(folder), messages))
    arrivals = collect(verdict.homes, found)
    verdict.arrivals = [a for a in arrivals if settings.warnings or a.severity is Severity.ERROR]
    return verdict


def _flags(tree: Tree, unit: Converted, settings: Settings) -> list[str]:
    archs = settings.compiler.archs if isinstance(settings.compiler, Amd) else ()
    found = settings.sources.flags(str(unit.output), archs=archs, roc=settings.roc)
    guessed = tree.guessed_folders(unit, list(found.include_dirs))
    return [*found.compile, *(f"-I{folder}" for folder in guessed), f"-I{os.path.abspath(tree.root)}"]  # noqa: PTH100


def commands(
    tree: Tree, machine: Machine, database: str, makefiles: bool
) -> tuple[CompilationDatabase | None, list[str]]:
    """The commands that are known for a tree: of a database (its own, when none is named), or of its makefiles."""
    if database:
        return CompilationDatabase.load(database), []
    if makefiles:
        return _of_makefiles(tree, machine)
    own = tree.root / "compile_commands.json"
    return (CompilationDatabase.load(str(own)), []) if own.is_file() else (None, [])


def _of_makefiles(tree: Tree, machine: Machine) -> tuple[CompilationDatabase | None, list[str]]:
    found: list[tuple[str, str, Sequence[str]]] = []
    notes = []
    folders = sorted({unit.output.parent for unit in tree.units})
    for folder in folders:
        if not any((folder / name).is_file() for name in _MAKEFILES):
            continue
        try:
            database, _ = read_makefile(str(folder), machine)
        except InputError as error:
            notes.append(str(error))
            continue
        for file in database.files:
            command = database.command(file)
            if command is not None:
                found.append((file, *command))
    return (CompilationDatabase.of(found) if found else None), notes


def lines(verdict: Verdict, compiler: Amd, distribution: tuple[str, str], full: bool) -> Iterator[str]:
    """What is printed: the port rate, the causes, and what is missing."""
    total = len(verdict.compiles) + len(verdict.fails)
    depth = "with code for the GPU" if full else "syntax only"
    by = f"{compiler.label}, {', '.join(compiler.archs)}, {depth}"
    share = f" ({100 * len(verdict.compiles) / total:.1f} %)" if total else ""
    yield f"port rate: {len(verdict.compiles)} of {total} translation units compile{share}: {by}"
    known = target_for(compiler.tool.hip) if compiler.tool.hip else ""
    if known and verdict.tree.target not in ("", known):
        yield (
            f"written for: ROCm {verdict.tree.target}, and compiled with HIP {compiler.tool.hip}: "
            f"`convert --target {known}` writes for that"
        )
    figures = verdict.tree.figures
    if figures.references:
        share = f"{100 * figures.converted / figures.references:.1f} %"
        yield f"converted: {figures.converted} of {figures.references} CUDA references ({share})"
    errors = verdict.errors
    if errors:
        groups = causes(errors)
        files = len({arrival.home.path for arrival in errors})
        yield f"causes: {len(groups)} of {len(errors)} errors in {files} files"
        for group in groups:
            yield f"  {len(group):4}  {group[0].diagnostic.text} ({_verdicts(group)}): {_places(group)}"
    yield from _missing(verdict, distribution)


def _verdicts(group: Sequence[Arrival]) -> str:
    ids = Counter(arrival.foretold.id for arrival in group if arrival.foretold is not None)
    parts = [f"{name} foretold {'it' if number == len(group) else number}" for name, number in sorted(ids.items())]
    alone = len(group) - sum(ids.values())
    return ", ".join(
        [*parts, *(["no finding foretold this" if alone == len(group) else f"{alone} not"] if alone else [])]
    )


def _places(group: Sequence[Arrival]) -> str:
    shown = [f"{arrival.home.path}:{arrival.place.line}" for arrival in group[:3]]
    return ", ".join(shown) + (f" and {len(group) - 3} more" if len(group) > 3 else "")


def _missing(verdict: Verdict, distribution: tuple[str, str]) -> Iterator[str]:
    """Headers with what installs them, then the work that findings, conflicts and failures leave."""
    found: list[str] = []
    for header, number, how in missing_headers(verdict.errors, distribution):
        how = how or "no library of ROCm's that is known here"
        found.append(f"header {header} ({number} time{'' if number == 1 else 's'}): {how}")
    open_errors = Counter(
        name.rpartition(" ")[2] for name, number in verdict.tree.figures.findings.items() for _ in range(number)
        if name.startswith("error") and COMPILER.id not in name
    )  # fmt: skip
    if open_errors:
        ids = ", ".join(f"{number} {name}" for name, number in sorted(open_errors.items()))
        found.append(f"{sum(open_errors.values())} findings that convert gave as errors: {ids}")
    found += [f"conflict to settle: {path}" for path in sorted(verdict.tree.conflicts)]
    found += [f"not translated: {path}" for path in sorted(verdict.tree.failed)]
    if found:
        yield "missing:"
        yield from (f"  {line}" for line in found)

"""Compile translations with hipcc, link them, and bring the messages home."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hipify.build import absent, libraries, nvidia
from hipify.build.compiler import Amd, Compiler, Nvidia
from hipify.build.diagnostics import ERROR, Diagnostic, Spot, parse
from hipify.build.flags import SOURCES, Flags, Sources
from hipify.build.homing import Arrival, Home, Homes, collect
from hipify.build.plain import PlainNames, is_plain
from hipify.build.process import MISSING, TIMED_OUT, Done, call, guarded, side_by_side
from hipify.build.workspace import Workspace, workspace
from hipify.emit import files
from hipify.errors import OutputError
from hipify.model import Finding, Options, Severity, Translation

# Only programs that call the driver API need its library, which is where a GPU is.
_NO_DRIVER = re.compile(r"cannot find -lcuda\b")
_DRIVER = re.compile(rf"undefined reference to [`']cu[A-Z]|{_NO_DRIVER.pattern}")
_WITHOUT_DRIVER = "libcuda.so, the driver's library, is not here to link with: everything compiled, no program was made"
CHECK, OBJECTS, PROGRAM = "check", "objects", "program"
"""How far a build goes: look for errors only, compile everything, link a program."""


@dataclass(frozen=True)
class Settings:
    """What a build is asked for."""

    compiler: Compiler
    sources: Sources
    goal: str = PROGRAM
    program: Path | None = None
    jobs: int = 1
    timeout: float | None = 600.0
    roc: bool = False
    warnings: bool = True

    @property
    def nvidia(self) -> bool:
        """Whether this is HIP's NVIDIA platform."""
        return isinstance(self.compiler, Nvidia)


@dataclass
class Unit:
    """A source that is compiled: where its output lies, its flags, and what the compiler said in each pass."""

    path: str
    home: Home
    flags: Flags
    object: Path
    ok: bool = False
    passes: dict[str, list[Diagnostic]] = field(default_factory=dict)


@dataclass
class Outcome:
    """What became of a build: the units, all messages at home, and the program where one was linked."""

    units: list[Unit]
    arrivals: list[Arrival]
    homes: Homes
    program: Path | None = None
    notes: list[str] = field(default_factory=list)
    absent: dict[str, list[Finding]] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether everything compiled, and linked where that was asked for."""
        return all(unit.ok for unit in self.units) and not any(a.severity is Severity.ERROR for a in self.arrivals)

    def findings(self) -> dict[str, list[Finding]]:
        """HPY901 and HPY903 by the path of the input."""
        found = {path: list(findings) for path, findings in self.absent.items()}
        for arrival in self.arrivals:
            found.setdefault(arrival.home.path, []).append(arrival.finding())
        return found

    def with_findings(self, translation: Translation) -> Translation:
        """A translation with the compiler's findings among its own."""
        added = [f for f in self.findings().get(translation.path, ()) if f not in translation.findings]
        if not added:
            return translation
        together = sorted([*translation.findings, *added], key=lambda f: (f.line, f.column, f.id))
        return translation._replace(findings=tuple(together))


def build(settings: Settings, translations: Mapping[str, Translation], options: Mapping[str, Options]) -> Outcome:
    """Build translations, by the paths that the user gave."""
    flags = {path: _flags(settings, path, options[path]) for path in translations}
    folders = {path: [*flags[path].include_dirs, *options[path].include_dirs] for path in translations}
    space = workspace(translations, options, folders)
    with guarded(space.folder):
        return _Build(settings, space, flags, folders).run(list(translations))


def _flags(settings: Settings, path: str, options: Options) -> Flags:
    found = settings.sources.flags(path, archs=_gfx(settings), roc=settings.roc, keep=settings.nvidia)
    own = [f"-D{name}" for name in options.defines if f"-D{name}" not in found.compile]
    return Flags((*own, *found.compile), found.link, found.notes)


def _gfx(settings: Settings) -> tuple[str, ...]:
    return settings.compiler.archs


class _Build:
    def __init__(
        self, settings: Settings, space: Workspace, flags: Mapping[str, Flags], folders: Mapping[str, Sequence[str]]
    ) -> None:
        self._settings = settings
        self._space = space
        self._flags = flags
        self._folders = folders
        self._homes = space.homes()
        self._plain = PlainNames(space.folder)
        self._objects = space.folder / "objects"
        self._objects.mkdir()
        self._forwards = self._forward() if settings.nvidia else None

    def _forward(self) -> Path | None:
        """Headers under HIP's names that lead to CUDA's, for what the translations include."""
        included = (name for home in self._homes for name in libraries.headers_of(home.translation.output))
        made = nvidia.forwards(included)
        folder = self._space.folder / "platform"
        for name, text in made.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(text)
        return folder if made else None

    def run(self, paths: Sequence[str]) -> Outcome:
        units = [self._unit(number, path) for number, path in enumerate(paths) if path.lower().endswith(SOURCES)]
        outcome = Outcome(units, [], self._homes, notes=[*self._space.problems, *self._notes(units)])
        outcome.absent = self._absent(units)
        side_by_side(self._compile, units, self._settings.jobs)
        if self._settings.goal == PROGRAM and units and all(unit.ok for unit in units):
            outcome.program = self._link(units, outcome)
        found = ((unit.home, str(self._space.folder), unit.passes) for unit in units)
        outcome.arrivals = [
            a for a in collect(self._homes, found, "nvcc" if self._settings.nvidia else "hipcc") if self._wanted(a)
        ]
        return outcome

    def _absent(self, units: Sequence[Unit]) -> dict[str, list[Finding]]:
        """The headers of libraries that are not here, told to the files before anything is compiled."""
        commands = [[*unit.flags.compile, *self._include_flags(unit)] for unit in units]
        return absent.look(self._homes, self._settings.compiler, commands)

    def _wanted(self, arrival: Arrival) -> bool:
        return self._settings.warnings or arrival.severity is Severity.ERROR

    def _unit(self, number: int, path: str) -> Unit:
        place = self._space.place(path)
        home = self._homes.get(str(place))
        assert home is not None
        return Unit(path, home, self._flags[path], self._objects / f"{number}.o")

    def _include_flags(self, unit: Unit) -> list[str]:
        """The include folders: of each first what lies in the workspace, and at last the source's own folder."""
        words: list[str] = []
        for folder in dict.fromkeys(self._folders[unit.path]):
            if self._space.holds(folder):
                words.append(f"-I{self._space.place(folder)}")
            words.append(f"-I{self._plain.folder(os.path.abspath(folder))}")  # noqa: PTH100
        if self._forwards is not None:
            words.append(f"-I{self._forwards}")
        beside = self._plain.folder(os.path.dirname(os.path.abspath(unit.path)))  # noqa: PTH100, PTH120
        return [*words, *([f"-I{beside}"] if self._settings.nvidia else ["-idirafter", beside])]

    def _own_names(self, unit: Unit) -> list[str]:
        """What makes __FILE__ and debug information call files as the user does, not as they lie here."""
        root = self._space.root if os.path.isabs(unit.path) else os.path.relpath(self._space.root)  # noqa: PTH117
        names = [(f"{self._space.folder}/src/", "" if root == "." else root + os.sep)]
        names += [(home.output, home.path) for home in self._homes if self._space.renamed(home.path)]
        if self._settings.nvidia:
            safe = (f"-ffile-prefix-map={old}={new}" for old, new in names if not new or is_plain(new))
            return [word for option in safe for word in ("-Xcompiler", option)]
        return [f"-ffile-prefix-map={old}={new}" for old, new in names if "\n" not in new]

    def _compile(self, unit: Unit) -> None:
        flags = [word for word in unit.flags.compile if not word.startswith("-I")] + self._include_flags(unit)
        flags += self._own_names(unit)
        output = None if self._settings.goal == CHECK else unit.object
        unit.passes = run_passes(self._settings, Path(unit.home.output), flags, output, self._space.folder)
        unit.ok = not any(found.kind == ERROR for messages in unit.passes.values() for found in messages)

    def _link(self, units: Sequence[Unit], outcome: Outcome) -> Path | None:
        settings = self._settings
        assert settings.program is not None
        given = [word for unit in units for word in unit.flags.link]
        given += settings.sources.link(archs=_gfx(settings), roc=settings.roc, keep=settings.nvidia).link
        needed = [name for home in self._homes for name in libraries.of_output(home.translation.output)]
        given = [self._plain.linked(word) for word in given]
        flags = [*dict.fromkeys(given), *libraries.options(needed, given, settings.nvidia)]
        tool = settings.compiler.tool if isinstance(settings.compiler, Amd) else None
        if tool is not None and tool.direct and tool.runtime is None:
            text = f"{tool.prefix} holds no libamdhip64.so to link with: everything compiled, no program was made"
            units[0].passes["link"] = [Diagnostic(ERROR, Spot("", 0), text)]
            return None
        built = self._space.folder / "program"
        objects = [unit.object for unit in units]
        if tool is not None:
            flags = libraries.without_parts_of_runtime(flags, tool.runtime)
        command = settings.compiler.link(objects, built, flags)
        done = call(command, environment(settings, self._space.folder), self._space.folder, settings.timeout)
        if done.status and isinstance(settings.compiler, Nvidia) and _DRIVER.search(done.err):
            driver = nvidia.driver(settings.compiler.nvcc.path)
            library = ["-Xlinker", str(driver)] if driver is not None else ["-lcuda"]
            flags = [*(flag for flag in flags if flag != "-lcuda"), *library]
            command = settings.compiler.link(objects, built, flags)
            done = call(command, environment(settings, self._space.folder), self._space.folder, settings.timeout)
            if done.status and _NO_DRIVER.search(done.err):
                units[0].passes["link"] = [Diagnostic(ERROR, Spot("", 0), _WITHOUT_DRIVER)]
                return None
        units[0].passes["link"] = _messages(done, settings.compiler)
        if done.status:
            return None
        _move(built, settings.program)
        return settings.program

    def _notes(self, units: Iterable[Unit]) -> list[str]:
        return list(dict.fromkeys(note for unit in units for note in unit.flags.notes))


def run_passes(
    settings: Settings, source: Path, flags: Sequence[str], output: Path | None, folder: Path
) -> dict[str, list[Diagnostic]]:
    """Compile one source; the messages of each pass.

    `folder`, where the compiler runs, is private, so that what it leaves behind (-MD, --save-temps) is, too.
    """
    compiler, environ = settings.compiler, environment(settings, folder)
    done = call(compiler.compile(source, output, flags), environ, folder, settings.timeout)
    passes = {",".join(compiler.archs) or "host": _messages(done, compiler)}
    if done.status not in (0, MISSING, TIMED_OUT) and isinstance(compiler, Amd):
        # A device pass that fails hides what the host pass would say.
        command = compiler.compile(source, None, flags, host_only=True)
        passes["host"] = parse(call(command, environ, folder, settings.timeout).err)
    return passes


def environment(settings: Settings, folder: Path) -> dict[str, str]:
    """The compiler's environment: temporary files, which some releases leave behind, belong to the private folder."""
    temporary = folder / "tmp"
    temporary.mkdir(exist_ok=True)
    return {**settings.compiler.environ, "TMPDIR": str(temporary)}


def _messages(done: Done, compiler: Compiler) -> list[Diagnostic]:
    found = parse(f"{done.err}\n{done.out}")
    if done.status and not any(diagnostic.kind == ERROR for diagnostic in found):
        text = done.last_line or f"{compiler.name} ended with status {done.status} and said nothing"
        found.append(Diagnostic(ERROR, Spot("", 0), text))
    return found


def _move(built: Path, program: Path) -> None:
    """Put a program where it belongs in one step."""
    try:
        data = built.read_bytes()
        files.write(program, data, 0o777)
        if not os.access(program, os.X_OK):  # an older file there was no program
            program.chmod(program.stat().st_mode | 0o111)
    except OSError as error:
        raise OutputError(f"{program}: cannot be written: {error.strerror}") from error

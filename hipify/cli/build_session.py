"""Translate, then compile, link and run: what `hipify-py build` and the translator's --build, --run, --check do."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from hipify.build import advice, nvidia, tell
from hipify.build.builder import CHECK, PROGRAM, Outcome, Settings, build
from hipify.build.compiler import Amd, Compiler, Nvidia, environment
from hipify.build.flags import Sources, read_makefile
from hipify.build.process import guarded
from hipify.build.toolchain import AMD, NVIDIA, find, find_nvcc, this_machine
from hipify.cli import arguments
from hipify.cli.plan import STANDARD, Plan, plan
from hipify.cli.releases import NO_HIPCC, compiled_target
from hipify.cli.session import DONE, FAILED, FOUND, Session
from hipify.compile_commands import CompilationDatabase
from hipify.config import Config, settle
from hipify.emit import files
from hipify.emit.report import FileResult
from hipify.emit.report.text import finding_lines
from hipify.errors import InputError, OutputError, UsageError
from hipify.model import Finding, Options, Severity, Translation
from hipify.project.build_files.flags import DEFAULT_ARCHS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.build.machine import Machine
    from hipify.cli.parser import Arguments


class Wish:
    """What a command line asks of a build: read once, before anything is translated."""

    def __init__(self, args: Arguments, machine: Machine) -> None:
        self.machine = machine
        self.flags, self.program_arguments = _behind_the_dashes(args)
        if args.compare and not args.run:
            raise UsageError("--compare needs --run")
        if args.compare and not Path(args.compare).is_file():
            raise InputError(f"--compare {args.compare}: is no file")
        self.timeout = _seconds(args.timeout)
        self.tolerance = arguments.number("--tolerance", args.tolerance)
        self.ignored = [_pattern(text) for text in args.ignore_lines]
        self.jobs = int(arguments.number("-j", str(args.jobs))) or os.cpu_count() or 1
        self.archs = arguments.comma_list(args.offload_arch)
        said = machine.environ.get("HIP_PLATFORM", "")
        self.platform = args.platform or (NVIDIA if said.lower() in (NVIDIA, "nvcc") else AMD)
        self.note = ""
        if not args.platform and said.lower() not in ("", AMD, "hcc", NVIDIA, "nvcc"):
            self.note = f"HIP_PLATFORM={said} names no platform of HIP (amd, nvidia): {AMD} was taken"
        if args.compile_commands and args.makefile:
            raise UsageError("-p and --makefile exclude each other")
        self.database: CompilationDatabase | None = None
        self.link_words: list[str] = []
        if args.compile_commands:
            self.database = CompilationDatabase.load(args.compile_commands)
        elif args.makefile:
            self.database, self.link_words = read_makefile(args.makefile, machine)

    def compiler(self, args: Arguments) -> Compiler | str:
        """What compiles, or why nothing does."""
        machine = self.machine
        if self.platform == NVIDIA:
            nvcc = find_nvcc(machine)
            if nvcc is None:
                return "no nvcc is here, which --platform nvidia needs"
            place, without = nvidia.headers(machine, args.hip_include, args.hipcc)
            if place is not None:
                return Nvidia(nvcc, place, self.archs, dict(machine.environ))
            return nvidia.lacking(without, args.hip_include)
        tool = find(machine, args.hipcc)
        if tool is None:
            return NO_HIPCC
        if not tool.usable:
            return f"{tool.path} does not start ({tool.problem}) and no clang++ takes its place"
        archs = self.archs or machine.gpus.distinct or DEFAULT_ARCHS
        return Amd(tool, archs, environment(machine))


def run(args: Arguments, machine: Machine | None = None) -> int:
    """Translate, build, run; gives the exit status."""
    wish = Wish(args, machine or this_machine())
    settings = settle(args, leave=("fail_on",))
    wish.archs = arguments.comma_list(args.offload_arch)
    advice.check_archs(wish.archs, wish.platform)
    if wish.platform == AMD:
        wish.archs = advice.named(wish.archs, wish.machine)
    if not args.target and wish.platform == AMD:
        args.aimed = compiled_target(find(wish.machine, args.hipcc))
    args.offload_arch = list(wish.archs) if wish.platform == AMD else []
    if not args.files and wish.database:
        args.files = wish.database.files
    planned = _with_commands(plan(args, settings), wish)
    session = BuildSession(planned, args, settings, wish)
    for note in (*arguments.notes_on(args), *filter(None, (wish.note,))):
        print(f"hipify-py: note: {note}", file=sys.stderr)
    return session.run_all()


def _with_commands(planned: Plan, wish: Wish) -> Plan:
    """The plan with the include folders, macros and standards of each file's command, and of the flags behind --."""
    jobs = []
    for job in planned.jobs:
        options = job.options
        if wish.flags:
            own = CompilationDatabase.of([(job.path, str(Path.cwd()), ["nvcc", *wish.flags])])
            options = own.options_for(job.path, options) or options
        if wish.database and not job.in_database:
            options = wish.database.options_for(job.path, options) or options
        jobs.append(job._replace(options=options))
    return planned._replace(jobs=tuple(jobs))


class BuildSession(Session):
    """A session whose translations are compiled before its reports are written."""

    def __init__(self, planned: Plan, args: Arguments, settings: Config, wish: Wish) -> None:
        super().__init__(planned, args, settings, looks_back=True)  # what is translated is compiled
        self._wish = wish
        self._outcome: Outcome | None = None
        self._build_status = DONE
        inputs = [job.path for job in planned.jobs]
        others = [*(job.output for job in planned.jobs), planned.statistics, *(path for path, _ in self._writers)]
        written = [path for path in others if path]
        _check_place(args.source_map, inputs, written)
        self._program, self._temporary = self._place_of_program()
        if self._program is not None and not self._temporary:
            _check_place(str(self._program), inputs, [*written, args.source_map])

    def run_all(self) -> int:
        """Everything; gives the exit status."""
        if not self._temporary or self._program is None:
            return self._run_all()
        with guarded(self._program.parent):
            return self._run_all()

    def _run_all(self) -> int:
        status = self.run()
        if FAILED in (status, self._build_status):
            return FAILED
        status = status or self._build_status
        if status == DONE and self._args.run:
            from hipify.cli.running import run_program

            assert self._outcome is not None and self._outcome.program is not None
            return run_program(self._outcome.program, self._args, self._wish, temporary=self._temporary)
        return status

    def _run_jobs(self) -> None:
        super()._run_jobs()
        if self._args.source_map:
            from hipify.build.maps import render

            made = [(r.translation, r.output) for r in self._results if r.translation is not None]
            self._write_file(self._args.source_map, render(made))
        if self._args.build or self._args.run or self._args.check:
            self._build()

    def _build(self) -> None:
        """Compile, unless something is in the way; the results get the compiler's findings."""
        if self._failed:
            self._say("hipify-py: not compiled: not every input could be translated")
            self._build_status = FAILED
            return
        compiler = self._wish.compiler(self._args)
        must = self._args.build or self._args.run
        if isinstance(compiler, str):
            self._say(f"hipify-py: {'error' if must else 'note'}: translated, not compiled: {compiler}")
            self._build_status = FAILED if must else DONE
            return
        if not any(self._name(job.path).lower().endswith(_COMPILED) for job in self._plan.jobs):
            self._say("hipify-py: error: nothing to compile: no input is a source, all are headers")
            self._build_status = FAILED
            return
        outcome = self._outcome = build(self._settings_for(compiler), *self._translations())
        unknown = advice.unknown_gpus(outcome.arrivals)
        if unknown:
            self._say(f"hipify-py: error: {compiler.label} does not know {', '.join(unknown)}; --offload-arch chooses")
            self._build_status = FAILED
            return
        for result in self._results:
            self._tell_findings(outcome.absent.get(result.path, ()))
        self._results = [self._with_findings(result, outcome) for result in self._results]
        self._results += self._headers(outcome)
        self._tell_outcome(outcome, compiler)
        self._build_status = DONE if outcome.ok else FOUND

    def _settings_for(self, compiler: Compiler) -> Settings:
        wish, args = self._wish, self._args
        return Settings(
            compiler,
            Sources(wish.database, wish.flags, wish.link_words),
            PROGRAM if args.build or args.run else CHECK,
            self._program,
            wish.jobs,
            (None if args.run else wish.timeout) or 600.0,  # with --run it is the program's
            args.roc,
            not args.no_warnings,
        )

    def _translations(self) -> tuple[dict[str, Translation], dict[str, Options]]:
        made: dict[str, Translation] = {}
        options: dict[str, Options] = {}
        for job, result in zip(self._plan.jobs, self._results, strict=True):
            if result.translation is not None:
                made[self._name(job.path)] = result.translation
                options[self._name(job.path)] = job.options
        return made, options

    @staticmethod
    def _name(path: str) -> str:
        return "stdin.cu" if path == STANDARD else path

    @staticmethod
    def _with_findings(result: FileResult, outcome: Outcome) -> FileResult:
        if result.translation is None:
            return result
        return FileResult(result.path, outcome.with_findings(result.translation), result.output, result.error)

    def _headers(self, outcome: Outcome) -> list[FileResult]:
        """The headers that the build reached by itself and has something to say about."""
        known = {result.translation.path for result in self._results if result.translation is not None}
        found = []
        for home in outcome.homes:
            made = outcome.with_findings(home.translation)
            if home.path in known or not made.findings:
                continue
            self._tell_findings(home.translation.findings)
            found.append(FileResult(home.path, made))
        return found

    def _tell_findings(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            if finding.severity is Severity.ERROR or not self._args.quiet_warnings:
                for line in finding_lines(finding, explain=self._args.verbose):
                    self._say(line)

    def _place_of_program(self) -> tuple[Path | None, bool]:
        """Where the program goes, and whether it is for this run only."""
        args = self._args
        if args.program:
            return Path(args.program), False
        if args.build and self._plan.jobs:
            first = Path(self._name(self._plan.jobs[0].path))
            beside = Path(first.stem)
            no_program = beside.exists() and not (beside.is_file() and os.access(beside, os.X_OK))
            if no_program or str(beside) == str(first):
                beside = Path(f"{first.stem}.out")
            return beside, False
        if not args.run:
            return None, False
        import tempfile

        return Path(tempfile.mkdtemp(prefix="hipify-run-")) / "program", True

    def _tell_outcome(self, outcome: Outcome, compiler: Compiler) -> None:
        tool = compiler.tool if isinstance(compiler, Amd) else None
        for note in [*outcome.notes, *advice.notes(outcome.arrivals, tool, self._wish.machine)]:
            self._say(f"hipify-py: note: {note}")
        for line in tell.lines(outcome.arrivals):
            self._say(line)
        said = tell.summary(outcome.arrivals)
        by = compiler.label
        target = ", ".join(compiler.archs) or "the default GPU"
        if outcome.program is not None and not self._temporary:
            self._say(f"hipify-py: built {outcome.program} for {target} with {by}" + (f": {said}" if said else ""))
        elif outcome.ok:
            done = "compiled" if self._args.run else "checked"
            self._say(f"hipify-py: {done} for {target} with {by}: {said or 'no errors'}")
        else:
            self._say(f"hipify-py: error: {by} for {target}: {said or 'failed'}")
        if isinstance(compiler, Amd) and not self._wish.archs and not self._wish.machine.gpus.archs:
            self._say(f"hipify-py: note: no GPU is seen here, so {target} was taken; --offload-arch chooses")


def _check_place(path: str, inputs: list[str], written: list[str]) -> None:
    """Whether a file can be written at a path that is no input nor output; OutputError before anything is done."""
    place = Path(path)
    if not path or path == STANDARD:
        return
    if any(os.path.realpath(path) == os.path.realpath(name) for name in inputs):
        raise OutputError(f"{path}: is an input")
    if any(os.path.realpath(path) == os.path.realpath(name) for name in written if name and not files.is_stream(name)):
        raise OutputError(f"{path}: two files would be written to this path")
    if place.is_dir():
        raise OutputError(f"{path}: is a directory")
    if not place.absolute().parent.is_dir():
        raise OutputError(f"{path}: cannot be written: there is no folder {place.parent}")


_COMPILED = (".cu", ".hip", ".cpp", ".cc", ".cxx", ".c++", ".c")


def _behind_the_dashes(args: Arguments) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The compiler's flags and the program's arguments. With --run and one `--` all are the program's."""
    words = list(args.clang_args)
    args.clang_args = ()
    if not args.run:
        return tuple(words), ()
    if "--" in words:
        at = words.index("--")
        return tuple(words[:at]), tuple(words[at + 1 :])
    return (), tuple(words)


def _seconds(text: str) -> float | None:
    return arguments.number("--timeout", text) or None if text else None


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise UsageError(f"--ignore-lines {text}: is no regular expression: {error}") from error

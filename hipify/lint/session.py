"""One run of `hipify-py lint`: settings, files, findings, reports, exit status."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

from hipify.cli import arguments
from hipify.cli.plan import check_folder
from hipify.config import settle, was_given
from hipify.emit import files
from hipify.emit.report import FileResult, Report, writer
from hipify.errors import OutputError, UsageError
from hipify.lint import baseline, discover, text
from hipify.lint.diff import Changes
from hipify.lint.runner import Job, Task, lint
from hipify.lint.selection import chosen
from hipify.model import Options, Translation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.cli.parser import Arguments
    from hipify.compile_commands import CompilationDatabase
    from hipify.emit.report import Writer

DONE, FOUND, FAILED = 0, 1, 2
_STANDARD = "-"


class Session:
    """Everything that a command line asks for. What cannot be done is refused before a file is read."""

    def __init__(self, args: Arguments) -> None:
        self._args = args
        wanted = args.format if was_given(args.format) else ""
        self._config = settle(args)
        args.offload_arch = list(_known_archs(args.offload_arch))
        self._options = arguments.options_from(args)
        if args.rules:
            from hipify.rules.rulebook import load

            load(args.rules)  # a mistake in them is told before files are read
        self._task = Task(
            selection=chosen(
                self._config, arguments.comma_list(args.select), arguments.comma_list(args.ignore), args.severity
            ),
            language=args.language,
            translate=False,
            suppress=not args.no_suppressions,
        )
        self._print_with = _printer(wanted, args.output)
        self._reports = [(path, writer(path, args.report_format)) for path in args.report]
        if any(getattr(module, "NEEDS_OUTPUT", False) for module in self._writers()):
            self._task = replace(self._task, translate=True)
        self._baseline = baseline.Baseline.load(args.baseline) if args.baseline else None
        self._changes = Changes.since(args.diff) if args.diff else None
        self._failed = False

    def run(self) -> int:
        """Lint, tell, and give the exit status."""
        for note in arguments.notes_on(self._args):
            self._say(f"note: {note}")
        results = self._results()
        for result in results:
            if result.error:
                self._failed = True
                self._say(f"error: {result.error}")
        if self._args.write_baseline:
            return self._accept(results)
        report = Report(self._options, tuple(self._new(results)), **arguments.origins(self._args))
        self._print(report)
        for path, module in self._reports:
            self._write(path, module.render(report))
        if self._failed:
            return FAILED
        limit = arguments.threshold(self._args.fail_on)
        return FOUND if limit and any(finding.severity >= limit for finding in report.findings) else DONE

    def _results(self) -> list[FileResult]:
        jobs = self._jobs()
        if self._args.no_cache:
            return list(lint(jobs, self._task, self._args.jobs))
        from hipify.lint.cache import Cache

        cache = Cache.open()
        try:
            return list(lint(jobs, self._task, self._args.jobs, cache))
        finally:
            if cache is not None:
                cache.close()

    def _writers(self) -> list[Writer]:
        return [module for _, module in self._reports] + ([self._print_with] if self._print_with else [])

    def _jobs(self) -> list[Job]:
        args = self._args
        if args.jobs < 0:
            raise UsageError("--jobs needs a number of processes")
        paths = args.paths or [_shown(str(discover.repository()))]
        if _STANDARD in paths and len(paths) > 1:
            raise UsageError("standard input cannot be mixed with files")
        found = paths
        if paths != [_STANDARD]:
            found = discover.discover(paths, args.exclude, self._config.folder, include=args.include)
        if self._changes:
            found = [path for path in found if self._changes.touches_file(path)]
        self._protect(found)
        database = _database(args.compile_commands)
        return [Job(path, self._options_for(path, database), self._name(path)) for path in found]

    def _options_for(self, path: str, database: CompilationDatabase | None) -> Options:
        options = (database.options_for(path, self._options) if database else None) or self._options
        warp = self._config.warp(path)
        return options._replace(warp=warp) if warp else options

    def _protect(self, inputs: list[str]) -> None:
        """Refuse to write over what is linted."""
        args = self._args
        outputs = [path for path in (args.output, args.write_baseline, *args.report) if path not in ("", _STANDARD)]
        taken = set(map(os.path.realpath, inputs)) if outputs else set()
        for path in outputs:
            if os.path.realpath(path) in taken:
                raise OutputError(f"{path}: is an input")
            check_folder(path)

    def _name(self, path: str) -> str:
        return self._config.relative(path) if path != _STANDARD else "<stdin>"

    def _new(self, results: list[FileResult]) -> list[FileResult]:
        """The results without what did not change and what the baseline accepts."""
        accepted = gone = 0
        kept: list[FileResult] = []
        for result in results:
            translation = result.translation
            if translation is not None and self._changes:
                translation = _changed(translation, self._changes)
            if translation is not None and self._baseline:
                translation, met, missing = self._baseline.filter(translation)
                accepted, gone = accepted + met, gone + missing
            kept.append(result._replace(translation=translation))
        if accepted:
            self._say(f"note: {self._args.baseline} accepts {accepted} finding{'s' * (accepted != 1)}")
        if gone and not self._changes:
            self._say(f"note: {gone} accepted finding{'s are' if gone != 1 else ' is'} gone: write the baseline anew")
        return kept

    def _accept(self, results: list[FileResult]) -> int:
        if self._failed:
            self._say("error: no baseline is written, because a file could not be read")
            return FAILED
        translations = [result.translation for result in results if result.translation is not None]
        path = self._args.write_baseline
        files.write(path, baseline.dump(path, translations))
        number = sum(len(translation.findings) for translation in translations)
        self._say(f"note: {path} accepts {number} finding{'s' * (number != 1)}")
        return DONE

    def _print(self, report: Report) -> None:
        args = self._args
        if self._print_with:
            data = self._print_with.render(report)
        else:
            colour = not args.output and sys.stdout is not None and sys.stdout.isatty() and "NO_COLOR" not in os.environ
            data = text.render(report, colour=colour, why=args.verbose)
        self._write(args.output or _STANDARD, data)
        if args.statistics:
            for line in text.by_id(report):
                self._say(line)
        self._say(text.summary(report))

    def _write(self, path: str, data: bytes) -> None:
        if path != _STANDARD:
            files.write(path, data)
            return
        if sys.stdout is None:
            raise OutputError("standard output is closed")
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def _say(self, line: str) -> None:
        if sys.stderr is not None:
            print("hipify-py:", line.encode("utf-8", "surrogateescape").decode("utf-8", "replace"), file=sys.stderr)


def _known_archs(names: list[str]) -> tuple[str, ...]:
    from hipify.rules.arch import lanes_of

    archs = arguments.comma_list(names)
    for arch in archs:
        if not lanes_of(arch):
            raise UsageError(f"--offload-arch {arch}: no AMD GPU is named so (write it as gfx942)")
    return archs


def _printer(name: str, path: str) -> Writer | None:
    """What writes the output: the named format, else that of the file's ending; None is the text with sources."""
    if name:
        return None if name == "text" else writer("", name)
    if path in ("", _STANDARD) or path.lower().endswith(writer("", "text").SUFFIXES):
        return None
    try:
        return writer(path)
    except UsageError:
        return None


def _database(place: str) -> CompilationDatabase | None:
    if not place:
        return None
    from hipify.compile_commands import CompilationDatabase

    return CompilationDatabase.load(place)


def _changed(translation: Translation, changes: Changes) -> Translation:
    kept = (f for f in translation.findings if changes.touches(f.file, f.line, f.end_line))
    return translation._replace(findings=tuple(kept))


def _shown(path: str) -> str:
    """A folder as the user would name it: relative when it is at hand."""
    relative = os.path.relpath(path)
    return path if relative.startswith("..") and len(Path(relative).parts) > 3 else relative

"""Carry out a plan: translate, write, tell; go on after a bad input."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from hipify.cli import arguments, releases
from hipify.cli.plan import STANDARD, Job, Plan
from hipify.emit import files
from hipify.emit.report import FileResult, Report, text, writer
from hipify.errors import HipifyError, OutputError
from hipify.kept import Kept
from hipify.model import Severity, Translation
from hipify.pipeline import read, read_standard_input, translate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.cli.parser import Arguments
    from hipify.config import Config
    from hipify.lint.runner import Task

DONE, FOUND, FAILED = 0, 1, 2


class Session:
    """One run of the translate command."""

    def __init__(
        self, plan: Plan, args: Arguments, settings: Config | None = None, *, looks_back: bool = False
    ) -> None:
        """`looks_back`: the caller wants translations whole when all is done, as reports and statistics do."""
        self._plan = plan
        self._args = args
        self._settings = settings
        self._task = _task(settings) if settings is not None and settings.chooses else None
        self._results: list[FileResult] = []
        self._failed = False
        self._kept = None if args.no_cache else Kept.open(suppress=self._task is None)
        self._known: set[str] = set()
        self._looks_back = any((looks_back, args.report, args.print_stats, args.examine, plan.statistics))
        self._print: Callable[[str], None] = _print
        self._writers = [(path, writer(path, args.report_format)) for path in args.report]
        if STANDARD in args.report and any(job.output == STANDARD for job in plan.jobs):
            raise OutputError("--report -: standard output already holds the translation")

    def run(self) -> int:
        """Do all jobs and write all reports; gives the exit status."""
        for path in self._plan.excluded:
            self._say(f"hipify-py: note: {path} is excluded")
        self._run_jobs()
        report = Report(self._plan.options, tuple(self._results), **arguments.origins(self._args))
        self._summarise(report)
        self._tell_of_hipcc()
        self._write_reports(report)
        if self._failed:
            return FAILED
        limit = arguments.threshold(self._args.fail_on)
        return FOUND if limit and any(finding.severity >= limit for finding in report.findings) else DONE

    def _run_jobs(self) -> None:
        if len(self._plan.jobs) == 1:
            self._results = [self._attempt(self._plan.jobs[0])]
            return
        from hipify.memory import Freed

        freed = Freed()
        if not _on_terminal():
            self._run_each(freed.give_back)
            return
        from hipify.cli.terminal import progress

        with progress(len(self._plan.jobs)) as (advance, self._print):
            self._run_each(freed.give_back, advance)
        self._print = _print

    def _run_each(self, *behind: Callable[[], object]) -> None:
        """All jobs, with what is to be done behind each."""
        for job in self._plan.jobs:
            self._results.append(self._attempt(job))
            for do in behind:
                do()

    def _attempt(self, job: Job) -> FileResult:
        """One job; what goes wrong is told and kept, never raised."""
        translation = None
        try:
            translation = self._translate(job)
            self._tell(job, translation)
            output = self._write(job, translation)
        except HipifyError as error:
            return self._failure(job, translation, str(error))
        except (BrokenPipeError, MemoryError):
            raise
        except Exception as error:
            if self._args.verbose:
                import traceback

                traceback.print_exc()
            return self._failure(job, translation, f"{job.path}: internal error: {type(error).__name__}: {error}")
        if not self._looks_back:
            translation = translation._replace(input=b"", output=b"", references=())
        return FileResult(job.path, translation, output)

    def _failure(self, job: Job, translation: Translation | None, message: str) -> FileResult:
        self._failed = True
        self._say(f"hipify-py: error: {' '.join(message.split())}")
        return FileResult(job.path, translation, error=message)

    def _translate(self, job: Job) -> Translation:
        translation = self._found(job)
        if self._task is not None and self._settings is not None:
            from hipify.lint.runner import filtered

            translation = filtered(translation, job.options, self._settings.relative(translation.path), self._task)
        if self._args.annotate:
            from hipify.emit.annotate import annotate

            translation = annotate(translation)
        return translation

    def _found(self, job: Job) -> Translation:
        """The translation of an earlier run of what has not changed since, or a new one."""
        suppress = self._task is None
        if job.path == STANDARD:
            return translate(read_standard_input(), "<stdin>", job.options, suppress=suppress)
        data = read(job.path)
        if self._kept is None:
            return translate(data, job.path, job.options, suppress=suppress)
        translation, known = self._kept.translated(data, job.path, job.options)
        if known:
            self._known.add(job.path)
        return translation

    def _tell(self, job: Job, translation: Translation) -> None:
        """Print the findings."""
        if self._args.verbose:
            how = "clang and tokens" if translation.clang_used else "tokens only"
            known = ", with its command of compile_commands.json" if job.in_database else ""
            when = " by an earlier run (--no-cache does it again)" if job.path in self._known else ""
            self._say(f"hipify-py: note: {job.path} was read with {how}{known} in {translation.seconds:.2f} s{when}")
            if translation.cuda:
                self._say(f"hipify-py: note: {job.path} was taken to be written for CUDA {translation.cuda}")
        told = [
            line
            for finding in translation.findings
            if finding.severity is Severity.ERROR or not self._args.quiet_warnings
            for line in text.finding_lines(finding, explain=self._args.verbose)
        ]
        if told:
            self._say("\n".join(told))

    def _write(self, job: Job, translation: Translation) -> str | None:
        """Put the output and its helper headers where they belong; gives the output's path."""
        if job.output is None:
            return None
        if job.output == STANDARD:
            self._to_standard_output(translation.output)
            self._tell_of_helpers(translation)
            return STANDARD
        # First what the output includes: without it the output would be of no use.
        if translation.helper_headers and files.is_stream(job.output):
            self._tell_of_helpers(translation)
        else:
            for name, content in translation.helper_headers.items():
                _write_helper(os.path.join(os.path.dirname(job.output), name), content)
        if job.in_place and not translation.changed:
            return job.output
        mode = files.permissions(job.path) if job.path != STANDARD else 0o666
        if job.in_place and not self._args.no_backup:
            files.back_up(job.path, translation.input, mode)
        files.write(job.output, translation.output, mode)
        return job.output

    def _tell_of_helpers(self, translation: Translation) -> None:
        for name in translation.helper_headers:
            self._say(f"hipify-py: note: the output includes {name}, which is written beside it with -o FILE")

    @staticmethod
    def _to_standard_output(data: bytes) -> None:
        if sys.stdout is None:
            raise OutputError("standard output is closed")
        try:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            from hipify.cli.main import discard
            from hipify.errors import os_reason

            discard(sys.stdout)
            raise OutputError(f"standard output cannot be written: {os_reason(error)}") from error

    def _summarise(self, report: Report) -> None:
        """The statistics that were asked for, then the short summary."""
        if self._args.print_stats or self._args.examine or self._plan.statistics:
            self._tell_statistics(report)
        if _on_terminal():
            from hipify.cli.terminal import print_summary

            print_summary(report)
        elif lines := [f"hipify-py: {line}" for line in text.summary(report)]:
            self._say("\n".join(lines))

    def _tell_statistics(self, report: Report) -> None:
        from hipify.emit.statistics import Statistics, as_csv, as_text

        figures = [Statistics.of(translation) for translation in report.translations]
        if self._args.print_stats or self._args.examine:
            self._say(as_text(figures).rstrip("\n"))
        if self._plan.statistics:
            self._write_file(self._plan.statistics, as_csv(figures).encode("utf-8", "surrogateescape"))

    def _tell_of_hipcc(self) -> None:
        """One line where nothing could compile what was written; a build tells of it by itself."""
        args = self._args
        if args.quiet_warnings or args.build or args.run or args.check:
            return
        if any(result.output for result in self._results) and releases.lacks_hipcc(os.environ):
            self._say(f"hipify-py: note: translated, not compiled: {releases.NO_HIPCC}")

    def _write_reports(self, report: Report) -> None:
        for path, format_writer in self._writers:
            self._write_file(path, format_writer.render(report))

    def _write_file(self, path: str, data: bytes) -> None:
        try:
            if path == STANDARD:
                self._to_standard_output(data)
            else:
                files.write(path, data)
        except OutputError as error:
            self._failed = True
            self._say(f"hipify-py: error: {error}")

    def _say(self, line: str) -> None:
        """Print a line, or several, on standard error; a path may hold bytes that are no text."""
        self._print(line.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))


def _task(settings: Config) -> Task:
    """Which findings the settings ask for."""
    from hipify.lint.runner import Task
    from hipify.lint.selection import of_settings

    return Task(of_settings(settings))


def _print(line: str) -> None:
    if sys.stderr is not None:
        print(line, file=sys.stderr)


def _on_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _write_helper(path: str, content: bytes) -> None:
    """Write a helper header, unless a file of that name is somebody else's."""
    try:
        with open(path, "rb") as stream:
            there = stream.read()
    except FileNotFoundError:
        files.write(path, content)
        return
    except OSError as error:
        raise OutputError(f"{path}: cannot be read: {error.strerror}") from error
    if there == content:
        return
    if there.splitlines()[:1] != content.splitlines()[:1]:
        raise OutputError(f"{path}: exists and is not hipify-py's; the output needs this name for its helper header")
    files.write(path, content)

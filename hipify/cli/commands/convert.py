"""Convert a whole source tree, with its build files, and keep it up to date.

`convert SRC OUT` translates every file of SRC that uses CUDA into OUT and copies the rest, so that OUT builds; a
second run does only what has changed, and merges with what a person has changed in OUT. Exit status: 0 done,
1 conflicts, files that could not be translated, or a finding at or above --fail-on, 2 a usage or input/output error.
"""

from __future__ import annotations

import contextlib
import sys
import time
from pathlib import Path

from hipify.cli import arguments
from hipify.config import mark_defaults, settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.cli.parser import Arguments, Parser
    from hipify.project.convert import Conversion
    from hipify.project.executors import WorkerPool
    from hipify.project.here import Here
    from hipify.project.result import Result
    from hipify.project.settings import Settings


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("places", nargs="*", metavar="SRC OUT", help="the tree, and the folder for its HIP version")
    group = parser.add_argument_group("output")
    add = group.add_argument
    add("--in-place", "--inplace", action="store_true", help="convert SRC where it is (git must hold every change)")
    add("--force", action="store_true", help="take over a folder that is not empty; in place: over changes git lacks")
    add("--suffix", metavar="SUFFIX", default="", help=".hip, .hip.cpp or same: what .cu becomes (default: same)")
    add("--rename-paths", action="store_true", help="cuda becomes hip in names of files and folders")
    add("--link-unchanged", action="store_true", help="link files that stay the same instead of copying them")
    add("--dry-run", action="store_true", help="print the plan, write nothing")
    add("--examine", action="store_true", help="translate and count, write nothing")
    add("--no-reports", action="store_true", help="write no reports into OUT/.hipify")
    group = parser.add_argument_group("which files")
    add = group.add_argument
    add("--include", metavar="PATTERN", action="append", default=[], help="only these files (as in .gitignore)")
    add("--exclude", metavar="PATTERN", action="append", default=[], help="not these files or folders")
    add("--third-party", metavar="WHAT", default="", help="convert (default), copy or skip vendored code")
    add("--no-gitignore", action="store_true", help="take files that .gitignore leaves out, too")
    add("--max-size", metavar="MB", default="32", help="larger sources are copied (default: %(default)s)")
    group = parser.add_argument_group("how it runs")
    add = group.add_argument
    add("-j", "--jobs", metavar="N", default="0", help="processes (default: one for each processor)")
    add("--timeout", metavar="SECONDS", default="120", help="time for one file; 0 is no limit (default: %(default)s)")
    add("--scheduler", metavar="ADDRESS", default="", help="run on a Dask cluster (pip install hipify-py[dask])")
    add("--no-cache", action="store_true", help="translate anew what an earlier run, of any output, has translated")
    add("--quiet", action="store_true", help="no progress and no summary")
    arguments.add_translation_options(parser)
    arguments.add_report_options(parser)
    arguments.add_config_options(parser)
    mark_defaults(parser)


def run(args: Arguments) -> int:
    """Convert; gives the exit status."""
    from hipify.project.convert import Conversion
    from hipify.project.progress import watcher

    settings = _settings(args)
    for path in args.report:
        from hipify.emit.report import writer

        writer(path, args.report_format)
    started = time.monotonic()
    with contextlib.ExitStack() as stack:
        with watcher(quiet=args.quiet) as seen:
            for note in arguments.notes_on(args):
                seen.say(f"note: {note}")
            conversion = stack.enter_context(Conversion(settings, seen))
            if args.dry_run:
                return _dry_run(conversion, settings)
            if args.examine:
                return _examine(conversion, args)
            result = conversion.run()
            for note in result.tree.notes:
                if args.verbose or result.worked:
                    seen.say(f"note: {note}")
        wanted = _write_reports(result, settings, args, conversion.pool)
    return _tell(result, wanted, args, time.monotonic() - started)


def _settings(args: Arguments) -> Settings:

    from hipify.errors import UsageError
    from hipify.project.settings import SUFFIXES, THIRD_PARTY, Selection, Settings

    wanted = 1 if args.in_place else 2
    if len(args.places) != wanted:
        raise UsageError("convert needs SRC alone with --in-place" if args.in_place else "convert needs SRC and OUT")
    source = Path(args.places[0])
    out = source if args.in_place else Path(args.places[1])
    project = settle(args, source, above=False, leave=("fail_on", "jobs"))
    suffix, third_party = args.suffix or "same", args.third_party or "convert"
    for option, value, known in (("--suffix", suffix, SUFFIXES), ("--third-party", third_party, THIRD_PARTY)):
        if value not in known:
            raise UsageError(f"{option} {value}: the known ones are {', '.join(known)}")

    options = arguments.options_from(args, source)._replace(offload_arch=arguments.comma_list(args.offload_arch))
    if options.rule_files:  # a mistake in one ends the run; as one file's it would be told of once a file
        from hipify.rules import rulebook

        rulebook.load(options.rule_files)
    return Settings(
        source=source,
        out=out,
        options=options,
        **arguments.origins(args),
        selection=Selection(
            include=tuple(args.include),
            exclude=tuple(args.exclude),
            gitignore=not args.no_gitignore and project.values.get("gitignore", True) is True,
            third_party=third_party,
            vendored=args.third_party != "convert",
            in_place=args.in_place,
            third_party_dirs=tuple(project.values.get("third_party_dirs", ())),
            max_bytes=int(arguments.number("--max-size", args.max_size) * (1 << 20)),
        ),
        in_place=args.in_place,
        force=args.force,
        suffix=suffix,
        rename_paths=args.rename_paths,
        link_unchanged=args.link_unchanged,
        compile_commands=args.compile_commands,
        jobs=int(arguments.number("-j", args.jobs)),
        timeout=arguments.number("--timeout", args.timeout),
        scheduler=args.scheduler,
        keep=not args.no_cache,
        project=project,
    )


def _dry_run(conversion: Conversion, settings: Settings) -> int:
    from hipify.project.planning import describe
    from hipify.project.progress import printable

    plan = conversion.plan()
    for line in describe(plan):
        print(printable(line))
    for note in plan.tree.notes:
        print(printable(f"note: {note}"))
    for folder in plan.tree.third_party:
        print(printable(f"third party: {folder}"))
    print(f"{len(plan.tree.entries)} files in {printable(str(settings.source))}; nothing was written")
    return 0


def _examine(conversion: Conversion, args: Arguments) -> int:
    from hipify.emit.statistics import Statistics, as_text
    from hipify.model import Severity

    figures = Statistics("TOTAL")
    worst = 0

    def each(translation: object) -> None:
        from hipify.model import Translation

        nonlocal worst
        assert isinstance(translation, Translation)
        figures.add(Statistics.of(translation))
        worst = max([worst, *(int(finding.severity) for finding in translation.findings)])

    conversion.examine(each)
    print(as_text([figures]))
    limit = arguments.threshold(args.fail_on)
    return 1 if limit is not None and worst and Severity(worst) >= limit else 0


def _write_reports(result: Result, settings: Settings, args: Arguments, pool: WorkerPool | Here | None) -> list[str]:
    """Write what is not there yet; gives the paths of the reports that every conversion has."""
    from hipify.project import reports
    from hipify.project.state import State, state_path

    wanted = [] if args.no_reports else reports.standard(settings)
    missing = [path for path in wanted if not Path(path).exists()]
    todo = wanted if result.changed else missing
    if todo:
        reports.write_standard(settings, todo, pool)
    if todo or args.report:
        state = State(state_path(settings.out))
        try:
            reports.write(state, settings, args.report, args.report_format)
            state.set_about({"reports": "" if args.no_reports and result.changed else "written"})
        finally:
            state.close()
    return wanted


def _tell(result: Result, wanted: list[str], args: Arguments, seconds: float) -> int:
    """Say what was done; gives the exit status."""
    from hipify.project.progress import printable
    from hipify.project.summary import lines, total

    if not args.quiet:
        for line in lines(result, seconds, [*wanted, *args.report]):
            print(printable(f"hipify-py: {line}"), file=sys.stderr)
    else:
        for output in result.conflicts:
            print(printable(f"hipify-py: conflict: {output}"), file=sys.stderr)
    limit = arguments.threshold(args.fail_on)
    figures = total(result)
    found = limit is not None and any(figures.severity(s) for s in type(limit) if s >= limit)
    return 1 if result.conflicts or result.failed or found else 0

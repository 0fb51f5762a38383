"""Decide, before anything is read or written, what goes where; refuse what cannot work."""

from __future__ import annotations

import os
from fnmatch import fnmatch
from stat import S_ISDIR, S_ISREG

from hipify.cli.arguments import comma_list, options_from
from hipify.emit.files import writable
from hipify.errors import OutputError, UsageError
from hipify.model import Options
from hipify.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.cli.parser import Arguments
    from hipify.compile_commands import CompilationDatabase
    from hipify.config import Config

STANDARD = "-"
_States = dict[str, os.stat_result | None]


class Job(NamedTuple):
    """One input and where its translation goes: a path, `-` for standard output, None for nowhere."""

    path: str
    output: str | None
    options: Options
    in_place: bool = False
    in_database: bool = False


class Plan(NamedTuple):
    """The jobs of a command line, the inputs it leaves out, and its files that are no translations."""

    jobs: tuple[Job, ...]
    excluded: tuple[str, ...]
    options: Options
    statistics: str | None = None


def plan(args: Arguments, settings: Config | None = None) -> Plan:
    """What the command line asks for; raises UsageError or OutputError when it cannot be done."""
    options = options_from(args)
    database = _database(args.compile_commands)
    inputs = args.files or (database.files if database else [])
    if not inputs:
        raise UsageError("no input file")
    states = {path: _state(path) for path in inputs if path != STANDARD}
    _check_inputs(inputs, states)
    _check_conflicts(args, inputs)
    excluded = tuple(path for path in inputs if _is_excluded(path, args))
    jobs = tuple(
        _job(path, _destination(args, path, inputs), args.in_place, _settled(options, settings, path), database)
        for path in inputs
        if path not in excluded
    )
    statistics = _statistics_file(args, inputs)
    others = [*args.report, *([statistics] if statistics else [])]
    _check_outputs(jobs, states, others)
    return Plan(jobs, excluded, options, statistics)


def _settled(options: Options, settings: Config | None, path: str) -> Options:
    """The options for one input, whose warps the settings may treat in another way."""
    warp = settings.warp(path) if settings is not None and path != STANDARD else ""
    return options._replace(warp=warp) if warp else options


def _database(place: str) -> CompilationDatabase | None:
    if not place:
        return None
    from hipify.compile_commands import CompilationDatabase

    return CompilationDatabase.load(place)


def _job(path: str, output: str | None, in_place: bool, options: Options, database: CompilationDatabase | None) -> Job:
    found = database.options_for(path, options) if database else None
    return Job(path, output, found or options, in_place, found is not None)


def _state(path: str) -> os.stat_result | None:
    """What the system says of a file; None where there is none, or no file can have the name."""
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


def _check_inputs(inputs: list[str], states: _States) -> None:
    for path in inputs:
        if not path:
            raise UsageError("the name of an input is empty")
        if path != STANDARD and _is_folder(states[path]):
            raise UsageError(f"{path} is a directory: `hipify-py convert {path}` converts projects")
    if inputs.count(STANDARD) > 1:
        raise UsageError("standard input can be read only once")


def _check_conflicts(args: Arguments, inputs: list[str]) -> None:
    no_output = args.no_output or args.examine
    conflicts = (
        (args.output and len(inputs) > 1, "-o takes one input; --out-dir takes several"),
        (args.output and args.in_place, "-o and --in-place exclude each other"),
        (args.output and no_output, "-o and --no-output exclude each other"),
        (args.in_place and no_output, "--in-place and --no-output exclude each other"),
        (args.in_place and args.out_dir, "--in-place and --out-dir exclude each other"),
        (args.in_place and STANDARD in inputs, "--in-place needs a file, not standard input"),
        (args.out_dir and args.output == STANDARD, "-o - and --out-dir exclude each other"),
        (len(inputs) > 1 and STANDARD in inputs, "standard input cannot be mixed with files"),
        (args.report_format and not args.report, "--report-format needs --report FILE"),
    )
    for conflict, message in conflicts:
        if conflict:
            raise UsageError(message)


def _destination(args: Arguments, path: str, inputs: list[str]) -> str | None:
    if args.no_output or args.examine:
        return None
    if args.in_place:
        return path
    if args.output:
        return os.path.join(args.out_dir, str(args.output))
    name = f"{'stdin' if path == STANDARD else os.path.basename(path)}.hip"
    if args.out_dir:
        return os.path.join(args.out_dir, name)
    if len(inputs) > 1 or not args.files:
        return f"{path}.hip"
    return None if getattr(args, "run", False) else STANDARD  # with --run it is the program's


def _statistics_file(args: Arguments, inputs: list[str]) -> str | None:
    """Where -print-stats-csv and -o-stats write, named as hipify-clang names it."""
    if args.o_stats:
        name = str(args.o_stats)
    elif args.print_stats_csv:
        single = "stdin" if inputs[0] == STANDARD else os.path.basename(inputs[0])
        name = "sum_stat.csv" if len(inputs) > 1 else f"{single}.csv"
    else:
        return None
    return os.path.join(args.out_dir, name)


def _check_outputs(jobs: tuple[Job, ...], states: _States, others: list[str]) -> None:
    """No two files at one place, no input overwritten unless that was asked for, every folder there and writable."""
    taken: set[str] = set()
    sound: set[str] = set()
    sources = {_identity(path, state) for path, state in states.items()}
    outputs = [(job.output, job.in_place) for job in jobs if job.output not in (None, STANDARD)]
    for output, in_place in [*outputs, *((other, False) for other in others if other != STANDARD)]:
        assert output is not None
        state = states[output] if output in states else _state(output)
        if state is not None and not S_ISREG(state.st_mode) and not S_ISDIR(state.st_mode):
            continue  # a device or a pipe, which is written to and never replaced
        place = _identity(output, state)
        if place in taken:
            raise OutputError(f"{output}: two files would be written to this path")
        if place in sources and not in_place:
            raise OutputError(f"{output}: is an input; --in-place overwrites inputs")
        taken.add(place)
        _check_place(output, state, sound)


def _identity(path: str, state: os.stat_result | None) -> str:
    """One text for one file, through links of both kinds."""
    return os.path.realpath(path) if state is None else f"{state.st_dev}:{state.st_ino}"


def _is_folder(state: os.stat_result | None) -> bool:
    return state is not None and S_ISDIR(state.st_mode)


def check_folder(output: str) -> None:
    """Refuse an output whose folder is not there or cannot be written to."""
    _check_place(output, _state(output), set())


def _check_place(output: str, state: os.stat_result | None, sound: set[str]) -> None:
    """The same for many outputs; `sound` holds the folders that were found to be good."""
    if _is_folder(state):
        raise OutputError(f"{output}: cannot be written: is a directory")
    leads_on = output.endswith(os.sep) or os.path.islink(output)
    folder = os.path.dirname(os.path.realpath(output) if leads_on else output) or os.curdir
    if folder in sound:
        return
    shown = os.path.dirname(output) or os.curdir
    if not os.path.exists(folder):
        raise OutputError(f"{output}: cannot be written: there is no folder {shown}")
    if not os.path.isdir(folder):
        raise OutputError(f"{output}: cannot be written: {shown} is no folder")
    if not writable(folder):
        raise OutputError(f"{output}: cannot be written: the folder {shown} is read-only")
    sound.add(folder)


def _is_excluded(path: str, args: Arguments) -> bool:
    """Whether a comma list names the file (by path, by name, or by pattern) or a folder above it."""
    if not args.exclude_files and not args.exclude_dirs:
        return False
    names = {path, os.path.normpath(path), os.path.basename(path)}
    if any(fnmatch(name, pattern) for pattern in comma_list(args.exclude_files) for name in names):
        return True
    real = os.path.realpath(path)
    return any(real.startswith(os.path.join(os.path.realpath(d), "")) for d in comma_list(args.exclude_dirs))

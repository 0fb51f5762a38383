"""The entry point: pick the subcommand, run it, turn what went wrong into one line and an exit status.

A subcommand is a module of hipify.cli.commands. Its docstring's first line is its help; `add_arguments(parser)` and
`run(args) -> int` are its interface. Nothing registers it. Its imports at module level must be cheap, because the
help of the program reads all of them.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from types import FrameType

from hipify import plugins
from hipify.cli import commands
from hipify.errors import HipifyError, UsageError, os_reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from typing import Any, NoReturn, Protocol

    class Command(Protocol):
        """What a module of hipify.cli.commands offers."""

        __doc__: str | None

        def add_arguments(self, parser: object) -> None:
            """Declare the options."""

        def run(self, args: object) -> int:
            """Do the work; gives the exit status."""
else:
    try:
        import _signal as signal  # what signal makes its enumerations of
    except ImportError:  # a Python that is built in another way
        import signal


PROGRAM = "hipify-py"
DEFAULT = "translate"

DONE, FOUND, FAILED = 0, 1, 2
INTERRUPTED, PIPE_CLOSED = 128 + signal.SIGINT, 128 + signal.SIGPIPE
_ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


def program() -> NoReturn:
    """The program `hipify-py`: as main, then gone at once.

    Taking the interpreter and clang's syntax tree apart piece by piece would take a sixth of a short run.
    """
    # A run makes many objects and no cycles: looking for cycles this seldom saves a tenth of the time.
    gc.set_threshold(200_000, 20, 100)
    status: list[int] = []
    if sys.gettrace() is None:  # a tracer's own exit handler is older than this one
        atexit.register(lambda: os._exit(status[0]) if status else None)  # runs after those registered from here on
    status.append(main())
    sys.exit(status[0])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; gives the exit status."""
    try:
        with suppress(ValueError):  # only the main thread may
            for number in _ENDING:
                if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup wants it
                    signal.signal(number, _terminate)
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        status = _dispatch(sys.argv[1:] if arguments is None else arguments)
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        if "hipify.patterns" in sys.modules:  # --help and its like need none
            import_module("hipify.patterns").keep()
        return status
    except HipifyError as error:
        hint = f" (see {PROGRAM} --help)" if isinstance(error, UsageError) else ""
        return _fail(f"{error}{hint}")
    except BrokenPipeError:
        discard(sys.stdout, sys.stderr)
        return PIPE_CLOSED
    except KeyboardInterrupt:
        discard(sys.stdout)
        return INTERRUPTED
    except OSError as error:
        discard(sys.stdout)
        return _fail(f"{error.filename}: {os_reason(error)}" if error.filename else os_reason(error))


def _dispatch(arguments: Sequence[str]) -> int:
    from hipify.cli.parser import Parser

    name, rest = DEFAULT, arguments
    if arguments and arguments[0] in names():
        name, rest = arguments[0], arguments[1:]
    command = load(name)
    general = name == DEFAULT and rest is arguments
    # The overview imports every subcommand: only for those who read it.
    overview = _overview() if general and any(argument.lstrip("-") in ("h", "help") for argument in rest) else None
    parser = Parser(PROGRAM if general else f"{PROGRAM} {name}", (command.__doc__ or "").strip(), overview)
    command.add_arguments(parser)
    try:
        args = parser.parse(rest)
    except SystemExit as stop:  # --help
        return stop.code if isinstance(stop.code, int) else FAILED
    return command.run(args)


def names() -> list[str]:
    """The subcommands there are, found in the folder of commands."""
    return plugins.names(commands.__path__)


def load(name: str) -> Command:
    """The module of a subcommand."""
    module: Any = import_module(f"{commands.__name__}.{name}")
    command: Command = module
    return command


def _overview() -> str:
    width = max(map(len, names()))
    lines = [f"  {name:{width}}  {(load(name).__doc__ or '').strip().splitlines()[0]}" for name in names()]
    return "\n".join([f"subcommands (`{PROGRAM} NAME --help` tells more):", *lines])


def _fail(message: str) -> int:
    try:
        print(f"{PROGRAM}: error: {message}", file=sys.stderr, flush=True)
    except (OSError, ValueError):
        discard(sys.stderr)
    return FAILED


def _terminate(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def discard(*streams: object) -> None:
    """Send what is still buffered nowhere, so that the interpreter's own flush at exit cannot fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        try:
            os.dup2(nowhere, stream.fileno())  # type: ignore[attr-defined]
        except (AttributeError, OSError, ValueError):
            continue
    os.close(nowhere)

"""How a run shows that it is under way: a bar on a terminal, a line now and then elsewhere, or nothing."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_EVERY = 10.0


class Quiet:
    """Says only what must be said."""

    def start(self, total: int) -> None:
        """Nothing."""

    def done(self, path: str) -> None:
        """Nothing."""

    def say(self, line: str) -> None:
        """Print a line."""
        _print(f"hipify-py: {line}")


class Lines(Quiet):
    """A line every ten seconds, with the rate and the time that is left."""

    def __init__(self) -> None:
        self._total = self._done = 0
        self._started = self._last = time.monotonic()

    def start(self, total: int) -> None:
        """Begin to count."""
        self._total, self._started = total, time.monotonic()

    def done(self, path: str) -> None:
        """Count, and tell when it is time to."""
        self._done += 1
        now = time.monotonic()
        if now - self._last >= _EVERY and self._done < self._total:
            self._last = now
            rate = self._done / (now - self._started)
            left = (self._total - self._done) / rate
            self.say(f"{self._done} of {self._total} files, {rate:.0f} a second, {left:.0f} s left")


class Bar(Quiet):
    """rich's progress bar."""

    def __init__(self, bar: Any, console: Any) -> None:
        self._bar = bar
        self._console = console
        self._task = bar.add_task("", total=None, rate="")
        self._started = time.monotonic()
        self._done = 0

    def start(self, total: int) -> None:
        """Show the whole."""
        self._bar.update(self._task, total=total)

    def done(self, path: str) -> None:
        """Move on."""
        self._done += 1
        rate = self._done / max(time.monotonic() - self._started, 1e-3)
        self._bar.update(self._task, advance=1, rate=f"{rate:.0f}/s")

    def say(self, line: str) -> None:
        """Print a line above the bar."""
        self._console.print(f"hipify-py: {line}", markup=False, soft_wrap=True)


@contextmanager
def watcher(*, quiet: bool) -> Iterator[Quiet]:
    """The right one for where standard error goes."""
    if quiet or sys.stderr is None:
        yield Quiet()
    elif not sys.stderr.isatty():
        yield Lines()
    else:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True, highlight=False)
        columns = (TextColumn("converting"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"))
        with Progress(*columns, TimeRemainingColumn(), console=console, transient=True, redirect_stderr=False) as bar:
            yield Bar(bar, console)


def _print(line: str) -> None:
    if sys.stderr is not None:
        print(printable(line), file=sys.stderr)


def printable(line: str) -> str:
    """A line whose paths may hold bytes that are no text."""
    return line.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


Say = Callable[[str], None]

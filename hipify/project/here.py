"""Jobs in this process, one after the other: for one processor, where nothing but Python code can go wrong.

A second process for the jobs costs as much as translating some forty files: it starts Python, loads what this one has
loaded, and is sent every file and every result.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from types import FrameType
from typing import ParamSpec, TypeVar

from hipify.memory import Freed
from hipify.project.executors import WorkerError, WorkerTimeout

P = ParamSpec("P")
T = TypeVar("T")


class _TimeIsOver(BaseException):
    """Raised wherever a job is; no handler of what a job expects catches it."""


class Here(Executor):
    """Does each job when it is handed over, within the time that it may take."""

    workers = 1
    window = 1
    """How many jobs are worth handing over before their results are looked at."""

    def __init__(self, timeout: float | None = None) -> None:
        self._timeout = timeout
        self._freed = Freed()
        self._before = signal.signal(signal.SIGALRM, _stop) if timeout else None

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call a function; what it raises is in the future, in the words of a worker process."""
        future: Future[T] = Future()
        try:
            future.set_result(self._within_time(fn, *args, **kwargs))
        except _TimeIsOver:
            future.set_exception(WorkerTimeout(f"no result within {self._timeout:g} s"))
        except Exception as error:
            future.set_exception(WorkerError(f"{type(error).__name__}: {error}"))
        self._freed.give_back()
        return future

    def _within_time(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function; _TimeIsOver stops it: Python's own loops and the matcher's look for signals."""
        if not self._timeout:
            return fn(*args, **kwargs)
        signal.setitimer(signal.ITIMER_REAL, self._timeout)
        try:
            return fn(*args, **kwargs)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Nothing is under way; the alarm is whose it was before."""
        if self._timeout:
            signal.signal(signal.SIGALRM, self._before)


def is_enough(timeout: float | None) -> bool:
    """Whether a job that takes too long can be stopped in this thread."""
    return not timeout or (hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread())


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise _TimeIsOver

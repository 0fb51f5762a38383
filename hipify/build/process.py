"""Run a program: always a list of arguments, never a shell; its messages in English."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TypeVar

MISSING, TIMED_OUT = 127, 124
_running: set[subprocess.Popen[str]] = set()
_guards: list[subprocess.Popen[bytes]] = []
_stopping = Event()


@dataclass(frozen=True, slots=True)
class Done:
    """What a program answered. `status` is 127 where it could not be started, 124 where it took too long."""

    status: int
    out: str
    err: str

    @property
    def last_line(self) -> str:
        """The last line that says something."""
        lines = [line.strip() for line in (self.err + "\n" + self.out).splitlines() if line.strip()]
        return lines[-1] if lines else ""


def call(
    command: Sequence[str | os.PathLike[str]],
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
    timeout: float | None = 60.0,
) -> Done:
    """Run a program and read what it prints; nothing is raised for a program that fails."""
    words = [os.fspath(word) for word in command]
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**(os.environ if environ is None else environ), "LC_ALL": "C"},
            cwd=folder,
            start_new_session=True,
            encoding="utf-8",
            errors="surrogateescape",
        )
    except OSError as error:
        return Done(MISSING, "", f"{words[0]}: {(error.strerror or str(error)).lower()}")
    except ValueError as error:  # a NUL byte among the words
        return Done(MISSING, "", f"{words[0]!r}: {error}")
    _running.add(process)
    tell_guards(b"+", process.pid)
    if _stopping.is_set():  # this one was missed when all were ended
        kill(process)
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        kill(process)
        return Done(TIMED_OUT, "", f"{words[0]}: took more than {timeout:g} s")
    except BaseException:
        kill(process)
        raise
    finally:
        _running.discard(process)
        tell_guards(b"-", process.pid)
    return Done(process.returncode, out, err)


@contextlib.contextmanager
def guarded(folder: Path | None = None) -> Iterator[None]:
    """Should hipify-py be killed meanwhile, what it called ends, too, and the folder goes away, as at the end."""
    from hipify.build import guard

    process = None
    with contextlib.suppress(OSError):
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(guard.__file__), str(folder or "")],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        _guards.append(process)
    try:
        yield
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        if process is not None:
            _guards.remove(process)
            assert process.stdin is not None
            with contextlib.suppress(OSError):
                os.write(process.stdin.fileno(), b".\n")
                process.stdin.close()
            process.wait()


def tell_guards(what: bytes, group: int) -> None:
    """A process group has begun (`+`), or ended (`-`)."""
    for process in list(_guards):
        assert process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            os.write(process.stdin.fileno(), b"%s%d\n" % (what, group))


_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def side_by_side(function: Callable[[_Item], _Result], items: Sequence[_Item], jobs: int) -> list[_Result]:
    """Do something that calls programs for each item, several at a time; an interruption ends the programs at once."""
    try:
        with ThreadPoolExecutor(max(1, min(jobs, len(items) or 1))) as pool:
            try:
                return list(pool.map(function, items))
            except BaseException:
                _stopping.set()
                pool.shutdown(wait=False, cancel_futures=True)
                for process in list(_running):
                    kill(process)
                raise
    finally:
        _stopping.clear()


def kill(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    """End a process with all that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        process.kill()
    process.wait()

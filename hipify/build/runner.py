"""Run a built program: its output streamed as it comes, its exit status passed on, its time limited."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO

from hipify.build.machine import Machine
from hipify.build.process import MISSING, TIMED_OUT, guarded, kill, tell_guards

_NVIDIA_DEVICES = ("/dev/nvidia0", "/dev/dxg")
NO_GPU = 3
"""The exit status of a run that could not be, for want of a GPU."""


@dataclass(frozen=True)
class Ran:
    """How a program ended: `status` is 128 and more for a signal, 124 for a time limit; `out` what it printed."""

    status: int
    out: bytes = b""
    seconds: float = 0.0


def why_not(machine: Machine, nvidia: bool = False) -> str:
    """Why programs cannot run here; nothing where they can."""
    if nvidia:
        program = machine.which("nvidia-smi")
        if program is None:
            there = any(machine.at(device).exists() for device in _NVIDIA_DEVICES)
            return "" if there else f"no NVIDIA GPU is here: there is no nvidia-smi, nor {_NVIDIA_DEVICES[0]}"
        done = machine.call(program, "-L")
        return "" if done.status == 0 and "GPU 0" in done.out else f"no NVIDIA GPU is here: {done.last_line}"
    problem = machine.device("/dev/kfd")
    if problem:
        return f"no AMD GPU can be used here: /dev/kfd {problem}"
    return "" if machine.gpus.archs else f"no AMD GPU is here: {machine.gpus.reason}"


def run(
    program: Path,
    arguments: Sequence[str] = (),
    timeout: float | None = None,
    environ: Mapping[str, str] | None = None,
    keep: bool = False,
    show: bool = True,
) -> Ran:
    """Run a program in the current folder. With `keep` its standard output is kept, and still shown as it comes."""
    with guarded():
        return _run([os.fspath(program.absolute()), *arguments], program, timeout, environ, keep=keep, show=show)


def _run(
    command: Sequence[str],
    program: Path,
    timeout: float | None,
    environ: Mapping[str, str] | None,
    *,
    keep: bool,
    show: bool,
) -> Ran:
    started = time.monotonic()
    try:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE if keep else None, env=None if environ is None else dict(environ),
            start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        print(f"hipify-py: error: {program}: cannot be run: {(error.strerror or '').lower()}", file=sys.stderr)
        return Ran(MISSING)
    tell_guards(b"+", process.pid)
    kept = bytearray()
    reader = Thread(target=_pass_on, args=(process.stdout, kept, show), daemon=True) if process.stdout else None
    if reader is not None:
        reader.start()
    try:
        status = process.wait(timeout)
    except subprocess.TimeoutExpired:
        kill(process)
        status = TIMED_OUT
        print(f"hipify-py: error: {program}: took more than {timeout:g} s and was ended", file=sys.stderr)
    except BaseException:
        kill(process)
        raise
    finally:
        tell_guards(b"-", process.pid)
    if reader is not None:
        reader.join(5)
    if status < 0:
        print(f"hipify-py: {program} was ended by {_name(-status)}", file=sys.stderr)
        status = 128 - status
    return Ran(status, bytes(kept), time.monotonic() - started)


def _name(number: int) -> str:
    """A signal's name; those for real-time programs have none but the first and the last."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _pass_on(stream: IO[bytes], kept: bytearray, show: bool) -> None:
    """Read what comes, keep it, and show it at once."""
    descriptor = stream.fileno()
    while chunk := os.read(descriptor, 65536):
        kept += chunk
        if show and sys.stdout is not None:
            sys.stdout.buffer.write(chunk)
            sys.stdout.buffer.flush()

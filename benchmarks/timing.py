"""Run commands and read from the kernel what they cost: CPU time, wall time, peak memory of each process."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypedDict

_PROC = Path("/proc")
_EVERY = 0.05


class Command(NamedTuple):
    """What is measured under one name; `before` prepares each run and is not measured."""

    name: str
    arguments: Sequence[str]
    environment: Mapping[str, str] | None = None
    cores: int = 0
    before: Callable[[], object] | None = None
    statuses: tuple[int, ...] = (0, 1)
    runs: int = 0
    cold: bool = False
    """Whether no run of the same command may come right before."""


class Usage(NamedTuple):
    """What one run cost. The peak is that of the largest process."""

    cpu: float
    wall: float
    peak_mb: float


class Row(TypedDict):
    """Medians of the runs of one command, and the least and the most CPU seconds."""

    cpu: float
    wall: float
    peak_mb: float
    runs: int
    cpu_range: list[float]


class Failed(Exception):
    """A command that is measured did not do its work; the message names it and holds its last words."""


def once(command: Command) -> Usage:
    """Run a command to its end, its children included."""
    if command.before:
        command.before()
    with on_cores(command.cores):
        started = time.perf_counter()
        process = start(command)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
    finish(command, process, status)
    return Usage(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def start(command: Command) -> subprocess.Popen[bytes]:
    """Start a command, with nothing to read and its output thrown away."""
    environment = dict(command.environment) if command.environment is not None else None
    null = subprocess.DEVNULL
    return subprocess.Popen(command.arguments, env=environment, stdin=null, stdout=null, stderr=null)


def finish(command: Command, process: subprocess.Popen[bytes], status: int) -> None:
    """Check how a command ended that `wait4` gave the status of."""
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in command.statuses:
        again = subprocess.run(command.arguments, env=command.environment, capture_output=True, check=False)
        words = again.stderr.decode("utf-8", "replace").strip()[-400:]
        raise Failed(f"{command.name}: exit status {process.returncode}: {words}")


def interleaved(commands: Sequence[Command], runs: int, *, warm: bool = False) -> dict[str, Row]:
    """All commands in turn, round after round, so that a busy spell of the machine meets all of them alike.

    `warm`: each measured run follows one of the same command that is not measured. What runs in between would decide
    the figures of short commands otherwise: it takes their pages, and some virtual machines give freed memory back to
    their host, which makes the next page faults several times dearer.
    """
    usages: dict[str, list[Usage]] = {command.name: [] for command in commands}
    for number in range(max([runs, *(command.runs for command in commands)])):
        for command in commands:
            if number < (command.runs or runs):
                if warm and not command.cold:
                    once(command)
                usages[command.name].append(once(command))
    return {name: summary(found) for name, found in usages.items()}


def summary(usages: Sequence[Usage]) -> Row:
    """The medians of several runs."""
    cpu = sorted(usage.cpu for usage in usages)
    return Row(
        cpu=round(statistics.median(cpu), 4),
        wall=round(statistics.median(usage.wall for usage in usages), 4),
        peak_mb=round(max(usage.peak_mb for usage in usages), 1),
        runs=len(usages),
        cpu_range=[round(cpu[0], 4), round(cpu[-1], 4)],
    )


@contextmanager
def on_cores(number: int) -> Iterator[None]:
    """Let what is started inside use only so many processors; 0 is all of them."""
    all_of_them = os.sched_getaffinity(0)
    if number:
        os.sched_setaffinity(0, sorted(all_of_them)[:number])
    try:
        yield
    finally:
        os.sched_setaffinity(0, all_of_them)


class Sample(NamedTuple):
    """The resident memory in MB of each process of a run at one moment, by process id."""

    seconds: float
    resident: dict[int, float]


def watched(command: Command, every: float = _EVERY) -> tuple[list[Sample], dict[int, float]]:
    """Run a command and sample its processes; gives the samples and the peak of each process in MB."""
    if command.before:
        command.before()
    samples: list[Sample] = []
    peaks: dict[int, float] = {}
    with on_cores(command.cores):
        started = time.perf_counter()
        process = start(command)
        while True:
            pid, status, _ = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            resident: dict[int, float] = {}
            for member in family(process.pid):
                now, peak = memory(member)
                if peak:
                    resident[member], peaks[member] = now, peak
            samples.append(Sample(time.perf_counter() - started, resident))
            time.sleep(every)
    finish(command, process, status)
    return samples, peaks


def family(root: int) -> list[int]:
    """A process and all its descendants."""
    parents: dict[int, int] = {}
    for entry in _PROC.iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    found = [root]
    for parent in found:  # grows while it is walked
        found.extend(child for child, of in parents.items() if of == parent)
    return found


def memory(pid: int) -> tuple[float, float]:
    """Resident memory of a process now and at its highest, in MB; zeros when it is gone."""
    try:
        lines = (_PROC / str(pid) / "status").read_text().splitlines()
    except OSError:
        return 0.0, 0.0
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    now, peak = (int(fields.get(name, "0 kB").split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))
    return now, peak

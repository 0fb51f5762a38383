"""What the benchmark reads from the kernel: CPU time, memory of each process, exit status."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import timing
from benchmarks.timing import Command, Failed, Usage

HOLD = "data = bytearray(120 << 20); print('held', flush=True); input()"


def python(code: str, name: str = "python") -> Command:
    return Command(name, [sys.executable, "-c", code])


def test_cpu_time_is_that_of_all_processes_of_a_command() -> None:
    burn = "import time; t = time.process_time()\nwhile time.process_time() < t + 0.3: pass"
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {burn!r}])"
    assert timing.once(python(child)).cpu >= 0.3


def test_waiting_is_no_cpu_time() -> None:
    used = timing.once(python("import time; time.sleep(0.5)"))
    assert used.wall >= 0.5 > used.cpu


def test_peak_memory() -> None:
    assert timing.once(python("bytearray(200 << 20)")).peak_mb >= 200


def test_a_command_that_fails_is_told(tmp_path: Path) -> None:
    with pytest.raises(Failed, match=r"thing: exit status 3: words"):
        timing.once(python("import sys; sys.stderr.write('words'); sys.exit(3)", "thing"))


def test_preparation_runs_before_each_run() -> None:
    calls: list[str] = []
    command = python("pass", "a")._replace(before=lambda: calls.append("a"))
    rows = timing.interleaved([command, command._replace(name="b", before=lambda: calls.append("b"), runs=1)], 2)
    assert calls == ["a", "b", "a"]
    assert [rows[name]["runs"] for name in ("a", "b")] == [2, 1]


def test_a_warm_run_follows_one_that_is_not_measured(tmp_path: Path) -> None:
    log = tmp_path / "log"
    commands = [python(f"open({str(log)!r}, 'a').write('{name}')", name) for name in "ab"]
    commands.append(python(f"open({str(log)!r}, 'a').write('c')", "c")._replace(cold=True))
    prepared = log.with_name("prepared")
    commands.append(commands[0]._replace(name="d", before=lambda: prepared.write_text(log.read_text())))
    rows = timing.interleaved(commands, 2, warm=True)
    assert log.read_text() == "aabbcaa" * 2
    assert prepared.read_text() == "aabbcaaaabbca"
    assert [row["runs"] for row in rows.values()] == [2, 2, 2, 2]


def test_medians() -> None:
    row = timing.summary([Usage(3, 9, 10), Usage(1, 7, 30), Usage(2, 8, 20)])
    assert row == {"cpu": 2, "wall": 8, "peak_mb": 30, "runs": 3, "cpu_range": [1, 3]}


def test_cores_are_lent_and_given_back() -> None:
    before = os.sched_getaffinity(0)
    with timing.on_cores(1):
        assert os.sched_getaffinity(0) == {min(before)}
    assert os.sched_getaffinity(0) == before


def test_memory_of_a_process_and_of_its_children() -> None:
    parent = "import subprocess, sys; sys.exit(subprocess.run([sys.executable, '-c', sys.argv[1]]).returncode)"
    command = [sys.executable, "-c", parent, HOLD]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        first, child = timing.family(process.pid)
        assert first == process.pid
        now, peak = timing.memory(child)
        assert peak >= now > 120 > timing.memory(first)[0] > 0
        process.stdin.write(b"\n")
    assert timing.memory(child) == (0.0, 0.0)


def test_a_watched_command_gives_its_course_and_peaks() -> None:
    samples, peaks = timing.watched(python("import time; data = bytearray(100 << 20); time.sleep(0.4)"), 0.02)
    (peak,) = peaks.values()
    assert peak > 100
    assert max(mb for sample in samples for mb in sample.resident.values()) > 100
    assert [sample.seconds for sample in samples] == sorted(sample.seconds for sample in samples)

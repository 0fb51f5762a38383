"""A run that is killed anywhere: the next one finishes the job, nothing is lost and nothing is half written."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.runner import command, environment

from .trees import KERNEL, content, convert, make

TREE = {f"d{n % 5}/k{n:03}.cu": KERNEL.replace(b"fill", b"fill%d" % n) for n in range(60)} | {
    f"text/t{n}.txt": b"text %d\n" % n for n in range(60)
}
OPTIONS = ("--no-clang", "--no-reports", "--quiet", "-j2")


def start(source: Path, out: Path, *more: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command("convert", str(source), str(out), *OPTIONS, *more), env=environment(), start_new_session=True
    )


def kill_when(process: subprocess.Popen[bytes], out: Path, outputs: int) -> int:
    """Kill a run and its workers with SIGKILL once so many outputs are there; gives how many there are behind."""
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        if sum(1 for _ in out.glob("*/*.*")) >= outputs:
            break
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return sum(1 for path in out.rglob("*") if path.is_file() and ".hipify" not in path.parts)


@pytest.mark.parametrize("outputs", [0, 1, 20, 64, 100])
def test_the_run_after_a_kill_finishes_the_job(tmp_path: Path, outputs: int) -> None:
    source, out = make(tmp_path / "in", TREE), tmp_path / "out"
    whole = tmp_path / "whole"
    convert(source, whole)
    there = kill_when(start(source, out), out, outputs)
    for path in out.rglob("*"):
        name = path.relative_to(out)
        if path.is_file() and ".hipify" not in path.parts and not path.name.endswith(".tmp"):
            assert path.read_bytes() == (whole / name).read_bytes(), "half a file"
    result = convert(source, out)
    assert there <= len(TREE) + 2
    assert content(out) == content(whole)
    assert len(result.files) == len(TREE) and not result.failed and not result.conflicts


@pytest.mark.parametrize("outputs", [1, 30])
def test_a_kill_in_a_later_run_loses_no_edit_of_a_person(tmp_path: Path, outputs: int) -> None:
    source, out = make(tmp_path / "in", TREE), tmp_path / "out"
    convert(source, out)
    edited = out / "d0" / "k000.cu"
    edited.write_bytes(edited.read_bytes() + b"// by hand\n")
    for name in TREE:
        path = source / name
        path.write_bytes(b"// changed\n" + path.read_bytes())
    process = start(source, out)
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        changed = sum(1 for name in TREE if (out / name).read_bytes().startswith((b"// changed", b"#include <hip")))
        if changed >= outputs and any((out / f"text/t{n}.txt").read_bytes().startswith(b"// c") for n in range(60)):
            break
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    result = convert(source, out)
    assert not result.conflicts and not list(out.rglob("*.tmp"))
    text = edited.read_bytes()
    assert text.endswith(b"// by hand\n") and b"// changed\n" in text
    assert all(b"// changed\n" in (out / name).read_bytes() for name in TREE)


def test_two_runs_into_one_folder_do_not_meet(tmp_path: Path) -> None:
    source, out = make(tmp_path / "in", TREE), tmp_path / "out"
    first = start(source, out)
    while not (out / ".hipify" / "state.db").exists() and first.poll() is None:
        time.sleep(0.005)
    second = subprocess.run(command("convert", str(source), str(out), *OPTIONS), env=environment(), capture_output=True)
    assert first.wait() == 0
    if second.returncode:
        assert second.returncode == 2
        assert b"another run of hipify-py is converting into this folder" in second.stderr
        assert second.stderr.count(b"\n") == 1
    assert convert(source, out).worked == 0

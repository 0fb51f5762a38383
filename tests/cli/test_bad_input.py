"""Bad input: one line on standard error, exit status 2, nothing half written, and on with the next file."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hipify.cli.main import main

from .runner import CUDA, command, environment, names, run

NOBODY = 65534


def refused(folder: Path, *arguments: str, data: bytes = b"") -> str:
    """Run, see that it was refused in one line and changed nothing; gives the line."""
    before = {path: path.read_bytes() if path.is_file() else b"" for path in folder.rglob("*")}
    done = run(folder, *arguments, data=data)
    assert done.returncode == 2, done.stderr
    assert done.stdout == b""
    assert {path: path.read_bytes() if path.is_file() else b"" for path in folder.rglob("*")} == before
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("hipify-py: error: ")
    return line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("missing.cu", "missing.cu: cannot be read: no such file"),
        ("good.cu/x.cu", "good.cu/x.cu: cannot be read: not a directory"),
        ("missing.cu -o out.hip", "missing.cu: cannot be read"),
        ("missing.cu -inplace", "missing.cu: cannot be read"),
        ("deep", "hipify-py convert deep"),
        ("binary.cu", "binary.cu: is a binary file"),
        ("binary.cu -inplace", "binary.cu: is a binary file"),
        ("utf16.cu", "utf16.cu: is UTF-16 text"),
        ("utf32.cu", "utf32.cu: is UTF-32 text"),
        ("/dev/zero", "/dev/zero: is a binary file"),
        ("loop.cu", "loop.cu: cannot be read: too many levels of symbolic links"),
        ("loop.cu -exclude-dirs=deep", "loop.cu: cannot be read: too many levels of symbolic links"),
        ("socket.cu", "socket.cu: cannot be read"),
        ("good.cu -o missing/x.hip", "missing/x.hip: cannot be written: there is no folder missing"),
        ("good.cu -o-dir missing", "there is no folder missing"),
        ("good.cu -o-dir unknown.cu", "unknown.cu is no folder"),
        ("good.cu -o /proc/x.hip", "/proc/x.hip: cannot be written"),
        ("good.cu -o deep", "deep: cannot be written: is a directory"),
        ("good.cu -o good.cu", "good.cu: is an input"),
        ("good.cu deep/good.cu -o-dir deep", "deep/good.cu.hip: two files"),
        ("good.cu -p deep", "deep/compile_commands.json: is not valid JSON"),
        ("good.cu -p missing", "missing: cannot be read"),
        ("good.cu -report x.docx", "x.docx: no report format"),
        ("good.cu -inplace -o x", "exclude each other"),
        ("good.cu unknown.cu -o x", "-o takes one input"),
        ("good.cu -bogus", "unknown option -bogus"),
        ("good.cu -target=0.1", "0.1"),
        ("", "no input file"),
    ],
)
def test_refusals(folder: Path, arguments: str, message: str) -> None:
    (folder / "deep").mkdir()
    (folder / "deep" / "good.cu").write_bytes(CUDA)
    (folder / "deep" / "compile_commands.json").write_bytes(b'[{"file": "good.cu",')
    (folder / "binary.cu").write_bytes(b"\x7fELF\0\0")
    (folder / "utf16.cu").write_bytes("int a;".encode("utf-16"))
    (folder / "utf32.cu").write_bytes("int a;".encode("utf-32"))
    (folder / "loop.cu").symlink_to("loop.cu")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket.cu")
        line = refused(folder, *arguments.split())
    assert message in line


def test_binary_standard_input(folder: Path) -> None:
    assert "<stdin>: is a binary file" in refused(folder, "-", "-o", "x.hip", data=b"\0")


def test_closed_standard_input(folder: Path) -> None:
    for arguments in (("-",), ("lint", "-")):
        shell = ["sh", "-c", '"$@" <&-', "sh", *command(*arguments)]
        done = subprocess.run(shell, cwd=folder, env=environment(), capture_output=True, check=False)
        assert done.returncode == 2
        assert done.stderr.startswith(b"hipify-py: error: standard input is closed\n"), done.stderr


def test_an_empty_name(folder: Path) -> None:
    assert "the name of an input is empty" in refused(folder, "")


def test_a_bad_file_does_not_stop_the_others(folder: Path) -> None:
    (folder / "binary.cu").write_bytes(b"\0")
    (folder / "out").mkdir()
    done = run(folder, "-o-dir=out", "missing.cu", "good.cu", "binary.cu", "unknown.cu")
    assert done.returncode == 2
    assert names(folder / "out") == ["good.cu.hip", "unknown.cu.hip"]
    errors = [line for line in done.stderr.decode().splitlines() if line.startswith("hipify-py: error: ")]
    assert [line.split()[2] for line in errors] == ["missing.cu:", "binary.cu:"]


def test_a_full_device_as_standard_output(folder: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command("good.cu"), cwd=folder, env=environment(), stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr == b"hipify-py: error: standard output cannot be written: no space left on device\n"


def test_a_closed_standard_output(folder: Path) -> None:
    shell = ["sh", "-c", '"$@" >&-', "sh", *command("good.cu")]
    done = subprocess.run(shell, cwd=folder, env=environment(), stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr == b"hipify-py: error: standard output is closed\n"


@contextmanager
def _as_nobody() -> Iterator[None]:
    """Without root's rights, which no permission bit stops. Modules must be loaded before."""
    if os.geteuid() != 0:
        yield
        return
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder below which other users may read."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name)
        path.chmod(0o755)
        (path / "good.cu").write_bytes(CUDA)
        assert main([str(path / "good.cu"), "-no-output"]) == 0
        yield path


def test_an_unreadable_file(open_folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = open_folder / "good.cu"
    path.chmod(0)
    capfd.readouterr()
    with _as_nobody():
        assert main([str(path)]) == 2
    out, err = capfd.readouterr()
    assert (out, err) == ("", f"hipify-py: error: {path}: cannot be read: permission denied\n")


def test_a_read_only_output_folder(open_folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (open_folder / "out").mkdir(mode=0o555)
    capfd.readouterr()
    with _as_nobody():
        assert main([str(open_folder / "good.cu"), "-o-dir", str(open_folder / "out")]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err == (
        f"hipify-py: error: {open_folder}/out/good.cu.hip: cannot be written: "
        f"the folder {open_folder}/out is read-only\n"
    )
    assert names(open_folder / "out") == []


def test_a_read_only_file_is_not_replaced(open_folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = open_folder / "good.cu"
    path.chmod(0o444)
    open_folder.chmod(0o777)
    capfd.readouterr()
    with _as_nobody():
        assert main([str(path), "-inplace", "-no-backup"]) == 2
    assert capfd.readouterr().err.splitlines()[-1].endswith("cannot be written: the file is read-only")
    assert path.read_bytes() == CUDA


def test_findings_are_reported_even_when_the_output_cannot_be_written(folder: Path) -> None:
    done = run(folder, "unknown.cu", "-o", "/dev/full", "--report", "r.json")
    assert done.returncode == 2
    report = json.loads((folder / "r.json").read_bytes())
    assert report["files"][0]["error"] == "/dev/full: cannot be written: no space left on device"
    assert len(report["findings"]) == 1

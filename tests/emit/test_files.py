"""Writing: in one step or not at all, with permissions, links and devices respected."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hipify.emit import files
from hipify.errors import OutputError


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_gets_the_mode_less_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        files.write(tmp_path / "a", b"1\r\n\xff", 0o775)
    finally:
        os.umask(before)
    assert (tmp_path / "a").read_bytes() == b"1\r\n\xff"
    assert mode(tmp_path / "a") == 0o750


def test_an_existing_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o604)
    files.write(path, b"new", 0o777)
    assert (path.read_bytes(), mode(path)) == (b"new", 0o604)
    assert names(tmp_path) == ["a"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    files.write(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="cannot be written: no space left on device"):
        files.write(path, b"new")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a"]


def test_an_interrupt_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def interrupted(_old: str, _new: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        files.write(path, b"new")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a"]


@pytest.mark.parametrize("name", ["missing/a", "file/a", ".", "x" * 300, "nul\0"])
def test_impossible_places(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OutputError):
        files.write(f"{tmp_path}/{name}", b"new")
    assert names(tmp_path) == ["file"]


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    files.write(pipe, b"through")
    reader.join()
    assert received == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_standard_output_by_name_is_written_where_it_stands(tmp_path: Path) -> None:
    code = (
        "import sys; print('first', flush=True); from hipify.emit.files import write; write('/dev/stdout', b'second')"
    )
    with (tmp_path / "out").open("wb") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert (tmp_path / "out").read_bytes() == b"first\nsecond"


def test_backups_are_never_overwritten(tmp_path: Path) -> None:
    path = str(tmp_path / "a.cu")
    assert files.back_up(path, b"one") == f"{path}.prehip"
    assert files.back_up(path, b"one") == f"{path}.prehip"
    assert files.back_up(path, b"two") == f"{path}.prehip.1"
    assert files.back_up(path, b"three") == f"{path}.prehip.2"
    assert files.back_up(path, b"two") == f"{path}.prehip.1"
    assert Path(f"{path}.prehip").read_bytes() == b"one"
    assert Path(f"{path}.prehip.1").read_bytes() == b"two"

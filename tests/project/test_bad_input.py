"""What cannot work ends in one clear line and status 2, with nothing lost."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hipify.project.state import state_path
from tests.cli.runner import command, environment

from .trees import KERNEL, content, convert, make

OPTIONS = ("--no-clang", "--no-reports", "-j1")


def run(*arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command("convert", *OPTIONS, *arguments), env=environment(), capture_output=True, cwd=folder)


def refused(done: subprocess.CompletedProcess[bytes], *words: str) -> None:
    """One line on standard error that says so, and status 2."""
    error = done.stderr.decode()
    assert done.returncode == 2, error
    assert error.startswith("hipify-py: error: ") and error.count("\n") == 1
    assert done.stdout == b""
    for word in words:
        assert word in error


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return make(tmp_path / "in", {"a.cu": KERNEL, "sub/b.cu": KERNEL})


def test_places_that_hold_each_other(source: Path, tmp_path: Path) -> None:
    before = content(tmp_path)
    refused(run(str(source), str(source)), "is the input folder itself", "--in-place")
    refused(run(str(source), str(source / "out")), "lies inside the input folder")
    refused(run(str(source / "sub"), str(source)), "lies inside the output folder")
    (tmp_path / "alias").symlink_to(source)
    refused(run(str(source), str(tmp_path / "alias" / "out")), "lies inside the input folder")
    (tmp_path / "alias").unlink()
    assert content(tmp_path) == before


def test_places_that_are_none(source: Path, tmp_path: Path) -> None:
    refused(run(str(tmp_path / "missing"), str(tmp_path / "out")), "missing: cannot be read: no such file")
    refused(run(str(source / "a.cu"), str(tmp_path / "out")), "a.cu: is no folder")
    (tmp_path / "file").write_bytes(b"mine")
    refused(run(str(source), str(tmp_path / "file")), "file: exists and is no folder")
    refused(run(str(source), str(tmp_path / "file" / "out")), "file")
    assert (tmp_path / "file").read_bytes() == b"mine"
    refused(run(str(source)), "convert needs SRC and OUT")
    refused(run(str(source), "x", "--in-place"), "convert needs SRC alone")
    assert not (tmp_path / "out").exists()


def test_an_output_folder_of_somebody_else(source: Path, tmp_path: Path) -> None:
    out = make(tmp_path / "out", {"a.cu": b"// theirs\n", "other": b"theirs"})
    refused(run(str(source), str(out)), "is not empty and holds no conversion", "--force")
    assert content(out) == {"a.cu": b"// theirs\n", "other": b"theirs"}
    done = run(str(source), str(out), "--force")
    assert done.returncode == 1, "their a.cu is a conflict"
    assert content(out)["a.cu"] == b"// theirs\n" and b"hipMalloc" in content(out)["a.cu.hipify-new"]
    assert content(out)["other"] == b"theirs" and b"hipMalloc" in content(out)["sub/b.cu"]


def test_another_input_into_the_same_output(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    convert(source, out)
    other = make(tmp_path / "other", {"c.cu": KERNEL})
    before = content(out)
    refused(run(str(other), str(out)), "was converted from", "--force")
    assert content(out) == before


@pytest.mark.parametrize(
    "broken",
    [b"", b"no database at all, but text", b"SQLite format 3\0" + b"\xff" * 4096],
    ids=["empty", "text", "torn"],
)
def test_a_broken_state_file(source: Path, tmp_path: Path, broken: bytes) -> None:
    out = tmp_path / "out"
    convert(source, out)
    edited = (out / "a.cu").read_bytes() + b"// by hand\n"
    (out / "a.cu").write_bytes(edited)
    state_path(out).write_bytes(broken)
    done = run(str(source), str(out))
    if broken:
        refused(done, "state.db")
        assert state_path(out).read_bytes() == broken
    else:
        assert done.returncode == 1, "nothing is known of the outputs: the edited one is a conflict"
    assert (out / "a.cu").read_bytes() == edited


def test_a_state_file_of_another_version_or_program(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    convert(source, out)
    with sqlite3.connect(state_path(out)) as database:
        database.execute("PRAGMA user_version=99")
    database.close()
    refused(run(str(source), str(out)), "has version 99")
    state_path(out).unlink()
    with sqlite3.connect(state_path(out)) as database:
        database.execute("CREATE TABLE bookmarks (x)")
    database.close()
    refused(run(str(source), str(out)), "is no state file of hipify-py")


def test_a_torn_record_in_the_state_is_one_line(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    convert(source, out)
    with sqlite3.connect(state_path(out)) as database:
        database.execute("UPDATE files SET base = x'00ff'")
    database.close()
    (out / "a.cu").write_bytes(b"// mine\n")
    (source / "a.cu").write_bytes(KERNEL + b"// more\n")
    refused(run(str(source), str(out)), "the state file is broken")
    assert (out / "a.cu").read_bytes() == b"// mine\n"


def test_links_in_a_circle(source: Path, tmp_path: Path) -> None:
    (source / "sub" / "loop").symlink_to("../sub")
    refused(run(str(source), str(tmp_path / "out")), "sub/loop: the link leads to a folder above it", "--exclude")
    assert not (tmp_path / "out").exists()


def bound(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run so that permissions count, as they do not for root: without the capabilities to pass over them."""
    prefix = ["setpriv", "--bounding-set", "-all"] if os.geteuid() == 0 else []
    words = [*prefix, *command("convert", *OPTIONS, *arguments)]
    return subprocess.run(words, env=environment(), capture_output=True)


def test_folders_and_files_that_cannot_be_read(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (source / "sub").chmod(0)
    refused(bound(str(source), str(out)), "sub: cannot be read: permission denied")
    (source / "sub").chmod(0o755)
    (source / "sub" / "b.cu").chmod(0)
    refused(bound(str(source), str(out)), "b.cu: cannot be read: permission denied")
    assert not out.exists()


def test_a_place_that_cannot_be_written(source: Path, tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    place.chmod(0o555)
    out = place / "out"
    refused(bound(str(source), str(out)), "cannot be written", "read-only")
    empty = tmp_path / "empty"
    empty.mkdir(0o555)
    refused(bound(str(source), str(empty)), "empty: cannot be written", "read-only")
    assert list(empty.iterdir()) == []


@pytest.mark.parametrize(
    ("place", "mode", "says"),
    [
        (".", 0o555, "out: cannot be written: the folder"),
        (".", 0o000, "out: cannot be read: permission denied"),
        ("sub", 0o555, "sub/b.cu: cannot be written: permission denied"),
        ("sub", 0o000, "sub/b.cu: permission denied"),
        ("sub/b.cu", 0o444, "sub/b.cu: cannot be written: the file is read-only"),
        ("sub/b.cu", 0o000, "sub/b.cu: cannot be read: permission denied"),
        (".hipify", 0o555, ".hipify/state.db: cannot be written"),
        (".hipify", 0o000, ".hipify/state.db: permission denied"),
        (".hipify/state.db", 0o444, ".hipify/state.db: cannot be written"),
        (".hipify/state.db", 0o000, ".hipify/state.db: cannot be written"),
    ],
)
def test_a_later_run_that_may_not_write(source: Path, tmp_path: Path, place: str, mode: int, says: str) -> None:
    out = tmp_path / "out"
    convert(source, out)
    before = content(out)
    (source / "sub" / "b.cu").write_bytes(KERNEL + b"// more\n")
    locked = out / place
    usual = locked.stat().st_mode & 0o777
    locked.chmod(mode)
    done = bound(str(source), str(out), "--quiet")
    locked.chmod(usual)
    refused(done, says)
    assert content(out) == before
    assert bound(str(source), str(out), "--quiet").returncode == 0
    convert(source, tmp_path / "whole")
    assert content(out) == content(tmp_path / "whole")


def test_an_output_that_may_not_be_removed(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    convert(source, out)
    before = content(out)
    (source / "sub" / "b.cu").unlink()
    (out / "sub").chmod(0o555)
    refused(bound(str(source), str(out), "--quiet"), "sub/b.cu: cannot be removed: permission denied")
    assert content(out) == before
    (out / "sub").chmod(0o755)
    assert bound(str(source), str(out), "--quiet").returncode == 0
    assert not (out / "sub").exists()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 400 kB."""
    place = tmp_path / "small"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(place)], check=True)
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_ends_the_run_and_more_room_lets_the_next_one_finish(small_disk: Path, tmp_path: Path) -> None:
    files = {f"k{n:03}.cu": KERNEL + b"// %d\n" % n * 3000 for n in range(30)}
    source, out = make(tmp_path / "in", files), small_disk / "out"
    done = run(str(source), str(out))
    error = done.stderr.decode()
    assert done.returncode == 2
    assert error.splitlines()[-1].startswith("hipify-py: error: ")
    assert "no space left on device" in error or "disk is full" in error
    assert content(source) == files
    subprocess.run(["mount", "-o", "remount,size=20m", str(small_disk)], check=True)
    assert run(str(source), str(out), "--quiet").returncode == 0
    convert(source, tmp_path / "whole")
    assert content(out) == content(tmp_path / "whole")


def git(folder: Path, *words: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"]
    subprocess.run(["git", "-C", str(folder), *identity, *words], check=True, capture_output=True)


def test_in_place_a_dirty_git_tree_is_refused_without_force(source: Path) -> None:
    git(source, "init", "-q")
    git(source, "add", ".")
    git(source, "commit", "-q", "-m", "all")
    (source / "a.cu").write_bytes(KERNEL + b"// not committed\n")
    before = content(source)
    refused(run(str(source), "--in-place"), "a.cu: has changes that git does not hold yet", "--force")
    (source / "new.cu").write_bytes(KERNEL)
    git(source, "checkout", "-q", "a.cu")
    refused(run(str(source), "--in-place"), "new.cu: has changes that git does not hold yet")
    (source / "new.cu").unlink()
    assert run(str(source), "--in-place").returncode == 0
    assert b"hipMalloc" in (source / "a.cu").read_bytes()
    assert run(str(source), "--in-place").returncode == 0, "what the first run wrote is no change of a person"
    (source / "a.cu").write_bytes(before["a.cu"])
    assert run(str(source), "--in-place", "--force").returncode == 0
    assert (source / "a.cu.prehip").read_bytes() == before["a.cu"]


def test_in_place_without_git_keeps_a_copy_of_what_it_changes(source: Path) -> None:
    assert run(str(source), "--in-place").returncode == 0
    assert (source / "a.cu.prehip").read_bytes() == KERNEL
    assert b"hipMalloc" in (source / "a.cu").read_bytes()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--suffix", ".cpp"), "--suffix .cpp: the known ones are .hip, .hip.cpp, same"),
        (("--third-party", "x"), "--third-party x: the known ones are"),
        (("-j", "two"), "-j two: a number is expected"),
        (("--timeout", "-1"), "--timeout -1: a number is expected"),
        (("--include", "!"), "--include: not a pattern"),
        (("--report", "x.pdf"), "x.pdf"),
    ],
)
def test_options_that_make_no_sense(source: Path, tmp_path: Path, options: tuple[str, ...], says: str) -> None:
    refused(run(str(source), str(tmp_path / "out"), *options), says)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[tool.hipify\n", "is not valid TOML"),
        ('[tool.hipify]\nsuffix = ".x"\n', "suffix"),
        ("[tool.hipify]\nexclude = 3\n", "exclude"),
    ],
)
def test_a_project_file_that_makes_no_sense(source: Path, tmp_path: Path, text: str, says: str) -> None:
    (source / "pyproject.toml").write_text(text)
    refused(run(str(source), str(tmp_path / "out")), says)


def test_an_output_that_is_a_folder_of_a_person_s_is_left(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    convert(source, out)
    (out / "a.cu").unlink()
    make(out, {"a.cu/mine": b"mine"})
    done = run(str(source), str(out))
    assert done.returncode == 2 and b"a.cu: " in done.stderr and b"directory" in done.stderr
    assert (out / "a.cu" / "mine").read_bytes() == b"mine"


def test_a_link_in_the_output_that_leads_away_is_not_written_through(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    convert(source, out)
    theirs = make(tmp_path / "theirs", {"c.cu": b"// theirs\n"})
    (out / "a.cu").unlink()
    (out / "a.cu").symlink_to(theirs / "c.cu")
    (source / "a.cu").write_bytes(KERNEL + b"// more\n")
    refused(run(str(source), str(out), "--quiet"), "a.cu: is a link that hipify-py did not make")
    (out / "a.cu").unlink()
    for path in (out / "sub").iterdir():
        path.unlink()
    (out / "sub").rmdir()
    (out / "sub").symlink_to(theirs)
    refused(run(str(source), str(out), "--quiet"), "a folder of it is a link to a place outside the output")
    assert content(theirs) == {"c.cu": b"// theirs\n"}

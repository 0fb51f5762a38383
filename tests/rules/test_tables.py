"""The snapshot of the tables: the same rows as the files, and never trusted when it is broken or of another state."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify import user_cache
from hipify.rules import tables


def rows(found: tables.Shelves) -> tables.Tables:
    """Everything that loaded tables hand out."""
    return tables.Tables(*({name: table.rows(name) for name in table.names} for table in found))


@pytest.fixture
def snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert rows(tables.load()) == tables.read(tables.APIS)
    (found,) = Path(user_cache.folder()).iterdir()
    return found


def test_the_second_load_reads_the_snapshot(snapshot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(tables, "read")
    found = tables.load()
    assert found.apis.rows(b"cudaMalloc")[0].startswith(b"runtime\tfunction\thipMalloc\t")
    assert b"cuda_runtime.h" in found.headers.names and b"maxThreadsPerBlock" in found.fields.names
    assert len(found.fields.rows(b"maxThreadsPerBlock")) > 0 and found.apis.rows(b"cudaNoSuchName") == []


def test_names_are_the_same_whether_told_one_by_one_or_all_at_once(snapshot: Path) -> None:
    """Until many words were asked about, names are looked for on their shelves."""
    every = frozenset(tables.read(tables.APIS).apis)
    names = tables.load().apis.names
    some = frozenset(sorted(every)[::97])
    words = some | {name + b"x" for name in sorted(every)[::31]} | {b"", b"x", b"cuda"}
    assert words & names == names & words == words & every
    assert words - names == words - every
    assert names.isdisjoint(words - every) and not names.isdisjoint(words)
    assert some <= names and not words <= names
    assert len(names) == len(every) and frozenset(names) == every
    found = tables.load().apis
    assert [name for name in sorted(every) if name not in found.names] == []
    assert found.names == every  # so many: now from memory
    assert b"cudaMalloc" in found.names and b"cudaMallo" not in found.names


@pytest.mark.parametrize("damage", ["empty", "cut", "other", "garbage", "head", "folder"])
def test_a_broken_snapshot_is_made_again(snapshot: Path, damage: str) -> None:
    whole = snapshot.read_bytes()
    if damage == "folder":
        snapshot.unlink()
        snapshot.mkdir()
    else:
        broken = {"empty": b"", "cut": whole[:5000], "other": b"0" * 32 + whole[32:], "garbage": whole[:32] + b"?"}
        broken["head"] = whole[:48] + b"?" + whole[49:]
        snapshot.write_bytes(broken[damage])
    assert rows(tables.load()) == tables.read(tables.APIS)
    assert damage == "folder" or snapshot.read_bytes() == whole


@pytest.mark.parametrize("mark", [b"\0", b"?", b"i"])
def test_rows_that_somebody_wrote_over_come_from_the_files(snapshot: Path, mark: bytes) -> None:
    found = tables.load()
    whole = snapshot.read_bytes()
    start = len(whole) // 2
    with snapshot.open("r+b") as stream:  # in place: the file that is open already
        stream.seek(start)
        stream.write(mark * (len(whole) - start))
    assert rows(found) == tables.read(tables.APIS)


def test_without_a_cache_folder_the_files_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert tables.load().apis.rows(b"cudaFree")[0].startswith(b"runtime\t")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    user_cache.write(f"{tmp_path}/a/b", b"one")
    user_cache.write(f"{tmp_path}/a/b", b"two")
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b"]
    assert (tmp_path / "a/b").read_bytes() == b"two"
    (tmp_path / "a/c").mkdir()
    with pytest.raises(OSError):
        user_cache.write(f"{tmp_path}/a/c", b"three")
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == ["b", "c"]

"""Files that have not been touched since the last run are not read again; all others are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipify.project import seen
from hipify.project.discover import _Walk, discover
from hipify.project.seen import Seen
from hipify.project.settings import Selection
from hipify.project.tree import Tree

from .trees import KERNEL, convert, fresh, make

FILES = {
    "a.cu": b'#include "b.h"\n#include <\xffc.h>\n' + KERNEL,
    "b.h": b"__device__ int f() { return __any_sync(1, 1); } // @generated\n",
    "Makefile": b"include rules.inc\nall:\n\tnvcc a.cu\n",
    "rules.inc": b"X = nvcc\n",
    "binary.cpp": b"\0",
    "plain.c": b"int x;\n",
    "build.sh": b"nvcc a.cu\n",
    os.fsdecode(b"\xe9.txt"): b"",
    "vendor/x.cu": KERNEL,
}


@pytest.fixture(autouse=True)
def _all_is_old(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen, "_RECENT", -(10**15))


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the files that are read."""
    found: list[str] = []
    read = _Walk._read

    def noted(walk: _Walk, path: str, size: int, copied: bool) -> object:
        found.append(path)
        return read(walk, path, size, copied)

    monkeypatch.setattr(_Walk, "_read", noted)
    return found


def walk(source: Path, place: Path, maker: str = "me", **selection: str) -> Tree:
    known = Seen.beside(place / "state.db", maker)
    tree = discover(source, Selection(**selection), known)  # type: ignore[arg-type]
    known.write()
    return tree


@pytest.fixture
def source(tmp_path: Path) -> Path:
    source = make(tmp_path / "in", FILES)
    (source / "build.sh").chmod(0o755)
    return source


@pytest.mark.parametrize("third_party", ["convert", "copy"])
def test_what_was_seen_gives_the_same_tree(source: Path, tmp_path: Path, reads: list[str], third_party: str) -> None:
    new = discover(source, Selection(third_party=third_party))
    walk(source, tmp_path, third_party=third_party)
    reads.clear()
    assert walk(source, tmp_path, third_party=third_party) == new
    assert reads == []
    walk(source, tmp_path, third_party="copy" if third_party == "convert" else "convert")
    assert reads == ["vendor/x.cu"], "what is copied is looked at in another way"


def test_a_changed_file_is_read_though_its_size_and_time_are_the_same(
    source: Path, tmp_path: Path, reads: list[str]
) -> None:
    walk(source, tmp_path)
    reads.clear()
    before = (source / "plain.c").stat()
    (source / "plain.c").write_bytes(b"int y;\n")
    os.utime(source / "plain.c", ns=(before.st_atime_ns, before.st_mtime_ns))
    (source / "new.c").write_bytes(b"")
    (source / "b.h").unlink()
    assert walk(source, tmp_path) == discover(source, Selection())
    assert set(reads[:2]) == {"plain.c", "new.c"}


def test_a_file_as_new_as_the_run_is_read_the_next_time(
    source: Path, tmp_path: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seen, "_RECENT", 10**12)
    walk(source, tmp_path)
    reads.clear()
    walk(source, tmp_path)
    assert sorted(reads) == sorted(FILES)


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"[]", b'{"maker": "me"}', b'{"maker": "me", "files": 3}', b'{"maker": "me", "files": {"a.cu": 3}}',
     b'{"maker": "me", "files": {"a.cu": []}}', b"\xff", b"[" * 100_000],
)  # fmt: skip
def test_records_that_cannot_be_read_are_passed_over(source: Path, tmp_path: Path, text: bytes) -> None:
    (tmp_path / "seen.json").write_bytes(text)
    assert walk(source, tmp_path) == discover(source, Selection())


def test_a_record_of_another_shape_is_passed_over(source: Path, tmp_path: Path) -> None:
    walk(source, tmp_path)
    path = tmp_path / "seen.json"
    path.write_text(path.read_text().replace('"CUDA"', '"NONE"').replace('[["plain.c"', "[3"))
    assert walk(source, tmp_path) == discover(source, Selection())


def test_records_of_another_maker_do_not_count(source: Path, tmp_path: Path, reads: list[str]) -> None:
    walk(source, tmp_path)
    reads.clear()
    walk(source, tmp_path, "another")
    assert sorted(reads) == sorted(FILES)


def test_a_conversion_keeps_them_beside_its_state(source: Path, tmp_path: Path, reads: list[str]) -> None:
    out = tmp_path / "out"
    convert(source, out)
    reads.clear()
    assert fresh(convert(source, out)) == []
    assert reads == []
    (source / "a.cu").write_bytes(KERNEL + b"// more\n")
    assert fresh(convert(source, out)) == ["a.cu"]
    assert reads == ["a.cu"]

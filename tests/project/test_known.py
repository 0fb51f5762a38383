"""Without clang, a conversion for another output folder takes over what an earlier one has made of the tree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hipify.model import Options
from hipify.project import fingerprint, known
from hipify.project.kept import Kept
from hipify.project.known import Known

from .trees import Heard, content, convert, fresh, make

ALLOCATE = b'#include <cuda_runtime.h>\n#include "h.h"\nint main() { void *p; return cudaMalloc(&p, N); }\n'
TREE = {"a.cu": ALLOCATE, "b.cu": ALLOCATE, "h.h": b"#define N 64\n", "Makefile": b"all:\n\tnvcc a.cu\n"}
RULES = Options(clang=False)
MARK = b"// kept\n"


@pytest.fixture(autouse=True)
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "hipify-py" / "trees"


def first(tmp_path: Path, **given: Any) -> Path:
    """A tree that has been converted once."""
    source = make(tmp_path / "in", TREE)
    convert(source, tmp_path / "first", keep=True, **given)
    return source


def mark(source: Path) -> None:
    """Put a comment into each output that is kept."""
    kept = Known(source, fingerprint.of_tool())
    assert set(kept._made) == {"a.cu", "b.cu", "Makefile"}
    for path, (key, made) in list(kept._made.items()):
        kept.put(path, key, made._replace(output=MARK + made.output))
    kept.write(set(TREE))


def test_another_output_is_made_of_what_is_kept(tmp_path: Path) -> None:
    source = first(tmp_path)
    mark(source)
    heard = Heard()
    result = convert(source, tmp_path / "second", heard, keep=True)
    before, after = content(tmp_path / "first"), content(tmp_path / "second")
    marked = ("a.cu", "b.cu", "Makefile")
    assert {name: after[name] for name in marked} == {name: MARK + before[name] for name in marked}
    assert after["h.h"] == before["h.h"]
    assert sorted(heard.files) == sorted(TREE)
    assert sorted(fresh(result)) == sorted(TREE)


def test_what_is_kept_gives_the_same_output_and_records(tmp_path: Path) -> None:
    source = first(tmp_path)
    one = convert(source, tmp_path / "second", keep=True)
    two = convert(source, tmp_path / "third", keep=False)
    assert content(tmp_path / "second") == content(tmp_path / "third")
    assert one.files == two.files


@pytest.mark.parametrize("change", ["--no-cache", "header", "source", "target", "clang", "tool", "place"])
def test_what_has_changed_is_translated(tmp_path: Path, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source, options = first(tmp_path), RULES
    mark(source)
    if change == "header":
        (source / "h.h").write_bytes(b"#define N 65\n")
    elif change == "source":
        (source / "a.cu").write_bytes(ALLOCATE + b"\n")
    elif change == "target":
        options = Options(clang=False, target="6.4")
    elif change == "clang":
        options = Options(clang=True)
    elif change == "tool":
        monkeypatch.setattr("hipify.project.convert.of_tool", lambda: "another")
    elif change == "place":
        source = make(tmp_path / "elsewhere", TREE)
    convert(source, tmp_path / "second", options=options, keep=change != "--no-cache")
    assert (tmp_path / "second" / "a.cu").read_bytes().startswith(b"#include <hip/hip_runtime.h>")


def test_a_run_with_changes_keeps_the_rest(tmp_path: Path) -> None:
    source = first(tmp_path)
    mark(source)
    (source / "a.cu").write_bytes(ALLOCATE + b"// new\n")
    (source / "b.cu").unlink()
    convert(source, tmp_path / "first", keep=True)
    kept = Known(source, fingerprint.of_tool())._made
    assert set(kept) == {"a.cu", "Makefile"}
    assert kept["Makefile"][1].output.startswith(MARK)
    assert kept["a.cu"][1].output.endswith(b"// new\n")


def test_trees_in_place_and_failures_are_not_kept(tmp_path: Path, trees: Path) -> None:
    source = make(tmp_path / "in", {"a.cu": ALLOCATE, "h.h": b"#define N 64\n"})
    convert(source, source, in_place=True, force=True, keep=True)
    assert not trees.exists()
    broken = make(tmp_path / "broken", {"a.cu": ALLOCATE, "b.cu": b"\0cudaFree(p);\n", "h.h": b""})
    convert(broken, tmp_path / "out", keep=True)
    assert set(Known(broken, fingerprint.of_tool())._made) == {"a.cu"}


def test_a_large_tree_is_not_held_in_memory(tmp_path: Path, trees: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "_LARGEST", len(ALLOCATE) + 100)
    first(tmp_path)
    assert not trees.exists()


@pytest.mark.parametrize("damage", [b"", b"{", b"x" * 400])
def test_a_broken_file_counts_as_none(tmp_path: Path, trees: Path, damage: bytes) -> None:
    source = first(tmp_path)
    (place,) = trees.iterdir()
    place.write_bytes(damage)
    convert(source, tmp_path / "second", keep=True)
    assert content(tmp_path / "second") == content(tmp_path / "first")
    assert set(Known(source, fingerprint.of_tool())._made) == {"a.cu", "b.cu", "Makefile"}


def test_a_cache_that_cannot_be_written_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    source = first(tmp_path)
    assert b"hipMalloc" in (tmp_path / "first" / "a.cu").read_bytes()
    assert not Known(source, fingerprint.of_tool())


def test_what_is_made_is_data(tmp_path: Path) -> None:
    source = first(tmp_path)
    made = Known(source, fingerprint.of_tool()).get("a.cu", "some other key")
    assert made is None
    assert all(isinstance(made, Kept) for _, made in Known(source, fingerprint.of_tool())._made.values())

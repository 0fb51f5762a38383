"""Conversions take translations of earlier runs from the user's cache, whatever output those were for.

With clang each translation is kept by itself; without, those of a tree are in one file.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.kept import Kept
from hipify.model import Options

from .trees import content, convert, make

ALLOCATE = b'#include <cuda_runtime.h>\n#include "h.h"\nint main() { void *p; return cudaMalloc(&p, N); }\n'
TREE = {"a.cu": ALLOCATE, "h.h": b"#define N 64\n", "Makefile": b"all:\n\tnvcc a.cu\n"}
CLANG = Options(clang=True)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "hipify-py" / "translations"


@pytest.fixture
def marked(tmp_path: Path, kept: Path) -> Path:
    """A tree that has been converted, its translation in the cache marked."""
    source = make(tmp_path / "in", TREE)
    convert(source, tmp_path / "first", options=CLANG, keep=True)
    (place,) = kept.iterdir()
    path = str(source / "a.cu")
    made = Kept.get(place.name, path, ALLOCATE)
    assert made is not None and b"hipMalloc" in made.output
    Kept.put(place.name, made._replace(output=b"// kept\n" + made.output))
    return source


def test_another_output_is_made_of_what_is_kept(tmp_path: Path, marked: Path) -> None:
    convert(marked, tmp_path / "second", options=CLANG, keep=True)
    first, second = content(tmp_path / "first"), content(tmp_path / "second")
    assert second.pop("a.cu") == b"// kept\n" + first.pop("a.cu")
    assert second == first


@pytest.mark.parametrize("change", ["asked", "header", "source", "options", "without clang"])
def test_what_has_changed_is_translated(tmp_path: Path, marked: Path, change: str) -> None:
    options = CLANG
    if change == "header":
        (marked / "h.h").write_bytes(b"#define N 65\n")
    elif change == "source":
        (marked / "a.cu").write_bytes(ALLOCATE + b"\n")
    elif change == "options":
        options = Options(clang=True, target="6.4")
    elif change == "without clang":
        options = Options(clang=False)
    convert(marked, tmp_path / "second", options=options, keep=change != "asked")
    assert (tmp_path / "second" / "a.cu").read_bytes().startswith(b"#include <hip/hip_runtime.h>")

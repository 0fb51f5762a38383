"""Which files a folder stands for."""

from __future__ import annotations

from pathlib import Path

import pytest

import hipify
from hipify import InputError
from hipify.lint.discover import discover

FILES = {
    "a.cu": "",
    "b.cuh": "",
    "c.hip": "",
    "host.cpp": "int main() {}",
    "api.cpp": "int main() { cudaFree(0); }",
    "kernel.h": "__global__ void k();",
    "runtime.hpp": "#include <hip/hip_runtime.h>",
    "launch.inl": "k<<<1, 2>>>();",
    "notes.md": "cudaFree",
    "script.py": "cudaFree",
    "binary.h": "cudaFree\0",
    "build/gen.cu": "",
    "lib/.gitignore": "*.cu\n!keep.cu\n/only\n",
    "lib/x.cu": "",
    "lib/keep.cu": "",
    "lib/only/y.cuh": "",
    "lib/deep/only/y.cuh": "",
    ".hidden/z.cu": "",
    ".git/info/exclude": "excluded.cu\n",
    ".git/w.cu": "",
    "excluded.cu": "",
    ".gitignore": "/build/\n",
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with many kinds of file."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


ALL = [
    ".hidden/z.cu",
    "a.cu",
    "api.cpp",
    "b.cuh",
    "c.hip",
    "kernel.h",
    "launch.inl",
    "lib/deep/only/y.cuh",
    "lib/keep.cu",
    "runtime.hpp",
]


def test_by_ending_by_content_and_by_gitignore(tree: Path) -> None:
    assert discover(["."]) == ALL


def test_folders_are_named_as_the_user_named_them(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert discover(["lib/"]) == ["lib/deep/only/y.cuh", "lib/keep.cu"]
    assert discover([str(tree / "lib")]) == [str(tree / "lib/deep/only/y.cuh"), str(tree / "lib/keep.cu")]
    monkeypatch.chdir("lib")
    assert discover([".."]) == [f"../{name}" for name in ALL]


def test_a_folder_below_obeys_the_rules_above(tree: Path) -> None:
    (tree / ".gitignore").write_text("deep/\n")
    assert discover(["lib"]) == ["lib/keep.cu"]


def test_named_files_are_taken_as_they_are(tree: Path) -> None:
    assert discover(["build/gen.cu", "host.cpp", "notes.md"]) == ["build/gen.cu", "host.cpp", "notes.md"]


def test_exclude_is_obeyed_always(tree: Path) -> None:
    assert discover([".", "host.cpp"], ["*.cu", "lib", "host.*", "/a*"]) == [
        "b.cuh",
        "c.hip",
        "kernel.h",
        "launch.inl",
        "runtime.hpp",
    ]


def test_links_to_folders_are_not_followed(tree: Path) -> None:
    (tree / "lib" / "loop").symlink_to(tree)
    assert discover(["."]) == ALL


def test_a_path_that_is_not_there(tree: Path) -> None:
    with pytest.raises(InputError, match=r"none\.cu: cannot be read: [Nn]o such file"):
        discover(["a.cu", "none.cu"])


def test_headers_that_translations_bring_are_left_out(tree: Path) -> None:
    shipped = Path(hipify.__file__).parent / "include" / "hipify_warp.h"
    Path("hipify_warp.h").write_bytes(shipped.read_bytes())
    Path("hipify_half.h").write_text("// cudaMalloc, mine\n")
    found = discover(["."])
    assert "hipify_half.h" in found
    assert "hipify_warp.h" not in found


def test_headers_of_any_name_are_known_by_what_includes_them(tree: Path) -> None:
    Path("a.cu").write_text('#include "k.ch"\n#include <inner/x.y>\n#include "table.dat"\n#include "build/gone.ch"\n')
    Path("host.cpp").write_text('#define BODY "body"\n#include BODY\nint main() {}')
    Path("k.ch").write_text('#include "lib/nested.q"\n')
    for name in ("lib/inner/x.y", "lib/nested.q", "body", "build/gone.ch", "nobodys.ch"):
        (tree / name).parent.mkdir(exist_ok=True)
        (tree / name).write_text("cudaFree(0);\n")
    Path("table.dat").write_text("1, 2\n")
    new = {"body", "lib/inner/x.y", "lib/nested.q"}
    assert discover(["."]) == sorted([*ALL, *new], key=lambda name: name.split("/"))
    assert discover([".", "a.cu"], exclude=["/lib/inner/"]) == sorted([*ALL, *new - {"lib/inner/x.y"}])
    assert discover(["a.cu", "lib"]) == ["a.cu", "lib/deep/only/y.cuh", "lib/inner/x.y", "lib/keep.cu"]
    assert discover(["."], include=["*.q"]) == ["lib/nested.q"]
    Path("a.cu").write_text("")
    assert discover(["."]) == sorted([*ALL, "body"])

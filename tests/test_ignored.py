"""What .gitignore leaves out is what git itself leaves out."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hipify.ignored import Ignored
from hipify.project.discover import discover
from hipify.project.settings import Selection

FILES = ("Makefile", "a.cu", "src/b.cu", "src/notes", "src/keep/c.cu", "src/keep/deep/d.cu", "build/e.cu", "src/build/f.cu",
         "foo", "bar/foo/g.cu", "bar/x.o", "bar/sub/h.cuh", "with space.cu", "#hash.cu", "!bang.cu")  # fmt: skip
WRITTEN = [
    "*\n!*.*\n!*/\n*.o\n!Makefile\n",
    "/*\n!/src\n",
    "/*\n!/src/\n/src/*\n!/src/keep/\n",
    "src/**\n!src/keep/\n",
    "src/**\n!src/keep/\n!src/keep/**\n",
    "build/\n",
    "/build\n",
    "foo\n",
    "foo/\n",
    "**/keep\n",
    "src/**/d.cu\n",
    "*.cu\n!/src/b.cu\n!c.cu\n",
    "bar/*\n!bar/sub\n",
    "\\#hash.cu\n\\!bang.cu\nwith\\ space.cu\n",
    "# nothing\n\n   \n",
    "*.c[uv]\n!a.c?\n",
    "deep/\n!deep/d.cu\n",
    "src/keep/..\n*/build\n",
]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A git repository with some files, none of them added."""
    for name in FILES:
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n")
    subprocess.run(["git", "init", "-q", tmp_path / "tree"], check=True)
    return tmp_path / "tree"


def as_git(tree: Path) -> list[str]:
    """The files that git would add."""
    command = ["git", "-C", str(tree), "-c", "core.quotepath=off", "ls-files", "-z", "--others", "--exclude-standard"]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return sorted(filter(None, found.split("\0")))


@pytest.mark.parametrize("text", WRITTEN)
def test_the_same_files_as_git(tree: Path, text: str) -> None:
    (tree / ".gitignore").write_text(text)
    found = discover(tree, Selection())
    assert sorted(entry.path for entry in found.entries) == as_git(tree)
    left_out = len(FILES) + 1 - len(found.entries)
    assert any(".gitignore leaves out" in note for note in found.notes) == (left_out > 0)


@pytest.mark.parametrize("text", WRITTEN)
def test_a_file_in_a_folder_below_is_about_that_folder(tree: Path, text: str) -> None:
    (tree / "src" / ".gitignore").write_text(text)
    (tree / ".gitignore").write_text("deep/\n")
    assert sorted(entry.path for entry in discover(tree, Selection()).entries) == as_git(tree)


def test_what_git_would_not_take_is_named() -> None:
    ignored = Ignored(["!", "*.o", "a//b"])
    assert "!" in ignored.refused
    assert ignored.verdict("x.o", False) is True
    assert ignored.verdict("x.c", False) is None

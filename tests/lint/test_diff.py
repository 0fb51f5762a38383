"""Only what changed since a git ref."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hipify.lint.diff import parse

from .conftest import UNKNOWN, Lint


def git(*arguments: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(folder: Path) -> Path:
    """The sources, committed."""
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    return folder


def test_nothing_changed(repository: Path, lint: Lint) -> None:
    done = lint("src", "--diff", "HEAD")
    assert (done.status, done.places) == (0, [])


def test_changed_lines_new_files_and_staged_ones(repository: Path, lint: Lint) -> None:
    with Path("src/unknown.cu").open("a") as stream:
        stream.write("int g() {\n  return cudaGetFlyingSaucerCount(1);\n}\n")
    Path("src/new name.cu").write_text(UNKNOWN)
    Path("src/staged.cu").write_text(UNKNOWN)
    git("add", "src/staged.cu")
    assert lint("--diff", "HEAD").places == [
        "src/new name.cu:3 HPY105",
        "src/staged.cu:3 HPY105",
        "src/unknown.cu:6 HPY105",
    ]


def test_a_finding_over_several_lines_counts_when_one_of_them_changed(repository: Path, lint: Lint) -> None:
    path = Path("src/warped.cu")
    path.write_text(path.read_text().replace("0xffffffff, x[0], 1", "0xffffffff,\n  x[0],\n  1"))
    git("commit", "-q", "-a", "-m", "second")
    path.write_text(path.read_text().replace("\n  1)", "\n  2)"))
    assert lint("src", "--diff", "HEAD").places == ["src/warped.cu:3 HPY301"]
    assert lint("src", "--diff", "HEAD~1").places == ["src/warped.cu:3 HPY301"]


def test_removed_lines_are_no_change_of_others(repository: Path, lint: Lint) -> None:
    path = Path("src/unknown.cu")
    path.write_text(path.read_text().replace("#include <cuda_runtime.h>\n", ""))
    assert lint("src", "--diff", "HEAD").places == []


@pytest.mark.parametrize("ref", ["nowhere", "HEAD~9", "--output=x"])
def test_an_unknown_ref(repository: Path, lint: Lint, ref: str) -> None:
    done = lint("src", f"--diff={ref}")
    assert (done.status, done.out) == (2, "")
    assert f"--diff {ref}" in done.err
    assert not Path("x").exists()


def test_no_repository(folder: Path, lint: Lint) -> None:
    done = lint("src", "--diff", "HEAD")
    assert (done.status, done.out) == (2, "")


def test_a_patch_whose_lines_look_like_headers() -> None:
    patch = (
        b"diff --git a.cu a.cu\n--- a.cu\n+++ a.cu\n@@ -1 +1,2 @@ x\n--- y\n+++ b.cu\n+@@ -1 +9 @@\n"
        b"@@ -7,2 +8,0 @@\n-a\n-b\n@@ -20 +19 @@\n-a\n+b\n\\ No newline at end of file\n"
        b'diff --git c c\n--- /dev/null\n+++ "t\\303\\244b\\t.cu"\n@@ -0,0 +1,3 @@\n+a\n+b\n+c\n'
        b"diff --git d d\n--- d.cu\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
    )
    assert parse(patch) == {"a.cu": [(1, 2), (19, 19)], "t\u00e4b\t.cu": [(1, 3)]}

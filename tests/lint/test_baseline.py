"""Accepted findings: a baseline hides them wherever they move to, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Lint

LINE = "  cudaGetFlyingSaucerCount(0);\n"


@pytest.fixture
def source(folder: Path) -> Path:
    """A file with two equal findings."""
    path = folder / "a.cu"
    path.write_text(f"void f() {{\n{LINE}{LINE}}}\n")
    return path


def test_a_baseline_hides_what_it_accepts_and_the_status_is_0(source: Path, lint: Lint) -> None:
    written = lint("a.cu", "--write-baseline", "base.json")
    assert (written.status, written.out) == (0, "")
    assert "base.json accepts 2 findings" in written.err
    done = lint("a.cu", "--baseline", "base.json", "--fail-on", "note")
    assert (done.status, done.out) == (0, "")
    assert "base.json accepts 2 findings" in done.err


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"// new\n\n\nint g();\nvoid f() {{\n{LINE}{LINE}}}\n", []),
        (f"void f() {{\n\t{LINE.strip()}\n{LINE.replace('(0)', '( 0 )')}}}\n", ["a.cu:3 HPY105"]),
        (f"void f() {{\n{LINE}{LINE}{LINE}}}\n", ["a.cu:4 HPY105"]),
        (f"void f() {{\n{LINE}cudaGetRingCount();\n{LINE}}}\n", ["a.cu:3 HPY105"]),
    ],
)
def test_moved_lines_stay_accepted_and_new_ones_are_told(
    source: Path, lint: Lint, text: str, expected: list[str]
) -> None:
    lint("a.cu", "--write-baseline", "base.json")
    source.write_text(text)
    assert lint("a.cu", "--baseline", "base.json").places == expected


def test_what_is_gone_is_counted(source: Path, lint: Lint) -> None:
    lint("a.cu", "--write-baseline", "base.json")
    source.write_text(f"void f() {{\n{LINE}}}\n")
    assert "1 accepted finding is gone" in lint("a.cu", "--baseline", "base.json").err


def test_paths_are_relative_to_the_baseline(source: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    lint("a.cu", "src", "--write-baseline", "base.json")
    names = {entry["file"] for entry in json.loads(Path("base.json").read_text())["findings"]}
    assert names == {"a.cu", "src/unknown.cu", "src/warped.cu"}
    monkeypatch.chdir("src")
    assert lint("..", "--baseline", "../base.json").places == []


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"version": 2, "findings": []}', '{"version": 1, "findings": [{"file": "a.cu"}]}']
)
def test_a_file_that_is_no_baseline(source: Path, lint: Lint, content: str) -> None:
    Path("base.json").write_text(content)
    done = lint("a.cu", "--baseline", "base.json")
    assert (done.status, done.out) == (2, "")
    assert "base.json: is no baseline" in done.err


def test_no_baseline_is_written_when_a_file_cannot_be_read(source: Path, lint: Lint) -> None:
    Path("b.cu").write_bytes(b"\0")
    done = lint(".", "--write-baseline", "base.json")
    assert done.status == 2
    assert not Path("base.json").exists()

"""Settings files, and what the command line overrules."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.lint.config import find

from .conftest import Lint

BOTH = ["src/unknown.cu:3 HPY105", "src/warped.cu:3 HPY301"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('select = ["HPY3"]', BOTH[1:]),
        ('select = "HPY3"', BOTH[1:]),
        ('ignore = ["HPY301", "HPY2"]', BOTH[:1]),
        ('severity = "error"', BOTH[1:]),
        ('exclude = ["/src/w*"]', BOTH[:1]),
        ('warp = "preserve"\nseverity = "warning"', BOTH[:1]),
        ('whitelist = ["cudaGetFlyingSaucerCount"]', BOTH[1:]),
        ('[per-path-ignores]\n"src/w*.cu" = ["HPY3"]', BOTH[:1]),
        ('[per-path-ignores]\n"*.cu" = ["ALL"]', []),
        ('[per-path-ignores]\n"/unknown.cu" = ["HPY1"]', BOTH),
    ],
)
def test_both_files_hold_the_same_keys(folder: Path, lint: Lint, text: str, expected: list[str]) -> None:
    Path("hipify.toml").write_text(text)
    assert lint("src").places == expected
    Path("hipify.toml").unlink()
    Path("pyproject.toml").write_text("[tool.hipify]\n" + text.replace("[per-path", "[tool.hipify.per-path"))
    assert lint("src").places == expected


def test_the_command_line_overrules_the_file(folder: Path, lint: Lint) -> None:
    Path("hipify.toml").write_text('select = ["HPY3"]\nfail-on = "never"\nwarp = "preserve"\nseverity = "error"\n')
    assert lint("src").places == []
    assert lint("src", "--warp", "report", "--severity", "note").places == BOTH[1:]
    assert lint("src", "--select", "HPY1", "--severity", "note").places == BOTH[:1]
    assert lint("src", "--warp=report", "--fail-on=error").status == 1
    assert lint("src", "--warp=report").status == 0
    assert lint("src", "--no-config").places == BOTH


def test_the_nearest_file_upwards_counts_and_paths_are_its_own(
    folder: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("hipify.toml").write_text('baseline = "base.json"\n[per-path-ignores]\n"src/w*" = ["HPY301"]\n')
    monkeypatch.chdir("src")
    lint("..", "--no-config", "--write-baseline", "../base.json")
    assert lint(".").places == []
    Path("hipify.toml").write_text("")
    assert find().path == "hipify.toml"
    assert len(lint(".").places) == 2


def test_a_repository_ends_the_search(folder: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("hipify.toml").write_text('select = ["HPY3"]')
    (folder / "src" / ".git").mkdir()
    monkeypatch.chdir("src")
    assert len(lint(".").places) == 2


def test_pyproject_without_our_table_is_passed_over(folder: Path, lint: Lint) -> None:
    Path("pyproject.toml").write_text("[tool.other]\nx = 1\n")
    assert find().path == ""
    Path("pyproject.toml").write_text("no toml")
    assert lint("src").places == BOTH


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selct = []", "unknown key 'selct'; did you mean 'select'?"),
        ("select = [1]", "hipify.toml: select needs a list of texts"),
        ("jobs = true", "hipify.toml: jobs needs a whole number"),
        ('roc = "yes"', "hipify.toml: roc needs true or false"),
        ('severity = "bad"', "hipify.toml: severity needs one of note, warning, error"),
        ('target = "1.2"', "unknown ROCm version '1.2'"),
        ('select = ["HPY999"]', "no finding has the id HPY999"),
        ('[per-path-ignores]\n"*" = ["X"]', "per-path-ignores: no finding has the id X"),
        ("per-path-ignores = 1", "per-path-ignores needs a table"),
        ("[[[", "hipify.toml: is no TOML"),
    ],
)
def test_a_mistake_is_one_line(folder: Path, lint: Lint, text: str, message: str) -> None:
    Path("hipify.toml").write_text(text)
    done = lint("src")
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert len(done.err.splitlines()) == 1

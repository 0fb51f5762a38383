"""Settings files, and what the command line overrules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hipify.config import find

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
    "text",
    [
        '[tool.hipify]\nwarp = "native"',
        '[ tool . "hipify" ]\nwarp = "native"',
        "['tool'.'hipify']\nwarp = 'native'",
        '[tool]\nhipify = { warp = "native" }',
        '[tool]\nhipify.warp = "native"',
        'tool.hipify.warp = "native"',
        'tool = { hipify = { warp = "native" } }',
        '"tool" = { "hipify" = { warp = "native" } }',
    ],
)
def test_our_table_is_found_in_all_its_spellings(folder: Path, text: str) -> None:
    Path("pyproject.toml").write_text(text)
    assert find().values == {"warp": "native"}


def test_a_pyproject_that_only_speaks_of_us_is_not_read_as_toml(folder: Path) -> None:
    text = '[project]\ndependencies = ["hipify-py"]\n[tool.ruff]\nexclude = ["hipify"]\n[tool.a]\nhipify = ["x"]\n'
    Path("pyproject.toml").write_text(f"{text}this is no TOML")
    assert find().path == ""


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
        ("[[[", "hipify.toml: is not valid TOML"),
    ],
)
def test_a_mistake_is_one_line(folder: Path, lint: Lint, text: str, message: str) -> None:
    Path("hipify.toml").write_text(text)
    done = lint("src")
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_translations_take_rules_and_defaults_of_the_file(folder: Path, program: Lint) -> None:
    Path("own.rules").write_text("call cudaGetFlyingSaucerCount(n) => hipGetSaucers($n)\n")
    Path("src/hipify.toml").write_text(
        'rules = ["../own.rules"]\nwarp = "native"\nfail-on = "error"\ninclude = ["*.cu"]\n'
    )
    assert "hipGetSaucers" not in program("src/unknown.cu").out
    made = program("--no-clang", "--config", "src/hipify.toml", "src/unknown.cu", "-o", "-")
    assert (made.status, "hipGetSaucers(0)" in made.out, made.err.count("HPY105")) == (0, True, 0)
    Path("src/hipify.toml").replace("hipify.toml")
    Path("hipify.toml").write_text('rules = "own.rules"\nwarp = "native"\n')
    assert "hipGetSaucers(0)" in program("--no-clang", "src/unknown.cu").out
    assert "__shfl_down_sync(0xffffffffffffffffull" in program("--no-clang", "src/warped.cu").out
    assert "hipify::shfl_down_sync" in program("--no-clang", "--warp", "preserve", "src/warped.cu").out
    assert "hipify::shfl_down_sync" in program("--no-clang", "--no-config", "src/warped.cu").out


def test_warps_by_path_in_translations_and_lint(folder: Path, program: Lint, lint: Lint) -> None:
    Path("other").mkdir()
    Path("other/warped.cu").write_bytes(Path("src/warped.cu").read_bytes())
    Path("hipify.toml").write_text('[per-path-warp]\n"src/" = "native"\n"*/clean.cu" = "report"\n')
    assert program("--no-clang", "--out-dir", ".", "src/warped.cu").status == 0
    assert "__shfl_down_sync(0xffffffffffffffffull" in Path("warped.cu.hip").read_text()
    assert program("--no-clang", "-o", "kept.hip", "other/warped.cu").status == 0
    assert "hipify::shfl_down_sync" in Path("kept.hip").read_text()
    assert "hipify::shfl_down_sync" in program("--no-clang", "--warp", "preserve", "src/warped.cu").out
    Path("hipify.toml").write_text('[per-path-warp]\n"/src/" = "preserve"\n')
    assert lint(".", "--select", "HPY301", "--severity", "warning").places == ["other/warped.cu:3 HPY301"]


def test_findings_that_the_file_leaves_out_are_left_out_of_translations(folder: Path, program: Lint) -> None:
    def reported(text: str) -> list[str]:
        Path("hipify.toml").write_text(text)
        assert program("--no-clang", "src/unknown.cu", "--no-output", "--report", "r.json").status == 0
        return [finding["id"] for finding in json.loads(Path("r.json").read_text())["findings"]]

    assert reported("") == ["HPY105"]
    assert reported('ignore = ["HPY1"]') == []
    assert reported('severity = "error"') == []
    assert reported('select = ["HPY3"]') == []
    assert reported('[per-path-ignores]\n"src/*" = ["HPY105"]') == []
    assert reported('[per-path-ignores]\n"lib/*" = ["HPY105"]') == ["HPY105"]


def test_include_names_the_only_files_of_folders(folder: Path, lint: Lint) -> None:
    Path("hipify.toml").write_text('include = ["src/w*", "/x/"]\n')
    assert lint("src").places == BOTH[1:]
    assert lint("src", "--include", "unknown.cu").places == BOTH
    assert lint("src", "--exclude", "w*").places == []
    assert lint("src/unknown.cu").places == BOTH[:1]


def test_keys_of_conversions_are_known_and_checked(folder: Path, lint: Lint) -> None:
    text = 'suffix = "%s"\nthird-party = "copy"\nthird-party-dirs = ["x"]\nrename-paths = true\ngitignore = false\n'
    Path("hipify.toml").write_text(text % ".hip")
    assert lint("src").places == BOTH
    Path("hipify.toml").write_text(text % ".cpp")
    assert "suffix needs one of .hip, .hip.cpp, same" in lint("src").err


def test_a_mistake_costs_translations_one_line_too(folder: Path, program: Lint) -> None:
    Path("hipify.toml").write_text('[per-path-warp]\n"*" = "wide"\n')
    done = program("src/clean.cu")
    assert (done.status, done.out) == (2, "")
    assert done.err.splitlines() == [
        "hipify-py: error: hipify.toml: per-path-warp: '*' needs one of preserve, native, report (see hipify-py --help)"
    ]


def test_annotations_go_into_the_output(folder: Path, program: Lint) -> None:
    plain, noted = (program("--no-clang", "src/unknown.cu", *more).out for more in ([], ["--annotate"]))
    assert "HPY105" not in plain
    added = [line for line in noted.splitlines() if line not in plain.splitlines()]
    assert [line.split(": ")[0] for line in added] == ["  // HPY105"]
    program("--no-clang", "src/unknown.cu", "--annotate", "--in-place", "--report", "r.json")
    assert json.loads(Path("r.json").read_text())["findings"][0]["output_line"] == 4
    once = Path("src/unknown.cu").read_bytes()
    program("--no-clang", "src/unknown.cu", "--annotate", "--in-place")
    assert Path("src/unknown.cu").read_bytes() == once


@pytest.mark.parametrize("ending", ["html", "json", "sarif", "xml", "txt"])
def test_reports_of_translations_follow_the_ending(folder: Path, program: Lint, ending: str) -> None:
    name = f"report.{ending}"
    assert program("--no-clang", "src/unknown.cu", "src/clean.cu", "--no-output", "--report", name).status == 0
    assert b"HPY105" in Path(name).read_bytes()
    lint_output = program("lint", "--no-clang", "src/unknown.cu", "-o", f"lint.{ending}")
    assert lint_output.status == 0
    assert Path(f"lint.{ending}").read_bytes()[:1] == Path(name).read_bytes()[:1]

"""`hipify-py lint` as its users run it: files, selection, exit status, output, bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import UNKNOWN, WARPED, Lint

BOTH = ["src/unknown.cu:3 HPY105", "src/warped.cu:3 HPY301"]


def test_a_folder_gives_its_findings_in_order_and_writes_nothing(folder: Path, lint: Lint) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*.cu")}
    done = lint("src")
    assert done.status == 1
    assert done.places == BOTH
    assert done.err == "hipify-py: 2 findings (1 error, 1 warning) in 2 of 3 files\n"
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_without_a_path_the_repository_is_linted(folder: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / ".git").mkdir()
    assert lint().places == BOTH
    monkeypatch.chdir(folder / "src")
    assert lint().places == [f"../{place}" for place in BOTH]


def test_files_folders_and_doubles_are_each_linted_once(folder: Path, lint: Lint) -> None:
    assert lint("src/warped.cu", "src", "./src/warped.cu").places == [BOTH[1], BOTH[0]]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--select", "HPY3"], BOTH[1:]),
        (["--select", "hpy301,HPY1"], BOTH),
        (["--ignore", "HPY1"], BOTH[1:]),
        (["--select", "HPY3", "--ignore", "HPY301"], []),
        (["--select", "HPY301", "--ignore", "HPY3"], BOTH[1:]),
        (["--select", "ALL", "--ignore", "HPY105"], BOTH[1:]),
        (["--severity", "error"], BOTH[1:]),
        (["--exclude", "warp*"], BOTH[:1]),
        (["--warp", "preserve", "--severity", "warning"], BOTH[:1]),
    ],
)
def test_which_findings_are_told(folder: Path, lint: Lint, options: list[str], expected: list[str]) -> None:
    assert lint("src", *options).places == expected


@pytest.mark.parametrize(
    ("paths", "fail_on", "status"),
    [
        ("src/unknown.cu", "error", 0),
        ("src/unknown.cu", "warning", 1),
        ("src/warped.cu", "error", 1),
        ("src/warped.cu", "never", 0),
        ("src/clean.cu", "note", 0),
    ],
)
def test_the_exit_status_follows_fail_on(folder: Path, lint: Lint, paths: str, fail_on: str, status: int) -> None:
    assert lint(paths, "--fail-on", fail_on).status == status


def test_findings_depend_on_the_gpus(folder: Path, program: Lint) -> None:
    (folder / "lane.cu").write_text(
        "__global__ void k(int* x) { x[0] = __shfl_sync(~0ull, x[1], 2); x[threadIdx.x & 31] = 1; }\n"
    )
    gfx9 = program("lint", "--format", "json", "lane.cu", "--offload-arch", "gfx942")
    gfx11 = program("lint", "--format", "json", "lane.cu", "--offload-arch", "gfx1100,gfx1201")
    severities = [
        [finding["severity"] for finding in json.loads(done.out)["findings"] if finding["id"] == "HPY304"]
        for done in (gfx9, gfx11)
    ]
    assert severities == [["error"], ["note"]]


def test_hip_sources_are_told_by_their_ending_or_their_includes(folder: Path, lint: Lint) -> None:
    call = "__global__ void k(int* x) { x[0] = __popc(__ballot(x[1])); cudaGetFlyingSaucerCount(); }\n"
    (folder / "a.hip").write_text(call)
    (folder / "b.cpp").write_text(f"#include <hip/hip_runtime.h>\n{call}")
    assert "a.hip:1 HPY303" in lint("a.hip").places
    assert "b.cpp:2 HPY303" in lint("b.cpp").places


def test_the_text_form_shows_the_line_and_what_to_do(folder: Path, program: Lint) -> None:
    done = program("lint", "--no-clang", "src/warped.cu", "--select", "HPY301")
    lines = done.out.splitlines()
    assert lines[0].startswith("src/warped.cu:3:11: error: HPY301 ")
    assert lines[1] == "     3 |   x[0] += __shfl_down_sync(0xffffffff, x[0], 1);"
    assert lines[2] == "       |           ^" + "^" * 36
    assert lines[3].startswith("    fix: ")
    assert "    why: " not in done.out
    assert "    why: " in program("lint", "--no-clang", "src/warped.cu", "-v").out


def test_output_goes_to_a_file_and_reports_beside_it(folder: Path, lint: Lint) -> None:
    done = lint("src", "-o", "out.txt", "--report", "r.json", "--report", "r.sarif", "--statistics")
    assert done.out == ""
    assert [line.split(":")[0] for line in Path("out.txt").read_text().splitlines()] == [
        "src/unknown.cu",
        "src/warped.cu",
    ]
    assert json.loads(Path("r.json").read_text())["summary"]["findings"] == {"error": 1, "warning": 1, "note": 0}
    assert len(json.loads(Path("r.sarif").read_text())["runs"][0]["results"]) == 2
    assert "hipify-py: 1  HPY301  32-bit lane mask given to a warp built-in\n" in done.err


def test_processes_change_nothing(folder: Path, program: Lint) -> None:
    for number in range(20):
        (folder / "src" / f"f{number:02}.cu").write_text(UNKNOWN if number % 2 else WARPED)
    one, three = (program("lint", "--no-clang", "--format", "json", "src", "-j", jobs) for jobs in ("1", "3"))
    assert one.out == three.out
    assert len(json.loads(one.out)["findings"]) == 22


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.cu"], "nowhere.cu: cannot be read: no such file or directory"),
        (["src", "--select", "HPY999"], "--select: no finding has the id HPY999"),
        (["src", "--ignore", "E501"], "--ignore: no finding has the id E501"),
        (["src", "--format", "docx"], "unknown report format 'docx'"),
        (["src", "--offload-arch", "sm_90"], "--offload-arch sm_90: no AMD GPU is named so"),
        (["src", "--target", "1.0"], "unknown ROCm version '1.0'"),
        (["src", "--jobs", "-1"], "--jobs needs a number of processes"),
        (["-", "src"], "standard input cannot be mixed with files"),
        (["src", "-o", "src/warped.cu"], "src/warped.cu: is an input"),
        (["src", "--report", "src/warped.cu", "--report-format", "json"], "src/warped.cu: is an input"),
        (["src", "--baseline", "no.json"], "no.json: cannot be read: no such file or directory"),
        (["src", "--config", "no.toml"], "no.toml: cannot be read: no such file or directory"),
        (["src", "--config", "x.toml", "--no-config"], "--config and --no-config exclude each other"),
        (["src", "--config", "broken.toml"], "broken.toml: is not valid TOML"),
        (["src", "--baseline", "broken.json"], "broken.json: is no baseline"),
        (["src", "--rules", "no.rules"], "no.rules: cannot be read: no such file or directory"),
        (["src", "--rules", "broken.rules"], "broken.rules:1:"),
        (["src", "--diff", "HEAD"], "--diff HEAD: the current folder is in no git repository"),
        (["src", "--report", "no/r.json"], "no/r.json: cannot be written: there is no folder no"),
        (["src", "-o", "no/r.txt"], "no/r.txt: cannot be written: there is no folder no"),
        (["src", "--write-baseline", "src"], "src: cannot be written: is a directory"),
        (["src", "--report", "r.docx"], "r.docx: no report format has this ending"),
        (["loop.cu"], "loop.cu: cannot be read: too many levels of symbolic links"),
        (["src", "--exclude", "!"], "exclude: '!' is no pattern"),
        (["src", "-p", "nowhere"], "nowhere: cannot be read: no such file or directory"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_status_2(
    folder: Path, lint: Lint, arguments: list[str], message: str
) -> None:
    for name in ("broken.toml", "broken.json", "broken.rules"):
        Path(name).write_text("[[[")
    Path("loop.cu").symlink_to("loop.cu")
    done = lint(*arguments)
    assert (done.status, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    assert message.lower() in done.err.lower()
    assert (folder / "src" / "warped.cu").read_text() == WARPED


def test_a_bad_file_is_told_and_the_others_are_linted(folder: Path, lint: Lint) -> None:
    (folder / "src" / "bad.cu").write_bytes(b"int a;\0")
    done = lint("src", "--fail-on", "never")
    assert done.status == 2
    assert done.places == BOTH
    assert "hipify-py: error: src/bad.cu: is a binary file" in done.err
    assert "hipify-py: 2 findings (1 error, 1 warning) in 2 of 3 files; 1 could not be read\n" in done.err


def test_explain_one_a_family_and_all(program: Lint) -> None:
    one = program("explain", "hpy301")
    assert one.status == 0
    assert one.out.startswith("HPY301: 32-bit lane mask given to a warp built-in\n  error by default; 3xx warps")
    assert "__shfl_down_sync(0xffffffff" in one.out
    listing = program("explain")
    assert "\n  HPY301  error    32-bit lane mask given to a warp built-in\n" in listing.out
    entries = json.loads(program("explain", "HPY3", "--json").out)
    assert {entry["id"][:4] for entry in entries} == {"HPY3"}
    assert len(entries) == sum(line.startswith("  HPY3") for line in listing.out.splitlines())


def test_explain_of_an_unknown_id(program: Lint) -> None:
    done = program("explain", "HPY999")
    assert (done.status, done.out) == (2, "")
    assert "no finding has the id HPY999" in done.err

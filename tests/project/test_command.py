"""The subcommand: its plan, its counts, what it says at the end, its reports and its exit status."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.cli.runner import command, environment

from .trees import KERNEL, content, make

LOST = b"#include <cuda_runtime.h>\nint main() { return cudaGetFlyingSaucerCount(0); }\n"
TREE = {
    "src/a.cu": KERNEL,
    "src/lost.cu": LOST,
    "third_party/v.cu": KERNEL,
    "Makefile": b"all:\n\tnvcc -maxrregcount=8 src/a.cu\n",
    "README": b"text\n",
}


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command("convert", "--no-clang", *words), env=environment(), capture_output=True, cwd=folder, text=True
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make(tmp_path / "in", TREE)
    return tmp_path


@pytest.mark.parametrize("words", [("out",), ("out", "--dry-run"), ("out", "--examine"), ("--in-place", "--force")])
def test_a_mistake_in_a_rule_file_ends_the_run(folder: Path, words: tuple[str, ...]) -> None:
    (folder / "my.rules").write_text("call lost(a => \n")
    before = content(folder)
    done = run(folder, "in", *words, "--rules", "my.rules")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("hipify-py: error: my.rules:1:14: expected") and done.stderr.count("\n") == 1
    assert content(folder) == before


def test_a_dry_run_shows_the_plan_and_writes_nothing(folder: Path) -> None:
    done = run(folder, "in", "out", "--dry-run", "--suffix", ".hip")
    assert done.returncode == 0 and done.stderr == ""
    lines = [line.split(maxsplit=1) for line in done.stdout.splitlines()]
    assert ["translate", "src/a.cu -> src/a.hip"] in lines
    assert ["copy", "README"] in lines
    assert "build file     Makefile" in done.stdout and "third party: third_party" in done.stdout
    assert done.stdout.endswith("5 files in in; nothing was written\n")
    assert not (folder / "out").exists()


def test_examine_counts_and_writes_nothing(folder: Path) -> None:
    before = content(folder)
    done = run(folder, "in", "out", "--examine")
    assert done.returncode == 0
    assert "cudaMalloc" in done.stdout and "cudaGetFlyingSaucerCount" in done.stdout
    assert content(folder) == before
    assert run(folder, "in", "--in-place", "--examine", "--fail-on", "warning").returncode == 1
    assert content(folder) == before


def test_the_summary_says_what_became_of_the_files(folder: Path) -> None:
    done = run(folder, "in", "out", "-j2")
    assert done.returncode == 0 and done.stdout == ""
    for line in (
        "5 files: 1 build file, 3 converted, 1 copied; 5 done now in",
        "port rate: ",
        "HPY1xx API names and versions",
        "HPY8xx build files",
        "most work:",
        "0 errors, 1 warning  src/lost.cu",
        "third-party folders: third_party (--third-party convert|copy|skip)",
        "reports: out/.hipify/report",
    ):
        assert f"hipify-py: {line}" in done.stderr or f"  {line}" in done.stderr, line
    again = run(folder, "in", "out")
    assert "5 files: 1 build file, 3 converted, 1 copied; 0 done now in" in again.stderr
    assert [line for line in again.stderr.splitlines() if "port rate" in line] == [
        line for line in done.stderr.splitlines() if "port rate" in line
    ]


def test_reports_lie_beside_the_state_and_cover_every_run(folder: Path) -> None:
    run(folder, "in", "out", "--report", "own.json")
    reports = folder / "out" / ".hipify"
    found = json.loads((reports / "report.json").read_text())
    assert found == json.loads((folder / "own.json").read_text())
    assert {Path(file["path"]).name for file in found["files"]} == {"a.cu", "lost.cu", "v.cu", "Makefile"}
    ids = {finding["id"] for finding in found["findings"]}
    assert "HPY801" in ids and any(name.startswith("HPY1") for name in ids)
    assert json.loads((reports / "report.sarif").read_text())["version"] == "2.1.0"
    assert "<html" in (reports / "report.html").read_text().lower()
    times = {path.name: path.stat().st_mtime_ns for path in reports.glob("report.*")}
    run(folder, "in", "out")
    assert {path.name: path.stat().st_mtime_ns for path in reports.glob("report.*")} == times, "nothing was new"
    (folder / "in" / "src" / "lost.cu").write_bytes(KERNEL)
    run(folder, "in", "out")
    later = json.loads((reports / "report.json").read_text())
    assert len(later["files"]) == 4
    assert not any("FlyingSaucer" in finding["message"] for finding in later["findings"])


def test_reports_that_an_earlier_run_did_not_come_to_are_written_later(folder: Path) -> None:
    run(folder, "in", "out")
    report = folder / "out" / ".hipify" / "report.json"
    (folder / "in" / "src" / "lost.cu").write_bytes(KERNEL)
    run(folder, "in", "out", "--no-reports")
    assert "FlyingSaucer" in report.read_text()
    done = run(folder, "in", "out")
    assert "0 done now" in done.stderr and "FlyingSaucer" not in report.read_text()


def test_the_page_of_a_large_tree_is_made_beside_the_other_reports(folder: Path) -> None:
    make(folder / "in", {f"many/k{n}.cuh": b"cudaStream_t s;\n" for n in range(310)})
    run(folder, "in", "out", "-j2")
    page = (folder / "out" / ".hipify" / "report.html").read_text()
    assert "k309.cuh" in page
    assert len(json.loads((folder / "out" / ".hipify" / "report.json").read_text())["files"]) == 314


def test_quiet_says_nothing_but_conflicts(folder: Path) -> None:
    done = run(folder, "in", "out", "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    out = folder / "out" / "src" / "a.cu"
    out.write_bytes(out.read_bytes().replace(b"&data, 64", b"&data, 1"))
    (folder / "in" / "src" / "a.cu").write_bytes(KERNEL.replace(b"&data, 64", b"&data, 2"))
    done = run(folder, "in", "out", "--quiet")
    assert (done.returncode, done.stderr) == (1, "hipify-py: conflict: src/a.cu\n")
    done = run(folder, "in", "out")
    assert done.returncode == 1 and "conflict: src/a.cu: your changes and the new translation meet" in done.stderr


def test_findings_decide_the_exit_status_on_request(folder: Path) -> None:
    assert run(folder, "in", "out", "--fail-on", "warning").returncode == 1
    assert run(folder, "in", "out", "--fail-on", "warning").returncode == 1, "a second run knows them still"
    assert run(folder, "in", "out", "--fail-on", "error").returncode == 0
    (folder / "in" / "src" / "lost.cu").unlink()
    (folder / "in" / "Makefile").unlink()
    assert run(folder, "in", "out", "--fail-on", "warning").returncode == 0


def test_a_terminal_gets_a_bar_and_a_pipe_gets_lines(folder: Path) -> None:
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        command("convert", "--no-clang", "in", "out"), env={**environment(), "TERM": "xterm", "COLUMNS": "100"},
        stderr=follower, stdout=subprocess.PIPE, cwd=folder,
    )  # fmt: skip
    os.close(follower)
    shown = b""
    while True:
        try:
            block = os.read(leader, 65536)
        except OSError:
            break
        if not block:
            break
        shown += block
    os.close(leader)
    assert process.wait() == 0
    assert b"converting" in shown and b"/5" in shown
    assert b"hipify-py: 5 files" in shown
    plain = run(folder, "in", "out2")
    assert "\x1b" not in plain.stderr and "converting" not in plain.stderr


def test_a_project_says_what_takes_part(folder: Path) -> None:
    (folder / "in" / "pyproject.toml").write_text(
        '[tool.hipify]\nsuffix = ".hip"\nexclude = ["README"]\nthird-party = "skip"\n'
    )
    assert run(folder, "in", "out").returncode == 0
    assert set(content(folder / "out")) == {"Makefile", "pyproject.toml", "src/a.hip", "src/lost.hip"}
    assert run(folder, "in", "other", "--suffix", "same", "--third-party", "copy").returncode == 0
    found = content(folder / "other")
    assert found["third_party/v.cu"] == KERNEL and "src/a.cu" in found


def test_names_that_are_no_text_are_printed_somehow(folder: Path) -> None:
    (folder / "in" / os.fsdecode(b"caf\xe9.cu")).write_bytes(LOST)
    done = run(folder, "in", "out")
    assert done.returncode == 0 and "caf\ufffd.cu" in done.stderr
    assert os.fsencode("out") in [os.fsencode(path.name) for path in folder.iterdir()]
    assert (folder / "out" / os.fsdecode(b"caf\xe9.cu")).exists()

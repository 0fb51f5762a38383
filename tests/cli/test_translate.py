"""The program as its users run it: outputs, exit statuses, messages."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from .runner import CUDA, UNKNOWN, names, run

FINDING = re.compile(rb"^unknown\.cu:2:21: (error|warning|note): HPY1\d\d .*cudaGetFlyingSaucerCount", re.MULTILINE)
SUMMARY = re.compile(
    rb"^hipify-py: \S.*: \d+ changes?, \d+ findings? \(\d+ errors?, \d+ warnings?(, \d+ notes?)?\)$", re.MULTILINE
)


def test_one_file_goes_to_standard_output_and_the_rest_to_standard_error(folder: Path) -> None:
    done = run(folder, "good.cu")
    assert done.returncode == 0
    assert b"hipMalloc(&data, 64);\n" in done.stdout
    assert b"#include <hip/hip_runtime.h>\n" in done.stdout
    assert b"cuda" not in done.stdout
    assert SUMMARY.fullmatch(done.stderr.rstrip(b"\n"))
    assert names(folder) == ["good.cu", "unknown.cu"]


def test_a_finding_is_a_line_that_editors_can_follow(folder: Path) -> None:
    done = run(folder, "unknown.cu")
    assert done.returncode == 0
    assert FINDING.search(done.stderr)
    assert len(done.stderr.splitlines()) == 2


def test_nothing_is_written_beside_a_pipe(folder: Path) -> None:
    (folder / "warp.cu").write_text("__global__ void k(int* x) { x[0] = __shfl_sync(0xffffffff, x[0], 1); }\n")
    os.mkfifo(folder / "pipe")
    reader = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        done = run(folder, "warp.cu", "-o", "pipe")
        assert b"hipify::shfl_sync" in os.read(reader, 65536)
    finally:
        os.close(reader)
    assert done.returncode == 0
    assert b"note: the output includes hipify_warp.h, which is written beside it with -o FILE\n" in done.stderr
    assert names(folder) == ["good.cu", "pipe", "unknown.cu", "warp.cu"]


def test_standard_input(folder: Path) -> None:
    assert run(folder, "-", data=CUDA).stdout == run(folder, "good.cu").stdout
    assert b"<stdin>:2:21: " in run(folder, "-", data=UNKNOWN).stderr


def test_bytes_come_out_as_they_went_in(folder: Path) -> None:
    data = b"\xef\xbb\xbf// \xff\xfe\xe9\r\nint a; // no CUDA\r\n\x0c"
    assert run(folder, "-", data=data).stdout == data
    assert run(folder, "-", data=b"").stdout == b""


def test_output_file_keeps_the_mode_of_the_input(folder: Path) -> None:
    (folder / "good.cu").chmod(0o700)
    done = run(folder, "good.cu", "-o", "out.hip")
    assert done.stdout == b""
    assert b"good.cu -> out.hip: " in done.stderr
    assert (folder / "out.hip").read_bytes() == run(folder, "good.cu").stdout
    assert (folder / "out.hip").stat().st_mode & 0o777 == 0o700
    assert names(folder) == ["good.cu", "out.hip", "unknown.cu"]


def test_output_folder(folder: Path) -> None:
    (folder / "out").mkdir()
    done = run(folder, "good.cu", "unknown.cu", "-o-dir", "out")
    assert done.returncode == 0
    assert names(folder / "out") == ["good.cu.hip", "unknown.cu.hip"]
    assert done.stderr.splitlines()[-1].startswith(b"hipify-py: 2 files: ")


def test_in_place_keeps_the_original_and_is_done_once(folder: Path) -> None:
    (folder / "good.cu").chmod(0o640)
    assert run(folder, "-inplace", "good.cu").returncode == 0
    translated = (folder / "good.cu").read_bytes()
    assert b"hipMalloc" in translated
    assert (folder / "good.cu.prehip").read_bytes() == CUDA
    assert [(folder / name).stat().st_mode & 0o777 for name in ("good.cu", "good.cu.prehip")] == [0o640, 0o640]
    before = (folder / "good.cu").stat()
    assert run(folder, "--in-place", "good.cu").returncode == 0
    assert (folder / "good.cu").stat() == before
    assert names(folder) == ["good.cu", "good.cu.prehip", "unknown.cu"]


def test_in_place_never_loses_a_second_original(folder: Path) -> None:
    run(folder, "-inplace", "good.cu")
    (folder / "good.cu").write_bytes(UNKNOWN + CUDA)
    run(folder, "-inplace", "good.cu")
    assert (folder / "good.cu.prehip").read_bytes() == CUDA
    assert (folder / "good.cu.prehip.1").read_bytes() == UNKNOWN + CUDA


def test_in_place_without_backup(folder: Path) -> None:
    assert run(folder, "-inplace", "-no-backup", "good.cu").returncode == 0
    assert b"hipMalloc" in (folder / "good.cu").read_bytes()
    assert names(folder) == ["good.cu", "unknown.cu"]


def test_no_output_and_examine(folder: Path) -> None:
    quiet = run(folder, "-no-output", "good.cu")
    assert (quiet.stdout, quiet.returncode) == (b"", 0)
    assert b"CONVERTED refs count" not in quiet.stderr
    examined = run(folder, "-examine", "good.cu")
    assert (examined.stdout, examined.returncode) == (b"", 0)
    assert re.search(rb"\[HIPIFY\] info: file 'good.cu' statistics:\n  CONVERTED refs count: [1-9]", examined.stderr)
    assert re.search(rb"^  UNCONVERTED refs count: 0$", examined.stderr, re.MULTILINE)
    assert re.search(rb"^  cudaMalloc: 1$", examined.stderr, re.MULTILINE)
    assert names(folder) == ["good.cu", "unknown.cu"]


def test_statistics_as_csv(folder: Path) -> None:
    run(folder, "-examine", "-print-stats-csv", "good.cu")
    assert b"CONVERTED refs count;" in (folder / "good.cu.csv").read_bytes()
    run(folder, "-no-output", "-o-stats=all.csv", "good.cu", "unknown.cu")
    text = (folder / "all.csv").read_text()
    assert "file 'unknown.cu' statistics:" in text
    assert "PROCESSED files;2" in text
    assert "cudaGetFlyingSaucerCount;1" in text


def test_json_report(folder: Path) -> None:
    done = run(folder, "unknown.cu", "good.cu", "missing.cu", "-no-output", "--report", "r.json")
    assert done.returncode == 2
    report = json.loads((folder / "r.json").read_bytes())
    assert report["version"] == 1
    assert [file["path"] for file in report["files"]] == ["unknown.cu", "good.cu", "missing.cu"]
    assert "cannot be read" in report["files"][2]["error"]
    (finding,) = report["findings"]
    assert (finding["file"], finding["line"], finding["column"]) == ("unknown.cu", 2, 21)
    assert (finding["end_line"], finding["end_column"]) == (2, 45)


def test_a_report_may_go_to_standard_output_when_nothing_else_does(folder: Path) -> None:
    done = run(folder, "unknown.cu", "-no-output", "--report", "-", "--report-format=json")
    assert json.loads(done.stdout)["findings"]
    assert run(folder, "unknown.cu", "--report", "-", "--report-format=json").returncode == 2


def test_fail_on_chooses_the_exit_status_and_the_output_is_written_all_the_same(folder: Path) -> None:
    failing = run(folder, "unknown.cu", "-o", "out.hip", "--fail-on", "note")
    assert failing.returncode == 1
    assert b"#include <hip/hip_runtime.h>" in (folder / "out.hip").read_bytes()
    assert run(folder, "unknown.cu", "--fail-on=never").returncode == 0
    assert run(folder, "good.cu", "--fail-on=note").returncode == 0


@pytest.mark.parametrize("flag", ["-whitelist=cudaGetFlyingSaucerCount", "-whitelist=a,cudaGetFlyingSaucerCount"])
def test_whitelisted_names_are_no_findings(folder: Path, flag: str) -> None:
    done = run(folder, "unknown.cu", flag, "--fail-on=note")
    assert done.returncode == 0
    assert len(done.stderr.splitlines()) == 1


def test_quiet_warnings_prints_errors_alone_and_still_counts(folder: Path) -> None:
    loud, quiet = run(folder, "unknown.cu"), run(folder, "unknown.cu", "-quiet-warnings")
    assert quiet.stderr.splitlines()[-1] == loud.stderr.splitlines()[-1]
    shown = [line for line in loud.stderr.splitlines()[:-1] if b": error: " in line]
    assert quiet.stderr.splitlines()[:-1] == shown


def test_kept_launches(folder: Path) -> None:
    assert b"hipLaunchKernelGGL(" in run(folder, "good.cu").stdout
    kept = run(folder, "good.cu", "-cuda-kernel-execution-syntax").stdout
    assert b"fill<<<1, 16>>>(data);" in kept


def test_excluded_files_are_named(folder: Path) -> None:
    done = run(folder, "-exclude-files=unknown.cu", "-no-output", "good.cu", "unknown.cu")
    assert done.returncode == 0
    assert b"unknown.cu is excluded" in done.stderr


def test_verbose_tells_why_and_how(folder: Path) -> None:
    done = run(folder, "unknown.cu", "-v", "--no-clang")
    assert b"read with tokens only" in done.stderr
    assert b"    seen by: lexical" in done.stderr


def test_translate_may_be_named(folder: Path) -> None:
    assert run(folder, "translate", "good.cu").stdout == run(folder, "good.cu").stdout
    (folder / "translate").write_bytes(CUDA)
    assert run(folder, "./translate").stdout == run(folder, "good.cu").stdout


@pytest.mark.parametrize("flag", ["-version", "--version", "-versions", "--versions"])
def test_versions(folder: Path, flag: str) -> None:
    done = run(folder, flag)
    assert done.returncode == 0
    assert done.stdout.startswith(b"hipify-py 0.")
    assert (b"ROCm targets: " in done.stdout) == ("versions" in flag)

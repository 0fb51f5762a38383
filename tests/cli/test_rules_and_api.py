"""`hipify-py rules` and `hipify-py api`."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.cli.main import main


def test_a_good_rule_file_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.rules"
    path.write_text("keep cudaA\nrename cudaB => hipB\n")
    assert main(["rules", "--check", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: 2 rules\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [("call f(a\n", ":1:9: expected "), ("keep cudaA\ncall f => \n", ":2:8: expected what to write behind =>")],
)
def test_a_mistake_is_one_line_and_exit_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    path = tmp_path / "a.rules"
    path.write_text(text)
    assert main(["rules", "-check", str(path)]) == 2
    captured = capsys.readouterr()
    assert f"{path}{message}" in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_check_needs_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--check"]) == 2
    assert "--check needs a rule file" in capsys.readouterr().err


def test_the_rules_of_a_name_are_shown_with_their_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.rules"
    path.write_text("call cudaMallocHost(p)\n    => mine($p)\nkeep x\n")
    assert main(["rules", "cudaMallocHost", "--rules", str(path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{path}:1:\n    call cudaMallocHost(p)\n        => mine($p)\nruntime.rules:")
    assert "hipHostMalloc($ptr, $size, $flags)" in out
    assert main(["rules", "cudaNobody"]) == 1
    assert capsys.readouterr().out == "cudaNobody: no rule\n"
    assert main(["rules"]) == 0
    assert "calls/runtime.rules" in capsys.readouterr().out


def test_api_tells_what_a_name_becomes_by_release(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "cudaMallocHost", "cudaEventCreate"]) == 0
    out = capsys.readouterr().out
    assert "cudaMallocHost: function of runtime" in out
    assert "ROCm 5.7   hipHostMalloc" in out
    assert "call cudaMallocHost(ptr, size, flags = hipHostMallocDefault) => hipHostMalloc($ptr, $size, $flags)" in out
    assert "hipEventCreateWithFlags($event, $flags)" in out
    assert main(["api", "cudaMemPrefetchAsync_v2", "--target", "6.4"]) == 0
    assert "hipMemPrefetchAsync_v2 as of 7.2" in capsys.readouterr().out


def test_api_knows_headers_and_members(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "cuda_fp16.h", "mpsEnabled", "--target", "7.2"]) == 0
    out = capsys.readouterr().out
    assert "ROCm 7.2   hip/hip_fp16.h" in out
    assert "cudaDeviceProp::mpsEnabled: HIP's struct has no such member" in out


def test_api_names_a_near_miss(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "cudaMalocHost"]) == 1
    assert capsys.readouterr().out == "cudaMalocHost: no table knows it; did you mean cudaMallocHost?\n"


def test_api_coverage_has_a_row_for_each_library(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "--coverage", "--target", "7.2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["library", "names", "ROCm", "7.2"]
    runtime = next(line.split() for line in lines if line.startswith("runtime"))
    assert int(runtime[2]) > 0.5 * int(runtime[1]) > 0


@pytest.mark.parametrize("arguments", [[], ["--target", "1.0", "x"]])
def test_api_usage_errors(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1

"""The ROCm release that is written for, and the CUDA release that is read: who decides, and that it is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hipify.cli.main import main
from hipify.cli.releases import CUDA, TARGET, installed_cuda, installed_target
from hipify.model import DEFAULT_TARGET
from tests.test_installed import amd, debian, hipcc, put

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def rocm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: Path) -> Path:
    """ROCm 6.4 as AMD installs it, found through ROCM_PATH; nothing else of the machine is asked."""
    prefix = amd(tmp_path / "machine", "6.4.1")
    monkeypatch.delenv(TARGET)
    monkeypatch.delenv("HIPCC", raising=False)
    monkeypatch.setenv("ROCM_PATH", str(prefix))
    return prefix


@pytest.mark.parametrize(
    ("release", "target"),
    [("5.7.1", "5.7"), ("6.0.2", "5.7"), ("6.4.0", "6.4"), ("7.1.0", "6.4"), ("7.2.0", "7.2"), ("8.3.0", "7.2"),
     ("10.1.0", "10.0")],
)  # fmt: skip
def test_the_nearest_target_that_is_not_newer(tmp_path: Path, release: str, target: str) -> None:
    amd(tmp_path, release)
    choice = installed_target({}, str(tmp_path))
    assert choice.release == target
    assert choice.origin.startswith(f"from the installed HIP {'.'.join(release.split('.')[:2])} (")


def test_an_older_installation_leaves_the_newest(tmp_path: Path) -> None:
    debian(tmp_path, 5, 2)
    choice = installed_target({}, str(tmp_path))
    assert choice.release == DEFAULT_TARGET
    assert "HIP 5.2" in choice.origin
    assert "older" in choice.origin


def test_no_hipcc_and_one_of_unknown_release_leave_the_newest(tmp_path: Path) -> None:
    assert installed_target({}, str(tmp_path))[:2] == (DEFAULT_TARGET, "the newest known, as no hipcc is installed")
    hipcc(tmp_path / "usr" / "bin" / "hipcc")
    choice = installed_target({}, str(tmp_path))
    assert choice.release == DEFAULT_TARGET
    assert f"nothing tells the release of {tmp_path}/usr/bin/hipcc" in choice.origin


@pytest.mark.usefixtures("rocm")
def test_what_a_translation_is_for_is_told(capsys: Capture) -> None:
    assert main(["good.cu", "-o", "good.hip", "--report", "r.json", "--report", "r.sarif", "--report", "r.html"]) == 0
    assert "hipify-py: note: the target is ROCm 6.4: from the installed HIP 6.4 (" in capsys.readouterr().err
    report = json.loads(Path("r.json").read_text())
    assert report["target"] == "6.4"
    assert "found by ROCM_PATH" in report["target_origin"]
    properties = json.loads(Path("r.sarif").read_text())["runs"][0]["invocations"][0]["properties"]
    assert properties["target"] == "6.4"
    assert "found by ROCM_PATH" in properties["targetOrigin"]
    assert "for ROCm 6.4 (from the installed HIP 6.4" in Path("r.html").read_text()


@pytest.mark.usefixtures("rocm")
def test_the_installed_release_decides_names(capsys: Capture) -> None:
    Path("new.cu").write_text("#include <cuda.h>\nvoid f(void* p) { cudaMemAdvise_v2(p, 1, a, l); }\n")
    main(["new.cu"])
    here = capsys.readouterr().out
    main(["new.cu", "--target", "6.4"])
    assert here == capsys.readouterr().out
    main(["new.cu", "--target", "7.2"])
    newest = capsys.readouterr().out
    assert "hipMemAdvise_v2" in newest
    assert "hipMemAdvise_v2" not in here


@pytest.mark.usefixtures("rocm")
def test_the_command_line_and_the_settings_decide_before_the_machine(capsys: Capture) -> None:
    assert main(["lint", "good.cu", "--target", "5.7", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["target"], told["target_origin"]) == ("5.7", "--target")
    Path("hipify.toml").write_text('target = "7.2"\ncuda-version = "11.8"\n')
    assert main(["lint", "good.cu", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["target"], told["target_origin"]) == ("7.2", "hipify.toml")
    assert (told["cuda_version"], told["cuda_version_origin"]) == ("11.8", "hipify.toml")


@pytest.mark.usefixtures("rocm")
def test_lint_tells_a_target_that_is_not_the_newest(capsys: Capture) -> None:
    assert main(["lint", "good.cu"]) == 0
    assert "note: the target is ROCm 6.4: from the installed" in capsys.readouterr().err


@pytest.mark.usefixtures("rocm")
def test_a_conversion_is_for_the_installed_release(tmp_path: Path, capsys: Capture) -> None:
    put(tmp_path / "source" / "good.cu", Path("good.cu").read_text())
    assert main(["convert", "source", "out"]) == 0
    assert "the target is ROCm 6.4: from the installed" in capsys.readouterr().err
    told = json.loads((tmp_path / "out" / ".hipify" / "report.json").read_text())
    assert told["target"] == "6.4"
    assert "found by ROCM_PATH" in told["target_origin"]


@pytest.mark.usefixtures("rocm")
def test_a_shim_is_for_the_installed_release() -> None:
    assert main(["shim", "good.cu", "-q"]) == 0
    assert "for ROCm 6.4." in Path("cuda_to_hip.h").read_text()


@pytest.mark.usefixtures("rocm")
def test_api_marks_the_installed_release(capsys: Capture) -> None:
    assert main(["api", "cudaMalloc"]) == 0
    marked = [line for line in capsys.readouterr().out.splitlines() if line.startswith("*")]
    assert marked == ["* ROCm 6.4   hipMalloc"]


@pytest.mark.usefixtures("rocm")
def test_versions_tell_the_default(capsys: Capture) -> None:
    assert main(["--versions"]) == 0
    assert "(default here 6.4: from the installed HIP 6.4 (" in capsys.readouterr().out


def test_verbose_tells_the_newest_too(folder: Path, capsys: Capture) -> None:
    assert main([str(folder / "good.cu"), "-v", "-o", "x.hip"]) == 0
    err = capsys.readouterr().err
    assert f"note: the target is ROCm {DEFAULT_TARGET}: {TARGET}" in err
    assert f"note: the input is for CUDA of no known release: {CUDA}" in err


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [(TARGET, "9.9", "unknown ROCm version '9.9'"), (CUDA, "new", "not a CUDA version: 'new'")],
)
def test_a_wrong_release_in_the_environment(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture, variable: str, value: str, message: str
) -> None:
    monkeypatch.setenv(variable, value)
    assert main([str(folder / "good.cu"), "--no-output"]) == 2
    assert capsys.readouterr().err.startswith(f"hipify-py: error: {variable}: {message}")


def test_the_toolkit_tells_the_cuda_release(tmp_path: Path) -> None:
    assert installed_cuda({}, str(tmp_path))[:2] == ("", "no CUDA toolkit is installed")
    put(tmp_path / "usr/local/cuda/version.json", '{"cuda": {"version": "12.4.1"}}')
    choice = installed_cuda({}, str(tmp_path))
    assert choice.release == "12.4"
    assert choice.origin.startswith("from the installed toolkit (")
    assert installed_cuda({CUDA: "13.0"}, str(tmp_path)).release == "13.0"
    assert installed_cuda({CUDA: "none"}, str(tmp_path)).release == ""

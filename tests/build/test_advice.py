"""What is told beside a compiler's messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.cli import build_session
from hipify.cli.main import main
from tests.cli.runner import CUDA

from .machines import machine, program, rocm

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("name", ["gfx9999", "gfx90a:zeal+"])
def test_a_gpu_that_the_compiler_does_not_know_is_one_line_and_no_finding(
    folder: Path, capsys: Capture, name: str
) -> None:
    report = ["--report", "out", "--report-format", "json"]
    assert main(["build", "good.cu", "--check", "--offload-arch", f"gfx1100,{name}", *report]) == 2
    told = capsys.readouterr().err
    assert f"does not know {name}; --offload-arch chooses\n" in told
    assert "HPY901" not in told + (folder / "out").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--offload-arch", "sm_90"], "sm_90: is no AMD GPU (gfx90a, ...); --platform nvidia builds for it"),
        (["--offload-arch", "MI300"], "MI300: is no AMD GPU (gfx90a, ...)"),
        (["--offload-arch", "gfx90a", "--platform", "nvidia"], "gfx90a: is no NVIDIA GPU (sm_90, ...)"),
    ],
)
def test_a_name_that_no_compiler_can_know_is_refused_at_once(
    folder: Path, capsys: Capture, words: list[str], message: str
) -> None:
    assert main(["build", "good.cu", *words]) == 2
    assert f"hipify-py: error: --offload-arch {message}" in capsys.readouterr().err


def test_verify_says_it_too(folder: Path, capsys: Capture) -> None:
    (folder / "tree").mkdir()
    (folder / "tree/a.hip").write_text("#include <hip/hip_runtime.h>\n__global__ void k() {}\n")
    assert main(["verify", "tree", "--offload-arch", "gfx9999"]) == 2
    assert "does not know gfx9999; --offload-arch chooses\n" in capsys.readouterr().err
    assert main(["verify", "tree", "--offload-arch", "sm_90"]) == 2
    assert "sm_90: is no AMD GPU" in capsys.readouterr().err


def test_a_missing_header_comes_with_what_installs_it(folder: Path, capsys: Capture) -> None:
    (folder / "net.cu").write_bytes(b"#include <cudnn.h>\n" + CUDA)
    assert main(["build", "net.cu", "--check", "--miopen", "--offload-arch", "gfx90a"]) == 1
    told = capsys.readouterr().err
    assert "net.cu:1:10: error: HPY903 miopen/miopen.h is not on this machine (MIOpen)\n" in told
    assert "error: HPY901 hipcc: 'miopen/miopen.h' file not found; foretold by HPY903\n" in told
    assert "hipify-py: note: miopen/miopen.h: " in told and "libmiopen-dev" in told


def test_a_library_that_the_linker_lacks_comes_with_what_installs_it(folder: Path, capsys: Capture) -> None:
    assert main(["build", "good.cu", "-o", "prog", "--offload-arch", "gfx90a", "--", "-lnccl"]) == 1
    told = capsys.readouterr().err
    assert "error: HPY901 hipcc: library not found: rccl\n" in told
    assert "hipify-py: note: -lrccl: " in told and "librccl-dev" in told


def test_a_clang_in_the_place_of_hipcc_is_told(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    root = tmp_path / "machine"
    prefix = rocm(root / "opt/rocm")
    program(
        prefix / "bin/hipcc", err="hipcc: libc.so.6: version `GLIBC_2.38' not found (required by hipcc)\n", status=1
    )
    program(prefix / "llvm/bin/clang++", "clang version 19.0.0\n")
    monkeypatch.setattr(build_session, "this_machine", lambda: machine(root))
    assert main(["build", "good.cu", "--check"]) == 0
    assert (
        f"hipify-py: note: {prefix}/bin/hipcc does not start (it needs GLIBC_2.38, which this system has not): "
        f"{prefix}/llvm/bin/clang++ was called in its place\n"
    ) in capsys.readouterr().err


@pytest.mark.parametrize(
    ("archs", "strange"),
    [
        ("gfx90a,gfx1100", []),
        ("gfx942:xnack-,gfx9-4-generic", []),
        ("gfx90a,gfx7777", ["gfx7777"]),
        ("sm_90", ["sm_90"]),
    ],
)
def test_a_plain_translation_names_gpus_that_no_finding_knows(
    folder: Path, capsys: Capture, archs: str, strange: list[str]
) -> None:
    assert main(["good.cu", "--no-output", "--offload-arch", archs]) == 0
    notes = [line for line in capsys.readouterr().err.splitlines() if "--offload-arch" in line]
    assert notes == [
        f"hipify-py: note: --offload-arch {name}: `hipify-py arch` has no such GPU, findings may miss it"
        for name in strange
    ]
    (folder / "image.cu").write_bytes(
        b"#include <cuda_runtime.h>\n__global__ void k(cudaTextureObject_t t, float* x) { *x = tex2D<float>(t, 0, 0); }\n"
    )
    assert main(["image.cu", "--no-output", "--offload-arch", "gfx1100,gfx942"]) == 0
    assert "HPY502" in capsys.readouterr().err  # a comma list is a list

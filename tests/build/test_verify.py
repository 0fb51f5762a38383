"""`hipify-py verify` on trees that `convert` made, with the distribution's own hipcc."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from hipify.build.machine import Machine
from hipify.build.toolchain import find, target_for, this_machine
from hipify.cli import verifying
from hipify.cli.main import main
from tests.cli.runner import CUDA

from .machines import machine, recorder, rocm

Capture = pytest.CaptureFixture[str]

HEADER = b"""#pragma once
#include <device_launch_parameters.h>
__global__ void scale(float *p, float by);
inline void scaled(float *p) {
  scale<<<1, 32>>>(p, 2.0f);
  no_such_call(p);
}
"""
SOURCE = b"""#include <cuda_runtime.h>
#include <util/scale.cuh>

__global__ void scale(float *p, float by) { p[threadIdx.x] *= by; }

int main() {
  cudaFree(nullptr);
  return cudaGetFlyingSaucerCount(0);
}
"""
FINE = b"""#include <cuda_runtime.h>
int fine() {
  cudaDeviceSynchronize();
  return 0;
}
"""


def own_target() -> str:
    """The release that the hipcc here compiles."""
    tool = find(this_machine())
    assert tool is not None
    return target_for(tool.hip)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a tree of two units and a header, and its conversion `out`."""
    for name, text in (("src/main.cu", SOURCE), ("lib/fine.cu", FINE), ("include/util/scale.cuh", HEADER)):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(text)
    monkeypatch.chdir(tmp_path)
    assert main(["convert", "in", "out", "--quiet", "--target", own_target()]) == 0
    return tmp_path


def verified(capsys: Capture, *words: str) -> tuple[int, list[str]]:
    """The exit status of verify, and what it prints."""
    capsys.readouterr()
    status = main(["verify", "out", "--offload-arch", "gfx90a", *words])
    return status, capsys.readouterr().out.splitlines()


def test_the_port_rate_the_causes_and_what_is_missing(folder: Path, capsys: Capture) -> None:
    status, lines = verified(capsys)
    assert status == 1
    assert lines[0].startswith("port rate: 1 of 2 translation units compile (50.0 %): hipcc (HIP ")
    assert lines[0].endswith(", gfx90a, syntax only")
    assert lines[1].startswith("converted: ")
    assert lines[2:] == [
        "causes: 2 of 2 errors in 2 files",
        "     1  use of undeclared identifier 'cudaGetFlyingSaucerCount' (HPY105 foretold it): in/src/main.cu:8",
        "     1  use of undeclared identifier 'no_such_call' (no finding foretold this): in/include/util/scale.cuh:6",
    ]


def test_a_tree_that_compiles_with_code_for_the_gpu(folder: Path, capsys: Capture) -> None:
    (folder / "in/src/main.cu").write_bytes(CUDA)
    (folder / "in/include/util/scale.cuh").unlink()
    assert main(["convert", "in", "out", "--quiet", "--target", own_target()]) == 0
    status, lines = verified(capsys, "--full")
    assert status == 0
    assert lines[0].startswith("port rate: 2 of 2 translation units compile (100.0 %)")
    assert lines[0].endswith("with code for the GPU")
    assert len(lines) == 2


def test_a_tree_for_another_release_than_the_compilers(folder: Path, capsys: Capture) -> None:
    other = "7.2" if own_target() != "7.2" else "6.4"
    assert main(["convert", "in", "out", "--quiet", "--target", other]) == 0
    _, lines = verified(capsys)
    assert lines[1].startswith(f"written for: ROCm {other}, and compiled with HIP ")
    assert lines[1].endswith(f": `convert --target {own_target()}` writes for that")


def test_lines_are_exact_where_a_person_changed_the_output(folder: Path, capsys: Capture) -> None:
    out = folder / "out/src/main.cu"
    text = out.read_bytes()
    assert b"\n\n__global__" in text
    out.write_bytes(b"// a line\n// and another\n" + text.replace(b"\n\n__global__", b"\n\nint added;\n__global__"))
    _, lines = verified(capsys)
    assert any("cudaGetFlyingSaucerCount" in line and line.endswith(": in/src/main.cu:8") for line in lines)


def test_reports_hold_the_findings_of_both(folder: Path, capsys: Capture) -> None:
    verified(capsys, "--report", "r.json")
    found = json.loads((folder / "r.json").read_text())["findings"]
    assert {(f["id"], f["file"], f["line"]) for f in found} == {
        ("HPY105", "in/src/main.cu", 8),
        ("HPY901", "in/src/main.cu", 8),
        ("HPY901", "in/include/util/scale.cuh", 6),
    }


def test_each_error_with_both_texts(folder: Path, capsys: Capture) -> None:
    assert main(["verify", "out", "-v"]) == 1
    assert (
        "in/src/main.cu:8:10: error: HPY901 hipcc: use of undeclared identifier 'cudaGetFlyingSaucerCount'; foretold by "
        "HPY105\n    CUDA 8: return cudaGetFlyingSaucerCount(0);\n    HIP 8: return cudaGetFlyingSaucerCount(0);\n"
    ) in capsys.readouterr().err


def test_errors_in_headers_of_any_name_come_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("a.cu", b'#include "sub/body.ch"\n'), ("deep/sub/body.ch", HEADER)):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(text)
    assert main(["convert", "in", "out", "--quiet", "--target", own_target()]) == 0
    status, lines = verified(capsys)
    assert status == 1
    assert (
        "     1  use of undeclared identifier 'no_such_call' (no finding foretold this): in/deep/sub/body.ch:6" in lines
    )


def test_a_tree_converted_in_place_has_its_lines_from_git(folder: Path, capsys: Capture) -> None:
    tree = folder / "in"
    (tree / "src/main.cu").write_bytes(SOURCE.replace(b"#include <cuda_runtime.h>\n", b"#include <cuda_fp16.h>\n" * 3))
    for command in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
        subprocess.run(["git", "-C", str(tree), *command], check=True)
    assert main(["convert", "--in-place", "in", "--quiet"]) == 0
    capsys.readouterr()
    assert main(["verify", "in", "-v"]) == 1
    assert "in/src/main.cu:10:10: error: HPY901 hipcc: use of undeclared identifier 'cuda" in capsys.readouterr().err


def test_flags_come_from_the_trees_database(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = machine(tmp_path / "machine")
    recorder(rocm(here.root / "opt/rocm") / "bin/hipcc", tmp_path / "log")
    monkeypatch.setattr(verifying, "this_machine", lambda: here)
    entry = {"file": "src/main.cu", "directory": str(folder / "in"), "command": "nvcc -DFROM_DATABASE -c src/main.cu"}
    (folder / "in/compile_commands.json").write_text(json.dumps([entry]))
    assert main(["convert", "in", "out", "--quiet"]) == 0
    assert main(["verify", "out"]) == 0
    log = (tmp_path / "log").read_text()
    assert log.count("-DFROM_DATABASE") == 1
    assert f"-I{folder}/out/include " in log, "the folder that nobody named and an include needs"
    assert log.count("-fsyntax-only") == 2


def test_flags_come_from_makefiles(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = machine(tmp_path / "machine")
    recorder(rocm(here.root / "opt/rocm") / "bin/hipcc", tmp_path / "log")
    monkeypatch.setattr(verifying, "this_machine", lambda: here)
    (folder / "in/src/Makefile").write_text("main.o: main.cu\n\tnvcc -DFROM_MAKE -arch=sm_70 -c main.cu -o main.o\n")
    assert main(["convert", "in", "out", "--quiet"]) == 0
    assert main(["verify", "out", "--makefiles"]) == 0
    assert (tmp_path / "log").read_text().count("-DFROM_MAKE") == 1


def test_a_header_that_is_missing_is_named_with_what_installs_it(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "in/lib/fine.cu").write_bytes(b"#include <nccl.h>\n" + FINE)
    assert main(["convert", "in", "out", "--quiet"]) == 0
    monkeypatch.setattr(verifying, "this_machine", Machine)
    monkeypatch.setattr(Machine, "distribution", "fedora")
    _, lines = verified(capsys)
    assert "missing:" in lines
    assert "  header rccl/rccl.h (1 time): dnf install rccl-devel" in lines


def test_a_tree_that_nobody_converted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "out/a.hip").write_text("#include <hip/hip_runtime.h>\nint f() { return nothing; }\n")
    (tmp_path / "out/plain.cpp").write_text("this is no unit of HIP\n")
    status, lines = verified(capsys)
    assert status == 1
    assert lines[0].startswith("port rate: 0 of 1 translation units compile (0.0 %)")
    assert lines[2].endswith("use of undeclared identifier 'nothing' (no finding foretold this): out/a.hip:2")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "verify needs one folder"),
        (["nowhere"], "nowhere: is no folder"),
        (["empty"], "empty: holds no HIP source"),
    ],
)
def test_bad_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture, words: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    assert main(["verify", *words]) == 2
    assert message in capsys.readouterr().err


def test_no_hipcc_is_an_error(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(verifying, "this_machine", lambda: machine(tmp_path / "bare"))
    assert main(["verify", "out"]) == 2
    assert capsys.readouterr().err == "hipify-py: error: no hipcc is here; `hipify-py doctor` says what installs it\n"

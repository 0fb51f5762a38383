"""Programs that real compilers made are run and compared; the GPU that the machine shows is made up.

A program that asks for the GPU ends with its own word for "no device"; one that computes on the host does its work.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from hipify.build.machine import Machine
from hipify.cli import build_session
from hipify.cli.main import main

from .machines import program, with_gpus

Capture = pytest.CaptureFixture[str]
HOST = b"""\
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv)
{
    const int steps = argc > 1 ? std::atoi(argv[1]) : 10;
    double sum = 0;
    for (int i = 1; i <= steps; ++i) sum += 1.0 / (double(i) * i);
    std::printf("%d steps\\nsum %.9f\\n", steps, sum SCALE);
    if (argc > 2) std::abort();
    return steps % 7;
}
"""
ASKS = b"""\
#include <cuda_runtime.h>
#include <cstdio>

__global__ void twice(int* x) { *x *= 2; }

int main()
{
    int* x = nullptr;
    int devices = 0;
    cudaError_t status = cudaGetDeviceCount(&devices);
    if (status != cudaSuccess) {
        std::printf("no device: %s\\n", cudaGetErrorName(status));
        return 41;
    }
    cudaMalloc(&x, sizeof(int));
    twice<<<1, 1>>>(x);
    std::printf("done\\n");
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 42;
}
"""


COMPILES = b"""\
#include <nvrtc.h>
#include <cstdio>

int main()
{
    nvrtcProgram made;
    const nvrtcResult created = nvrtcCreateProgram(&made, "__global__ void none() {}", "none.cu", 0, nullptr, nullptr);
    std::printf("%s\\n", nvrtcGetErrorString(created));
    return created == NVRTC_SUCCESS ? 0 : 43;
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, on a machine whose compilers are those here and whose GPUs are made up."""
    root = tmp_path / "machine"
    with_gpus(root)
    program(root / "usr/bin/nvidia-smi", "GPU 0: NVIDIA H200\n")
    here = Machine({**os.environ, "PATH": f"{root}/usr/bin:{os.environ['PATH']}"}, root)
    monkeypatch.setattr(build_session, "this_machine", lambda: here)
    project = tmp_path / "project"
    project.mkdir()
    (project / "host.cu").write_bytes(HOST.replace(b" SCALE", b""))
    (project / "asks.cu").write_bytes(ASKS)
    (project / "compiles.cu").write_bytes(COMPILES)
    monkeypatch.chdir(project)
    return project


def build(name: str, *words: str) -> int:
    return main(["build", f"{name}.cu", "-o", name, "--offload-arch", "gfx90a", "--no-warnings", "--run", *words])


@pytest.fixture
def original(folder: Path) -> Path:
    """The program as its author built it; without a kernel any C++ compiler will do."""
    source = folder / "original.cpp"
    source.write_bytes(HOST.replace(b"#include <cuda_runtime.h>\n", b"").replace(b" SCALE", b" * (1 + 1e-7)"))
    subprocess.run(["g++", source, "-o", folder / "original"], check=True)
    return folder / "original"


def test_arguments_output_and_status_are_the_programs_own(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert build("host", "--", "10") == 3
    assert capfd.readouterr().out == "10 steps\nsum 1.549767731\n"
    assert build("host", "--", "14") == 0
    assert build("host", "--", "14", "x") == 134
    assert "hipify-py: host was ended by SIGABRT\n" in capfd.readouterr().err


def test_a_program_that_finds_no_gpu_says_so_itself(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status = build("asks")
    out = capfd.readouterr().out
    if Path("/dev/kfd").exists():
        assert (status, out) == (0, "done\n")
    else:
        assert (status, out) == (41, "no device: hipErrorNoDevice\n")


@pytest.mark.parametrize("flags", [[], ["--", "-lnvrtc"]])
def test_hiprtc_is_linked_where_debian_has_it(
    flags: list[str], folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["build", "compiles.cu", "-o", "compiles", "--offload-arch", "gfx90a", "--no-warnings", *flags]
    assert main(words) == 0, capfd.readouterr().err
    ran = subprocess.run([folder / "compiles"], capture_output=True, text=True, check=False, timeout=60)
    assert ran.stdout.startswith("HIPRTC_")
    assert (ran.returncode == 0) == (ran.stdout == "HIPRTC_SUCCESS\n")


def test_two_real_programs_are_compared(original: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert build("host", "--compare", str(original), "--", "14") == 0
    told = capfd.readouterr()
    assert told.out == "14 steps\nsum 1.575995839\n"  # the CUDA program's is compared, not shown
    assert told.err.endswith("hipify-py: the outputs are the same\n")
    assert build("host", "--compare", str(original), "--tolerance", "1e-9", "--", "14") == 1
    assert re.search(
        r"hipify-py: line 2: 1\.57599599\d and 1\.575995839\n    CUDA: sum \S+\n    HIP:  sum 1\.575995839\n"
        r"hipify-py: the outputs differ in 1 line\n\Z",
        capfd.readouterr().err,
    )
    assert build("host", "--compare", str(original), "--tolerance", "1e-9", "--ignore-lines", "^sum", "--", "14") == 0


def test_a_saved_output_is_compared_too(folder: Path, capsys: Capture) -> None:
    (folder / "saved.txt").write_text("14 steps\nsum 1.57599584\n")
    assert build("host", "--compare", "saved.txt", "--", "14") == 0
    (folder / "saved.txt").write_text("14 steps\n")
    assert build("host", "--compare", "saved.txt", "--", "14") == 1
    assert "hipify-py: line 2: one output has no such line\n" in capsys.readouterr().err


def test_a_program_that_fails_is_not_compared(original: Path, capsys: Capture) -> None:
    assert build("host", "--compare", str(original), "--", "10") == 3
    assert "the outputs" not in capsys.readouterr().err


def test_a_program_calls_its_files_as_its_user_does(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "names.h").write_text("inline const char* header() { return __FILE__; }\n")
    (folder / "names.cu").write_text(
        '#include <cuda_runtime.h>\n#include <cstdio>\n#include "names.h"\n'
        'int main() { std::printf("%s %s\\n", __FILE__, header()); return 0; }\n'
    )
    assert build("names") == 0
    assert capfd.readouterr().out == "names.cu names.h\n"
    absolute = folder / "names.cu"
    assert main(["build", str(absolute), "-o", "prog", "--offload-arch", "gfx90a", "--run"]) == 0
    assert capfd.readouterr().out == f"{absolute} {folder}/names.h\n"

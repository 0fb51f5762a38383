"""HIP's NVIDIA platform: its headers found, what they lack brought, and what nvcc is called with."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from hipify.build import nvidia
from hipify.build.compiler import Nvidia
from hipify.build.toolchain import Nvcc, find_nvcc
from hipify.cli import build_session
from hipify.cli.main import main
from tests.cli.runner import CUDA

from .compilers import MACHINE
from .machines import machine, program, recorder, rocm

Capture = pytest.CaptureFixture[str]
OLD = "#include <cuda_runtime_api.h>\n#if CUDA_VERSION >= CUDA_12000\n#endif\n"
NEW = OLD + "#if CUDA_VERSION >= 13000\n#endif\n"


def platform(include: Path, text: str = OLD) -> Path:
    """HIP's headers for NVIDIA GPUs, in a folder of includes."""
    detail = include / "hip" / "nvidia_detail" / "nvidia_hip_runtime_api.h"
    detail.parent.mkdir(parents=True)
    detail.write_text(text)
    return include


@pytest.mark.parametrize(
    ("there", "variables"),
    [
        ("some/where", {"HIP_PATH": "some/where"}),
        ("some/where", {"ROCM_PATH": "some/where"}),
        ("opt/rocm", {}),
        ("opt/rocm-6.1.2", {}),
        ("conda", {"CONDA_PREFIX": "conda"}),
        ("usr/local", {}),
        ("usr", {}),
    ],
)
def test_headers_are_found_in_the_usual_places(tmp_path: Path, there: str, variables: dict[str, str]) -> None:
    include = platform(tmp_path / there / "include")
    here = machine(tmp_path, **{name: str(tmp_path / value) for name, value in variables.items()})
    assert nvidia.headers(here) == (include, [])


def test_the_users_own_word_is_enough_and_taken_alone(tmp_path: Path) -> None:
    platform(tmp_path / "opt/rocm/include")
    mine = platform(tmp_path / "mine/include")
    here = machine(tmp_path)
    assert nvidia.headers(here, str(mine)) == (mine, [])
    assert nvidia.headers(here, str(mine.parent)) == (mine, [])
    assert nvidia.headers(here, str(tmp_path / "nowhere")) == (None, [])


def test_headers_for_amd_gpus_alone_are_passed_over(tmp_path: Path) -> None:
    rocm(tmp_path / "opt/rocm")
    usual = platform(tmp_path / "usr/include")
    assert nvidia.headers(machine(tmp_path)) == (usual, [tmp_path / "opt/rocm/include"])


def test_the_hipcc_that_is_named_comes_first(tmp_path: Path) -> None:
    platform(tmp_path / "opt/rocm/include")
    named = platform(tmp_path / "other/include")
    hipcc = program(tmp_path / "other/bin/hipcc")
    assert nvidia.headers(machine(tmp_path), hipcc=str(hipcc)) == (named, [])


def words(include: Path) -> list[str]:
    return Nvidia(Nvcc(Path("nvcc"), "13.0"), include).compile(Path("a.hip"), Path("a.o"), ["-O2"])


def test_old_headers_get_the_prelude(tmp_path: Path) -> None:
    include = platform(tmp_path / "include")
    line = words(include)
    assert line[line.index("-include") + 1] == str(nvidia.PRELUDE)
    assert line.index(f"-I{nvidia.OVERLAY}") < line.index("-isystem")
    assert line[line.index("-isystem") + 1] == str(include)


def test_a_folder_that_compilers_know_keeps_its_place() -> None:
    line = words(Path("/usr/include"))
    assert "-I/usr/include" in line and "-isystem" not in line


def test_headers_that_know_cuda_13_are_let_alone(tmp_path: Path) -> None:
    assert "-DHIPIFY_NVIDIA_CURRENT=1" in words(platform(tmp_path / "new", NEW))
    assert "-DHIPIFY_NVIDIA_CURRENT=1" not in words(platform(tmp_path / "old"))


def test_names_of_libraries_lead_to_cudas() -> None:
    made = nvidia.forwards(
        ["hip/hip_runtime.h", "hipcub/hipcub.hpp", "hipcub/block/block_scan.hpp", "thrust/system/hip/vector.h"]
    )
    assert made == {
        "hipcub/block/block_scan.hpp": b"#pragma once\n#include <hipcub/hipcub.hpp>\n",
        "thrust/system/hip/vector.h": b"#pragma once\n#include <thrust/system/cuda/vector.h>\n",
    }


def test_a_forwarding_header_stays_in_its_folder() -> None:
    assert nvidia.forwards(["hipcub/../../../x.h", "thrust/system/hip/../../y.h"]) == {}


def test_a_forwarding_header_is_found_by_the_compiler(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "machine"
    platform(root / "usr/include")
    monkeypatch.setattr(build_session, "this_machine", lambda: machine(root))
    recorder(root / "usr/bin/nvcc", tmp_path / "log")
    (folder / "scan.cu").write_bytes(b"#include <thrust/system/cuda/vector.h>\n" + CUDA)
    assert main(["build", "scan.cu", "--platform", "nvidia", "-o", "prog"]) == 0
    compiled = (tmp_path / "log").read_text().splitlines()[0].split()
    folders = [Path(word[2:]) for word in compiled if word.startswith("-I")]
    assert [path.name for path in folders].count("platform") == 1


def test_without_headers_the_folders_that_were_looked_at_are_named(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    root = tmp_path / "machine"
    rocm(root / "opt/rocm")
    recorder(root / "usr/bin/nvcc", tmp_path / "log")
    monkeypatch.setattr(build_session, "this_machine", lambda: machine(root))
    assert main(["build", "good.cu", "--platform", "nvidia", "-o", "prog"]) == 2
    assert (
        "hipify-py: error: translated, not compiled: no HIP headers for NVIDIA GPUs (hip/nvidia_detail) are here, which "
        f"--platform nvidia needs; {root}/opt/rocm/include has those for AMD GPUs only: give --hip-include\n"
    ) in capsys.readouterr().err
    assert main(["build", "good.cu", "--platform", "nvidia", "-o", "prog", "--hip-include", "nowhere"]) == 2
    assert "--hip-include nowhere holds no hip/nvidia_detail\n" in capsys.readouterr().err


LINKER = """\
#!/bin/sh
if [ "$1" = --version ]; then echo 'Cuda compilation tools, release 13.0, V13.0.88'; exit 0; fi
case "$*" in
*" -c "*) while [ $# -gt 0 ]; do if [ "$1" = -o ]; then echo > "$2"; fi; shift; done ;;
*-lcuda*) echo '/usr/bin/ld: cannot find -lcuda: No such file or directory' >&2; exit 1 ;;
*) echo "/usr/bin/ld: a.o: undefined reference to \\`cuInit'" >&2; exit 1 ;;
esac
"""


def test_a_missing_driver_is_told_by_name(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    root = tmp_path / "machine"
    platform(root / "usr/include")
    (root / "usr/bin").mkdir(parents=True)
    (root / "usr/bin/nvcc").write_text(LINKER)
    (root / "usr/bin/nvcc").chmod(0o755)
    monkeypatch.setattr(build_session, "this_machine", lambda: machine(root))
    monkeypatch.setattr(nvidia, "driver", lambda nvcc: None)
    assert main(["build", "good.cu", "--platform", "nvidia", "-o", "prog"]) == 1
    assert (
        "HPY901 nvcc: libcuda.so, the driver's library, is not here to link with: everything compiled, no program was "
        "made"
    ) in capsys.readouterr().err


def test_the_command_does_here_what_this_machine_can(folder: Path, capsys: Capture) -> None:
    """With nvcc a real program is built; it is run where a GPU is. Without, one line says what is missing."""
    status = main(["build", "good.cu", "--platform", "nvidia", "-o", "prog", "--no-warnings", "--run"])
    told = capsys.readouterr().err
    if find_nvcc(MACHINE) is None:
        assert "hipify-py: error: translated, not compiled: no nvcc is here, which --platform nvidia needs\n" in told
        assert status == 2
    elif MACHINE.which("nvidia-smi") is None:
        assert (
            "hipify-py: prog was built and not run: no NVIDIA GPU is here: there is no nvidia-smi, nor /dev/nvidia0\n"
            in told
        )
        assert (status, (folder / "prog").stat().st_mode & 0o111) == (3, 0o111)
    else:
        assert (status, told) == (0, told)


def test_every_helper_header_compiles_for_nvidia_gpus_too(folder: Path, capsys: Capture) -> None:
    include = nvidia.OVERLAY.parent
    place = nvidia.headers(MACHINE)[0]
    assert place is not None, "the distribution's hipcc brings HIP's headers for NVIDIA GPUs, up to HIP 5"
    helpers = {path.name: re.findall(r"#include [<\"](hip\S+)[>\"]", path.read_text()) for path in include.glob("*.h")}

    def usable(name: str) -> bool:
        """Whether HIP has here what a helper header includes, by itself or through another one."""
        return all(usable(other) for other in helpers[name]) if name in helpers else (place / name).exists()

    names = [name for name in sorted(helpers) if usable(name)]
    assert len(names) >= 6
    text = "".join(f"#include <{name}>\n" for name in names)
    (folder / "all.cu").write_text(f"#include <cuda_runtime.h>\n{text}int main() {{ return 0; }}\n")
    status = main(
        ["build", "all.cu", "--platform", "nvidia", "--check", "--no-warnings", "--", "-isystem", str(include)]
    )
    told = capsys.readouterr().err
    assert status == 0, told
    assert ("no nvcc is here" if find_nvcc(MACHINE) is None else "checked for the default GPU with nvcc") in told


def test_a_programs_own_overload_of_a_shuffle_compiles(folder: Path, capsys: Capture) -> None:
    (folder / "own.cu").write_text(
        "#include <cuda_fp16.h>\n"
        "__device__ float2 __shfl_down(float2 v, unsigned lane, unsigned width = 32) {\n"
        "  v.x = __shfl_down_sync(~0u, v.x, lane, width);\n  v.y = __shfl_down_sync(~0u, v.y, lane, width);\n"
        "  return v;\n}\n"
        "__global__ void moved(float2 *v, double *d, __half *h, const unsigned *n) {\n"
        "  v[threadIdx.x] = __shfl_down(v[threadIdx.x], 1);\n"
        "  d[threadIdx.x] = __shfl_xor(__shfl(d[threadIdx.x], *n), 3, 16) + __shfl_up(*n, 2u);\n"
        "  h[threadIdx.x] = __shfl_down(h[threadIdx.x], 4);\n}\n"
        "int main() { return 0; }\n"
    )
    status = main(["build", "own.cu", "--platform", "nvidia", "--check", "--no-warnings"])
    told = capsys.readouterr().err
    assert status == 0, told
    assert ("no nvcc is here" if find_nvcc(MACHINE) is None else "checked for the default GPU with nvcc") in told


# What HIP's headers for NVIDIA GPUs, up to those of HIP 6.4, call as it was before CUDA 13.
OLD_CALLS = {
    "cudaGraphAddNode": "cudaGraphAddNode(&node, graph, &node, 1, &parameters)",
    "cudaGraphNodeGetDependentNodes_v2": "cudaGraphNodeGetDependentNodes_v2(node, &node, &edge, &count)",
    "cudaGraphNodeGetDependentNodes": "cudaGraphNodeGetDependentNodes(node, &node, &count)",
    "cudaGraphGetEdges": "cudaGraphGetEdges(graph, &node, &node, &count)",
    "cudaMemAdvise": "cudaMemAdvise(&count, 8, cudaMemAdviseSetReadMostly, 0)",
}


def test_calls_of_cuda_12_in_hips_headers_compile_with_newer_toolkits(tmp_path: Path) -> None:
    place, nvcc = nvidia.headers(MACHINE)[0], find_nvcc(MACHINE)
    assert place is not None, "the distribution's hipcc brings HIP's headers for NVIDIA GPUs, up to HIP 5"
    assert all(re.search(rf"\b{name}\(", nvidia.PRELUDE.read_text()) for name in OLD_CALLS)
    source = tmp_path / "calls.cpp"
    source.write_text(
        "cudaGraph_t graph; cudaGraphNode_t node; cudaGraphNodeParams parameters{}; cudaGraphEdgeData edge; size_t count;\n"
        f"int main() {{ return {' | '.join(OLD_CALLS.values())}; }}\n"
    )
    if nvcc is not None:
        done = subprocess.run(Nvidia(nvcc, place).compile(source, None, ["-w"]), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

"""Headers of libraries that are not here: found before anything is compiled, joined with the compiler's error."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify import Options, translate_file, translate_source
from hipify.build import absent
from hipify.build import nvidia as platform
from hipify.build.compiler import Amd, Nvidia
from hipify.build.homing import Home, Homes
from hipify.build.toolchain import Nvcc, Toolchain, find_nvcc
from hipify.cli.main import main
from hipify.model import Finding
from tests.cli.runner import CUDA
from tests.support.corpus import Program, programs
from tests.support.hip import rocm_folder

from .compilers import MACHINE, check, release
from .machines import program as double

Capture = pytest.CaptureFixture[str]


def amd(prefix: Path, **variables: str) -> Amd:
    """A compiler whose headers lie in a folder."""
    return Amd(Toolchain(prefix / "bin/hipcc", "here", prefix), ("gfx90a",), variables)


def found(text: str, *places: Path) -> list[Finding]:
    """What is absent of what a CUDA source includes once translated."""
    home = Home(translate_source(text, "t.cu", Options(miopen=True, clang=False)), "t.hip")
    return absent.findings(home, [str(place) for place in places])


def header(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_header_that_no_folder_has_is_told_at_the_cuda_line(tmp_path: Path) -> None:
    (finding,) = found(
        "// net\n#include <cudnn.h>\n#include <cublas_v2.h>\n", tmp_path, header(tmp_path / "a/rocblas/x")
    )[:1]
    assert (finding.id, finding.line, finding.column) == ("HPY903", 2, 10)
    assert finding.message == "miopen/miopen.h is not on this machine (MIOpen)"
    assert "libmiopen-dev" in finding.fix


@pytest.mark.parametrize(
    ("text", "options", "message", "package"),
    [
        ("#include <cublas_v2.h>\n", Options(roc=True), "rocblas/rocblas.h is not on this machine (rocBLAS)", "librocblas-dev"),
        ("#include <cublasLt.h>\n", Options(), "hipblaslt/hipblaslt.h is not on this machine (hipBLASLt)", "libhipblaslt-dev"),
        ("#include <nvToolsExt.h>\n", Options(), "roctracer/roctx.h is not on this machine (roctx)", "libroctx-dev"),
    ],
)  # fmt: skip
def test_libraries_that_few_programs_use(
    text: str, options: Options, message: str, package: str, tmp_path: Path
) -> None:
    home = Home(translate_source(text, "t.cu", options._replace(clang=False)), "t.hip")
    (finding,) = absent.findings(home, [str(tmp_path)])
    assert finding.message == message
    assert package in finding.fix


def test_a_header_that_lacks_a_part_of_its_package(tmp_path: Path) -> None:
    guarded = (
        '#ifndef A\n#define A\n#include "own.h"\n#if 0\n#include "never.h"\n#endif\n#include "inner/lost.h"\n#endif\n'
    )
    header(tmp_path / "miopen/miopen.h", guarded)
    header(tmp_path / "miopen/own.h")
    (finding,) = found("#include <cudnn.h>\n", tmp_path)
    assert finding.message == "miopen/miopen.h is there, but not inner/lost.h, which it includes (MIOpen)"
    header(tmp_path / "miopen/inner/lost.h")
    assert found("#include <cudnn.h>\n", tmp_path) == []


@pytest.mark.parametrize(
    "text",
    [
        "#ifdef WITH_NET\n#include <cudnn.h>\n#endif\n",
        "#ifndef NET_H\n#define NET_H\n#if USE_NET\n#include <cudnn.h>\n#endif\n#endif\n",
        '#include <cuda_runtime.h>\n#include "own.h"\n#include <vector>\n',
    ],
)
def test_what_a_build_may_never_ask_for_is_no_finding(text: str, tmp_path: Path) -> None:
    assert found(text, tmp_path) == []


def test_a_guard_is_no_condition(tmp_path: Path) -> None:
    assert len(found("#ifndef NET_H\n#define NET_H\n#include <cudnn.h>\n#endif\n", tmp_path)) == 1


@pytest.mark.parametrize(
    "words",
    [
        ["-I{0}/mine"],
        ["-I", "{0}/mine"],
        ["-isystem", "{0}/mine"],
        ["-O2", "-idirafter", "{0}/mine"],
        ["-iquote{0}/mine"],
    ],
)
def test_folders_that_flags_name_are_looked_at(words: list[str], tmp_path: Path) -> None:
    places = absent.folders(amd(tmp_path / "rocm"), [["-DX"], [word.format(tmp_path) for word in words]])
    assert places is not None and str(tmp_path / "mine") in places
    assert str(tmp_path / "rocm/include") in places and "/usr/include" in places


def test_the_environment_names_folders_too(tmp_path: Path) -> None:
    places = absent.folders(amd(tmp_path, CPATH="/one:/two", CPLUS_INCLUDE_PATH="/three"), [])
    assert places is not None and {"/one", "/two", "/three"} <= set(places)


@pytest.mark.parametrize("word", ["@flags", "--sysroot=/x", "-isysroot", "--config=x", "-include-pch"])
def test_nothing_is_said_where_flags_lead_elsewhere(word: str, tmp_path: Path) -> None:
    places = absent.folders(amd(tmp_path), [[word, "-I/x"]])
    assert places is None
    home = Home(translate_source("#include <cudnn.h>\n", "t.cu", Options(miopen=True, clang=False)), "t.hip")
    assert absent.look(Homes([home]), amd(tmp_path), [[word, "-I/x"]]) == {}
    assert absent.folders(amd(tmp_path, HIPCC_COMPILE_FLAGS_APPEND="-I/x"), []) is None


def users_of_libraries() -> list[Program]:
    return [p for p in programs() if p.libraries or p.missing_header or p.name in ("cub_primitives", "thrust_sort")]


@pytest.mark.parametrize(
    ("version", "lost"),
    [
        ("5.7", {"cudnn_activation": "MIOpen", "wmma_gemm": "rocWMMA"}),
        ("6.4", {"wmma_gemm": "rocWMMA"}),
        ("7.2", {"wmma_gemm": "rocWMMA"}),
    ],
)
def test_the_corpus_knows_what_debians_releases_lack(version: str, lost: dict[str, str]) -> None:
    compiler = release(version)
    told = {}
    assert len(users_of_libraries()) >= 10
    for program in users_of_libraries():
        for source in program.sources:
            home = Home(translate_file(source, program.options._replace(target=version)), str(source))
            for names in absent.look(Homes([home]), compiler, [[]]).values():
                told[program.name] = names[0].message.rpartition("(")[2].rstrip(")")
    assert told == lost


def test_the_compilers_error_is_joined_with_it(folder: Path) -> None:
    (folder / "net.cu").write_bytes(b"#include <cudnn.h>\n" + CUDA)
    assert not (rocm_folder("5.7") / "include/miopen").exists()
    outcome = check(release("5.7", "gfx90a"), folder / "net.cu", options=Options(target="5.7", miopen=True))
    (arrival,) = outcome.arrivals
    assert arrival.verdict == "foretold by HPY903"
    assert [f.id for f in outcome.findings()[str(folder / "net.cu")]] == ["HPY903", "HPY901"]


def test_verify_tells_it_too(folder: Path, capsys: Capture) -> None:
    (folder / "in").mkdir()
    (folder / "in/net.cu").write_bytes(b"#include <cudnn.h>\n" + CUDA)
    assert main(["convert", "in", "out", "--miopen", "--target", "5.7"]) == 0
    hipcc = str(rocm_folder("5.7") / "bin/hipcc")
    assert main(["verify", "out", "--hipcc", hipcc, "--offload-arch", "gfx90a", "--report", "r.json"]) == 1
    assert "'miopen/miopen.h' file not found (HPY903 foretold it): in/net.cu:1" in capsys.readouterr().out
    assert '"HPY903"' in (folder / "r.json").read_text()


def nvcc(folder: Path, *toolkit: str, log: str = "") -> Nvidia:
    """HIP's NVIDIA platform in a folder, with a test double of nvcc that tells where it looks."""
    includes = "".join(f' "-I{folder}/{name}"' for name in toolkit[:1]) + "".join(
        f' "-isystem" "{folder}/{name}"' for name in toolkit[1:]
    )
    line = f'#$ gcc -D__CUDA_ARCH__=750 -E -x c++  -D__CUDACC__ -D__NVCC__ {includes} -include "cuda_runtime.h" "x"'
    path = folder / "bin/nvcc"
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\ncat >&2 <<'EOF'\n#$ TOP={folder}\n{log or line}\nEOF\n")
    path.chmod(0o755)
    runtime = "#if defined(__HIP_PLATFORM_NVIDIA__)\n#include <hip/nvidia_detail/nvidia_hip_runtime.h>\n"
    header(folder / "hip/hip/hip_runtime.h", runtime + "#else\n#include <hip/amd_detail/x.h>\n#endif\n")
    header(folder / "hip/hip/amd_detail/x.h", "#include <cuda_lost.h>\n")
    header(folder / "hip/hip/nvidia_detail/nvidia_hip_runtime.h", '#include <cuda_runtime.h>\n#include "inner.h"\n')
    header(folder / "hip/hip/nvidia_detail/inner.h", "#include <cuda_fp16.h>\n")
    header(folder / "toolkit/cuda_runtime.h")
    header(folder / "toolkit/cuda_fp16.h")
    return Nvidia(Nvcc(path, "13.0"), folder / "hip")


def on_nvidia(text: str, compiler: Nvidia, *flags: str) -> list[str]:
    """What is said of a CUDA source that is built for NVIDIA GPUs."""
    home = Home(translate_source(text, "t.cu", Options(miopen=True, clang=False)), "t.hip")
    found = absent.look(Homes([home]), compiler, [flags]).get("t.cu", [])
    assert all(finding.id == "HPY903" for finding in found)
    return [f"{finding.line}: {finding.message}" for finding in found]


def test_the_toolkits_folders_are_those_that_nvcc_tells(tmp_path: Path) -> None:
    compiler = nvcc(tmp_path, "toolkit", "toolkit/cccl")
    places = absent.folders(compiler, [["-I/mine"]])
    assert places is not None
    assert places[:5] == [
        str(platform.OVERLAY),
        *(f"{tmp_path}/{n}" for n in ("hip", "toolkit", "toolkit/cccl")),
        "/mine",
    ]
    real = find_nvcc(MACHINE)
    if real is not None:
        told = platform.toolkit_folders(real.path, MACHINE.environ)
        assert told and any((Path(folder) / "cuda_runtime.h").is_file() for folder in told)


def test_all_is_there_for_nvidia_gpus(tmp_path: Path) -> None:
    header(tmp_path / "hip/hipblas/hipblas.h", "#include <cublas_v2.h>\n")
    header(tmp_path / "toolkit/cublas_v2.h")
    header(tmp_path / "toolkit/cccl/cub/cub.cuh")
    compiler = nvcc(tmp_path, "toolkit", "toolkit/cccl")
    text = "#include <cuda_runtime.h>\n#include <cublas_v2.h>\n#include <cub/cub.cuh>\nvoid f() { cudaFree(0); }\n"
    assert on_nvidia(text, compiler) == []


def test_a_library_of_hip_that_is_not_here(tmp_path: Path) -> None:
    compiler = nvcc(tmp_path, "toolkit")
    text = "#include <cudnn.h>\n#include <cublas_v2.h>\n"
    assert on_nvidia(text, compiler) == [
        "1: miopen/miopen.h is not on this machine (MIOpen)",
        "2: hipblas/hipblas.h is not on this machine (hipBLAS)",
    ]
    home = Home(translate_source(text, "t.cu", Options(miopen=True, clang=False)), "t.hip")
    fixes = [finding.fix for finding in absent.look(Homes([home]), compiler, [[]])["t.cu"]]
    assert fixes[0] == "MIOpen is for AMD GPUs alone: on an NVIDIA GPU build the CUDA original."
    assert (
        fixes[1].startswith("Name the folder that has it with --hip-include or -I. ") and "libhipblas-dev" in fixes[1]
    )
    header(tmp_path / "mine/hipblas/hipblas.h")
    assert on_nvidia("#include <cublas_v2.h>\n", compiler, f"-I{tmp_path}/mine") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#include <cublas_v2.h>\n", "hipblas/hipblas.h is there, but not cublas_v2.h"),
        ("#include <cub/cub.cuh>\n", "hipcub/hipcub.hpp is there, but not cub/cub.cuh"),
        ("#include <nvToolsExt.h>\n", "roctracer/roctx.h is there, but not nvtx3/nvToolsExt.h"),
    ],
)
def test_a_header_of_cuda_that_hips_are_made_of(text: str, message: str, tmp_path: Path) -> None:
    header(tmp_path / "hip/hipblas/hipblas.h", "#include <cublas_v2.h>\n")
    assert on_nvidia(text, nvcc(tmp_path, "toolkit"))[0] == f"1: {message}, which it includes (CUDA toolkit)"


def test_a_toolkit_without_its_runtimes_headers_is_told_once(tmp_path: Path) -> None:
    compiler = nvcc(tmp_path, "toolkit")
    (tmp_path / "toolkit/cuda_fp16.h").unlink()
    header(tmp_path / "hip/hip/hip_fp16.h", '#include "cuda_fp16.h"\n')
    text = "#include <cuda_runtime.h>\n#include <cuda_fp16.h>\nvoid f(__half h) { cudaFree(0); }\n"
    (told,) = on_nvidia(text, compiler)
    assert "is there, but not cuda_fp16.h, which it includes (CUDA toolkit)" in told


def test_a_compiler_that_does_not_tell_is_asked_no_further(tmp_path: Path) -> None:
    compiler = nvcc(tmp_path, log="nothing of use")
    assert absent.folders(compiler, [[]]) is None
    assert on_nvidia("#include <cudnn.h>\n", compiler) == []


def test_the_build_for_nvidia_gpus_tells_it(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(platform, "toolkit_folders", lambda path, environ: [str(tmp_path / "toolkit")])
    header(tmp_path / "include/hip/nvidia_detail/x.h")
    compiler = double(tmp_path / "bin/nvcc")
    monkeypatch.setenv("PATH", f"{compiler.parent}:/usr/bin:/bin")
    (folder / "net.cu").write_bytes(b"#include <cudnn.h>\n" + CUDA)
    command = [
        "build",
        "net.cu",
        "--miopen",
        "--platform",
        "nvidia",
        "--hip-include",
        str(tmp_path / "include"),
        "--check",
    ]
    main(command)
    assert "net.cu:1:10: error: HPY903 miopen/miopen.h is not on this machine (MIOpen)\n" in capsys.readouterr().err

"""The CUDA release that CMake files ask for, and that a conversion takes it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hipify.cli.main import main
from hipify.cli.releases import CUDA
from hipify.project.build_files.cmake_release import wanted


def project(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_txt", ".txt").replace("_cmake", ".cmake")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("find_package(CUDAToolkit 12.4 REQUIRED)\n", (12, 4)),
        ("find_package( CUDA 11 )\n", (11, 0)),
        ("FIND_PACKAGE(CUDAToolkit 11.8.89)\n", (11, 8)),
        ('if(CUDAToolkit_VERSION VERSION_LESS "12.1")\n  message(FATAL_ERROR "too old")\nendif()\n', (12, 1)),
        ("if(${CUDA_VERSION} VERSION_LESS 11.2)\n  message(FATAL_ERROR old)\nendif()\n", (11, 2)),
    ],
)
def test_what_asks_for_a_release(tmp_path: Path, text: str, version: tuple[int, int]) -> None:
    assert wanted(project(tmp_path, CMakeLists_txt=f"project(x)\n{text}")) == (version, "CMakeLists.txt:2")


@pytest.mark.parametrize(
    "text",
    [
        "find_package(CUDAToolkit REQUIRED)",
        "# find_package(CUDAToolkit 12.4)",
        "find_package(Other 12.4)",
        "if(CUDAToolkit_VERSION VERSION_LESS 12.1)\n  set(OLD ON)\nendif()",
    ],
)
def test_what_asks_for_none(tmp_path: Path, text: str) -> None:
    assert wanted(project(tmp_path, CMakeLists_txt=text)) is None


def test_the_newest_that_is_asked_for(tmp_path: Path) -> None:
    project(
        tmp_path,
        CMakeLists_txt="find_package(CUDAToolkit 11.0)\n",
        cmake__Deps_cmake="\nfind_package(CUDAToolkit 12.4)\n",
        src__CMakeLists_txt="find_package(CUDAToolkit 12.0)\n",
    )
    assert wanted(tmp_path) == ((12, 4), "cmake/Deps.cmake:2")


def test_a_conversion_takes_it_before_the_toolkit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CUDA, "12.9")
    advise = "#include <cuda_runtime.h>\nvoid f() { cudaMemAdvise(p, 4, cudaMemAdviseSetReadMostly, place()); }\n"
    source = project(tmp_path / "in", CMakeLists_txt="find_package(CUDAToolkit 13.0)\n")
    (source / "a.cu").write_text(advise)
    out = tmp_path / "out"
    assert main(["convert", str(source), str(out), "--no-clang", "-j1", "--quiet"]) == 0
    assert "hipMemAdvise_v2(" in (out / "a.cu").read_text()
    told = json.loads((out / ".hipify" / "report.json").read_text())
    assert (told["cuda_version"], told["cuda_version_origin"]) == ("13.0", "asked for in CMakeLists.txt:1")
    assert [file.get("cuda_decided") for file in told["files"] if file["path"].endswith("a.cu")] == ["13.0"]
    other = tmp_path / "other"
    assert main(["convert", str(source), str(other), "--cuda-version", "12.4", "--no-clang", "-j1", "--quiet"]) == 0
    assert "hipMemAdvise(" in (other / "a.cu").read_text()

"""Copies of NVIDIA's template libraries in a tree: left as they are, and told."""

from pathlib import Path

import pytest

import hipify
from hipify.project.discover import discover
from hipify.project.settings import Selection
from hipify.project.tree import Kind

KERNEL = "#include <cuda_runtime.h>\ncudaError_t f() { return cudaDeviceSynchronize(); }\n"
CUB = {"cub.cuh": '#include "util_arch.cuh"\n', "version.cuh": "#define CUB_VERSION 200200\n", "util_arch.cuh": KERNEL}
THRUST = {"version.h": "#define THRUST_VERSION 100915\n", "device_vector.h": KERNEL}
CUTLASS = {"version.h": "#define CUTLASS_MAJOR 3\n", "cutlass.h": KERNEL, "half.h": KERNEL}


def tree(root: Path, folders: dict[str, dict[str, str]]) -> Path:
    for folder, files in {**folders, "": {"main.cu": KERNEL}}.items():
        (root / folder).mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (root / folder / name).write_text(text)
    return root


def test_copies_are_copied_and_told_once(tmp_path: Path) -> None:
    found = discover(tree(tmp_path, {"ext/cub": CUB, "ext/cutlass": CUTLASS}), Selection())
    kinds = {entry.path: entry.kind for entry in found.entries}
    assert kinds.pop("main.cu") is Kind.CUDA
    assert set(kinds.values()) == {Kind.COPY}
    assert len(kinds) == 6
    cub, cutlass = found.notes
    assert "ext/cub: a copy of CUB, copied as it is; includes of it go to hipCUB" in cub
    assert "ext/cutlass: a copy of CUTLASS" in cutlass
    assert "Composable Kernel" in cutlass


def test_a_copy_that_would_hide_rocthrust_is_left_out(tmp_path: Path) -> None:
    found = discover(tree(tmp_path, {"lib/thrust": THRUST}), Selection())
    assert [entry.path for entry in found.entries] == ["main.cu"]
    assert "would hide rocThrust" in found.notes[0]


def test_a_copy_that_hides_rocthrust_in_place_is_told(tmp_path: Path) -> None:
    found = discover(tree(tmp_path, {"lib/thrust": THRUST}), Selection(in_place=True))
    assert [entry.path for entry in found.entries] == ["main.cu"]
    (note,) = found.notes
    assert "lib/thrust: a copy of Thrust, left where it is, where it hides rocThrust" in note
    assert "take it out of the include path, or remove it" in note


@pytest.mark.parametrize("name", ["cub", "cub-1.8.0", "cub_v2", "CUB-main"])
def test_the_tests_of_a_whole_repository_are_copied_too(tmp_path: Path, name: str) -> None:
    found = discover(tree(tmp_path, {f"{name}/cub": CUB, f"{name}/test": {"a.cu": KERNEL}}), Selection())
    assert {e.path for e in found.entries if e.kind is Kind.CUDA} == {"main.cu"}
    assert len(found.notes) == 1


@pytest.mark.parametrize("files", [{"cub.cuh": KERNEL}, {"cub.cuh": KERNEL, "version.cuh": "#define MY_VERSION 1\n"}])
def test_a_folder_of_the_same_name_is_the_projects(tmp_path: Path, files: dict[str, str]) -> None:
    found = discover(tree(tmp_path, {"cub": files}), Selection())
    assert found.notes == []
    assert "cub/cub.cuh" in {e.path for e in found.entries if e.kind is Kind.CUDA}


def test_who_asks_for_it_gets_a_copy_translated(tmp_path: Path) -> None:
    found = discover(tree(tmp_path, {"cub": CUB}), Selection(vendored=False))
    assert found.notes == []
    assert {e.path for e in found.entries if e.kind is Kind.CUDA} == {"main.cu", "cub/util_arch.cuh", *CUB_HEADERS}


CUB_HEADERS = ("cub/cub.cuh", "cub/version.cuh")


@pytest.mark.parametrize(
    ("written", "becomes"),
    [
        ('"cub/cub.cuh"', '"hipcub/hipcub.hpp"'),
        ('"ext/cub/cub.cuh"', '"hipcub/hipcub.hpp"'),
        ('"ext/thrust/device_vector.h"', '"thrust/device_vector.h"'),
        ('"own/cub/cub.cuh"', '"own/cub/cub.cuh"'),
    ],
)
def test_includes_of_a_copy_go_to_rocms(tmp_path: Path, written: str, becomes: str) -> None:
    folders = {"cub": CUB, "ext/cub": CUB, "ext/thrust": THRUST, "own/cub": {"cub.cuh": KERNEL}}
    source = tree(tmp_path, folders) / "main.cu"
    source.write_text(f"#include {written}\n__global__ void k() {{}}\n")
    made = hipify.translate_file(source, hipify.Options(clang=False))
    assert f"#include {becomes}\n".encode() in made.output


@pytest.mark.parametrize("header", ["cutlass/half.h", "cute/layout.hpp", "cuda/barrier"])
def test_a_copy_of_what_has_no_counterpart_is_told_where_it_is_included(tmp_path: Path, header: str) -> None:
    (tmp_path / "inc" / header).parent.mkdir(parents=True)
    (tmp_path / "inc" / header).write_text(KERNEL)
    source = tmp_path / "main.cu"
    source.write_text(f"#include <{header}>\n__global__ void k() {{}}\n")
    made = hipify.translate_file(source, hipify.Options(clang=False, include_dirs=(str(tmp_path / "inc"),)))
    assert [(f.id, f.line) for f in made.findings] == [("HPY106", 1)]

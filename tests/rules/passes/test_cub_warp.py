"""CUB's warp primitives and lane numbers stay on warps of 32 lanes with `--warp preserve`."""

from __future__ import annotations

import pytest

from hipify.emit import rewriter
from hipify.model import Options, Severity
from hipify.parser.source import Source
from hipify.rules.engine import analyse


def translate(text: str, **options: object) -> tuple[str, list[tuple[str, Severity]], frozenset[str]]:
    data = f"#include <cub/cub.cuh>\n{text}\n".encode()
    analysis = analyse(Source(data, "w.cu"), Options(clang=False, **options))  # type: ignore[arg-type]
    out = rewriter.apply(data, rewriter.in_order(analysis.edits, len(data))).decode()
    found = [(f.id, f.severity) for f in analysis.findings if f.id in ("HPY701", "HPY704", "HPY101")]
    return out, found, frozenset(analysis.helper_headers)


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("using R = cub::WarpReduce<float>;", "using R = hipcub::WarpReduce<float, 32>;"),
        ("typedef cub::WarpScan<Pair<int, T>> S;", "typedef hipcub::WarpScan<Pair<int, T>, 32> S;"),
        ("cub::WarpExchange<int, 4>::TempStorage t;", "hipcub::WarpExchange<int, 4, 32>::TempStorage t;"),
        ("cub::WarpMergeSort<int, 4> s;", "hipcub::WarpMergeSort<int, 4, 32> s;"),
        ("cub::WarpLoad<int, 4> l;", "hipcub::WarpLoad<int, 4, hipcub::WARP_LOAD_DIRECT, 32> l;"),
        (
            "cub::WarpStore<int, 4, cub::WARP_STORE_STRIPED> l;",
            "hipcub::WarpStore<int, 4, hipcub::WARP_STORE_STRIPED, 32> l;",
        ),
    ],
)
def test_the_width_is_given(cuda: str, hip: str) -> None:
    out, found, _ = translate(cuda)
    assert hip in out
    assert found == [("HPY704", Severity.NOTE)]
    for warp in ("native", "report"):
        out, found, _ = translate(cuda, warp=warp)
        assert ", 32" not in out
        assert found == [("HPY704", Severity.WARNING)]


@pytest.mark.parametrize("cuda", ["cub::WarpReduce<int, 16> r;", "cub::WarpReduce<T, W> r;"])
def test_a_width_of_the_programs_own_stays(cuda: str) -> None:
    out, found, _ = translate(cuda)
    assert "hip" + cuda in out
    assert found == []


@pytest.mark.parametrize("text", ["cub::WarpReduce<int, 64> r;", "cub::WarpReduce<A...> r;", "WarpReduce<int> r;"])
def test_what_is_not_the_default_width(text: str) -> None:
    assert ", 32" not in translate(text)[0]


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("cub::LaneId()", "hipify::lane_id()"),
        ("::cub::LaneId()", "hipify::lane_id()"),
        ("cub::LaneMaskLt()", "((1u << hipify::lane_id()) - 1u)"),
        ("cub::LaneMaskLe()", "((2u << hipify::lane_id()) - 1u)"),
        ("cub::LaneMaskGt()", "(~((2u << hipify::lane_id()) - 1u))"),
        ("cub::LaneMaskGe()", "(~((1u << hipify::lane_id()) - 1u))"),
    ],
)
def test_lanes_are_those_of_the_warp(cuda: str, hip: str) -> None:
    out, found, headers = translate(f"__device__ unsigned f() {{ return {cuda}; }}")
    assert f"return {hip};" in out
    assert out.count('#include "hipify_warp.h"') == 1
    assert found == []
    assert headers == {"hipify_warp.h"}


def test_the_header_comes_once() -> None:
    text = "__device__ int f() { return __shfl_sync(~0u, cub::LaneId(), 3) + cub::LaneId(); }"
    out, _, _ = translate(text)
    assert "hipify::shfl_sync(~0u, hipify::lane_id(), 3) + hipify::lane_id()" in out
    assert out.count('#include "hipify_warp.h"') == 1


def test_names_behind_using_namespace() -> None:
    out, _, _ = translate("using namespace cub;\n__device__ int f() { return LaneId(); }\nWarpReduce<int> r;")
    assert "return hipify::lane_id();" in out
    assert "WarpReduce<int, 32> r;" in out


@pytest.mark.parametrize("name", ["WarpId()", "WARP_ANY(x, m)", "WARP_ALL(x, m)", "WARP_BALLOT(x, m)"])
def test_what_counts_wavefronts_is_reported(name: str) -> None:
    text = f"__device__ int f(int x, int m) {{ return cub::{name}; }}"
    out, found, _ = translate(text)
    assert f"return hipcub::{name};" in out
    assert found == [("HPY704", Severity.WARNING)]
    assert translate(text, offload_arch=("gfx1100",))[1] == []


def test_a_lane_number_is_reported_where_warps_are_not_kept() -> None:
    out, found, headers = translate("__device__ int f() { return cub::LaneId(); }", warp="native")
    assert "return hipcub::LaneId();" in out
    assert found == [("HPY704", Severity.WARNING)]
    assert headers == frozenset()


def test_functions_of_the_program_keep_their_names() -> None:
    text = "__device__ int LaneId() { return threadIdx.x; }\n__device__ int f() { return LaneId(); }"
    out, found, _ = translate(text)
    assert out.endswith(text + "\n")
    assert found == []


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("CUB_PTX_WARP_THREADS", "32"),
        ("CUB_PTX_LOG_WARP_THREADS", "5"),
        ("CUB_WARP_THREADS(PTX_ARCH)", "32"),
        ("CUB_LOG_WARP_THREADS(0)", "5"),
    ],
)
def test_constants(cuda: str, hip: str) -> None:
    out, found, _ = translate(f"enum {{ N = cub::A<{cuda}>::V }};")
    assert f"hipcub::A<{hip}>::V" in out
    assert ("HPY101", Severity.ERROR) not in found


def test_the_width_of_the_device_elsewhere() -> None:
    assert "int n = HIPCUB_DEVICE_WARP_THREADS;" in translate("int n = CUB_PTX_WARP_THREADS;", warp="native")[0]


def test_a_macro_of_the_program_stays() -> None:
    text = "#define CUB_PTX_WARP_THREADS 32\nint n = CUB_PTX_WARP_THREADS;"
    assert "int n = 32;" not in translate(text)[0]

"""Votes and tiles of cooperative groups by ROCm release: what old releases lack is written another way, or reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify import Options, translate_source
from tests.support.hip import compile_hip

HEAD = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
HEADER = "hipify_cooperative_groups.h"

PROGRAM = (
    HEAD
    + """
template <class Group> __device__ int ask(const Group& group, int x) { return group.any(x) + group.thread_rank(); }

__global__ void votes(int* p, float* q) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  cg::thread_block_tile<8> small = cg::tiled_partition<8>(tile);
  const auto* pointer = &tile;
  int same;
  if (tile.any(p[0] > 0) && tile.all(p[1])) p[2] = __popc(tile.ballot(p[threadIdx.x] & 1));
  p[3] = small.match_any(p[4]) + tile.match_all(q[0], same) + pointer->any(p[5]) + ask(small, 1);
  p[6] = cg::tiled_partition<16>(block).ballot(block.thread_rank() == 3) + small.size() + tile.thread_rank();
  cg::coalesced_group active = cg::coalesced_threads();
  int any = tile.any(p[8]);
  p[7] = any + active.any(1) + active.ballot(p[3]) + active.match_any(3u) + small.meta_group_rank();
  tile.sync();
}
"""
)


def messages(text: str, target: str) -> list[str]:
    found = translate_source(text, "t.cu", Options(target=target, clang=False)).findings
    return [f"{f.severity.label} {f.line} {f.id} {f.message}" for f in found if f.id == "HPY412"]


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(("target", "arch"), [("5.7", "gfx90a"), ("6.4", "gfx942"), ("7.2", "gfx1100")])
def test_votes_and_tiles_compile_for_every_release(tmp_path: Path, target: str, arch: str, clang: bool) -> None:
    made = translate_source(PROGRAM, "t.cu", Options(target=target, clang=clang))
    (tmp_path / "t.hip").write_bytes(made.output)
    for name, content in made.helper_headers.items():
        (tmp_path / name).write_bytes(content)
    assert (HEADER in made.helper_headers) == (target != "7.2")
    assert compile_hip(tmp_path / "t.hip", target, arch, flags=["-nogpulib"]) == []
    assert [finding for finding in made.findings if finding.id == "HPY412"] == []


@pytest.mark.parametrize(
    ("call", "made"),
    [
        ("t.any(x > 0)", "cooperative_groups::hipify_any(t, x > 0)"),
        ("s.tiles[2]->all(f(x, y))", "cooperative_groups::hipify_all(*s.tiles[2], f(x, y))"),
        ("make(1).ballot( x )", "cooperative_groups::hipify_ballot(make(1),  x )"),
        ("t.match_all(v, same)", "cooperative_groups::hipify_match_all(t, v, same)"),
        ("t.any()", "t.any()"),
        ("t.all(x, y)", "t.all(x, y)"),
        ("any(x)", "any(x)"),
    ],
)
def test_members_become_functions(call: str, made: str) -> None:
    text = f"{HEAD}__global__ void f() {{ g = {call}; }}\n"
    assert f"g = {made};" in translate_source(text, "t.cu", Options(target="6.4", clang=False)).output.decode()
    assert f"g = {call};" in translate_source(text, "t.cu", Options(target="7.2", clang=False)).output.decode()


def test_in_host_code_and_without_groups_they_stay() -> None:
    host = f"{HEAD}bool f(Mask m) {{ return m.any(1); }}\n"
    assert "m.any(1)" in translate_source(host, "t.cu", Options(target="6.4", clang=False)).output.decode()
    own = "__global__ void f(Mask m) { g = m.any(1); }\n"
    assert "m.any(1)" in translate_source(own, "t.cu", Options(target="6.4", clang=False)).output.decode()


def test_the_files_own_member_stays() -> None:
    text = f"{HEAD}struct Mask {{ __device__ bool any(int x); }};\n__global__ void f(Mask m) {{ g = m.any(1); }}\n"
    assert "g = m.any(1);" in translate_source(text, "t.cu", Options(target="6.4", clang=False)).output.decode()


def test_a_partition_by_a_predicate() -> None:
    text = f"{HEAD}__global__ void f(int x) {{ auto g = cg::binary_partition(cg::coalesced_threads(), x); }}\n"
    assert messages(text, "5.7") == ["error 3 HPY412 binary_partition: ROCm 5.7 does not have it"]
    declared = "ROCm 6.4 declares it only when HIP_ENABLE_WARP_SYNC_BUILTINS is defined"
    assert messages(text, "6.4") == [f"warning 3 HPY412 binary_partition: {declared}"]
    assert messages(text, "7.2") == []


def test_a_tile_that_names_its_parent() -> None:
    text = f"{HEAD}__device__ void f(cg::thread_block_tile<32, cg::thread_block> t) {{ t.sync(); }}\n"
    assert [message.split(":")[0] for message in messages(text, "5.7")] == [
        "error 3 HPY412 thread_block_tile with its parent's type"
    ]
    assert messages(text, "6.4") == []


def test_rocm_6_needs_no_header_for_tiles_of_a_block() -> None:
    text = f"{HEAD}__global__ void f() {{ auto b = cg::this_thread_block(); auto t = cg::tiled_partition<8>(b); }}\n"
    assert HEADER not in translate_source(text, "t.cu", Options(target="6.4", clang=False)).helper_headers


STRUCTURES = (
    HEAD
    + """
#include <cooperative_groups/reduce.h>
struct Pair { float sum; double most; char tag; };
__device__ Pair merged(Pair a, Pair b) { return {a.sum + b.sum, a.most > b.most ? a.most : b.most, a.tag}; }
__global__ void k(Pair* p, float2* q, float* r) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  cg::coalesced_group active = cg::coalesced_threads();
  p[0] = cg::reduce(tile, p[threadIdx.x], merged);
  p[1] = tile.shfl(p[threadIdx.x], 3);
  q[0] = tile.shfl_down(q[threadIdx.x], 1);
  p[2] = active.shfl_up(p[4], 2);
  r[0] = tile.shfl_xor(r[1], 4) + tile.shfl_xor(q[1].x, 2);
}
"""
)


@pytest.mark.parametrize(("target", "arch"), [("6.4", "gfx90a"), ("7.2", "gfx942")])
def test_structures_go_from_thread_to_thread(tmp_path: Path, target: str, arch: str) -> None:
    made = translate_source(STRUCTURES, "t.cu", Options(target=target))
    text = made.output.decode()
    assert "p[1] = cooperative_groups::hipify_shfl(tile, p[threadIdx.x], 3);" in text
    assert "q[0] = cooperative_groups::hipify_shfl_down(tile, q[threadIdx.x], 1);" in text
    assert "p[2] = cooperative_groups::hipify_shfl_up(active, p[4], 2);" in text
    assert "r[0] = tile.shfl_xor(r[1], 4) + tile.shfl_xor(q[1].x, 2);" in text
    (tmp_path / "t.hip").write_bytes(made.output)
    for name, content in made.helper_headers.items():
        (tmp_path / name).write_bytes(content)
    assert compile_hip(tmp_path / "t.hip", target, arch, flags=["-nogpulib"]) == []


@pytest.mark.parametrize(
    ("reduce", "count"),
    [
        ("#include <cooperative_groups/reduce.h>\n", 1),
        ("#ifdef FAST\n#include <cooperative_groups/reduce.h>\n#endif\n", 2),
        ("", 1),
    ],
)
def test_the_header_is_included_once_for_all(reduce: str, count: int) -> None:
    use = "__global__ void k(int* p) { p[0] = cg::tiled_partition<32>(cg::this_thread_block()).any(p[1]); }\n"
    made = translate_source(reduce + HEAD + use, "t.cu", Options(target="6.4", clang=False)).output.decode()
    assert made.count(f'#include "{HEADER}"\n') == count
    assert "cooperative_groups::hipify_any(" in made


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("cg::details::sync_grids(nullptr);", [3]),
        ("cooperative_groups::details::vec3_to_linear<unsigned>(threadIdx, blockDim);", [3]),
        ("namespace d = cooperative_groups::details; d::sync_warps(nullptr, 0, 0);", [3]),
        ("using namespace cooperative_groups::details;", [3]),
        ("mine::details::go();", []),
        ("cg::details::own();", []),
    ],
)
def test_the_inside_of_cudas_library_is_named(body: str, lines: list[int], clang: bool) -> None:
    text = (
        "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
        f"__global__ void k() {{ {body} }}\n"
        "namespace cooperative_groups { namespace details { __device__ int own(); } }\n"
    )
    made = translate_source(text, "t.cu", Options(clang=clang))
    assert [f.line for f in made.findings if f.id == "HPY412"] == lines


@pytest.mark.parametrize("clang", [True, False])
def test_the_version_in_a_name_goes(clang: bool) -> None:
    text = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__device__ void f(cg::__v1::thread_block b);\n"
    made = translate_source(text, "t.cu", Options(clang=clang))
    assert b"void f(cg::thread_block b);" in made.output
    assert made.findings == ()


@pytest.mark.parametrize(
    ("code", "archs", "told"),
    [
        ("auto t = cg::tiled_partition<128>(b);", (), ["tiled_partition of 128 threads"]),
        ("auto t = cg::tiled_partition<BIG>(b);", (), ["tiled_partition of 256 threads"]),
        ("cg::thread_block_tile<128> t = mine(b);", (), ["thread_block_tile of 128 threads"]),
        ("auto t = cg::tiled_partition(b, 128);", (), ["tiled_partition of 128 threads"]),
        ("auto t = cg::tiled_partition<64>(b);", (), []),
        ("auto t = cg::tiled_partition<64>(b);", ("gfx1100",), ["tiled_partition of 64 threads"]),
        ("auto t = cg::tiled_partition<32>(b);", ("gfx1100",), []),
        ("auto t = cg::experimental::tiled_partition<32>(b);", (), ["cg::experimental"]),
        ("auto t = cg::experimental::block_tile_memory<4>();", (), ["block_tile_memory"]),
    ],
)
def test_tiles_of_several_warps_are_named(code: str, archs: tuple[str, ...], told: list[str]) -> None:
    kernel = "__global__ void k() { auto b = cg::this_thread_block(); " + code + " }\n"
    text = HEAD + "constexpr int BIG = 2 * 128;\n" + kernel
    done = translate_source(text, "t.cu", Options(clang=False, offload_arch=archs))
    assert [f.message.split(": ")[0] for f in done.findings if f.id == "HPY412"] == told

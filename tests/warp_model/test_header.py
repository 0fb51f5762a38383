"""clang compiles hipify_warp.h for AMD's GPUs, every function of it for every type that CUDA's shuffles take."""

from __future__ import annotations

import clang.cindex
import pytest

from .language import HEADER

# What the header takes from HIP: names and types as HIP's own headers declare them.
_HIP = """
#pragma once
#define __device__ __attribute__((device))
__device__ unsigned int __lane_id();
__device__ unsigned long long __ballot(int);
__device__ int __shfl(int, int, int);
__device__ int __shfl_up(int, unsigned int, int);
__device__ int __shfl_down(int, unsigned int, int);
__device__ int __shfl_xor(int, int, int);
__device__ int __ffs(unsigned int);
"""
_PROGRAM = """
#include "hipify_warp.h"
struct half2 { short x, y; };
template <typename T> __device__ T shuffles(unsigned m, T v) {
  v = hipify::shfl_sync(m, v, 3);
  v = hipify::shfl_up_sync(m, v, 1u, 16);
  v = hipify::shfl_down_sync(m, v, 1);
  v = hipify::shfl_xor_sync(m, v, 1, 8);
  return hipify::shfl(hipify::shfl_up(hipify::shfl_down(hipify::shfl_xor(v, 1), 1), 1), 0);
}
template <typename T> __device__ unsigned matches(unsigned m, T v) {
  int all;
  return hipify::match_any_sync(m, v) + hipify::match_all_sync(m, v, &all) + all;
}
__device__ unsigned use(unsigned m, int i, unsigned u, long l, unsigned long ul, long long ll, unsigned long long ull,
                        float f, double d, short s, unsigned char c, bool b, half2 h) {
  shuffles(m, i); shuffles(m, u); shuffles(m, l); shuffles(m, ul); shuffles(m, ll); shuffles(m, ull);
  shuffles(m, f); shuffles(m, d); shuffles(m, s); shuffles(m, c); shuffles(m, b); shuffles(m, h);
  matches(m, i); matches(m, u); matches(m, ll); matches(m, ull); matches(m, f); matches(m, d);
  hipify::syncwarp(); hipify::syncwarp(m);
  int least = hipify::reduce_min_sync(m, i) + hipify::reduce_max_sync(m, i) + hipify::reduce_add_sync(m, i);
  __attribute__((shared)) static float shared[hipify::warp_size];
  return hipify::reduce_min_sync(m, u) + hipify::reduce_max_sync(m, u) + hipify::reduce_add_sync(m, u) + least +
         hipify::reduce_and_sync(m, u) + hipify::reduce_or_sync(m, u) + hipify::reduce_xor_sync(m, u) +
         hipify::ballot_sync(m, i) + hipify::ballot(i) + hipify::any_sync(m, i) + hipify::all_sync(m, i) +
         hipify::uni_sync(m, i) + hipify::any(i) + hipify::all(i) + hipify::activemask() + hipify::fns(m, 3u, i) +
         hipify::lane_id() + hipify::lanemask_lt() + hipify::lanemask_le() + hipify::lanemask_eq() +
         hipify::lanemask_ge() + hipify::lanemask_gt() + static_cast<unsigned>(shared[0]);
}
"""


@pytest.mark.parametrize("arch", ["gfx90a", "gfx942", "gfx1100"])
@pytest.mark.parametrize("pass_", ["--cuda-device-only", "--cuda-host-only"])
def test_the_header_compiles(arch: str, pass_: str) -> None:
    arguments = ["-x", "hip", pass_, "-nogpuinc", "-nogpulib", f"--offload-arch={arch}", "-std=c++17", "-Wall"]
    arguments += ["-Wno-unused-value", "-Wno-unused-function", f"-I{HEADER.parent}", "-I/given"]
    unit = clang.cindex.Index.create().parse(
        "program.hip", args=arguments, unsaved_files=[("program.hip", _PROGRAM), ("/given/hip/hip_runtime.h", _HIP)]
    )
    assert [str(d) for d in unit.diagnostics] == []
    assert any(c.spelling == "use" for c in unit.cursor.get_children())


def test_a_host_compiler_takes_it_too() -> None:
    source = '#include "hipify_warp.h"\nstatic_assert(hipify::warp_size == 32, "");\n'
    unit = clang.cindex.Index.create().parse(
        "host.cpp",
        args=["-std=c++14", "-Wall", f"-I{HEADER.parent}", "-I/given"],
        unsaved_files=[("host.cpp", source), ("/given/hip/hip_runtime.h", "")],
    )
    assert [str(d) for d in unit.diagnostics] == []


def test_other_words_of_the_header_are_not_redefined() -> None:
    """The header leaves no macro behind but its guard."""
    text = HEADER.read_text("utf-8")
    defined = {line.split()[1] for line in text.splitlines() if line.startswith("#define")}
    undefined = {line.split()[1] for line in text.splitlines() if line.startswith("#undef")}
    assert defined - undefined == {"HIPIFY_WARP_H"}

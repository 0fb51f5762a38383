"""Atomic functions of a program's own that HIP has: kept from the platforms that would see them twice."""

import pytest

from hipify.model import Options
from hipify.pipeline import translate


def output(text: str) -> str:
    return translate(text.encode(), "a.cu", Options(clang=False)).output.decode()


@pytest.mark.parametrize("name", ["atomicMax", "atomicMin"])
def test_an_atomic_that_both_platforms_of_hip_define_is_for_cuda_alone(name: str) -> None:
    own = f"__device__ double {name}(double* p, double v) {{ return v; }}\n"
    guarded = f"#if !defined(__HIP_PLATFORM_AMD__) && !defined(__HIP_PLATFORM_NVIDIA__)\n{own}#endif\n"
    assert guarded in output(f"#include <cuda_runtime.h>\n{own}int after;\n")


def test_an_atomic_that_only_amd_defines_stays_for_nvidia() -> None:
    own = "__device__ double atomicAdd(double* p, double v) { return v; }\n"
    assert f"#ifndef __HIP_PLATFORM_AMD__\n{own}#endif\n" in output(f"#include <cuda_runtime.h>\n{own}int after;\n")


def test_an_atomic_on_other_operands_is_left_as_it_is() -> None:
    own = "__device__ short atomicMax(short* p, short v) { return v; }\n"
    assert own in output(f"#include <cuda_runtime.h>\n{own}int after;\n")
    assert "#if" not in output(f"#include <cuda_runtime.h>\n{own}int after;\n")


@pytest.mark.parametrize("call", ["atomicAdd(v, make_float2(1, 2))", "atomicAdd(&v[1], v[2])"])
def test_an_atomic_of_ones_own_leaves_vectors_to_cudas(call: str) -> None:
    own = "__device__ double atomicAdd(double* p, double v) { return v; }\n"
    kernel = f"__global__ void k(float2* v, double* d) {{ {call}; atomicAdd(d, 1.0); }}\n"
    result = translate(f"{own}{kernel}".encode(), "a.cu", Options(clang=False))
    assert [(f.id, f.line) for f in result.findings if f.id == "HPY407"] == [("HPY407", 2)]
    assert "hipify_overloads.h" in result.helper_headers
    without = kernel.replace(call, "v[0].x = 1")
    assert not translate(f"{own}{without}".encode(), "a.cu", Options(clang=False)).helper_headers
    vectors = "__device__ float2 atomicAdd(float2* p, float2 v) { return v; }\n"
    assert not translate(f"{vectors}{kernel}".encode(), "a.cu", Options(clang=False)).helper_headers

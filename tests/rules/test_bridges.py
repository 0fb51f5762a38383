"""Macros by which a program reaches HIP itself, and macros that wrap the function of their own name."""

from __future__ import annotations

import pytest

import hipify

HEAD = "#include <cuda_runtime.h>\n"


def translate(text: str, clang: bool) -> str:
    return hipify.translate_source(HEAD + text, "t.cu", hipify.Options(clang=clang)).output.decode()


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("define", "before", "after"),
    [
        ("#ifdef USE_ROCM\n#define cudaFree hipFree\n#endif\n", "cudaFree(p)", "hipFree(p)"),
        (
            "#if defined(MY_HIP)\n#define cudaMemset(p, v, n) hipMemset((void*)p, v, n)\n#endif\n",
            "cudaMemset(p, 0, 4)",
            "hipMemset(p, 0, 4)",
        ),
        (
            "#ifdef __HIP_PLATFORM_AMD__\n#define cudaMallocHost(p, n) hipHostMalloc(p, n, 1)\n#endif\n",
            "cudaMallocHost(&p, 4)",
            "cudaMallocHost(&p, 4)",
        ),
        (
            "#ifdef USE_ROCM\n#define cudaFree hipFree\n#else\n#define cudaFree my_free\n#endif\nvoid my_free(int*);\n",
            "cudaFree(p)",
            "cudaFree(p)",
        ),
    ],
)
def test_uses_are_translated_and_definitions_stay(define: str, before: str, after: str, clang: bool) -> None:
    output = translate(f"{define}void f(int* p) {{ {before}; }}\n", clang)
    assert output == f"#include <hip/hip_runtime.h>\n{define}void f(int* p) {{ {after}; }}\n"


@pytest.mark.parametrize("clang", [True, False])
def test_warp_functions_behind_a_switch_are_kept_on_32_lanes(clang: bool) -> None:
    define = "#ifdef USE_ROCM\n#define __shfl_xor_sync(m, v, o) __shfl_xor(v, o)\n#endif\n"
    output = translate(f"{define}__device__ int f(int v) {{ return __shfl_xor_sync(0xffffffff, v, 1); }}\n", clang)
    assert "#define __shfl_xor_sync(m, v, o) " in output
    assert "return hipify::shfl_xor_sync(0xffffffff, v, 1);" in output


@pytest.mark.parametrize("clang", [True, False])
def test_a_macro_that_wraps_its_own_name(clang: bool) -> None:
    define = "int checked(int);\n#define cudaMemset(p, v, n) checked(cudaMemset(p, v, n))\n"
    output = translate(f"{define}void f(int* p) {{ cudaMemset(p, 0, 4); }}\n", clang)
    assert "#define cudaMemset(p, v, n) checked(hipMemset(p, v, n))\n" in output
    assert "void f(int* p) { cudaMemset(p, 0, 4); }" in output

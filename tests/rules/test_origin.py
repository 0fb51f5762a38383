"""What is HIP already is not touched: its 64-bit ballots and its launches mean what they say."""

import pytest

import hipify

KERNEL = "__global__ void k(float* p) { p[0] = __shfl_down(p[0], 1) + __popcll(__ballot(1)); }\n"


@pytest.mark.parametrize(
    "text",
    [
        '#include "hip/hip_runtime.h"\n' + KERNEL,
        "#include <hip/hip_runtime.h>\n" + KERNEL + "void f(float* p) { k<<<1, 64>>>(p); hipDeviceSynchronize(); }\n",
        KERNEL + "void f(float* p) { hipLaunchKernelGGL(k, 1, 64, 0, 0, p); }\n",
        "#include <hip/hip_runtime.h>\n#ifdef __CUDACC__\n#define ON_NVIDIA 1\n#endif\n" + KERNEL,
        "// cudaMalloc was here\n#include <hip/hip_runtime.h>\n" + KERNEL,
    ],
)
@pytest.mark.parametrize("clang", [True, False])
def test_hip_stays_byte_for_byte(text: str, clang: bool) -> None:
    result = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert result.output.decode() == text
    assert result.edits == () and result.helper_headers == {}


@pytest.mark.parametrize(
    "text",
    [
        KERNEL,
        "#include <cuda_runtime.h>\n#include <hip/hip_runtime.h>\n" + KERNEL,
        "#include <hip/hip_runtime.h>\n" + KERNEL + "void f(float* p) { cudaFree(p); }\n",
        "// hipFree(p)\n" + KERNEL + "void f(float* p) { k<<<1, 32>>>(p); cudaFree(p); }\n",
    ],
)
def test_cuda_is_translated(text: str) -> None:
    assert "hipify::shfl_down" in hipify.translate_source(text, "t.cu").output.decode()


def test_what_hip_would_reject_is_still_found() -> None:
    text = (
        "#include <hip/hip_runtime.h>\n__global__ void c(int* p) { *p = 1; }\n"
        "__global__ void k(int* p) { c<<<1, 1>>>(p); __shfl_sync(0xffffffffu, *p, 0); }\n"
    )
    result = hipify.translate_source(text, "t.cu")
    assert {"HPY201", "HPY301"} <= {f.id for f in result.findings}
    assert not result.changed

"""What repositories that nobody here wrote taught: calls whose HIP twins lack a default or a const."""

from __future__ import annotations

import pytest

from hipify import Options, translate_source


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("cudaMemcpyToSymbolAsync(x, &z, 4)", "hipMemcpyToSymbolAsync(HIP_SYMBOL(x), &z, 4, 0, hipMemcpyHostToDevice)"),
        ("cudaMemcpyFromSymbolAsync(&z, x, 4, 8)",
         "hipMemcpyFromSymbolAsync(&z, HIP_SYMBOL(x), 4, 8, hipMemcpyDeviceToHost)"),
        ("cudaMemcpyToSymbolAsync(x, &z, 4, 0, cudaMemcpyHostToDevice, s)",
         "hipMemcpyToSymbolAsync(HIP_SYMBOL(x), &z, 4, 0, hipMemcpyHostToDevice, s)"),
        ("cublasSgetrsBatched(h, CUBLAS_OP_N, 3, 1, a, 3, p, b, 3, i, 4)",
         "hipblasSgetrsBatched(h, HIPBLAS_OP_N, 3, 1, (float* const*)(a), 3, p, b, 3, i, 4)"),
    ],
)  # fmt: skip
def test_a_call(cuda: str, hip: str) -> None:
    source = f"#include <cuda_runtime.h>\n#include <cublas_v2.h>\nvoid f() {{ {cuda}; }}\n"
    output = translate_source(source, "a.cu", Options(clang=False)).output.decode()
    assert f"void f() {{ {hip}; }}" in output


def test_code_that_asks_which_of_cuda_s_headers_came_before_asks_for_hip_s() -> None:
    source = (
        "#ifdef __DRIVER_TYPES_H__\ncudaError_t e;\n#endif\n#if defined(CUBLAS_API_H_)\ncublasHandle_t h;\n#endif\n"
    )
    output = translate_source(source, "helper.h", Options(clang=False)).output.decode()
    assert "|| defined(HIP_INCLUDE_HIP_DRIVER_TYPES_H)\nhipError_t e;" in output
    assert "#if defined(CUBLAS_API_H_) || defined(HIPBLAS_H)\nhipblasHandle_t h;" in output

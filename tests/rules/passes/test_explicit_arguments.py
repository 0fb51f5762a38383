"""Template arguments in front of calls that are plain functions in HIP."""

import pytest

import hipify

HEAD = "#include <cuda_runtime.h>\n__global__ void k(int*);\n"
HIP_HEAD = "#include <hip/hip_runtime.h>\n__global__ void k(int*);\n"


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        (
            "cudaLaunchKernel<void(int*)>(k, 1, 1, a, 0, s);",
            "hipLaunchKernel(reinterpret_cast<const void*>(k), 1, 1, a, 0, s);",
        ),
        (
            "::cudaFuncSetCacheConfig < void (int*) > (k, cudaFuncCachePreferL1);",
            "::hipFuncSetCacheConfig  (reinterpret_cast<const void*>(k), hipFuncCachePreferL1);",
        ),
        (
            "cudaHostGetDevicePointer<cudaEvent_t>(&e, e, 0);",
            "hipHostGetDevicePointer(reinterpret_cast<void**>(&e), e, 0);",
        ),
        (
            "cudaLaunchKernel<decltype(&cudaMallocHost(a, cudaSuccess))>(k, 1, 1, a, 0, s);",
            "hipLaunchKernel(reinterpret_cast<const void*>(k), 1, 1, a, 0, s);",
        ),
        ("cudaMalloc<float>(&p, 4);", "hipMalloc<float>(&p, 4);"),
        ("cudaStreamAttachMemAsync(s, p);", "hipStreamAttachMemAsync(s, p);"),
        ("b = cudaFuncSetAttribute < n && n > 4;", "b = hipFuncSetAttribute < n && n > 4;"),
        ("mine::cudaLaunchKernel<int>(3);", "mine::cudaLaunchKernel<int>(3);"),
    ],
)
def test_functions_of_hip_take_no_template_arguments(cuda: str, hip: str, clang: bool) -> None:
    declared = "namespace mine { template <class T> void cudaLaunchKernel(T); }\n"
    line = "void f(void** a, {0}Stream_t s, {0}Event_t e, float* p, int n, bool b) {{ {1} }}\n"
    made = hipify.translate_source(HEAD + declared + line.format("cuda", cuda), "t.cu", hipify.Options(clang=clang))
    assert made.output.decode() == HIP_HEAD + declared + line.format("hip", hip)

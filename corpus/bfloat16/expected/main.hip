// A dot product in bfloat16, accumulated in float.
#include <hip/hip_bf16.h>
#include <hip/hip_runtime.h>
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void convert(const float *in, __hip_bfloat16 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __float2bfloat16(in[i]);
}

__global__ void dot(const __hip_bfloat16 *a, const __hip_bfloat16 *b, float *result, int n)
{
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        sum += __bfloat162float(a[i]) * __bfloat162float(b[i]);
    }
    atomicAdd(result, sum);
}

int main()
{
    const int n = 4096;
    std::vector<float> a(n), b(n);
    double expected = 0;
    for (int i = 0; i < n; ++i) {
        a[i] = (i % 32) / 32.0f;  // exact in bfloat16
        b[i] = (i % 8) - 3.5f;
        expected += a[i] * b[i];
    }

    float *staging, *d_result, result = 0.0f;
    __hip_bfloat16 *d_a, *d_b;
    hipMalloc((void **)&staging, n * sizeof(float));
    hipMalloc((void **)&d_a, n * sizeof(__hip_bfloat16));
    hipMalloc((void **)&d_b, n * sizeof(__hip_bfloat16));
    hipMalloc((void **)&d_result, sizeof(float));
    hipMemset(d_result, 0, sizeof(float));
    hipMemcpy(staging, a.data(), n * sizeof(float), hipMemcpyHostToDevice);
    hipLaunchKernelGGL(convert, dim3(n / 256), dim3(256), 0, 0, staging, d_a, n);
    hipMemcpy(staging, b.data(), n * sizeof(float), hipMemcpyHostToDevice);
    hipLaunchKernelGGL(convert, dim3(n / 256), dim3(256), 0, 0, staging, d_b, n);
    hipLaunchKernelGGL(dot, dim3(8), dim3(128), 0, 0, d_a, d_b, d_result, n);
    hipMemcpy(&result, d_result, sizeof(float), hipMemcpyDeviceToHost);
    if (hipGetLastError() != hipSuccess) return 1;

    hipFree(staging);
    hipFree(d_a);
    hipFree(d_b);
    hipFree(d_result);
    const bool ok = std::fabs(result - expected) < 0.05;
    std::printf("dot product %f, expected %f\n%s\n", result, expected, ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

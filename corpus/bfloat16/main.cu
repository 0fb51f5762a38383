// A dot product in bfloat16, accumulated in float.
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void convert(const float *in, __nv_bfloat16 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __float2bfloat16(in[i]);
}

__global__ void dot(const __nv_bfloat16 *a, const nv_bfloat16 *b, float *result, int n)
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
    __nv_bfloat16 *d_a, *d_b;
    cudaMalloc((void **)&staging, n * sizeof(float));
    cudaMalloc((void **)&d_a, n * sizeof(__nv_bfloat16));
    cudaMalloc((void **)&d_b, n * sizeof(__nv_bfloat16));
    cudaMalloc((void **)&d_result, sizeof(float));
    cudaMemset(d_result, 0, sizeof(float));
    cudaMemcpy(staging, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    convert<<<n / 256, 256>>>(staging, d_a, n);
    cudaMemcpy(staging, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    convert<<<n / 256, 256>>>(staging, d_b, n);
    dot<<<8, 128>>>(d_a, d_b, d_result, n);
    cudaMemcpy(&result, d_result, sizeof(float), cudaMemcpyDeviceToHost);
    if (cudaGetLastError() != cudaSuccess) return 1;

    cudaFree(staging);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_result);
    const bool ok = std::fabs(result - expected) < 0.05;
    std::printf("dot product %f, expected %f\n%s\n", result, expected, ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

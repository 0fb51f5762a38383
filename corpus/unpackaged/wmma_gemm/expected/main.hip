// Tensor cores through wmma: one warp multiplies 16x16 tiles of half into float.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <rocwmma/rocwmma.hpp>
#include <math.h>
#include <stdio.h>
#include <vector>

namespace wmma = rocwmma;

__global__ void toHalf(const float *in, half *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __float2half(in[i]);
}

__global__ void gemm(const half *a, const half *b, float *c, int n)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fragA;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fragB;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
    wmma::fill_fragment(acc, 0.0f);
    for (int k = 0; k < n; k += 16) {
        wmma::load_matrix_sync(fragA, a + blockIdx.y * 16 * n + k, n);
        wmma::load_matrix_sync(fragB, b + k * n + blockIdx.x * 16, n);
        wmma::mma_sync(acc, fragA, fragB, acc);
    }
    wmma::store_matrix_sync(c + blockIdx.y * 16 * n + blockIdx.x * 16, acc, n, wmma::mem_row_major);
}

int main()
{
    const int n = 64;
    std::vector<float> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; ++i) a[i] = (i % 5 - 2) * 0.5f, b[i] = (i % 7 - 3) * 0.25f;
    float *staging, *dC;
    half *dA, *dB;
    hipMalloc(&staging, n * n * sizeof(float));
    hipMalloc(&dC, n * n * sizeof(float));
    hipMalloc(&dA, n * n * sizeof(half));
    hipMalloc(&dB, n * n * sizeof(half));
    hipMemcpy(staging, a.data(), n * n * sizeof(float), hipMemcpyHostToDevice);
    hipLaunchKernelGGL(toHalf, dim3(n * n / 256), dim3(256), 0, 0, staging, dA, n * n);
    hipMemcpy(staging, b.data(), n * n * sizeof(float), hipMemcpyHostToDevice);
    hipLaunchKernelGGL(toHalf, dim3(n * n / 256), dim3(256), 0, 0, staging, dB, n * n);
    hipLaunchKernelGGL(gemm, dim3(dim3(n / 16, n / 16)), dim3(32), 0, 0, dA, dB, dC, n);  // one warp a tile
    hipMemcpy(c.data(), dC, n * n * sizeof(float), hipMemcpyDeviceToHost);
    if (hipGetLastError() != hipSuccess) return 1;

    float worst = 0;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            float sum = 0;
            for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
            worst = fmaxf(worst, fabsf(sum - c[i * n + j]));
        }
    }
    hipFree(staging);
    hipFree(dA);
    hipFree(dB);
    hipFree(dC);
    printf("largest difference %g\n%s\n", worst, worst < 1e-2f ? "PASS" : "FAIL");
    return worst < 1e-2f ? 0 : 1;
}

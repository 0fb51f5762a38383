// Tensor cores through wmma: one warp multiplies 16x16 tiles of half into float.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
#include <math.h>
#include <stdio.h>
#include <vector>

using namespace nvcuda;

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
    cudaMalloc(&staging, n * n * sizeof(float));
    cudaMalloc(&dC, n * n * sizeof(float));
    cudaMalloc(&dA, n * n * sizeof(half));
    cudaMalloc(&dB, n * n * sizeof(half));
    cudaMemcpy(staging, a.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
    toHalf<<<n * n / 256, 256>>>(staging, dA, n * n);
    cudaMemcpy(staging, b.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
    toHalf<<<n * n / 256, 256>>>(staging, dB, n * n);
    gemm<<<dim3(n / 16, n / 16), 32>>>(dA, dB, dC, n);  // one warp a tile
    cudaMemcpy(c.data(), dC, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    if (cudaGetLastError() != cudaSuccess) return 1;

    float worst = 0;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            float sum = 0;
            for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
            worst = fmaxf(worst, fabsf(sum - c[i * n + j]));
        }
    }
    cudaFree(staging);
    cudaFree(dA);
    cudaFree(dB);
    cudaFree(dC);
    printf("largest difference %g\n%s\n", worst, worst < 1e-2f ? "PASS" : "FAIL");
    return worst < 1e-2f ? 0 : 1;
}

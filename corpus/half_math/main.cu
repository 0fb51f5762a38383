// Half precision: conversions, packed half2 arithmetic, comparisons.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <vector>

__global__ void toHalf(const float *in, __half *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __float2half(in[i]);
}

__global__ void axpyHalf2(__half2 a, const __half2 *x, __half2 *y, int pairs)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pairs) y[i] = __hfma2(a, x[i], y[i]);
}

__global__ void relu(half *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const half zero = __float2half(0.0f);
    if (__hlt(v[i], zero)) v[i] = zero;
    v[i] = __hadd(v[i], __hmul(v[i], __float2half(0.5f)));
}

int main()
{
    const int n = 2048;
    std::vector<float> x(n), y(n);
    for (int i = 0; i < n; ++i) {
        x[i] = (i % 64 - 32) / 16.0f;
        y[i] = (i % 16) / 8.0f;
    }

    float *d_f;
    __half *d_x, *d_y;
    cudaMalloc(&d_f, n * sizeof(float));
    cudaMalloc(&d_x, n * sizeof(__half));
    cudaMalloc(&d_y, n * sizeof(__half));
    cudaMemcpy(d_f, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    toHalf<<<n / 256, 256>>>(d_f, d_x, n);
    cudaMemcpy(d_f, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    toHalf<<<n / 256, 256>>>(d_f, d_y, n);

    const __half2 two = __floats2half2_rn(2.0f, 2.0f);
    axpyHalf2<<<n / 512, 256>>>(two, reinterpret_cast<__half2 *>(d_x), reinterpret_cast<__half2 *>(d_y), n / 2);
    relu<<<n / 256, 256>>>(d_y, n);

    std::vector<__half> out(n);
    cudaMemcpy(out.data(), d_y, n * sizeof(__half), cudaMemcpyDeviceToHost);
    if (cudaGetLastError() != cudaSuccess) return 1;

    float worst = 0;
    for (int i = 0; i < n; ++i) {
        float want = fmaxf(2.0f * x[i] + y[i], 0.0f) * 1.5f;
        worst = fmaxf(worst, fabsf(__half2float(out[i]) - want));
    }
    cudaFree(d_f);
    cudaFree(d_x);
    cudaFree(d_y);
    printf("largest difference %g\n%s\n", worst, worst < 0.02f ? "PASS" : "FAIL");
    return worst < 0.02f ? 0 : 1;
}

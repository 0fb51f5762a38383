// Half precision: conversions, packed half2 arithmetic, comparisons.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
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
    hipMalloc(&d_f, n * sizeof(float));
    hipMalloc(&d_x, n * sizeof(__half));
    hipMalloc(&d_y, n * sizeof(__half));
    hipMemcpy(d_f, x.data(), n * sizeof(float), hipMemcpyHostToDevice);
    hipLaunchKernelGGL(toHalf, dim3(n / 256), dim3(256), 0, 0, d_f, d_x, n);
    hipMemcpy(d_f, y.data(), n * sizeof(float), hipMemcpyHostToDevice);
    hipLaunchKernelGGL(toHalf, dim3(n / 256), dim3(256), 0, 0, d_f, d_y, n);

    const __half2 two = __floats2half2_rn(2.0f, 2.0f);
    hipLaunchKernelGGL(axpyHalf2, dim3(n / 512), dim3(256), 0, 0, two, reinterpret_cast<__half2 *>(d_x), reinterpret_cast<__half2 *>(d_y), n / 2);
    hipLaunchKernelGGL(relu, dim3(n / 256), dim3(256), 0, 0, d_y, n);

    std::vector<__half> out(n);
    hipMemcpy(out.data(), d_y, n * sizeof(__half), hipMemcpyDeviceToHost);
    if (hipGetLastError() != hipSuccess) return 1;

    float worst = 0;
    for (int i = 0; i < n; ++i) {
        float want = fmaxf(2.0f * x[i] + y[i], 0.0f) * 1.5f;
        worst = fmaxf(worst, fabsf(__half2float(out[i]) - want));
    }
    hipFree(d_f);
    hipFree(d_x);
    hipFree(d_y);
    printf("largest difference %g\n%s\n", worst, worst < 0.02f ? "PASS" : "FAIL");
    return worst < 0.02f ? 0 : 1;
}

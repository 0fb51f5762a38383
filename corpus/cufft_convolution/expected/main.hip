// Circular convolution by cuFFT: two forward transforms, a pointwise product, one inverse.
#include <hip/hip_runtime.h>
#include <hipfft/hipfft.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define CUFFT_CALL(call)                                                           \
    {                                                                              \
        hipfftResult r = call;                                                      \
        if (r != HIPFFT_SUCCESS) {                                                  \
            fprintf(stderr, "cuFFT error %d at line %d\n", (int)r, __LINE__);      \
            exit(1);                                                               \
        }                                                                          \
    }

__global__ void multiply(hipfftComplex *a, const hipfftComplex *b, float scale, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        hipfftComplex c = hipCmulf(a[i], b[i]);
        a[i] = make_hipFloatComplex(hipCrealf(c) * scale, hipCimagf(c) * scale);
    }
}

int main()
{
    const int n = 256;
    std::vector<hipfftComplex> a(n), b(n), out(n);
    for (int i = 0; i < n; ++i) {
        a[i] = make_hipFloatComplex(i % 10, 0);
        b[i] = make_hipFloatComplex(i < 5 ? 1.0f / 5 : 0.0f, 0);
    }
    hipfftComplex *dA, *dB;
    hipMalloc(&dA, n * sizeof(hipfftComplex));
    hipMalloc(&dB, n * sizeof(hipfftComplex));
    hipMemcpy(dA, a.data(), n * sizeof(hipfftComplex), hipMemcpyHostToDevice);
    hipMemcpy(dB, b.data(), n * sizeof(hipfftComplex), hipMemcpyHostToDevice);

    hipfftHandle plan;
    CUFFT_CALL(hipfftPlan1d(&plan, n, HIPFFT_C2C, 1));
    CUFFT_CALL(hipfftExecC2C(plan, dA, dA, HIPFFT_FORWARD));
    CUFFT_CALL(hipfftExecC2C(plan, dB, dB, HIPFFT_FORWARD));
    hipLaunchKernelGGL(multiply, dim3((n + 127) / 128), dim3(128), 0, 0, dA, dB, 1.0f / n, n);
    CUFFT_CALL(hipfftExecC2C(plan, dA, dA, HIPFFT_BACKWARD));
    CUFFT_CALL(hipfftDestroy(plan));
    hipMemcpy(out.data(), dA, n * sizeof(hipfftComplex), hipMemcpyDeviceToHost);

    float worst = 0;
    for (int i = 0; i < n; ++i) {
        float want = 0;
        for (int k = 0; k < 5; ++k) want += a[(i - k + n) % n].x / 5;
        worst = fmaxf(worst, fabsf(out[i].x - want));
    }
    hipFree(dA);
    hipFree(dB);
    printf("largest difference %g\n%s\n", worst, worst < 1e-4f ? "PASS" : "FAIL");
    return worst < 1e-4f ? 0 : 1;
}

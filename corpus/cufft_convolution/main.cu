// Circular convolution by cuFFT: two forward transforms, a pointwise product, one inverse.
#include <cuda_runtime.h>
#include <cufft.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define CUFFT_CALL(call)                                                           \
    {                                                                              \
        cufftResult r = call;                                                      \
        if (r != CUFFT_SUCCESS) {                                                  \
            fprintf(stderr, "cuFFT error %d at line %d\n", (int)r, __LINE__);      \
            exit(1);                                                               \
        }                                                                          \
    }

__global__ void multiply(cufftComplex *a, const cufftComplex *b, float scale, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        cufftComplex c = cuCmulf(a[i], b[i]);
        a[i] = make_cuFloatComplex(cuCrealf(c) * scale, cuCimagf(c) * scale);
    }
}

int main()
{
    const int n = 256;
    std::vector<cufftComplex> a(n), b(n), out(n);
    for (int i = 0; i < n; ++i) {
        a[i] = make_cuFloatComplex(i % 10, 0);
        b[i] = make_cuFloatComplex(i < 5 ? 1.0f / 5 : 0.0f, 0);
    }
    cufftComplex *dA, *dB;
    cudaMalloc(&dA, n * sizeof(cufftComplex));
    cudaMalloc(&dB, n * sizeof(cufftComplex));
    cudaMemcpy(dA, a.data(), n * sizeof(cufftComplex), cudaMemcpyHostToDevice);
    cudaMemcpy(dB, b.data(), n * sizeof(cufftComplex), cudaMemcpyHostToDevice);

    cufftHandle plan;
    CUFFT_CALL(cufftPlan1d(&plan, n, CUFFT_C2C, 1));
    CUFFT_CALL(cufftExecC2C(plan, dA, dA, CUFFT_FORWARD));
    CUFFT_CALL(cufftExecC2C(plan, dB, dB, CUFFT_FORWARD));
    multiply<<<(n + 127) / 128, 128>>>(dA, dB, 1.0f / n, n);
    CUFFT_CALL(cufftExecC2C(plan, dA, dA, CUFFT_INVERSE));
    CUFFT_CALL(cufftDestroy(plan));
    cudaMemcpy(out.data(), dA, n * sizeof(cufftComplex), cudaMemcpyDeviceToHost);

    float worst = 0;
    for (int i = 0; i < n; ++i) {
        float want = 0;
        for (int k = 0; k < 5; ++k) want += a[(i - k + n) % n].x / 5;
        worst = fmaxf(worst, fabsf(out[i].x - want));
    }
    cudaFree(dA);
    cudaFree(dB);
    printf("largest difference %g\n%s\n", worst, worst < 1e-4f ? "PASS" : "FAIL");
    return worst < 1e-4f ? 0 : 1;
}

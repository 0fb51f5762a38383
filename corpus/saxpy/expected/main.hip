// saxpy: y = a*x + y, the first program that everyone ports.
#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

int main(void)
{
    const int N = 1 << 20;
    const float A = 2.0f;
    float *x, *y, *d_x, *d_y;

    x = (float *)malloc(N * sizeof(float));
    y = (float *)malloc(N * sizeof(float));
    if (hipMalloc(&d_x, N * sizeof(float)) != hipSuccess ||
        hipMalloc(&d_y, N * sizeof(float)) != hipSuccess) {
        printf("cudaMalloc failed: %s\n", hipGetErrorString(hipGetLastError()));
        return 1;
    }

    for (int i = 0; i < N; i++) {
        x[i] = (float)(i % 17);
        y[i] = (float)(i % 5);
    }

    hipMemcpy(d_x, x, N * sizeof(float), hipMemcpyHostToDevice);
    hipMemcpy(d_y, y, N * sizeof(float), hipMemcpyHostToDevice);

    hipLaunchKernelGGL(saxpy, dim3((N + 255) / 256), dim3(256), 0, 0, N, A, d_x, d_y);

    hipMemcpy(y, d_y, N * sizeof(float), hipMemcpyDeviceToHost);

    float maxError = 0.0f;
    for (int i = 0; i < N; i++) {
        float expected = A * (float)(i % 17) + (float)(i % 5);
        maxError = fmaxf(maxError, fabsf(y[i] - expected));
    }
    printf("max error: %f\n", maxError);

    hipFree(d_x);
    hipFree(d_y);
    free(x);
    free(y);

    int ok = maxError == 0.0f;
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

// saxpy: y = a*x + y, the first program that everyone ports.
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
    if (cudaMalloc(&d_x, N * sizeof(float)) != cudaSuccess ||
        cudaMalloc(&d_y, N * sizeof(float)) != cudaSuccess) {
        printf("cudaMalloc failed: %s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }

    for (int i = 0; i < N; i++) {
        x[i] = (float)(i % 17);
        y[i] = (float)(i % 5);
    }

    cudaMemcpy(d_x, x, N * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y, N * sizeof(float), cudaMemcpyHostToDevice);

    saxpy<<<(N + 255) / 256, 256>>>(N, A, d_x, d_y);

    cudaMemcpy(y, d_y, N * sizeof(float), cudaMemcpyDeviceToHost);

    float maxError = 0.0f;
    for (int i = 0; i < N; i++) {
        float expected = A * (float)(i % 17) + (float)(i % 5);
        maxError = fmaxf(maxError, fabsf(y[i] - expected));
    }
    printf("max error: %f\n", maxError);

    cudaFree(d_x);
    cudaFree(d_y);
    free(x);
    free(y);

    int ok = maxError == 0.0f;
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

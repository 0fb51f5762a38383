// Adaptive refinement: a kernel launches kernels for the intervals that need more samples. Needs nvcc -rdc=true.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>

__device__ float f(float x)
{
    return x * x;
}

__global__ void fine(float from, float to, int samples, float *area)
{
    float h = (to - from) / samples;
    for (int i = threadIdx.x; i < samples; i += blockDim.x) atomicAdd(area, h * f(from + (i + 0.5f) * h));
}

__global__ void coarse(float from, float to, int parts, float *area)
{
    int i = threadIdx.x;
    if (i >= parts) return;
    float h = (to - from) / parts;
    float left = from + i * h;
    if (i % 2 == 0) {
        fine<<<1, 32>>>(left, left + h, 64, area);
    } else {
        atomicAdd(area, h * f(left + 0.5f * h));
    }
}

int main()
{
    float *d_area, area = 0.0f;
    cudaMalloc(&d_area, sizeof(float));
    cudaMemset(d_area, 0, sizeof(float));
    coarse<<<1, 32>>>(0.0f, 3.0f, 32, d_area);
    cudaDeviceSynchronize();
    cudaMemcpy(&area, d_area, sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_area);
    int ok = fabsf(area - 9.0f) < 0.01f;
    printf("area %f\n%s\n", area, ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

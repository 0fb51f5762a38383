// NVTX ranges and marks around phases, and the profiler's start and stop.
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <vector>

struct Range {
    explicit Range(const char *name) { nvtxRangePushA(name); }
    ~Range() { nvtxRangePop(); }
};

__global__ void collatz(const unsigned *start, int *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int count = 0;
    for (unsigned long long v = start[i]; v > 1; ++count) v = v % 2 ? 3 * v + 1 : v / 2;
    steps[i] = count;
}

int main()
{
    const int n = 5000;
    std::vector<unsigned> start(n);
    std::vector<int> steps(n);
    unsigned *d_start;
    int *d_steps;
    cudaProfilerStart();
    {
        Range range("upload");
        for (int i = 0; i < n; ++i) start[i] = i + 1;
        cudaMalloc(&d_start, n * sizeof(unsigned));
        cudaMalloc(&d_steps, n * sizeof(int));
        cudaMemcpy(d_start, start.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
    }
    {
        Range range("compute");
        collatz<<<(n + 255) / 256, 256>>>(d_start, d_steps, n);
        cudaDeviceSynchronize();
    }
    nvtxMarkA("download");
    cudaMemcpy(steps.data(), d_steps, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaProfilerStop();
    int wrong = cudaGetLastError() != cudaSuccess;
    for (int i = 0; i < n; ++i) {
        int count = 0;
        for (unsigned long long v = i + 1; v > 1; ++count) v = v % 2 ? 3 * v + 1 : v / 2;
        wrong += steps[i] != count;
    }
    cudaFree(d_start);
    cudaFree(d_steps);
    printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}

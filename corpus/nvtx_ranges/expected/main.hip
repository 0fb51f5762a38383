// NVTX ranges and marks around phases, and the profiler's start and stop.
#include <hip/hip_runtime_api.h>
#include <hip/hip_runtime.h>
#include <roctracer/roctx.h>
#include <stdio.h>
#include <vector>

struct Range {
    explicit Range(const char *name) { roctxRangePushA(name); }
    ~Range() { roctxRangePop(); }
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
    hipProfilerStart();
    {
        Range range("upload");
        for (int i = 0; i < n; ++i) start[i] = i + 1;
        hipMalloc(&d_start, n * sizeof(unsigned));
        hipMalloc(&d_steps, n * sizeof(int));
        hipMemcpy(d_start, start.data(), n * sizeof(unsigned), hipMemcpyHostToDevice);
    }
    {
        Range range("compute");
        hipLaunchKernelGGL(collatz, dim3((n + 255) / 256), dim3(256), 0, 0, d_start, d_steps, n);
        hipDeviceSynchronize();
    }
    roctxMarkA("download");
    hipMemcpy(steps.data(), d_steps, n * sizeof(int), hipMemcpyDeviceToHost);
    hipProfilerStop();
    int wrong = hipGetLastError() != hipSuccess;
    for (int i = 0; i < n; ++i) {
        int count = 0;
        for (unsigned long long v = i + 1; v > 1; ++count) v = v % 2 ? 3 * v + 1 : v / 2;
        wrong += steps[i] != count;
    }
    hipFree(d_start);
    hipFree(d_steps);
    printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}

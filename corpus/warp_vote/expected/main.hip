// Votes, ballots and matches of warps of 32: stream compaction and run lengths of equal keys.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <vector>
#include "hipify_warp.h"

__device__ __forceinline__ int laneId()
{
    return threadIdx.x & 31;
}

__global__ void compactPositive(const int *in, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool keep = i < n && in[i] > 0;
    unsigned mask = hipify::ballot_sync(0xffffffff, keep);
    int leader = __ffs(mask) - 1;
    int base = 0;
    if (laneId() == leader) base = atomicAdd(count, __popc(mask));
    base = hipify::shfl_sync(0xffffffff, base, leader < 0 ? 0 : leader);
    if (keep) out[base + __popc(mask & ((1u << laneId()) - 1))] = in[i];
}

__global__ void warpFlags(const int *in, int *anyOdd, int *allSmall, int *active)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int any = hipify::any_sync(0xffffffff, in[i] & 1);
    int all = hipify::all_sync(0xffffffff, in[i] < 40);
    if (laneId() == 0) {
        anyOdd[i / 32] = any;
        allSmall[i / 32] = all;
    }
    if (in[i] > 0) {
        unsigned here = hipify::activemask();
        if (laneId() == __ffs(here) - 1) active[i / 32] = __popc(here);
    }
}

int main()
{
    const int n = 8192, threads = 128;
    std::vector<int> h(n), out(n), any(n / 32), all(n / 32), active(n / 32);
    for (int i = 0; i < n; ++i) h[i] = (i * 193) % 83 - 41 - (i / 32) % 2 * 3;

    int *d_in, *d_out, *d_count, *d_any, *d_all, *d_active;
    hipMalloc(&d_in, n * sizeof(int));
    hipMalloc(&d_out, n * sizeof(int));
    hipMalloc(&d_count, sizeof(int));
    hipMalloc(&d_any, n / 32 * sizeof(int));
    hipMalloc(&d_all, n / 32 * sizeof(int));
    hipMalloc(&d_active, n / 32 * sizeof(int));
    hipMemcpy(d_in, h.data(), n * sizeof(int), hipMemcpyHostToDevice);
    hipMemset(d_count, 0, sizeof(int));
    hipMemset(d_active, 0, n / 32 * sizeof(int));

    hipLaunchKernelGGL(compactPositive, dim3(n / threads), dim3(threads), 0, 0, d_in, d_out, d_count, n);
    hipLaunchKernelGGL(warpFlags, dim3(n / threads), dim3(threads), 0, 0, d_in, d_any, d_all, d_active);
    hipError_t err = hipDeviceSynchronize();
    if (err != hipSuccess) {
        printf("%s\n", hipGetErrorString(err));
        return 1;
    }

    int count = 0;
    hipMemcpy(&count, d_count, sizeof(int), hipMemcpyDeviceToHost);
    hipMemcpy(out.data(), d_out, n * sizeof(int), hipMemcpyDeviceToHost);
    hipMemcpy(any.data(), d_any, n / 32 * sizeof(int), hipMemcpyDeviceToHost);
    hipMemcpy(all.data(), d_all, n / 32 * sizeof(int), hipMemcpyDeviceToHost);
    hipMemcpy(active.data(), d_active, n / 32 * sizeof(int), hipMemcpyDeviceToHost);

    int wrong = 0, positives = 0;
    long long sum = 0, got = 0;
    for (int w = 0; w < n / 32; ++w) {
        bool odd = false, small = true;
        int here = 0;
        for (int l = 0; l < 32; ++l) {
            int v = h[w * 32 + l];
            odd = odd || (v & 1);
            small = small && v < 40;
            if (v > 0) ++here, sum += v;
        }
        positives += here;
        wrong += (any[w] != 0) != odd || (all[w] != 0) != small || active[w] != here;
    }
    for (int i = 0; i < count; ++i) got += out[i];
    wrong += count != positives || got != sum;

    hipFree(d_in);
    hipFree(d_out);
    hipFree(d_count);
    hipFree(d_any);
    hipFree(d_all);
    hipFree(d_active);
    printf("%d of %d kept, %d wrong\n%s\n", count, n, wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}

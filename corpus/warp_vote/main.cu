// Votes, ballots and matches of warps of 32: stream compaction and run lengths of equal keys.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__device__ __forceinline__ int laneId()
{
    return threadIdx.x & 31;
}

__global__ void compactPositive(const int *in, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool keep = i < n && in[i] > 0;
    unsigned mask = __ballot_sync(0xffffffff, keep);
    int leader = __ffs(mask) - 1;
    int base = 0;
    if (laneId() == leader) base = atomicAdd(count, __popc(mask));
    base = __shfl_sync(0xffffffff, base, leader < 0 ? 0 : leader);
    if (keep) out[base + __popc(mask & ((1u << laneId()) - 1))] = in[i];
}

__global__ void warpFlags(const int *in, int *anyOdd, int *allSmall, int *active)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int any = __any_sync(0xffffffff, in[i] & 1);
    int all = __all_sync(0xffffffff, in[i] < 40);
    if (laneId() == 0) {
        anyOdd[i / 32] = any;
        allSmall[i / 32] = all;
    }
    if (in[i] > 0) {
        unsigned here = __activemask();
        if (laneId() == __ffs(here) - 1) active[i / 32] = __popc(here);
    }
}

int main()
{
    const int n = 8192, threads = 128;
    std::vector<int> h(n), out(n), any(n / 32), all(n / 32), active(n / 32);
    for (int i = 0; i < n; ++i) h[i] = (i * 193) % 83 - 41 - (i / 32) % 2 * 3;

    int *d_in, *d_out, *d_count, *d_any, *d_all, *d_active;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMalloc(&d_count, sizeof(int));
    cudaMalloc(&d_any, n / 32 * sizeof(int));
    cudaMalloc(&d_all, n / 32 * sizeof(int));
    cudaMalloc(&d_active, n / 32 * sizeof(int));
    cudaMemcpy(d_in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_count, 0, sizeof(int));
    cudaMemset(d_active, 0, n / 32 * sizeof(int));

    compactPositive<<<n / threads, threads>>>(d_in, d_out, d_count, n);
    warpFlags<<<n / threads, threads>>>(d_in, d_any, d_all, d_active);
    cudaError_t err = cudaDeviceSynchronize();
    if (err != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(err));
        return 1;
    }

    int count = 0;
    cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(any.data(), d_any, n / 32 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(all.data(), d_all, n / 32 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(active.data(), d_active, n / 32 * sizeof(int), cudaMemcpyDeviceToHost);

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

    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_count);
    cudaFree(d_any);
    cudaFree(d_all);
    cudaFree(d_active);
    printf("%d of %d kept, %d wrong\n%s\n", count, n, wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}

// Warps of 32 taken for granted: lane and warp numbers, masks of lanes below, one slot a warp in shared memory,
// match and reduce, a segmented sum with a shuffle width.
#include <cuda_runtime.h>
#include <cstdio>
#include <map>
#include <vector>

#define WARP_SIZE 32
#define LOG_WARP 5

__device__ __forceinline__ unsigned laneMaskLt()
{
    return (1u << (threadIdx.x & (WARP_SIZE - 1))) - 1;
}

// Positions of the true elements of a block, in order.
__global__ void blockCompact(const int *in, int *out, int *counts, int n)
{
    __shared__ int warpSums[WARP_SIZE];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> LOG_WARP;
    const bool keep = i < n && in[i] % 3 == 0;
    const unsigned votes = __ballot_sync(0xffffffff, keep);
    const int before = __popc(votes & laneMaskLt());
    if (lane == 0) warpSums[warp] = __popc(votes);
    __syncthreads();
    if (warp == 0) {
        int v = lane < blockDim.x / warpSize ? warpSums[lane] : 0;
        for (int d = 1; d < WARP_SIZE; d <<= 1) {
            int up = __shfl_up_sync(0xffffffff, v, d);
            if (lane >= d) v += up;
        }
        warpSums[lane] = v;
    }
    __syncthreads();
    const int base = warp ? warpSums[warp - 1] : 0;
    if (keep) out[blockIdx.x * blockDim.x + base + before] = in[i];
    if (threadIdx.x == 0) counts[blockIdx.x] = warpSums[blockDim.x / warpSize - 1];
}

// One atomic for all lanes with the same key.
__global__ void matchHistogram(const int *keys, int *bins, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned active = __ballot_sync(0xffffffffu, i < n);
    if (i >= n) return;
    const unsigned same = __match_any_sync(active, keys[i] & 15);
    const int leader = __ffs(same) - 1;
    if ((threadIdx.x & 31) == leader) atomicAdd(&bins[keys[i] & 15], __popc(same));
}

__global__ void segments(const int *in, int *sums, unsigned *largest)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    for (int d = 4; d; d /= 2) v += __shfl_down_sync(~0u, v, d, 8);
    if (i % 8 == 0) sums[i / 8] = v;
    const unsigned top = __reduce_max_sync(0xffffffff, (unsigned)in[i]);
    __syncwarp();
    if (threadIdx.x % warpSize == 0) largest[i / warpSize] = top;
}

int main()
{
    const int n = 4096, threads = 256;
    std::vector<int> h(n), out(n), counts(n / threads), bins(16), sums(n / 8);
    std::vector<unsigned> largest(n / 32);
    for (int i = 0; i < n; ++i) h[i] = (i * 2654435761u) >> 20;
    int *in, *compact, *dCounts, *dBins, *dSums;
    unsigned *dLargest;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&compact, n * sizeof(int));
    cudaMalloc(&dCounts, counts.size() * sizeof(int));
    cudaMalloc(&dBins, 16 * sizeof(int));
    cudaMalloc(&dSums, sums.size() * sizeof(int));
    cudaMalloc(&dLargest, largest.size() * sizeof(unsigned));
    cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(dBins, 0, 16 * sizeof(int));
    blockCompact<<<n / threads, threads>>>(in, compact, dCounts, n);
    matchHistogram<<<n / threads, threads>>>(in, dBins, n - 5);
    segments<<<n / threads, threads>>>(in, dSums, dLargest);
    if (cudaError_t e = cudaDeviceSynchronize(); e != cudaSuccess) {
        std::printf("%s\nFAIL\n", cudaGetErrorString(e));
        return 1;
    }
    cudaMemcpy(out.data(), compact, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(counts.data(), dCounts, counts.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(bins.data(), dBins, 16 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(sums.data(), dSums, sums.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(largest.data(), dLargest, largest.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);

    int wrong = 0;
    std::map<int, int> wantBins;
    for (int i = 0; i < n - 5; ++i) wantBins[h[i] & 15]++;
    for (int b = 0; b < 16; ++b) wrong += bins[b] != wantBins[b];
    for (int b = 0; b < n / threads; ++b) {
        int k = 0;
        for (int i = 0; i < threads; ++i)
            if (h[b * threads + i] % 3 == 0) wrong += out[b * threads + k++] != h[b * threads + i];
        wrong += counts[b] != k;
    }
    for (int s = 0; s < n; s += 8) {
        int want = 0;
        for (int i = s; i < s + 8; ++i) want += h[i];
        wrong += sums[s / 8] != want;
    }
    for (int w = 0; w < n / 32; ++w) {
        unsigned want = 0;
        for (int i = 0; i < 32; ++i) want = std::max(want, (unsigned)h[w * 32 + i]);
        wrong += largest[w] != want;
    }
    for (void *p : {(void *)in, (void *)compact, (void *)dCounts, (void *)dBins, (void *)dSums, (void *)dLargest}) cudaFree(p);
    std::printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong != 0;
}

// Cooperative groups: block, tiles of 32 and of 4, coalesced threads, shuffles and votes through group methods.
#include <hip/hip_cooperative_groups.h>
#include "hipify_cooperative_groups.h"
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

#define CK(e)                                                                    \
    if (hipError_t r = (e)) {                                                   \
        std::printf("%s:%d: %s\n", __FILE__, __LINE__, hipGetErrorString(r));   \
        std::exit(1);                                                            \
    }

template <typename Tile>
__device__ int tileSum(const Tile &tile, int value)
{
    for (int offset = tile.size() / 2; offset > 0; offset /= 2) {
        value += tile.shfl_down(value, offset);
    }
    return value;
}

__device__ int aggregatedIncrement(int *counter)
{
    cg::coalesced_group active = cg::coalesced_threads();
    int old = 0;
    if (active.thread_rank() == 0) old = atomicAdd(counter, (int)active.size());
    return active.shfl(old, 0) + active.thread_rank();
}

__global__ void sums(const int *in, int *bySum32, int *bySum4, int *byReduce, int n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    auto quad = cg::tiled_partition<4>(block);

    int i = block.group_index().x * block.size() + block.thread_rank();
    int value = i < n ? in[i] : 0;

    int s = tileSum(warp, value);
    if (warp.thread_rank() == 0) bySum32[i / 32] = s;

    s = tileSum(quad, value);
    if (quad.thread_rank() == 0) bySum4[i / 4] = s;

    int all = cg::reduce(warp, value, cg::plus<int>());
    if (warp.thread_rank() == warp.meta_group_rank() % 32) byReduce[i / 32] = all;
    block.sync();
}

__global__ void compact(const int *in, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 3 == 0) out[aggregatedIncrement(count)] = in[i];
}

__global__ void votes(const int *in, int *anyNegative, int *allSmall, unsigned *evenMask)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int v = in[threadIdx.x];
    int any = warp.any(v < 0), all = warp.all(v < 1000);
    unsigned mask = warp.ballot(v % 2 == 0);
    if (warp.thread_rank() == 0) {
        anyNegative[threadIdx.x / 32] = any;
        allSmall[threadIdx.x / 32] = all;
        evenMask[threadIdx.x / 32] = mask;
    }
}

int main()
{
    const int n = 1 << 14, threads = 256;
    std::vector<int> h(n), s32(n / 32), s4(n / 4), sr(n / 32);
    for (int i = 0; i < n; ++i) h[i] = (i * 7919) % 509;

    int *in, *d32, *d4, *dr, *out, *count;
    CK(hipMallocManaged(&in, n * sizeof(int)));
    CK(hipMalloc(&d32, n / 32 * sizeof(int)));
    CK(hipMalloc(&d4, n / 4 * sizeof(int)));
    CK(hipMalloc(&dr, n / 32 * sizeof(int)));
    CK(hipMallocManaged(&out, n * sizeof(int)));
    CK(hipMallocManaged(&count, 64 * sizeof(int)));
    for (int i = 0; i < n; ++i) in[i] = h[i];
    for (int i = 0; i < 64; ++i) count[i] = 0;

    hipLaunchKernelGGL(sums, dim3(n / threads), dim3(threads), 0, 0, in, d32, d4, dr, n);
    hipLaunchKernelGGL(compact, dim3(n / threads), dim3(threads), 0, 0, in, out, count, n);
    hipLaunchKernelGGL(votes, dim3(1), dim3(threads), 0, 0, in, count + 8, count + 16, reinterpret_cast<unsigned *>(count + 24));
    CK(hipGetLastError());
    CK(hipDeviceSynchronize());
    CK(hipMemcpy(s32.data(), d32, n / 32 * sizeof(int), hipMemcpyDeviceToHost));
    CK(hipMemcpy(s4.data(), d4, n / 4 * sizeof(int), hipMemcpyDeviceToHost));
    CK(hipMemcpy(sr.data(), dr, n / 32 * sizeof(int), hipMemcpyDeviceToHost));

    int wrong = 0, multiples = 0;
    long long kept = 0, expected = 0;
    for (int w = 0; w < n / 32; ++w) {
        int sum = 0;
        for (int l = 0; l < 32; ++l) sum += h[w * 32 + l];
        wrong += sum != s32[w] || sum != sr[w];
    }
    for (int q = 0; q < n / 4; ++q) wrong += s4[q] != h[4 * q] + h[4 * q + 1] + h[4 * q + 2] + h[4 * q + 3];
    for (int i = 0; i < n; ++i) {
        if (h[i] % 3 == 0) ++multiples, expected += h[i];
    }
    for (int i = 0; i < count[0]; ++i) kept += out[i];
    wrong += count[0] != multiples || kept != expected;
    for (int w = 0; w < threads / 32; ++w) {
        unsigned mask = 0;
        for (int l = 0; l < 32; ++l) mask |= (h[w * 32 + l] % 2 == 0 ? 1u : 0u) << l;
        wrong += count[8 + w] != 0 || count[16 + w] == 0 || (unsigned)count[24 + w] != mask;
    }

    for (int *p : {in, d32, d4, dr, out, count}) CK(hipFree(p));
    std::printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}

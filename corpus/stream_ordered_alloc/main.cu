// Memory allocated in stream order from a pool, host functions and callbacks between the kernels.
#include <cuda_runtime.h>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <vector>

#define GUARD(...)                                                                      \
    do {                                                                                \
        if (cudaError_t err = (__VA_ARGS__); err != cudaSuccess) {                      \
            std::fprintf(stderr, "%d: %s: %s\n", __LINE__, cudaGetErrorName(err),       \
                         cudaGetErrorString(err));                                      \
            return 1;                                                                   \
        }                                                                               \
    } while (false)

__global__ void iota(int *p, int from, int n)
{
    const int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) p[i] = from + i;
}

__global__ void sumSquares(const int *p, unsigned long long *total, int n)
{
    unsigned long long mine = 0;
    for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += static_cast<unsigned long long>(p[i]) * p[i];
    atomicAdd(total, mine);
}

static std::atomic<int> g_rounds{0};

static void finished(cudaStream_t, cudaError_t status, void *user)
{
    if (status == cudaSuccess) *static_cast<bool *>(user) = true;
}

int main()
{
    int device = 0, pools = 0;
    GUARD(cudaGetDevice(&device));
    GUARD(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, device));
    if (!pools) {
        std::puts("no memory pools here\nFAIL");
        return 1;
    }
    cudaMemPool_t pool;
    GUARD(cudaDeviceGetDefaultMemPool(&pool, device));
    uint64_t keep = UINT64_MAX;
    GUARD(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));

    int low = 0, high = 0;
    GUARD(cudaDeviceGetStreamPriorityRange(&low, &high));
    cudaStream_t stream;
    GUARD(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, high));

    const int n = 10000, rounds = 4;
    unsigned long long *total, want = 0;
    std::vector<unsigned long long> got(rounds);
    GUARD(cudaMallocAsync(&total, sizeof(*total), stream));
    for (int r = 0; r < rounds; ++r) {
        int *data;
        GUARD(cudaMallocFromPoolAsync((void **)&data, n * sizeof(int), pool, stream));
        GUARD(cudaMemsetAsync(total, 0, sizeof(*total), stream));
        iota<<<(n + 255) / 256, 256, 0, stream>>>(data, r, n);
        sumSquares<<<16, 256, 0, stream>>>(data, total, n);
        GUARD(cudaMemcpyAsync(&got[r], total, sizeof(*total), cudaMemcpyDeviceToHost, stream));
        GUARD(cudaFreeAsync(data, stream));
        GUARD(cudaLaunchHostFunc(stream, [](void *p) { ++*static_cast<std::atomic<int> *>(p); }, &g_rounds));
    }
    bool done = false;
    GUARD(cudaStreamAddCallback(stream, finished, &done, 0));
    GUARD(cudaFreeAsync(total, stream));
    GUARD(cudaStreamSynchronize(stream));
    GUARD(cudaMemPoolTrimTo(pool, 0));
    const bool idle = cudaStreamQuery(stream) == cudaSuccess;
    GUARD(cudaStreamDestroy(stream));

    bool ok = done && idle && g_rounds == rounds;
    for (int r = 0; r < rounds; ++r) {
        want = 0;
        for (int i = 0; i < n; ++i) want += static_cast<unsigned long long>(r + i) * (r + i);
        ok = ok && got[r] == want;
    }
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

// Memory allocated in stream order from a pool, host functions and callbacks between the kernels.
#include <hip/hip_runtime.h>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <vector>

#define GUARD(...)                                                                      \
    do {                                                                                \
        if (hipError_t err = (__VA_ARGS__); err != hipSuccess) {                      \
            std::fprintf(stderr, "%d: %s: %s\n", __LINE__, hipGetErrorName(err),       \
                         hipGetErrorString(err));                                      \
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

static void finished(hipStream_t, hipError_t status, void *user)
{
    if (status == hipSuccess) *static_cast<bool *>(user) = true;
}

int main()
{
    int device = 0, pools = 0;
    GUARD(hipGetDevice(&device));
    GUARD(hipDeviceGetAttribute(&pools, hipDeviceAttributeMemoryPoolsSupported, device));
    if (!pools) {
        std::puts("no memory pools here\nFAIL");
        return 1;
    }
    hipMemPool_t pool;
    GUARD(hipDeviceGetDefaultMemPool(&pool, device));
    uint64_t keep = UINT64_MAX;
    GUARD(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &keep));

    int low = 0, high = 0;
    GUARD(hipDeviceGetStreamPriorityRange(&low, &high));
    hipStream_t stream;
    GUARD(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, high));

    const int n = 10000, rounds = 4;
    unsigned long long *total, want = 0;
    std::vector<unsigned long long> got(rounds);
    GUARD(hipMallocAsync(&total, sizeof(*total), stream));
    for (int r = 0; r < rounds; ++r) {
        int *data;
        GUARD(hipMallocFromPoolAsync((void **)&data, n * sizeof(int), pool, stream));
        GUARD(hipMemsetAsync(total, 0, sizeof(*total), stream));
        hipLaunchKernelGGL(iota, dim3((n + 255) / 256), dim3(256), 0, stream, data, r, n);
        hipLaunchKernelGGL(sumSquares, dim3(16), dim3(256), 0, stream, data, total, n);
        GUARD(hipMemcpyAsync(&got[r], total, sizeof(*total), hipMemcpyDeviceToHost, stream));
        GUARD(hipFreeAsync(data, stream));
        GUARD(hipLaunchHostFunc(stream, [](void *p) { ++*static_cast<std::atomic<int> *>(p); }, &g_rounds));
    }
    bool done = false;
    GUARD(hipStreamAddCallback(stream, finished, &done, 0));
    GUARD(hipFreeAsync(total, stream));
    GUARD(hipStreamSynchronize(stream));
    GUARD(hipMemPoolTrimTo(pool, 0));
    const bool idle = hipStreamQuery(stream) == hipSuccess;
    GUARD(hipStreamDestroy(stream));

    bool ok = done && idle && g_rounds == rounds;
    for (int r = 0; r < rounds; ++r) {
        want = 0;
        for (int i = 0; i < n; ++i) want += static_cast<unsigned long long>(r + i) * (r + i);
        ok = ok && got[r] == want;
    }
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

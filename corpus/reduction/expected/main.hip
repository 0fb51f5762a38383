// Sum of an array in three ways: shared-memory tree, warp shuffles, and one atomic per block.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "hipify_warp.h"

#define WARP_SIZE 32
#define FULL_MASK 0xffffffffu

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(hipError_t code, const char *file, int line, bool abort = true)
{
    if (code != hipSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", hipGetErrorString(code), file, line);
        if (abort) exit(code);
    }
}

__inline__ __device__ int warpReduceSum(int val)
{
    for (int offset = WARP_SIZE / 2; offset > 0; offset /= 2)
        val += hipify::shfl_down_sync(FULL_MASK, val, offset);
    return val;
}

__inline__ __device__ int blockReduceSum(int val)
{
    static __shared__ int shared[32];  // one partial sum a warp
    int lane = threadIdx.x % WARP_SIZE;
    int wid = threadIdx.x / WARP_SIZE;

    val = warpReduceSum(val);
    if (lane == 0) shared[wid] = val;
    __syncthreads();

    val = (threadIdx.x < blockDim.x / WARP_SIZE) ? shared[lane] : 0;
    if (wid == 0) val = warpReduceSum(val);
    return val;
}

__global__ void reduceTree(const int *in, int *out, int n)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;

    int sum = (i < n) ? in[i] : 0;
    if (i + blockDim.x < n) sum += in[i + blockDim.x];
    sdata[tid] = sum;
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

__global__ void reduceShuffle(const int *in, int *out, int n)
{
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += in[i];
    sum = blockReduceSum(sum);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void reduceAtomic(const int *in, int *out, int n)
{
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += in[i];
    sum = blockReduceSum(sum);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}

int main()
{
    const int n = 1000003;
    const int threads = 256;
    const int blocks = (n + threads * 2 - 1) / (threads * 2);

    std::vector<int> h(n);
    long long expected = 0;
    for (int i = 0; i < n; ++i) {
        h[i] = (i * 37) % 101 - 50;
        expected += h[i];
    }

    int *d_in, *d_partial, *d_sum;
    gpuErrchk(hipMalloc(&d_in, n * sizeof(int)));
    gpuErrchk(hipMalloc(&d_partial, blocks * sizeof(int)));
    gpuErrchk(hipMalloc(&d_sum, sizeof(int)));
    gpuErrchk(hipMemcpy(d_in, h.data(), n * sizeof(int), hipMemcpyHostToDevice));

    int failures = 0;
    std::vector<int> partial(blocks);

    hipLaunchKernelGGL(reduceTree, dim3(blocks), dim3(threads), threads * sizeof(int), 0, d_in, d_partial, n);
    gpuErrchk(hipPeekAtLastError());
    gpuErrchk(hipMemcpy(partial.data(), d_partial, blocks * sizeof(int), hipMemcpyDeviceToHost));
    long long tree = 0;
    for (int b = 0; b < blocks; ++b) tree += partial[b];
    printf("tree:    %lld (expected %lld)\n", tree, expected);
    failures += tree != expected;

    hipLaunchKernelGGL(reduceShuffle, dim3(64), dim3(threads), 0, 0, d_in, d_partial, n);
    gpuErrchk(hipPeekAtLastError());
    gpuErrchk(hipMemcpy(partial.data(), d_partial, 64 * sizeof(int), hipMemcpyDeviceToHost));
    long long shuffle = 0;
    for (int b = 0; b < 64; ++b) shuffle += partial[b];
    printf("shuffle: %lld (expected %lld)\n", shuffle, expected);
    failures += shuffle != expected;

    int atomic = 0;
    gpuErrchk(hipMemset(d_sum, 0, sizeof(int)));
    hipLaunchKernelGGL(reduceAtomic, dim3(64), dim3(threads), 0, 0, d_in, d_sum, n);
    gpuErrchk(hipDeviceSynchronize());
    gpuErrchk(hipMemcpy(&atomic, d_sum, sizeof(int), hipMemcpyDeviceToHost));
    printf("atomic:  %d (expected %lld)\n", atomic, expected);
    failures += atomic != expected;

    hipFree(d_in);
    hipFree(d_partial);
    hipFree(d_sum);
    printf("%s\n", failures ? "FAIL" : "PASS");
    return failures ? 1 : 0;
}

// Bitonic sort: short strides in shared memory, long ones in global memory, short exchanges by warp shuffles.
#include <hip/hip_runtime.h>
#include <algorithm>
#include <cstdio>
#include <vector>
#include "hipify_warp.h"

#define THREADS 256

__global__ void sortWarps(int *data)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = data[i];
    for (int k = 2; k <= 32; k <<= 1) {
        for (int j = k >> 1; j > 0; j >>= 1) {
            int other = hipify::shfl_xor_sync(0xffffffffu, v, j);
            bool up = (i & k) == 0, lower = (i & j) == 0;
            v = (up == lower) ? min(v, other) : max(v, other);
        }
    }
    data[i] = v;
}

__global__ void exchange(int *data, int j, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ j;
    if (other > i) {
        int a = data[i], b = data[other];
        if ((a > b) == ((i & k) == 0)) data[i] = b, data[other] = a;
    }
}

__global__ void exchangeShared(int *data, int j, int k)
{
    __shared__ int tile[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    tile[t] = data[i];
    __syncthreads();
    for (; j > 0; j >>= 1) {
        int other = t ^ j;
        if (other > t) {
            int a = tile[t], b = tile[other];
            if ((a > b) == ((i & k) == 0)) tile[t] = b, tile[other] = a;
        }
        __syncthreads();
    }
    data[i] = tile[t];
}

int main()
{
    const int n = 1 << 16;
    std::vector<int> h(n), sorted;
    for (int i = 0; i < n; ++i) h[i] = (int)((i * 2654435761u) >> 8);
    sorted = h;
    std::sort(sorted.begin(), sorted.end());

    int *d;
    if (hipMalloc(&d, n * sizeof(int)) != hipSuccess) return 1;
    hipMemcpy(d, h.data(), n * sizeof(int), hipMemcpyHostToDevice);
    hipLaunchKernelGGL(sortWarps, dim3(n / THREADS), dim3(THREADS), 0, 0, d);
    for (int k = 64; k <= n; k <<= 1) {
        int j = k >> 1;
        for (; j >= THREADS; j >>= 1) hipLaunchKernelGGL(exchange, dim3(n / THREADS), dim3(THREADS), 0, 0, d, j, k);
        hipLaunchKernelGGL(exchangeShared, dim3(n / THREADS), dim3(THREADS), 0, 0, d, j, k);
    }
    hipError_t status = hipMemcpy(h.data(), d, n * sizeof(int), hipMemcpyDeviceToHost);
    hipFree(d);
    bool ok = status == hipSuccess && h == sorted;
    std::printf("%s\n%s\n", hipGetErrorString(status), ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

// Bitonic sort: short strides in shared memory, long ones in global memory, short exchanges by warp shuffles.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <vector>

#define THREADS 256

__global__ void sortWarps(int *data)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = data[i];
    for (int k = 2; k <= 32; k <<= 1) {
        for (int j = k >> 1; j > 0; j >>= 1) {
            int other = __shfl_xor_sync(0xffffffffu, v, j);
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
    if (cudaMalloc(&d, n * sizeof(int)) != cudaSuccess) return 1;
    cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    sortWarps<<<n / THREADS, THREADS>>>(d);
    for (int k = 64; k <= n; k <<= 1) {
        int j = k >> 1;
        for (; j >= THREADS; j >>= 1) exchange<<<n / THREADS, THREADS>>>(d, j, k);
        exchangeShared<<<n / THREADS, THREADS>>>(d, j, k);
    }
    cudaError_t status = cudaMemcpy(h.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d);
    bool ok = status == cudaSuccess && h == sorted;
    std::printf("%s\n%s\n", cudaGetErrorString(status), ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

// CUB: device-wide sum and scan with temporary storage, and a block reduction in a kernel.
#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

template <int BLOCK>
__global__ void blockSums(const int *in, int *out)
{
    typedef cub::BlockReduce<int, BLOCK> BlockReduce;
    __shared__ typename BlockReduce::TempStorage temp;
    int sum = BlockReduce(temp).Sum(in[blockIdx.x * BLOCK + threadIdx.x]);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

int main()
{
    const int n = 1 << 14, block = 128;
    std::vector<int> h(n), scanned(n), sums(n / block);
    for (int i = 0; i < n; ++i) h[i] = (i * 31) % 17 - 3;
    int *d_in, *d_scan, *d_sum, *d_blocks, sum = 0;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_scan, n * sizeof(int));
    cudaMalloc(&d_sum, sizeof(int));
    cudaMalloc(&d_blocks, n / block * sizeof(int));
    cudaMemcpy(d_in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);

    void *temp = nullptr;
    size_t reduceBytes = 0, scanBytes = 0;
    cub::DeviceReduce::Sum(nullptr, reduceBytes, d_in, d_sum, n);
    cub::DeviceScan::ExclusiveSum(nullptr, scanBytes, d_in, d_scan, n);
    cudaMalloc(&temp, reduceBytes > scanBytes ? reduceBytes : scanBytes);
    cub::DeviceReduce::Sum(temp, reduceBytes, d_in, d_sum, n);
    cub::DeviceScan::ExclusiveSum(temp, scanBytes, d_in, d_scan, n);
    blockSums<block><<<n / block, block>>>(d_in, d_blocks);

    cudaMemcpy(&sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(scanned.data(), d_scan, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(sums.data(), d_blocks, n / block * sizeof(int), cudaMemcpyDeviceToHost);
    if (cudaGetLastError() != cudaSuccess) return 1;

    int wrong = 0, running = 0;
    for (int b = 0; b < n / block; ++b) {
        int before = running;
        for (int i = b * block; i < (b + 1) * block; ++i) {
            wrong += scanned[i] != running;
            running += h[i];
        }
        wrong += sums[b] != running - before;
    }
    wrong += sum != running;
    cudaFree(temp);
    cudaFree(d_in);
    cudaFree(d_scan);
    cudaFree(d_sum);
    cudaFree(d_blocks);
    std::printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}

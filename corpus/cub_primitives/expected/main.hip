// CUB: device-wide sum and scan with temporary storage, and a block reduction in a kernel.
#include <hipcub/hipcub.hpp>
#include <hip/hip_runtime.h>
#include <cstdio>
#include <vector>

template <int BLOCK>
__global__ void blockSums(const int *in, int *out)
{
    typedef hipcub::BlockReduce<int, BLOCK> BlockReduce;
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
    hipMalloc(&d_in, n * sizeof(int));
    hipMalloc(&d_scan, n * sizeof(int));
    hipMalloc(&d_sum, sizeof(int));
    hipMalloc(&d_blocks, n / block * sizeof(int));
    hipMemcpy(d_in, h.data(), n * sizeof(int), hipMemcpyHostToDevice);

    void *temp = nullptr;
    size_t reduceBytes = 0, scanBytes = 0;
    hipcub::DeviceReduce::Sum(nullptr, reduceBytes, d_in, d_sum, n);
    hipcub::DeviceScan::ExclusiveSum(nullptr, scanBytes, d_in, d_scan, n);
    hipMalloc(&temp, reduceBytes > scanBytes ? reduceBytes : scanBytes);
    hipcub::DeviceReduce::Sum(temp, reduceBytes, d_in, d_sum, n);
    hipcub::DeviceScan::ExclusiveSum(temp, scanBytes, d_in, d_scan, n);
    hipLaunchKernelGGL(HIP_KERNEL_NAME(blockSums<block>), dim3(n / block), dim3(block), 0, 0, d_in, d_blocks);

    hipMemcpy(&sum, d_sum, sizeof(int), hipMemcpyDeviceToHost);
    hipMemcpy(scanned.data(), d_scan, n * sizeof(int), hipMemcpyDeviceToHost);
    hipMemcpy(sums.data(), d_blocks, n / block * sizeof(int), hipMemcpyDeviceToHost);
    if (hipGetLastError() != hipSuccess) return 1;

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
    hipFree(temp);
    hipFree(d_in);
    hipFree(d_scan);
    hipFree(d_sum);
    hipFree(d_blocks);
    std::printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}

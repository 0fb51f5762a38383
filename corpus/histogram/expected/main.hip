// 256-bin histogram: private histograms in shared memory, merged with global atomics.
#include <hip/hip_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "hipify_device.h"

#define BINS 256

static void HandleError(hipError_t err, const char *file, int line)
{
    if (err != hipSuccess) {
        printf("%s in %s at line %d\n", hipGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))

__global__ void histogramGlobal(const uint8_t *data, size_t n, unsigned int *bins)
{
    size_t stride = (size_t)blockDim.x * gridDim.x;
    for (size_t i = threadIdx.x + (size_t)blockIdx.x * blockDim.x; i < n; i += stride)
        atomicAdd(&bins[data[i]], 1u);
}

__global__ void histogramShared(const uint8_t *data, size_t n, unsigned int *bins)
{
    __shared__ unsigned int local[BINS];
    local[threadIdx.x] = 0;
    __syncthreads();

    size_t stride = (size_t)blockDim.x * gridDim.x;
    for (size_t i = threadIdx.x + (size_t)blockIdx.x * blockDim.x; i < n; i += stride)
        atomicAdd_block(&local[data[i]], 1u);
    __syncthreads();

    if (local[threadIdx.x])
        atomicAdd(bins + threadIdx.x, local[threadIdx.x]);
}

__global__ void extremes(const uint8_t *data, size_t n, int *lowHigh)
{
    size_t i = threadIdx.x + (size_t)blockIdx.x * blockDim.x;
    if (i < n) {
        atomicMin(&lowHigh[0], (int)data[i]);
        atomicMax(&lowHigh[1], (int)data[i]);
        __threadfence();
    }
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 4000037;
    uint8_t *h_data = (uint8_t *)malloc(n);
    unsigned int expected[BINS] = {0}, bins[BINS];
    uint32_t state = 12345;
    for (size_t i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        h_data[i] = (uint8_t)(3 + ((state >> 24) * (state >> 20 & 15)) / 16);
        expected[h_data[i]]++;
    }

    int device;
    hipDeviceProp_t prop;
    HANDLE_ERROR(hipGetDevice(&device));
    HANDLE_ERROR(hipGetDeviceProperties(&prop, device));
    int blocks = prop.multiProcessorCount * 2;
    printf("%s: %d multiprocessors, %zu bytes of shared memory a block\n", prop.name, prop.multiProcessorCount,
           prop.sharedMemPerBlock);

    uint8_t *d_data;
    unsigned int *d_bins;
    int *d_lowHigh;
    int lowHigh[2] = {255, 0};
    HANDLE_ERROR(hipMalloc((void **)&d_data, n));
    HANDLE_ERROR(hipMalloc((void **)&d_bins, sizeof bins));
    HANDLE_ERROR(hipMalloc((void **)&d_lowHigh, sizeof lowHigh));
    HANDLE_ERROR(hipMemcpy(d_data, h_data, n, hipMemcpyHostToDevice));
    HANDLE_ERROR(hipMemcpy(d_lowHigh, lowHigh, sizeof lowHigh, hipMemcpyHostToDevice));

    int failures = 0;
    for (int variant = 0; variant < 2; variant++) {
        HANDLE_ERROR(hipMemset(d_bins, 0, sizeof bins));
        if (variant == 0)
            hipLaunchKernelGGL(histogramGlobal, dim3(blocks), dim3(256), 0, 0, d_data, n, d_bins);
        else
            hipLaunchKernelGGL(histogramShared, dim3(blocks), dim3(BINS), 0, 0, d_data, n, d_bins);
        HANDLE_ERROR(hipGetLastError());
        HANDLE_ERROR(hipMemcpy(bins, d_bins, sizeof bins, hipMemcpyDeviceToHost));
        failures += memcmp(bins, expected, sizeof bins) != 0;
    }

    hipLaunchKernelGGL(extremes, dim3((unsigned)((n + 255) / 256)), dim3(256), 0, 0, d_data, n, d_lowHigh);
    HANDLE_ERROR(hipMemcpy(lowHigh, d_lowHigh, sizeof lowHigh, hipMemcpyDeviceToHost));
    int low = 0, high = BINS - 1;
    while (!expected[low]) low++;
    while (!expected[high]) high--;
    failures += lowHigh[0] != low || lowHigh[1] != high;

    HANDLE_ERROR(hipFree(d_data));
    HANDLE_ERROR(hipFree(d_bins));
    HANDLE_ERROR(hipFree(d_lowHigh));
    HANDLE_ERROR(hipDeviceReset());
    free(h_data);
    printf("%s\n", failures ? "FAIL" : "PASS");
    return failures ? 1 : 0;
}

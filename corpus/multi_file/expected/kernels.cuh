#ifndef MULTI_FILE_KERNELS_CUH
#define MULTI_FILE_KERNELS_CUH

#include <hip/hip_runtime.h>

/// Clamps every element; the bounds are known to the caller only.
template <typename T>
__global__ void clampKernel(T *data, T low, T high, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] < low ? low : data[i] > high ? high : data[i];
}

#endif

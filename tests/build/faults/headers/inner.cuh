#pragma once
#include <device_launch_parameters.h>
#include <cuda_runtime.h>
#include <cuda_fp16.h>

__global__ void inner_kernel(float *p) {
  p[threadIdx.x] = no_such_float; // FAULT 2
}

inline void start(float *p) {
  inner_kernel<<<1, 32>>>(p);
  cudaDeviceSynchronize(); cudaThreadSynchronize();
  no_such_start(p); // FAULT 3
}

template <typename T> struct Buffer {
  T *data;
  Buffer(size_t n) {
    cudaMalloc((void **)&data,
               n * no_such_factor); // FAULT 4
  }
};

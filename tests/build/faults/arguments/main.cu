#include <cuda_runtime.h>

struct Pair { int first, second; };

template <typename T> __global__ void two(T *p, const T *q) { p[threadIdx.x] = q[threadIdx.x]; }

__device__ void over(int *p, int n) { *p = n; }
__device__ void over(float *p, int n) { *p = n; }

__global__ void overloads(Pair pair, int *p) {
  over(p, 3); over(
      pair.first, // FAULT 1
      3);
  atomicAdd(
      pair, // FAULT 2
      3);
  atomicExch(p,
             1);
}

void launches(float *p, Pair pair) {
  two<float><<<1, 32>>>(p, p);
  two<float><<<1,
               32>>>(
      p,
      pair); // FAULT 3
}

void overloaded_api(float *p, Pair pair) {
  cudaMalloc(
      p, // FAULT 4
      4);
  cudaMemcpyToSymbol(no_such_symbol, // FAULT 5
                     p, 4);
}

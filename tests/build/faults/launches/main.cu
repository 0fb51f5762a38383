#include <cuda_runtime.h>
#include <cstdio>

__global__ void plain(float *p, int n) { p[threadIdx.x] = n; }
template <typename T, int N> __global__ void shaped(T *p) { p[threadIdx.x] = N; }
__global__ void none() {}

void too_few(float *p) {
  plain<<<1, 32>>>(p); // FAULT 1
}

void wrong_type(float *p) {
  plain<<<1, 32>>>(
      "text", // FAULT 2
      3);
}

void last_argument(float *p, int blocks, int threads) {
  plain<<<dim3(blocks),
          dim3(threads)>>>(p,
                           p); // FAULT 3
}

void grid(float *p) {
  plain<<<no_such_grid, 32>>>(p, 1); // FAULT 4
}

void block_on_its_own_line(float *p) {
  plain<<<1,
          no_such_block, // FAULT 5
          0>>>(p, 1);
}

void shared_size(float *p, cudaStream_t stream) {
  plain<<<1, 32,
          no_such_size, // FAULT 6
          stream>>>(p, 1);
}

void stream_on_its_own_line(float *p) {
  plain<<<1, 32, 0,
          no_such_stream>>>( // FAULT 7
      p, 1);
}

void templated(float *p) {
  shaped<float, 4><<<1, 32>>>(p);
  shaped<float, no_such_number><<<1, 32>>>(p); // FAULT 8
}

void callee() {
  no_such_kernel<<<1, 1>>>(); // FAULT 9
  none<<<1, 1>>>();
}

void behind_launches(float *p) {
  shaped<float,
         8><<<1,
              32>>>(
      p);
  none<<<1, 1>>>(); none<<<1, 1>>>(); no_such_call(); // FAULT 10
}

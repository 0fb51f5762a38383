#include <cuda_runtime.h>
#include <cublas_v2.h>
#include <curand_kernel.h>
#include <cub/cub.cuh>

void gemm(cublasHandle_t handle, const float *a, const float *b, float *c, int n) {
  const float one = 1.0f, zero = 0.0f;
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N,
              n, n, n,
              &one, a, n,
              b, no_such_lead, // FAULT 1
              &zero, c, n);
  cublasSetStream(handle,
                  no_such_stream); // FAULT 2
}

__global__ void draw(float *p) {
  curandState state;
  curand_init(1234, threadIdx.x, 0, &state);
  p[threadIdx.x] = curand_uniform(
      &no_such_state); // FAULT 3
}

void sum(int *in, int *out, int n) {
  void *work = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Sum(work, bytes,
                         in,
                         out,
                         no_such_items); // FAULT 4
  cub::no_such_algorithm(work); // FAULT 5
}

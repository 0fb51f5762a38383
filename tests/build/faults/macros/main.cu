#include <cuda_runtime.h>
#include <cstdio>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t status = (call);                                               \
    if (status != cudaSuccess)                                                 \
      printf("%s\n", cudaGetErrorString(status));                              \
  } while (0)

#define BROKEN(p)                                                              \
  do {                                                                         \
    cudaMemset(p, 0, 4);                                                       \
    no_such_function(p); /* FAULT 1 */                                         \
  } while (0)

#define LAUNCH(kernel, n, ...) kernel<<<(n + 255) / 256, 256>>>(__VA_ARGS__)

#define INNER_BROKEN(x) no_such_inner(x) // FAULT 2
#define OUTER(x) (void)INNER_BROKEN(x)

#define COUNT no_such_count // FAULT 3

__global__ void fill(float *p, int n) { p[threadIdx.x] = n; }

void use(float *p) {
  BROKEN(p);
}

void nested() {
  OUTER(3);
}

int object_like() {
  return COUNT;
}

void argument(void **p) {
  CHECK(cudaMalloc(p, no_such_size)); // FAULT 4
}

void argument_on_a_later_line(void **p) {
  CHECK(
      cudaMalloc(p,
                 no_such_bytes)); // FAULT 5
}

void launch_by_macro(float *p) {
  LAUNCH(fill, 100, p, 3);
  LAUNCH(fill, no_such_total, p, 3); // FAULT 6
}

void launch_argument_on_a_later_line(float *p) {
  LAUNCH(fill, 100,
         p,
         no_such_value); // FAULT 7
}

void inside_check(float *p) {
  CHECK(cudaMemcpy(p, p, 4, cudaMemcpyDeviceToDevice));
  CHECK(no_such_api(p)); // FAULT 8
}

#define DEFINE(NAME, T)                                                        \
  __global__ void NAME##_kernel(T *p) {                                        \
    T value = __shfl_xor_sync(0xffffffff, p[threadIdx.x], 1);                  \
    p[0] = value + value.no_such_field;                                        \
  }                                                                            \
  void NAME(T *p) { NAME##_kernel<<<1, 32>>>(p); }

DEFINE(sum, float) // FAULT 9

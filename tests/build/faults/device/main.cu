#include <cuda_runtime.h>
#include <cuda_fp16.h>

__device__ float wrongly_sized[no_such_extent]; // FAULT 1

__device__ float half_way(__half h) {
  return __half2float(no_such_half); // FAULT 2
}

__global__ void dynamic(float *p) {
  extern __shared__ float tile[];
  tile[threadIdx.x] =
      p[threadIdx.x] +
      no_such_offset; // FAULT 3
  __syncthreads();
  atomicAdd(&p[0],
            no_such_addend); // FAULT 4
  p[1] = rsqrtf(tile[0])
       + __ldg(&no_such_table[0]); // FAULT 5
}

struct Node {
  int value;
  __device__ int get() const { return vlaue; } // FAULT 6
};

template <typename T> __device__ T twice(T x) {
  return x.no_such_twice(); // FAULT 7
}

__global__ void instance(float *p) {
  p[0] = twice(p[1]);
}

__device__ int only_device() { return 1; }

int main() {
  int x = only_device(); // FAULT 8
  int y = "text" * 3; // FAULT 9
  return x + y
         + no_such_z; // FAULT 10
}

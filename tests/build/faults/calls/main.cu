#include <cuda_runtime.h>
#include <cstdio>

__constant__ float table[16];
__device__ int counter;

void copies(float *to, const float *from, size_t n) {
  cudaMemcpy(to,
             from,
             n * sizeof(no_such_type), // FAULT 1
             cudaMemcpyHostToDevice);
  cudaMemcpyAsync(to, from, n,
                  cudaMemcpyHostToDevice,
                  no_such_stream); // FAULT 2
}

void symbols(const float *from) {
  cudaMemcpyToSymbol(table,
                     from,
                     no_such_bytes); // FAULT 3
  cudaMemcpyFromSymbol(
      no_such_pointer, // FAULT 4
      counter, 4);
}

void properties() {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  printf("%s %d\n",
         prop.name,
         prop.no_such_member); // FAULT 5
}

void attributes() {
  int value;
  cudaDeviceGetAttribute(&value,
                         cudaDevAttrWarpSize,
                         no_such_device); // FAULT 6
  cudaFuncAttributes found;
  cudaFuncGetAttributes(&found,
                        (const void *)no_such_kernel); // FAULT 7
}

void events() {
  cudaEvent_t start, stop;
  cudaEventCreate(&start); cudaEventCreate(&stop);
  float ms;
  cudaEventElapsedTime(&ms, start, no_such_event); // FAULT 8
  cudaEventRecord(start,
                  "text"); // FAULT 9
}

int host() {
  return no_such_result; // FAULT 10
}

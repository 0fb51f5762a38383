#include <device_launch_parameters.h>
#include <cuda_runtime.h>

void before() { cudaFree(0); }

#line 100 "grammar.y"
void named() {
  cudaFree(no_such_named); // FAULT 1
}
#line 4
void numbered() { cudaFree(no_such_numbered); } // FAULT 2

# 50 "/tmp/other.cu"
void marker() {
  cudaThreadSynchronize(); no_such_marker(); // FAULT 3
}

/* A comment before everything,
   of two lines. */
#include <device_launch_parameters.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_functions.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

static int first = no_such_first; // FAULT 1

namespace cg = cooperative_groups;

__global__ void summed(int *p) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  int all = cg::reduce(tile, p[threadIdx.x], cg::plus<int>());
  *p = all + no_such_sum; // FAULT 2
}

__global__ void voted(unsigned *p) {
  unsigned mask = __ballot_sync(0xffffffff, threadIdx.x & 1);
  int got = __shfl_down_sync(0xffffffff, (int)mask, 1);
  __syncwarp();
  p[0] = __popc(mask) + got;
  p[1] = no_such_vote; // FAULT 3
}

#if defined(__CUDACC__) && !defined(NO_SUCH_MACRO)
static int guarded = no_such_guarded; // FAULT 4
#endif

void later() {
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
  cudaFuncSetCacheConfig((const void *)voted, cudaFuncCachePreferL1);
  cudaProfilerStart_is_not_there(); // FAULT 5
  cudaThreadSynchronize();
  cudaStreamAttachMemAsync(0, nullptr, 0, cudaMemAttachGlobal);
  no_such_later(); // FAULT 6
}

void at_the_end() {
  cudaDeviceReset();
  no_such_end(); // FAULT 7
}

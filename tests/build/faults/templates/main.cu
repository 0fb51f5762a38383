#include <cuda_runtime.h>
#include <algorithm>
#include <vector>
#include "chain.cuh"

struct NoOrder {
  int value;
};

void sorted(std::vector<NoOrder> &v) {
  cudaDeviceSynchronize();
  std::sort(v.begin(), v.end()); // FAULT 1
}

void started(NoOrder *p, float *q) {
  outer(p);
  run<double>(q);
}

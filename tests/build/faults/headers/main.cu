#include <cuda_runtime.h>
#include "inner.cuh"
#include "deep/deeper.h"

int main() {
  start(nullptr);
  return no_such_status; // FAULT 1
}

#ifndef SHARED_H
#define SHARED_H
#include <cuda_runtime.h>
inline void shared(cudaStream_t stream) {
  cudaStreamSynchronize(stream); no_such_shared(stream); // FAULT 5
}
#endif

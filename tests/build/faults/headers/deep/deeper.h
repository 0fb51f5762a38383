#ifndef DEEPER_H
#define DEEPER_H
#include "../inner.cuh"

struct Deeper : NoSuchBase { // FAULT 5
  cudaStream_t stream;
};

inline cudaError_t deeper(Deeper &d) {
  return cudaStreamSynchronize(d.
                               no_such_stream); // FAULT 6
}
#endif

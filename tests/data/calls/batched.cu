// options: --target 7.2
#include <cuda_runtime.h>

void copy(void** dsts, const void** srcs, const size_t* sizes, void* p, size_t n, cudaStream_t s) {
    cudaMemcpyAttributes attributes;
    cudaMemcpy3DBatchOp op;
    size_t failed;
    cudaMemcpyBatchAsync(dsts, srcs, sizes, 1, &attributes, &n, 1, s);
    cudaMemcpy3DBatchAsync(1, &op, 0, s);
    cudaMemcpy3DBatchAsync(1, &op, &failed, 0, s);
    cudaMemPrefetchAsync(p, n, {cudaMemLocationTypeDevice, 0}, 0, s);
    cudaMemAdvise_v2(p, n, cudaMemAdviseSetReadMostly, {cudaMemLocationTypeDevice, 0});
}

// Vector addition in chunks over several streams: copies and kernels overlap, events order and time them.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_CHECK(call)                                                                   \
    do {                                                                                   \
        cudaError_t err_ = (call);                                                         \
        if (err_ != cudaSuccess) {                                                         \
            std::fprintf(stderr, "%s:%d: %s failed: %s (%s)\n", __FILE__, __LINE__, #call, \
                         cudaGetErrorString(err_), cudaGetErrorName(err_));                \
            std::exit(1);                                                                  \
        }                                                                                  \
    } while (0)

constexpr int kStreams = 4;
constexpr int kChunk = 1 << 18;
constexpr int kTotal = kStreams * kChunk;

__global__ void vectorAdd(const float *a, const float *b, float *c, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        c[i] = a[i] + b[i];
    }
}

int main()
{
    float *h_a, *h_b, *h_c;
    CUDA_CHECK(cudaMallocHost((void **)&h_a, kTotal * sizeof(float)));
    CUDA_CHECK(cudaMallocHost((void **)&h_b, kTotal * sizeof(float)));
    CUDA_CHECK(cudaMallocHost((void **)&h_c, kTotal * sizeof(float)));
    for (int i = 0; i < kTotal; ++i) {
        h_a[i] = static_cast<float>(i % 1000);
        h_b[i] = static_cast<float>(2 * (i % 777));
    }

    float *d_a, *d_b, *d_c;
    CUDA_CHECK(cudaMalloc(&d_a, kTotal * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_b, kTotal * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_c, kTotal * sizeof(float)));

    cudaStream_t streams[kStreams];
    for (auto &s : streams) {
        CUDA_CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    }
    cudaEvent_t start, stop, done[kStreams];
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    for (auto &e : done) {
        CUDA_CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    }

    CUDA_CHECK(cudaEventRecord(start, 0));
    for (int s = 0; s < kStreams; ++s) {
        const size_t off = static_cast<size_t>(s) * kChunk;
        const size_t bytes = kChunk * sizeof(float);
        CUDA_CHECK(cudaMemcpyAsync(d_a + off, h_a + off, bytes, cudaMemcpyHostToDevice, streams[s]));
        CUDA_CHECK(cudaMemcpyAsync(d_b + off, h_b + off, bytes, cudaMemcpyHostToDevice, streams[s]));
        vectorAdd<<<128, 256, 0, streams[s]>>>(d_a + off, d_b + off, d_c + off, kChunk);
        CUDA_CHECK(cudaPeekAtLastError());
        CUDA_CHECK(cudaMemcpyAsync(h_c + off, d_c + off, bytes, cudaMemcpyDeviceToHost, streams[s]));
        CUDA_CHECK(cudaEventRecord(done[s], streams[s]));
    }
    for (int s = 0; s < kStreams; ++s) {
        CUDA_CHECK(cudaStreamWaitEvent(0, done[s], 0));
    }
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));

    float ms = 0.0f;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    std::printf("%d elements over %d streams took %.3f ms\n", kTotal, kStreams, ms);

    int wrong = 0;
    for (int i = 0; i < kTotal; ++i) {
        if (h_c[i] != static_cast<float>(i % 1000 + 2 * (i % 777))) ++wrong;
    }

    for (int s = 0; s < kStreams; ++s) {
        CUDA_CHECK(cudaEventDestroy(done[s]));
        CUDA_CHECK(cudaStreamDestroy(streams[s]));
    }
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    CUDA_CHECK(cudaFree(d_a));
    CUDA_CHECK(cudaFree(d_b));
    CUDA_CHECK(cudaFree(d_c));
    CUDA_CHECK(cudaFreeHost(h_a));
    CUDA_CHECK(cudaFreeHost(h_b));
    CUDA_CHECK(cudaFreeHost(h_c));

    std::printf("%d wrong\n%s\n", wrong, wrong == 0 ? "PASS" : "FAIL");
    return wrong == 0 ? 0 : 1;
}

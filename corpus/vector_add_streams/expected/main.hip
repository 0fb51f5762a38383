// Vector addition in chunks over several streams: copies and kernels overlap, events order and time them.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_CHECK(call)                                                                   \
    do {                                                                                   \
        hipError_t err_ = (call);                                                         \
        if (err_ != hipSuccess) {                                                         \
            std::fprintf(stderr, "%s:%d: %s failed: %s (%s)\n", __FILE__, __LINE__, #call, \
                         hipGetErrorString(err_), hipGetErrorName(err_));                \
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
    CUDA_CHECK(hipHostMalloc((void **)&h_a, kTotal * sizeof(float), hipHostMallocDefault));
    CUDA_CHECK(hipHostMalloc((void **)&h_b, kTotal * sizeof(float), hipHostMallocDefault));
    CUDA_CHECK(hipHostMalloc((void **)&h_c, kTotal * sizeof(float), hipHostMallocDefault));
    for (int i = 0; i < kTotal; ++i) {
        h_a[i] = static_cast<float>(i % 1000);
        h_b[i] = static_cast<float>(2 * (i % 777));
    }

    float *d_a, *d_b, *d_c;
    CUDA_CHECK(hipMalloc(&d_a, kTotal * sizeof(float)));
    CUDA_CHECK(hipMalloc(&d_b, kTotal * sizeof(float)));
    CUDA_CHECK(hipMalloc(&d_c, kTotal * sizeof(float)));

    hipStream_t streams[kStreams];
    for (auto &s : streams) {
        CUDA_CHECK(hipStreamCreateWithFlags(&s, hipStreamNonBlocking));
    }
    hipEvent_t start, stop, done[kStreams];
    CUDA_CHECK(hipEventCreate(&start));
    CUDA_CHECK(hipEventCreate(&stop));
    for (auto &e : done) {
        CUDA_CHECK(hipEventCreateWithFlags(&e, hipEventDisableTiming));
    }

    CUDA_CHECK(hipEventRecord(start, 0));
    for (int s = 0; s < kStreams; ++s) {
        const size_t off = static_cast<size_t>(s) * kChunk;
        const size_t bytes = kChunk * sizeof(float);
        CUDA_CHECK(hipMemcpyAsync(d_a + off, h_a + off, bytes, hipMemcpyHostToDevice, streams[s]));
        CUDA_CHECK(hipMemcpyAsync(d_b + off, h_b + off, bytes, hipMemcpyHostToDevice, streams[s]));
        hipLaunchKernelGGL(vectorAdd, dim3(128), dim3(256), 0, streams[s], d_a + off, d_b + off, d_c + off, kChunk);
        CUDA_CHECK(hipPeekAtLastError());
        CUDA_CHECK(hipMemcpyAsync(h_c + off, d_c + off, bytes, hipMemcpyDeviceToHost, streams[s]));
        CUDA_CHECK(hipEventRecord(done[s], streams[s]));
    }
    for (int s = 0; s < kStreams; ++s) {
        CUDA_CHECK(hipStreamWaitEvent(0, done[s], 0));
    }
    CUDA_CHECK(hipEventRecord(stop));
    CUDA_CHECK(hipEventSynchronize(stop));

    float ms = 0.0f;
    CUDA_CHECK(hipEventElapsedTime(&ms, start, stop));
    std::printf("%d elements over %d streams took %.3f ms\n", kTotal, kStreams, ms);

    int wrong = 0;
    for (int i = 0; i < kTotal; ++i) {
        if (h_c[i] != static_cast<float>(i % 1000 + 2 * (i % 777))) ++wrong;
    }

    for (int s = 0; s < kStreams; ++s) {
        CUDA_CHECK(hipEventDestroy(done[s]));
        CUDA_CHECK(hipStreamDestroy(streams[s]));
    }
    CUDA_CHECK(hipEventDestroy(start));
    CUDA_CHECK(hipEventDestroy(stop));
    CUDA_CHECK(hipFree(d_a));
    CUDA_CHECK(hipFree(d_b));
    CUDA_CHECK(hipFree(d_c));
    CUDA_CHECK(hipHostFree(h_a));
    CUDA_CHECK(hipHostFree(h_b));
    CUDA_CHECK(hipHostFree(h_c));

    std::printf("%d wrong\n%s\n", wrong, wrong == 0 ? "PASS" : "FAIL");
    return wrong == 0 ? 0 : 1;
}

// Exclusive prefix sum of any length: work-efficient block scans, scanned block sums, and a pass that adds them.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define LOG_NUM_BANKS 5
#define CONFLICT_FREE(n) ((n) >> LOG_NUM_BANKS)

const int kBlock = 256;
const int kElems = 2 * kBlock;

#define CHECK(x)                                                        \
    if ((x) != hipSuccess) {                                           \
        printf("line %d: %s\n", __LINE__, hipGetErrorString(hipGetLastError())); \
        exit(1);                                                        \
    }

__global__ void scanBlocks(const unsigned *in, unsigned *out, unsigned *sums, int n)
{
    __shared__ unsigned temp[kElems + CONFLICT_FREE(kElems)];
    const int tid = threadIdx.x;
    const int base = blockIdx.x * kElems;
    const int ai = tid, bi = tid + kBlock;

    temp[ai + CONFLICT_FREE(ai)] = base + ai < n ? in[base + ai] : 0;
    temp[bi + CONFLICT_FREE(bi)] = base + bi < n ? in[base + bi] : 0;

    int offset = 1;
    for (int d = kElems >> 1; d > 0; d >>= 1) {  // up-sweep
        __syncthreads();
        if (tid < d) {
            int a = offset * (2 * tid + 1) - 1;
            int b = offset * (2 * tid + 2) - 1;
            temp[b + CONFLICT_FREE(b)] += temp[a + CONFLICT_FREE(a)];
        }
        offset *= 2;
    }

    if (tid == 0) {
        const int last = kElems - 1 + CONFLICT_FREE(kElems - 1);
        if (sums) sums[blockIdx.x] = temp[last];
        temp[last] = 0;
    }

    for (int d = 1; d < kElems; d *= 2) {  // down-sweep
        offset >>= 1;
        __syncthreads();
        if (tid < d) {
            int a = offset * (2 * tid + 1) - 1;
            int b = offset * (2 * tid + 2) - 1;
            unsigned t = temp[a + CONFLICT_FREE(a)];
            temp[a + CONFLICT_FREE(a)] = temp[b + CONFLICT_FREE(b)];
            temp[b + CONFLICT_FREE(b)] += t;
        }
    }
    __syncthreads();

    if (base + ai < n) out[base + ai] = temp[ai + CONFLICT_FREE(ai)];
    if (base + bi < n) out[base + bi] = temp[bi + CONFLICT_FREE(bi)];
}

__global__ void addOffsets(unsigned *data, const unsigned *offsets, int n)
{
    int i = blockIdx.x * kElems + threadIdx.x;
    unsigned add = offsets[blockIdx.x];
    if (i < n) data[i] += add;
    if (i + kBlock < n) data[i + kBlock] += add;
}

void exclusiveScan(const unsigned *d_in, unsigned *d_out, int n, hipStream_t stream = 0)
{
    int blocks = (n + kElems - 1) / kElems;
    if (blocks == 1) {
        hipLaunchKernelGGL(scanBlocks, dim3(1), dim3(kBlock), 0, stream, d_in, d_out, nullptr, n);
        CHECK(hipGetLastError());
        return;
    }
    unsigned *sums, *offsets;
    CHECK(hipMalloc(&sums, blocks * sizeof(unsigned)));
    CHECK(hipMalloc(&offsets, blocks * sizeof(unsigned)));
    hipLaunchKernelGGL(scanBlocks, dim3(blocks), dim3(kBlock), 0, stream, d_in, d_out, sums, n);
    exclusiveScan(sums, offsets, blocks, stream);
    hipLaunchKernelGGL(addOffsets, dim3(blocks), dim3(kBlock), 0, stream, d_out, offsets, n);
    CHECK(hipStreamSynchronize(stream));
    CHECK(hipFree(sums));
    CHECK(hipFree(offsets));
}

int main()
{
    hipStream_t stream;
    CHECK(hipStreamCreate(&stream));
    bool ok = true;
    for (int n : {1, 511, 512, 513, 100000, 1 << 20}) {
        std::vector<unsigned> h(n), result(n);
        for (int i = 0; i < n; ++i) h[i] = (i * 2654435761u) >> 24;

        unsigned *d_in, *d_out;
        CHECK(hipMalloc(&d_in, n * sizeof(unsigned)));
        CHECK(hipMalloc(&d_out, n * sizeof(unsigned)));
        CHECK(hipMemcpyAsync(d_in, h.data(), n * sizeof(unsigned), hipMemcpyHostToDevice, stream));
        exclusiveScan(d_in, d_out, n, stream);
        CHECK(hipMemcpyAsync(result.data(), d_out, n * sizeof(unsigned), hipMemcpyDeviceToHost, stream));
        CHECK(hipStreamSynchronize(stream));

        unsigned running = 0;
        int wrong = 0;
        for (int i = 0; i < n; ++i) {
            if (result[i] != running) ++wrong;
            running += h[i];
        }
        printf("n = %7d: %s\n", n, wrong ? "wrong" : "ok");
        ok = ok && wrong == 0;
        CHECK(hipFree(d_in));
        CHECK(hipFree(d_out));
    }
    CHECK(hipStreamDestroy(stream));
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

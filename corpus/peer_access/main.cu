// Several GPUs, or one: a share of the work on each, gathered on the first by peer copies where they are possible.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                               \
    do {                                                                          \
        cudaError_t e = (call);                                                   \
        if (e != cudaSuccess) {                                                   \
            std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(e));        \
            std::exit(1);                                                         \
        }                                                                         \
    } while (0)

__global__ void cubes(long long *out, int first, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (long long)(first + i) * (first + i) * (first + i);
}

int main()
{
    const int share = 1000;
    int devices = 0;
    CHECK(cudaGetDeviceCount(&devices));
    std::vector<long long *> parts(devices);
    for (int d = 0; d < devices; ++d) {
        CHECK(cudaSetDevice(d));
        int can = 0;
        if (d != 0) CHECK(cudaDeviceCanAccessPeer(&can, d, 0));
        if (can) {
            cudaError_t e = cudaDeviceEnablePeerAccess(0, 0);
            if (e == cudaErrorPeerAccessAlreadyEnabled)
                (void)cudaGetLastError();
            else
                CHECK(e);
        }
        CHECK(cudaMalloc(&parts[d], share * sizeof(long long)));
        cubes<<<(share + 127) / 128, 128>>>(parts[d], d * share, share);
        CHECK(cudaGetLastError());
    }

    long long *all;
    CHECK(cudaSetDevice(0));
    CHECK(cudaMalloc(&all, devices * share * sizeof(long long)));
    for (int d = 0; d < devices; ++d) {
        CHECK(cudaSetDevice(d));
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpyPeer(all + d * share, 0, parts[d], d, share * sizeof(long long)));
        CHECK(cudaFree(parts[d]));
    }
    CHECK(cudaSetDevice(0));
    std::vector<long long> h(devices * share);
    CHECK(cudaMemcpy(h.data(), all, h.size() * sizeof(long long), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(all));
    int wrong = 0;
    for (long long i = 0; i < (long long)h.size(); ++i) wrong += h[i] != i * i * i;
    std::printf("%d devices, %d wrong\n%s\n", devices, wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}

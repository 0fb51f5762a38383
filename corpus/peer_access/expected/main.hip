// Several GPUs, or one: a share of the work on each, gathered on the first by peer copies where they are possible.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                               \
    do {                                                                          \
        hipError_t e = (call);                                                   \
        if (e != hipSuccess) {                                                   \
            std::printf("line %d: %s\n", __LINE__, hipGetErrorString(e));        \
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
    CHECK(hipGetDeviceCount(&devices));
    std::vector<long long *> parts(devices);
    for (int d = 0; d < devices; ++d) {
        CHECK(hipSetDevice(d));
        int can = 0;
        if (d != 0) CHECK(hipDeviceCanAccessPeer(&can, d, 0));
        if (can) {
            hipError_t e = hipDeviceEnablePeerAccess(0, 0);
            if (e == hipErrorPeerAccessAlreadyEnabled)
                (void)hipGetLastError();
            else
                CHECK(e);
        }
        CHECK(hipMalloc(&parts[d], share * sizeof(long long)));
        hipLaunchKernelGGL(cubes, dim3((share + 127) / 128), dim3(128), 0, 0, parts[d], d * share, share);
        CHECK(hipGetLastError());
    }

    long long *all;
    CHECK(hipSetDevice(0));
    CHECK(hipMalloc(&all, devices * share * sizeof(long long)));
    for (int d = 0; d < devices; ++d) {
        CHECK(hipSetDevice(d));
        CHECK(hipDeviceSynchronize());
        CHECK(hipMemcpyPeer(all + d * share, 0, parts[d], d, share * sizeof(long long)));
        CHECK(hipFree(parts[d]));
    }
    CHECK(hipSetDevice(0));
    std::vector<long long> h(devices * share);
    CHECK(hipMemcpy(h.data(), all, h.size() * sizeof(long long), hipMemcpyDeviceToHost));
    CHECK(hipFree(all));
    int wrong = 0;
    for (long long i = 0; i < (long long)h.size(); ++i) wrong += h[i] != i * i * i;
    std::printf("%d devices, %d wrong\n%s\n", devices, wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}

// Inline PTX as people write it: lane number, funnel shift, bit field extract, a fence, an uncached load.
#include <hip/hip_runtime.h>
#include <stdio.h>
#include <vector>
#include "hipify_warp.h"
#include "hipify_ptx.h"

__device__ unsigned laneid()
{
    unsigned r;
    r = hipify::lane_id();
    return r;
}

__device__ unsigned bfe(unsigned x, unsigned pos, unsigned len)
{
    unsigned r;
    r = hipify_ptx::bfe_u32(x, pos, len);
    return r;
}

__device__ unsigned loadGlobal(const unsigned *p)
{
    unsigned r;
    (hipify_ptx::ordered(), r = hipify_ptx::volatile_load<unsigned int>(p), hipify_ptx::ordered());
    return r;
}

__global__ void mix(const unsigned *in, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned v = loadGlobal(&in[i]);
    unsigned r;
    r = hipify_ptx::shf_l_wrap_b32(v, v, 7);
    out[i] = r ^ bfe(v, 4, 12) ^ laneid();
    __threadfence();
}

int main()
{
    const int n = 1024;
    std::vector<unsigned> h(n), out(n);
    for (int i = 0; i < n; ++i) h[i] = i * 2654435761u;
    unsigned *d_in, *d_out;
    hipMalloc(&d_in, n * sizeof(unsigned));
    hipMalloc(&d_out, n * sizeof(unsigned));
    hipMemcpy(d_in, h.data(), n * sizeof(unsigned), hipMemcpyHostToDevice);
    hipLaunchKernelGGL(mix, dim3(n / 128), dim3(128), 0, 0, d_in, d_out, n);
    hipMemcpy(out.data(), d_out, n * sizeof(unsigned), hipMemcpyDeviceToHost);
    if (hipGetLastError() != hipSuccess) return 1;
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        unsigned want = (h[i] << 7 | h[i] >> 25) ^ ((h[i] >> 4) & 0xfff) ^ (i % 32);
        wrong += out[i] != want;
    }
    hipFree(d_in);
    hipFree(d_out);
    printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}

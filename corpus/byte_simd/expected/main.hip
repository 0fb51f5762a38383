// Four bytes at a time: dot products, saturating and averaging byte arithmetic, permutes, funnel shifts, bit reversal.
#include <hip/hip_runtime.h>
#include <cstdint>
#include <cstdio>
#include <vector>
#include "hipify_simd.h"

__global__ void bytes(const uint32_t *a, const uint32_t *b, uint32_t *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint32_t *o = out + 10 * i;
    o[0] = __vaddus4(a[i], b[i]);
    o[1] = __vsubus4(a[i], b[i]);
    o[2] = __vavgu4(a[i], b[i]);
    o[3] = __vabsdiffu4(a[i], b[i]);
    o[4] = __vcmpgtu4(a[i], b[i]);
    o[5] = __byte_perm(a[i], b[i], 0x6240);
    o[6] = __funnelshift_l(a[i], b[i], 9);
    o[7] = __brev(a[i]) ^ __clz(b[i]);
    o[8] = __dp4a((int)a[i], (int)b[i], 100);
    o[9] = __vsadu4(a[i], b[i]) + __popcll((unsigned long long)a[i] << 32 | b[i]) + __umulhi(a[i], b[i]);
}

static void onHost(uint32_t a, uint32_t b, uint32_t *o)
{
    for (int k = 0; k < 10; ++k) o[k] = 0;
    o[8] = 100;
    for (int k = 0; k < 32; k += 8) {
        const int x = a >> k & 255, y = b >> k & 255, d = x > y ? x - y : y - x;
        o[0] |= uint32_t(x + y > 255 ? 255 : x + y) << k;
        o[1] |= uint32_t(x > y ? x - y : 0) << k;
        o[2] |= uint32_t((x + y + 1) / 2) << k;
        o[3] |= uint32_t(d) << k;
        o[4] |= uint32_t(x > y ? 255 : 0) << k;
        o[8] += int(int8_t(x)) * int(int8_t(y));
        o[9] += d;
    }
    const uint64_t both = uint64_t(b) << 32 | a;
    const uint32_t selector = 0x6240;
    for (int k = 0; k < 4; ++k) o[5] |= uint32_t(both >> 8 * (selector >> 4 * k & 7) & 255) << 8 * k;
    o[6] = uint32_t((both << 9) >> 32);
    uint32_t leading = 0;
    for (int k = 0; k < 32; ++k) {
        o[7] |= (a >> k & 1) << (31 - k);
        if (b >> k) leading = k + 1;
    }
    o[7] ^= 32 - leading;
    for (int k = 0; k < 64; ++k) o[9] += both >> k & 1;
    o[9] += uint32_t(uint64_t(a) * b >> 32);
}

int main()
{
    const int n = 5000;
    std::vector<uint32_t> a(n), b(n), out(10 * n);
    uint32_t seed = 1;
    for (int i = 0; i < n; ++i) {
        a[i] = seed = seed * 1664525u + 1013904223u;
        b[i] = (seed = seed * 1664525u + 1013904223u) >> (i % 32);
    }
    uint32_t *dA, *dB, *dOut;
    hipMalloc((void **)&dA, n * sizeof(uint32_t));
    hipMalloc((void **)&dB, n * sizeof(uint32_t));
    hipMalloc((void **)&dOut, out.size() * sizeof(uint32_t));
    hipMemcpy(dA, a.data(), n * sizeof(uint32_t), hipMemcpyHostToDevice);
    hipMemcpy(dB, b.data(), n * sizeof(uint32_t), hipMemcpyHostToDevice);
    hipLaunchKernelGGL(bytes, dim3((n + 63) / 64), dim3(64), 0, 0, dA, dB, dOut, n);
    if (hipSuccess != hipMemcpy(out.data(), dOut, out.size() * sizeof(uint32_t), hipMemcpyDeviceToHost)) return 1;
    hipFree(dA), hipFree(dB), hipFree(dOut);

    int wrong[10] = {0}, all = 0;
    for (int i = 0; i < n; ++i) {
        uint32_t want[10];
        onHost(a[i], b[i], want);
        for (int k = 0; k < 10; ++k) wrong[k] += out[10 * i + k] != want[k];
    }
    for (int k = 0; k < 10; ++k) {
        all += wrong[k];
        if (wrong[k]) std::printf("operation %d: %d wrong\n", k, wrong[k]);
    }
    std::puts(all ? "FAIL" : "PASS");
    return all != 0;
}

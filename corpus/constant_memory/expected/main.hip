// 1-D convolution with its filter in constant memory; results and a counter come back through symbols.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>

#define MAX_RADIUS 16

typedef struct {
    int radius;
    float scale;
} FilterParams;

__constant__ float c_filter[2 * MAX_RADIUS + 1];
__constant__ FilterParams c_params;
__device__ unsigned long long d_clamped;
__device__ float *d_scratch;

#define CHECK(call)                                                                      \
    if ((call) != hipSuccess) {                                                         \
        fprintf(stderr, "line %d: %s\n", __LINE__, hipGetErrorString(hipGetLastError())); \
        return 1;                                                                        \
    }

__global__ void convolve(const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int k = -c_params.radius; k <= c_params.radius; ++k) {
        int j = min(max(i + k, 0), n - 1);
        if (j != i + k) atomicAdd(&d_clamped, 1ULL);
        sum += c_filter[k + c_params.radius] * in[j];
    }
    d_scratch[i] = c_params.scale * sum;
}

int main()
{
    const int n = 10000, radius = 5;
    float filter[2 * MAX_RADIUS + 1] = {0};
    for (int k = 0; k <= 2 * radius; ++k) filter[k] = 1.0f / (1 + abs(k - radius));
    FilterParams params = {radius, 0.25f};

    CHECK(hipMemcpyToSymbol(HIP_SYMBOL(c_filter), filter, (2 * radius + 1) * sizeof(float)));
    CHECK(hipMemcpyToSymbol(HIP_SYMBOL(c_params), &params, sizeof(params), 0, hipMemcpyHostToDevice));
    unsigned long long clamped = 0;
    CHECK(hipMemcpyToSymbolAsync(HIP_SYMBOL(d_clamped), &clamped, sizeof(clamped), 0, hipMemcpyHostToDevice, 0));

    size_t filterSize = 0;
    void *filterAddress = NULL;
    CHECK(hipGetSymbolSize(&filterSize, HIP_SYMBOL(c_filter)));
    CHECK(hipGetSymbolAddress(&filterAddress, HIP_SYMBOL(c_filter)));
    printf("filter: %zu bytes at %p\n", filterSize, filterAddress);

    std::vector<float> in(n), out(n);
    for (int i = 0; i < n; ++i) in[i] = sinf(0.01f * i);
    float *d_in, *d_out;
    CHECK(hipMalloc(&d_in, n * sizeof(float)));
    CHECK(hipMalloc(&d_out, n * sizeof(float)));
    CHECK(hipMemcpyToSymbol(HIP_SYMBOL(d_scratch), &d_out, sizeof(float *)));
    CHECK(hipMemcpy(d_in, in.data(), n * sizeof(float), hipMemcpyHostToDevice));

    hipLaunchKernelGGL(convolve, dim3((n + 127) / 128), dim3(128), 0, 0, d_in, n);
    CHECK(hipDeviceSynchronize());
    CHECK(hipMemcpy(out.data(), d_out, n * sizeof(float), hipMemcpyDeviceToHost));
    CHECK(hipMemcpyFromSymbol(&clamped, HIP_SYMBOL(d_clamped), sizeof(clamped)));

    bool ok = filterSize == sizeof(filter) && clamped == 2ULL * radius * (radius + 1) / 2;
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int k = -radius; k <= radius; ++k) {
            int j = i + k < 0 ? 0 : i + k >= n ? n - 1 : i + k;
            sum += filter[k + radius] * in[j];
        }
        ok = ok && fabs(out[i] - 0.25 * sum) < 1e-5;
    }

    hipFree(d_in);
    hipFree(d_out);
    printf("%llu samples clamped\n%s\n", clamped, ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

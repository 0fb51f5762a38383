// Sums in double: the compare-and-swap that old GPUs needed behind an architecture guard, rounding intrinsics,
// a last-block reduction with a fence and a counter.
#include <hip/hip_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
static __inline__ __device__ double atomicAdd(double *address, double val)
{
    unsigned long long int *address_as_ull = (unsigned long long int *)address;
    unsigned long long int old = *address_as_ull, assumed;
    do {
        assumed = old;
        old = atomicCAS(address_as_ull, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
#endif

// A float maximum, by ordered integers.
__device__ float atomicMaxFloat(float *address, float value)
{
    return value >= 0 ? __int_as_float(atomicMax((int *)address, __float_as_int(value)))
                      : __uint_as_float(atomicMin((unsigned *)address, __float_as_uint(value)));
}

__device__ unsigned int g_blocksDone = 0;
__device__ volatile double g_partial[256];

__global__ void norms(const double *x, int n, double *one, double *two, float *most)
{
    __shared__ double cache[128];
    double mine = 0.0, square = 0.0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        mine = __dadd_rn(mine, fabs(x[i]));
        square = __fma_rn(x[i], x[i], square);
        atomicMaxFloat(most, __double2float_rn(x[i]));
    }
    atomicAdd(one, mine);

    cache[threadIdx.x] = square;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) cache[threadIdx.x] += cache[threadIdx.x + s];
        __syncthreads();
    }
    __shared__ bool last;
    if (threadIdx.x == 0) {
        g_partial[blockIdx.x] = cache[0];
        __threadfence();
        last = atomicInc(&g_blocksDone, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        double sum = 0.0;
        for (unsigned b = 0; b < gridDim.x; ++b) sum += g_partial[b];
        *two = __dsqrt_rn(sum);
        g_blocksDone = 0;
    }
}

int main()
{
    const int n = 100003;
    std::vector<double> x(n);
    double one = 0, square = 0;
    float most = -1e30f;
    for (int i = 0; i < n; ++i) {
        x[i] = std::sin(0.37 * i) * (i % 11);
        one += std::fabs(x[i]);
        square += x[i] * x[i];
        most = std::fmax(most, static_cast<float>(x[i]));
    }
    double *d_x, *d_sums, sums[2] = {0, 0};
    float *d_most, got = -1e30f;
    if (hipMalloc(&d_x, n * sizeof(double)) || hipMalloc(&d_sums, sizeof sums) || hipMalloc(&d_most, sizeof got)) {
        std::printf("out of memory: %s\n", hipGetErrorString(hipGetLastError()));
        return EXIT_FAILURE;
    }
    hipMemcpy(d_x, x.data(), n * sizeof(double), hipMemcpyHostToDevice);
    bool ok = true;
    for (int round = 0; round < 2; ++round) {  // the counter must be back at zero the second time
        hipMemset(d_sums, 0, sizeof sums);
        hipMemcpy(d_most, &most, sizeof got, hipMemcpyHostToDevice);
        hipLaunchKernelGGL(norms, dim3(200), dim3(128), 0, 0, d_x, n, d_sums, d_sums + 1, d_most);
        hipMemcpy(sums, d_sums, sizeof sums, hipMemcpyDeviceToHost);
        hipMemcpy(&got, d_most, sizeof got, hipMemcpyDeviceToHost);
        ok = ok && hipPeekAtLastError() == hipSuccess && std::fabs(sums[0] - one) < 1e-9 * one &&
             std::fabs(sums[1] - std::sqrt(square)) < 1e-9 * sums[1] && got == most;
    }
    std::printf("%.12g %.12g %g\n%s\n", sums[0], sums[1], got, ok ? "PASS" : "FAIL");
    hipFree(d_x);
    hipFree(d_sums);
    hipFree(d_most);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

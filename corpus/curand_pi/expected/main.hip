// Monte Carlo pi twice: numbers from cuRAND's host API, and from generators in the kernel.
#include <hip/hip_runtime.h>
#include <hiprand/hiprand.h>
#include <hiprand/hiprand_kernel.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CURAND_CHECK(x)                                             \
    do {                                                            \
        if ((x) != HIPRAND_STATUS_SUCCESS) {                         \
            printf("cuRAND error at %s:%d\n", __FILE__, __LINE__);  \
            exit(EXIT_FAILURE);                                     \
        }                                                           \
    } while (0)

__global__ void countPairs(const float *xy, int pairs, unsigned long long *hits)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pairs && xy[2 * i] * xy[2 * i] + xy[2 * i + 1] * xy[2 * i + 1] <= 1.0f) atomicAdd(hits, 1ULL);
}

__global__ void setup(hiprandState *state, unsigned long long seed)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    hiprand_init(seed, id, 0, &state[id]);
}

__global__ void sample(hiprandState *state, int perThread, unsigned long long *hits)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    hiprandState local = state[id];
    unsigned long long mine = 0;
    for (int i = 0; i < perThread; ++i) {
        float x = hiprand_uniform(&local), y = hiprand_uniform(&local);
        mine += x * x + y * y <= 1.0f;
    }
    state[id] = local;
    atomicAdd(hits, mine);
}

int main()
{
    const int pairs = 1 << 20, threads = 4096, perThread = 256;
    float *xy;
    unsigned long long *d_hits, hits[2];
    hiprandState *state;
    hipMalloc(&xy, 2 * pairs * sizeof(float));
    hipMalloc(&d_hits, 2 * sizeof(unsigned long long));
    hipMalloc(&state, threads * sizeof(hiprandState));
    hipMemset(d_hits, 0, 2 * sizeof(unsigned long long));

    hiprandGenerator_t gen;
    CURAND_CHECK(hiprandCreateGenerator(&gen, HIPRAND_RNG_PSEUDO_PHILOX4_32_10));
    CURAND_CHECK(hiprandSetPseudoRandomGeneratorSeed(gen, 1234ULL));
    CURAND_CHECK(hiprandGenerateUniform(gen, xy, 2 * pairs));
    hipLaunchKernelGGL(countPairs, dim3(pairs / 256), dim3(256), 0, 0, xy, pairs, d_hits);
    CURAND_CHECK(hiprandDestroyGenerator(gen));

    hipLaunchKernelGGL(setup, dim3(threads / 128), dim3(128), 0, 0, state, 99);
    hipLaunchKernelGGL(sample, dim3(threads / 128), dim3(128), 0, 0, state, perThread, d_hits + 1);
    hipMemcpy(hits, d_hits, sizeof(hits), hipMemcpyDeviceToHost);
    if (hipGetLastError() != hipSuccess) return 1;

    double host = 4.0 * hits[0] / pairs, device = 4.0 * hits[1] / ((double)threads * perThread);
    hipFree(xy);
    hipFree(d_hits);
    hipFree(state);
    int ok = fabs(host - M_PI) < 0.02 && fabs(device - M_PI) < 0.02;
    printf("pi: %f by the host API, %f in the kernel\n%s\n", host, device, ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

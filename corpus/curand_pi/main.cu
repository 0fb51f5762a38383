// Monte Carlo pi twice: numbers from cuRAND's host API, and from generators in the kernel.
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CURAND_CHECK(x)                                             \
    do {                                                            \
        if ((x) != CURAND_STATUS_SUCCESS) {                         \
            printf("cuRAND error at %s:%d\n", __FILE__, __LINE__);  \
            exit(EXIT_FAILURE);                                     \
        }                                                           \
    } while (0)

__global__ void countPairs(const float *xy, int pairs, unsigned long long *hits)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pairs && xy[2 * i] * xy[2 * i] + xy[2 * i + 1] * xy[2 * i + 1] <= 1.0f) atomicAdd(hits, 1ULL);
}

__global__ void setup(curandState *state, unsigned long long seed)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(seed, id, 0, &state[id]);
}

__global__ void sample(curandState *state, int perThread, unsigned long long *hits)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    curandState local = state[id];
    unsigned long long mine = 0;
    for (int i = 0; i < perThread; ++i) {
        float x = curand_uniform(&local), y = curand_uniform(&local);
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
    curandState *state;
    cudaMalloc(&xy, 2 * pairs * sizeof(float));
    cudaMalloc(&d_hits, 2 * sizeof(unsigned long long));
    cudaMalloc(&state, threads * sizeof(curandState));
    cudaMemset(d_hits, 0, 2 * sizeof(unsigned long long));

    curandGenerator_t gen;
    CURAND_CHECK(curandCreateGenerator(&gen, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    CURAND_CHECK(curandSetPseudoRandomGeneratorSeed(gen, 1234ULL));
    CURAND_CHECK(curandGenerateUniform(gen, xy, 2 * pairs));
    countPairs<<<pairs / 256, 256>>>(xy, pairs, d_hits);
    CURAND_CHECK(curandDestroyGenerator(gen));

    setup<<<threads / 128, 128>>>(state, 99);
    sample<<<threads / 128, 128>>>(state, perThread, d_hits + 1);
    cudaMemcpy(hits, d_hits, sizeof(hits), cudaMemcpyDeviceToHost);
    if (cudaGetLastError() != cudaSuccess) return 1;

    double host = 4.0 * hits[0] / pairs, device = 4.0 * hits[1] / ((double)threads * perThread);
    cudaFree(xy);
    cudaFree(d_hits);
    cudaFree(state);
    int ok = fabs(host - M_PI) < 0.02 && fabs(device - M_PI) < 0.02;
    printf("pi: %f by the host API, %f in the kernel\n%s\n", host, device, ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

// Sums by clusters of blocks: each block sums its part in shared memory, the first of the cluster reads those of all.
// Needs compute capability 9.0.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

namespace cg = cooperative_groups;

constexpr int BLOCKS = 4;
constexpr int THREADS = 128;

__global__ void __cluster_dims__(BLOCKS, 1, 1) sum(const int *in, int *out)
{
    __shared__ int part;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) part = 0;
    __syncthreads();
    atomicAdd(&part, in[blockIdx.x * THREADS + threadIdx.x]);
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x < BLOCKS) {
        int *other = cluster.map_shared_rank(&part, threadIdx.x);
        atomicAdd(&out[blockIdx.x / BLOCKS], *other);
    }
    cluster.sync();
}

int main()
{
    const int groups = 8, n = groups * BLOCKS * THREADS;
    int *host = (int *)malloc(n * sizeof(int)), *in, *out, got[groups], wrong = 0;
    for (int i = 0; i < n; ++i) host[i] = i % 11;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, sizeof(got));
    cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof(got));
    sum<<<groups * BLOCKS, THREADS>>>(in, out);
    if (cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    for (int g = 0; g < groups; ++g) {
        int want = 0;
        for (int i = 0; i < BLOCKS * THREADS; ++i) want += host[g * BLOCKS * THREADS + i];
        wrong += want != got[g];
    }
    cudaFree(in);
    cudaFree(out);
    free(host);
    printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong != 0;
}

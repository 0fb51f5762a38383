// Heat flow on a 3-D grid: cudaMalloc3D, cudaMemcpy3D and pitched pointers, a shared-memory plane that marches in z.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BX 16
#define BY 8

static void die(cudaError_t e, const char *call, int line)
{
    if (e == cudaSuccess) return;
    fprintf(stderr, "%s at line %d: %s\n", call, line, cudaGetErrorString(e));
    cudaDeviceReset();
    exit(EXIT_FAILURE);
}
#define SAFE(call) die(call, #call, __LINE__)

__global__ void __launch_bounds__(BX *BY, 4) step(cudaPitchedPtr in, cudaPitchedPtr out, int nx, int ny, int nz, float k)
{
    __shared__ float plane[BY + 2][BX + 2];
    const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const size_t slice = in.pitch * ny;
    const bool inside = x > 0 && y > 0 && x < nx - 1 && y < ny - 1;
    auto at = [&](const cudaPitchedPtr &p, int i, int j, int z) -> float & {
        return ((float *)((char *)p.ptr + z * slice + j * p.pitch))[i];
    };
    float below = inside ? at(in, x, y, 0) : 0.0f, here = inside ? at(in, x, y, 1) : 0.0f;
    for (int z = 1; z < nz - 1; ++z) {
        float above = inside ? at(in, x, y, z + 1) : 0.0f;
        __syncthreads();
        if (x < nx && y < ny) plane[ty][tx] = at(in, x, y, z);
        if (inside) {
            if (threadIdx.x == 0) plane[ty][0] = at(in, x - 1, y, z);
            if (threadIdx.x == BX - 1) plane[ty][BX + 1] = at(in, x + 1, y, z);
            if (threadIdx.y == 0) plane[0][tx] = at(in, x, y - 1, z);
            if (threadIdx.y == BY - 1) plane[BY + 1][tx] = at(in, x, y + 1, z);
        }
        __syncthreads();
        if (inside) {
            float sum = plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] + plane[ty + 1][tx] + below + above;
            at(out, x, y, z) = __fmaf_rn(k, sum - 6.0f * here, here);
        }
        below = here;
        here = above;
    }
}

static void onHost(const float *in, float *out, int nx, int ny, int nz, float k)
{
    for (int z = 1; z < nz - 1; ++z)
        for (int y = 1; y < ny - 1; ++y)
            for (int x = 1; x < nx - 1; ++x) {
                const float *p = in + (z * ny + y) * nx + x;
                float sum = p[-1] + p[1] + p[-nx] + p[nx] + p[-nx * ny] + p[nx * ny];
                out[(z * ny + y) * nx + x] = fmaf(k, sum - 6.0f * *p, *p);
            }
}

int main()
{
    const int nx = 50, ny = 37, nz = 20, steps = 10, cells = nx * ny * nz;
    float *a = (float *)calloc(cells, sizeof(float)), *b = (float *)malloc(cells * sizeof(float));
    for (int i = 0; i < cells; ++i) a[i] = (float)(i * 7919 % 1000) / 1000.0f;
    memcpy(b, a, cells * sizeof(float));

    cudaExtent extent = make_cudaExtent(nx * sizeof(float), ny, nz);
    cudaPitchedPtr d[2];
    SAFE(cudaMalloc3D(&d[0], extent));
    SAFE(cudaMalloc3D(&d[1], extent));
    SAFE(cudaMemset3D(d[1], 0, extent));
    cudaMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    copy.srcPtr = make_cudaPitchedPtr(a, nx * sizeof(float), nx, ny);
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    for (int i = 0; i < 2; ++i) {
        copy.dstPtr = d[i];
        SAFE(cudaMemcpy3D(&copy));
    }
    SAFE(cudaFuncSetCacheConfig(step, cudaFuncCachePreferShared));
    const dim3 block(BX, BY), grid((nx + BX - 1) / BX, (ny + BY - 1) / BY);
    for (int s = 0; s < steps; ++s) {
        step<<<grid, block>>>(d[s % 2], d[1 - s % 2], nx, ny, nz, 0.1f);
        SAFE(cudaPeekAtLastError());
        onHost(s % 2 ? b : a, s % 2 ? a : b, nx, ny, nz, 0.1f);
    }
    const float *want = steps % 2 ? b : a;
    float *got = (float *)malloc(cells * sizeof(float));
    cudaMemcpy3DParms back = {0};
    back.srcPtr = d[steps % 2];
    back.dstPtr = make_cudaPitchedPtr(got, nx * sizeof(float), nx, ny);
    back.extent = extent;
    back.kind = cudaMemcpyDeviceToHost;
    SAFE(cudaMemcpy3D(&back));
    int wrong = 0;
    for (int i = 0; i < cells; ++i) wrong += fabsf(got[i] - want[i]) > 1e-5f;
    SAFE(cudaFree(d[0].ptr));
    SAFE(cudaFree(d[1].ptr));
    free(a), free(b), free(got);
    printf("%d cells wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

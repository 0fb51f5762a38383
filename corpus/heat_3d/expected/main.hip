// Heat flow on a 3-D grid: cudaMalloc3D, cudaMemcpy3D and pitched pointers, a shared-memory plane that marches in z.
#include <hip/hip_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BX 16
#define BY 8

static void die(hipError_t e, const char *call, int line)
{
    if (e == hipSuccess) return;
    fprintf(stderr, "%s at line %d: %s\n", call, line, hipGetErrorString(e));
    hipDeviceReset();
    exit(EXIT_FAILURE);
}
#define SAFE(call) die(call, #call, __LINE__)

__global__ void __launch_bounds__(BX *BY, 4) step(hipPitchedPtr in, hipPitchedPtr out, int nx, int ny, int nz, float k)
{
    __shared__ float plane[BY + 2][BX + 2];
    const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const size_t slice = in.pitch * ny;
    const bool inside = x > 0 && y > 0 && x < nx - 1 && y < ny - 1;
    auto at = [&](const hipPitchedPtr &p, int i, int j, int z) -> float & {
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

    hipExtent extent = make_hipExtent(nx * sizeof(float), ny, nz);
    hipPitchedPtr d[2];
    SAFE(hipMalloc3D(&d[0], extent));
    SAFE(hipMalloc3D(&d[1], extent));
    SAFE(hipMemset3D(d[1], 0, extent));
    hipMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    copy.srcPtr = make_hipPitchedPtr(a, nx * sizeof(float), nx, ny);
    copy.extent = extent;
    copy.kind = hipMemcpyHostToDevice;
    for (int i = 0; i < 2; ++i) {
        copy.dstPtr = d[i];
        SAFE(hipMemcpy3D(&copy));
    }
    SAFE(hipFuncSetCacheConfig(reinterpret_cast<const void*>(step), hipFuncCachePreferShared));
    const dim3 block(BX, BY), grid((nx + BX - 1) / BX, (ny + BY - 1) / BY);
    for (int s = 0; s < steps; ++s) {
        hipLaunchKernelGGL(step, dim3(grid), dim3(block), 0, 0, d[s % 2], d[1 - s % 2], nx, ny, nz, 0.1f);
        SAFE(hipPeekAtLastError());
        onHost(s % 2 ? b : a, s % 2 ? a : b, nx, ny, nz, 0.1f);
    }
    const float *want = steps % 2 ? b : a;
    float *got = (float *)malloc(cells * sizeof(float));
    hipMemcpy3DParms back = {0};
    back.srcPtr = d[steps % 2];
    back.dstPtr = make_hipPitchedPtr(got, nx * sizeof(float), nx, ny);
    back.extent = extent;
    back.kind = hipMemcpyDeviceToHost;
    SAFE(hipMemcpy3D(&back));
    int wrong = 0;
    for (int i = 0; i < cells; ++i) wrong += fabsf(got[i] - want[i]) > 1e-5f;
    SAFE(hipFree(d[0].ptr));
    SAFE(hipFree(d[1].ptr));
    free(a), free(b), free(got);
    printf("%d cells wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

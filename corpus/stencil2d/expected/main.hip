// Jacobi iterations of a five-point stencil; the tile with its halo lies in dynamic shared memory.
#include "hip/hip_runtime.h"
#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#define RADIUS 1

inline void cudaCheck(hipError_t e, const std::string &where)
{
    if (e != hipSuccess) {
        std::cerr << where << ": " << hipGetErrorString(e) << std::endl;
        std::exit(1);
    }
}

__global__ void jacobi(const double *__restrict__ in, double *__restrict__ out, int nx, int ny)
{
    extern __shared__ double tile[];
    const int pitch = blockDim.x + 2 * RADIUS;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int tx = threadIdx.x + RADIUS;
    const int ty = threadIdx.y + RADIUS;
    const bool inside = x < nx && y < ny;

    if (inside) {
        tile[ty * pitch + tx] = in[y * nx + x];
        if (threadIdx.x < RADIUS && x >= RADIUS) tile[ty * pitch + tx - RADIUS] = in[y * nx + x - RADIUS];
        if (threadIdx.x == blockDim.x - 1 && x + 1 < nx) tile[ty * pitch + tx + 1] = in[y * nx + x + 1];
        if (threadIdx.y < RADIUS && y >= RADIUS) tile[(ty - RADIUS) * pitch + tx] = in[(y - RADIUS) * nx + x];
        if (threadIdx.y == blockDim.y - 1 && y + 1 < ny) tile[(ty + 1) * pitch + tx] = in[(y + 1) * nx + x];
    }
    __syncthreads();

    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
        out[y * nx + x] = 0.25 * (tile[ty * pitch + tx - 1] + tile[ty * pitch + tx + 1] +
                                  tile[(ty - 1) * pitch + tx] + tile[(ty + 1) * pitch + tx]);
    } else if (inside) {
        out[y * nx + x] = in[y * nx + x];
    }
}

int main()
{
    const int nx = 300, ny = 170, steps = 50;
    const size_t pitchBytes = nx * sizeof(double);
    std::vector<double> grid(nx * ny, 0.0), ref, next;
    for (int x = 0; x < nx; ++x) grid[x] = 100.0;
    for (int y = 0; y < ny; ++y) grid[y * nx] = 10.0 * y / ny;
    ref = next = grid;

    double *d_a = nullptr, *d_b = nullptr;
    cudaCheck(hipMalloc(reinterpret_cast<void **>(&d_a), grid.size() * sizeof(double)), "alloc");
    cudaCheck(hipMalloc(reinterpret_cast<void **>(&d_b), grid.size() * sizeof(double)), "alloc");
    cudaCheck(hipMemcpy2D(d_a, pitchBytes, grid.data(), pitchBytes, pitchBytes, ny, hipMemcpyHostToDevice), "in");

    const dim3 block(32, 8, 1);
    const dim3 blocks((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y, 1);
    const size_t shmem = (block.x + 2 * RADIUS) * (block.y + 2 * RADIUS) * sizeof(double);
    cudaCheck(hipFuncSetCacheConfig(reinterpret_cast<const void*>(jacobi), hipFuncCachePreferShared), "cache config");
    cudaCheck(hipFuncSetAttribute(reinterpret_cast<const void*>(jacobi), hipFuncAttributeMaxDynamicSharedMemorySize, (int)shmem), "attribute");

    for (int s = 0; s < steps; ++s) {
        hipLaunchKernelGGL(jacobi, dim3(blocks), dim3(block), shmem, 0, d_a, d_b, nx, ny);
        std::swap(d_a, d_b);
    }
    cudaCheck(hipGetLastError(), "jacobi");
    cudaCheck(hipMemcpy2D(grid.data(), pitchBytes, d_a, pitchBytes, pitchBytes, ny, hipMemcpyDeviceToHost), "out");

    for (int s = 0; s < steps; ++s) {
        for (int y = 1; y < ny - 1; ++y)
            for (int x = 1; x < nx - 1; ++x)
                next[y * nx + x] = 0.25 * (ref[y * nx + x - 1] + ref[y * nx + x + 1] + ref[(y - 1) * nx + x] +
                                           ref[(y + 1) * nx + x]);
        std::swap(ref, next);
    }

    double worst = 0.0;
    for (size_t i = 0; i < grid.size(); ++i) worst = std::max(worst, std::abs(grid[i] - ref[i]));
    hipFree(d_a);
    hipFree(d_b);

    std::cout << "largest difference after " << steps << " steps: " << worst << "\n";
    std::cout << (worst < 1e-10 ? "PASS" : "FAIL") << std::endl;
    return worst < 1e-10 ? 0 : 1;
}

// Mandelbrot set with cuComplex in double precision; blocks take their shape from the occupancy calculator.
#include <cuComplex.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define WIDTH 160
#define HEIGHT 120
#define LIMIT 200

__host__ __device__ static int escape(cuDoubleComplex c)
{
    cuDoubleComplex z = make_cuDoubleComplex(0.0, 0.0);
    int i = 0;
    for (; i < LIMIT && cuCreal(z) * cuCreal(z) + cuCimag(z) * cuCimag(z) <= 4.0; ++i) z = cuCadd(cuCmul(z, z), c);
    return i;
}

__host__ __device__ static cuDoubleComplex point(int x, int y)
{
    return make_cuDoubleComplex(-2.2 + 3.2 * x / WIDTH, -1.2 + 2.4 * y / HEIGHT);
}

__global__ void mandelbrot(int *out)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < WIDTH * HEIGHT; i += gridDim.x * blockDim.x)
        out[i] = escape(point(i % WIDTH, i / WIDTH));
}

int main()
{
    int minGrid = 0, block = 0, *d;
    if (cudaOccupancyMaxPotentialBlockSize(&minGrid, &block, mandelbrot, 0, 0) != cudaSuccess) {
        printf("%s\nFAIL\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    std::vector<int> h(WIDTH * HEIGHT);
    cudaMalloc((void **)&d, h.size() * sizeof(int));
    mandelbrot<<<minGrid, block>>>(d);
    cudaMemcpy(h.data(), d, h.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d);
    if (cudaGetLastError() != cudaSuccess) return 1;

    int different = 0;
    for (int i = 0; i < WIDTH * HEIGHT; ++i) different += h[i] != escape(point(i % WIDTH, i / WIDTH));
    // Fused multiply-adds may move a few points of the border.
    bool ok = different < WIDTH * HEIGHT / 100;
    printf("%d of %d points differ\n%s\n", different, WIDTH * HEIGHT, ok ? "PASS" : "FAIL");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

// Mandelbrot set with cuComplex in double precision; blocks take their shape from the occupancy calculator.
#include <hip/hip_complex.h>
#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define WIDTH 160
#define HEIGHT 120
#define LIMIT 200

__host__ __device__ static int escape(hipDoubleComplex c)
{
    hipDoubleComplex z = make_hipDoubleComplex(0.0, 0.0);
    int i = 0;
    for (; i < LIMIT && hipCreal(z) * hipCreal(z) + hipCimag(z) * hipCimag(z) <= 4.0; ++i) z = hipCadd(hipCmul(z, z), c);
    return i;
}

__host__ __device__ static hipDoubleComplex point(int x, int y)
{
    return make_hipDoubleComplex(-2.2 + 3.2 * x / WIDTH, -1.2 + 2.4 * y / HEIGHT);
}

__global__ void mandelbrot(int *out)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < WIDTH * HEIGHT; i += gridDim.x * blockDim.x)
        out[i] = escape(point(i % WIDTH, i / WIDTH));
}

int main()
{
    int minGrid = 0, block = 0, *d;
    if (hipOccupancyMaxPotentialBlockSize(&minGrid, &block, mandelbrot, 0, 0) != hipSuccess) {
        printf("%s\nFAIL\n", hipGetErrorString(hipGetLastError()));
        return 1;
    }
    std::vector<int> h(WIDTH * HEIGHT);
    hipMalloc((void **)&d, h.size() * sizeof(int));
    hipLaunchKernelGGL(mandelbrot, dim3(minGrid), dim3(block), 0, 0, d);
    hipMemcpy(h.data(), d, h.size() * sizeof(int), hipMemcpyDeviceToHost);
    hipFree(d);
    if (hipGetLastError() != hipSuccess) return 1;

    int different = 0;
    for (int i = 0; i < WIDTH * HEIGHT; ++i) different += h[i] != escape(point(i % WIDTH, i / WIDTH));
    // Fused multiply-adds may move a few points of the border.
    bool ok = different < WIDTH * HEIGHT / 100;
    printf("%d of %d points differ\n%s\n", different, WIDTH * HEIGHT, ok ? "PASS" : "FAIL");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

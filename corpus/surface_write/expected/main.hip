// A kernel inverts an image in place through a surface object; the x coordinate of a surface counts bytes.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CU(call)                                                                       \
    do {                                                                               \
        hipError_t status = call;                                                     \
        if (hipSuccess != status) {                                                   \
            std::printf("%s:%d %s\n", __FILE__, __LINE__, hipGetErrorString(status)); \
            return EXIT_FAILURE;                                                       \
        }                                                                              \
    } while (false)

__global__ void invert(hipSurfaceObject_t surface, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;

    uchar4 pixel;
    surf2Dread(&pixel, surface, x * sizeof(uchar4), y);
    pixel.x = 255 - pixel.x;
    pixel.y = 255 - pixel.y;
    pixel.z = 255 - pixel.z;
    surf2Dwrite(pixel, surface, x * sizeof(uchar4), y);
}

int main()
{
    const int width = 333, height = 77;
    const size_t rowBytes = width * sizeof(uchar4);
    std::vector<uchar4> image(width * height), result(width * height);
    for (int i = 0; i < width * height; ++i) {
        image[i] = make_uchar4(i % 256, (i / 3) % 256, (i / 7) % 256, 255);
    }

    hipArray *array = nullptr;
    const hipChannelFormatDesc format = hipCreateChannelDesc<uchar4>();
    CU(hipMallocArray(&array, &format, width, height, hipArraySurfaceLoadStore));
    CU(hipMemcpy2DToArray(array, 0, 0, image.data(), rowBytes, rowBytes, height, hipMemcpyHostToDevice));

    hipChannelFormatDesc got;
    hipExtent extent;
    unsigned int flags = 0;
    CU(hipArrayGetInfo(&got, &extent, &flags, array));
    std::printf("array of %zu x %zu, %d bits in x, flags %u\n", extent.width, extent.height, got.x, flags);

    hipResourceDesc resource = {};
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;
    hipSurfaceObject_t surface = 0;
    CU(hipCreateSurfaceObject(&surface, &resource));

    const dim3 block(16, 16);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    hipLaunchKernelGGL(invert, dim3(grid), dim3(block), 0, 0, surface, width, height);
    CU(hipGetLastError());
    CU(hipMemcpy2DFromArray(result.data(), rowBytes, array, 0, 0, rowBytes, height, hipMemcpyDeviceToHost));

    bool ok = extent.width == width && extent.height == height && got.x == 8;
    for (int i = 0; i < width * height && ok; ++i) {
        ok = result[i].x == 255 - image[i].x && result[i].y == 255 - image[i].y && result[i].z == 255 - image[i].z &&
             result[i].w == 255;
    }

    CU(hipDestroySurfaceObject(surface));
    CU(hipFreeArray(array));
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

// Image rotation through a texture object: a CUDA array, normalised coordinates, bilinear filter in hardware.
#include <hip/hip_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)

template <typename T>
void check(T result, char const *const func, const char *const file, int const line)
{
    if (result) {
        fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\"\n", file, line, static_cast<unsigned int>(result),
                hipGetErrorName(result), func);
        exit(EXIT_FAILURE);
    }
}

__global__ void rotate(float *out, int width, int height, float theta, hipTextureObject_t tex)
{
    unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;

    float u = (x + 0.5f) / (float)width - 0.5f;
    float v = (y + 0.5f) / (float)height - 0.5f;
    float tu = u * cosf(theta) - v * sinf(theta) + 0.5f;
    float tv = v * cosf(theta) + u * sinf(theta) + 0.5f;
    out[y * width + x] = tex2D<float>(tex, tu, tv);
}

__global__ void lookup(const float *where, float *out, int n, hipTextureObject_t table)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<float>(table, (int)where[i]);
}

static float sampleClamped(const std::vector<float> &img, int w, int h, int x, int y)
{
    x = x < 0 ? 0 : x >= w ? w - 1 : x;
    y = y < 0 ? 0 : y >= h ? h - 1 : y;
    return img[y * w + x];
}

int main()
{
    const int width = 64, height = 64;
    const float theta = 0.3f;
    std::vector<float> img(width * height), out(width * height);
    for (int i = 0; i < width * height; ++i) img[i] = (float)((i * 31) % 256) / 255.0f;

    hipChannelFormatDesc channelDesc = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
    hipArray_t cuArray;
    checkCudaErrors(hipMallocArray(&cuArray, &channelDesc, width, height));
    checkCudaErrors(hipMemcpy2DToArray(cuArray, 0, 0, img.data(), width * sizeof(float), width * sizeof(float), height,
                                        hipMemcpyHostToDevice));

    struct hipResourceDesc resDesc;
    memset(&resDesc, 0, sizeof(resDesc));
    resDesc.resType = hipResourceTypeArray;
    resDesc.res.array.array = cuArray;

    struct hipTextureDesc texDesc;
    memset(&texDesc, 0, sizeof(texDesc));
    texDesc.addressMode[0] = hipAddressModeClamp;
    texDesc.addressMode[1] = hipAddressModeClamp;
    texDesc.filterMode = hipFilterModeLinear;
    texDesc.readMode = hipReadModeElementType;
    texDesc.normalizedCoords = 1;

    hipTextureObject_t tex = 0;
    checkCudaErrors(hipCreateTextureObject(&tex, &resDesc, &texDesc, NULL));

    float *d_out;
    checkCudaErrors(hipMalloc(&d_out, width * height * sizeof(float)));
    dim3 block(16, 16), grid(width / 16, height / 16);
    hipLaunchKernelGGL(rotate, dim3(grid), dim3(block), 0, 0, d_out, width, height, theta, tex);
    checkCudaErrors(hipGetLastError());
    checkCudaErrors(hipMemcpy(out.data(), d_out, out.size() * sizeof(float), hipMemcpyDeviceToHost));

    float worst = 0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            float u = (x + 0.5f) / width - 0.5f, v = (y + 0.5f) / height - 0.5f;
            float fx = (u * cosf(theta) - v * sinf(theta) + 0.5f) * width - 0.5f;
            float fy = (v * cosf(theta) + u * sinf(theta) + 0.5f) * height - 0.5f;
            int x0 = (int)floorf(fx), y0 = (int)floorf(fy);
            float a = fx - x0, b = fy - y0;
            float want = (1 - a) * (1 - b) * sampleClamped(img, width, height, x0, y0) +
                         a * (1 - b) * sampleClamped(img, width, height, x0 + 1, y0) +
                         (1 - a) * b * sampleClamped(img, width, height, x0, y0 + 1) +
                         a * b * sampleClamped(img, width, height, x0 + 1, y0 + 1);
            worst = fmaxf(worst, fabsf(want - out[y * width + x]));
        }
    }
    printf("bilinear: largest difference %g\n", worst);
    bool ok = worst < 0.02f;  // the hardware filter has 8 fractional bits

    // A linear texture over plain device memory, read by index.
    float *d_table, *d_where, *d_found;
    const int n = 256;
    std::vector<float> where(n), found(n);
    for (int i = 0; i < n; ++i) where[i] = (float)((i * 97) % (width * height));
    checkCudaErrors(hipMalloc(&d_table, img.size() * sizeof(float)));
    checkCudaErrors(hipMalloc(&d_where, n * sizeof(float)));
    checkCudaErrors(hipMalloc(&d_found, n * sizeof(float)));
    checkCudaErrors(hipMemcpy(d_table, img.data(), img.size() * sizeof(float), hipMemcpyHostToDevice));
    checkCudaErrors(hipMemcpy(d_where, where.data(), n * sizeof(float), hipMemcpyHostToDevice));

    hipResourceDesc linear = {};
    linear.resType = hipResourceTypeLinear;
    linear.res.linear.devPtr = d_table;
    linear.res.linear.desc = hipCreateChannelDesc<float>();
    linear.res.linear.sizeInBytes = img.size() * sizeof(float);
    hipTextureDesc plain = {};
    plain.readMode = hipReadModeElementType;
    hipTextureObject_t table = 0;
    checkCudaErrors(hipCreateTextureObject(&table, &linear, &plain, nullptr));
    hipLaunchKernelGGL(lookup, dim3(1), dim3(n), 0, 0, d_where, d_found, n, table);
    checkCudaErrors(hipMemcpy(found.data(), d_found, n * sizeof(float), hipMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) ok = ok && found[i] == img[(int)where[i]];

    checkCudaErrors(hipDestroyTextureObject(tex));
    checkCudaErrors(hipDestroyTextureObject(table));
    checkCudaErrors(hipFreeArray(cuArray));
    hipFree(d_out);
    hipFree(d_table);
    hipFree(d_where);
    hipFree(d_found);
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

// Image rotation through a texture object: a CUDA array, normalised coordinates, bilinear filter in hardware.
#include <cuda_runtime.h>
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
                cudaGetErrorName(result), func);
        exit(EXIT_FAILURE);
    }
}

__global__ void rotate(float *out, int width, int height, float theta, cudaTextureObject_t tex)
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

__global__ void lookup(const float *where, float *out, int n, cudaTextureObject_t table)
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

    cudaChannelFormatDesc channelDesc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray_t cuArray;
    checkCudaErrors(cudaMallocArray(&cuArray, &channelDesc, width, height));
    checkCudaErrors(cudaMemcpy2DToArray(cuArray, 0, 0, img.data(), width * sizeof(float), width * sizeof(float), height,
                                        cudaMemcpyHostToDevice));

    struct cudaResourceDesc resDesc;
    memset(&resDesc, 0, sizeof(resDesc));
    resDesc.resType = cudaResourceTypeArray;
    resDesc.res.array.array = cuArray;

    struct cudaTextureDesc texDesc;
    memset(&texDesc, 0, sizeof(texDesc));
    texDesc.addressMode[0] = cudaAddressModeClamp;
    texDesc.addressMode[1] = cudaAddressModeClamp;
    texDesc.filterMode = cudaFilterModeLinear;
    texDesc.readMode = cudaReadModeElementType;
    texDesc.normalizedCoords = 1;

    cudaTextureObject_t tex = 0;
    checkCudaErrors(cudaCreateTextureObject(&tex, &resDesc, &texDesc, NULL));

    float *d_out;
    checkCudaErrors(cudaMalloc(&d_out, width * height * sizeof(float)));
    dim3 block(16, 16), grid(width / 16, height / 16);
    rotate<<<grid, block>>>(d_out, width, height, theta, tex);
    checkCudaErrors(cudaGetLastError());
    checkCudaErrors(cudaMemcpy(out.data(), d_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost));

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
    checkCudaErrors(cudaMalloc(&d_table, img.size() * sizeof(float)));
    checkCudaErrors(cudaMalloc(&d_where, n * sizeof(float)));
    checkCudaErrors(cudaMalloc(&d_found, n * sizeof(float)));
    checkCudaErrors(cudaMemcpy(d_table, img.data(), img.size() * sizeof(float), cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemcpy(d_where, where.data(), n * sizeof(float), cudaMemcpyHostToDevice));

    cudaResourceDesc linear = {};
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear.devPtr = d_table;
    linear.res.linear.desc = cudaCreateChannelDesc<float>();
    linear.res.linear.sizeInBytes = img.size() * sizeof(float);
    cudaTextureDesc plain = {};
    plain.readMode = cudaReadModeElementType;
    cudaTextureObject_t table = 0;
    checkCudaErrors(cudaCreateTextureObject(&table, &linear, &plain, nullptr));
    lookup<<<1, n>>>(d_where, d_found, n, table);
    checkCudaErrors(cudaMemcpy(found.data(), d_found, n * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) ok = ok && found[i] == img[(int)where[i]];

    checkCudaErrors(cudaDestroyTextureObject(tex));
    checkCudaErrors(cudaDestroyTextureObject(table));
    checkCudaErrors(cudaFreeArray(cuArray));
    cudaFree(d_out);
    cudaFree(d_table);
    cudaFree(d_where);
    cudaFree(d_found);
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

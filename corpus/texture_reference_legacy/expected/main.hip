// Legacy on purpose: texture and surface references, gone from CUDA 12, and calls that went with them.
#include <hip/hip_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

texture<float, 1, hipReadModeElementType> texSignal;
texture<float, hipTextureType2D, hipReadModeElementType> texImage;

#define CUDA_CALL(x)                                                                  \
    do {                                                                              \
        if ((x) != hipSuccess) {                                                     \
            printf("error at %s:%d: %s\n", __FILE__, __LINE__, hipGetErrorString(x)); \
            exit(EXIT_FAILURE);                                                       \
        }                                                                             \
    } while (0)

__global__ void smooth(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float left = tex1Dfetch(texSignal, i > 0 ? i - 1 : 0);
        float right = tex1Dfetch(texSignal, i < n - 1 ? i + 1 : n - 1);
        out[i] = 0.25f * left + 0.5f * tex1Dfetch(texSignal, i) + 0.25f * right;
    }
}

__global__ void flip(float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = tex2D(texImage, width - 1 - x + 0.5f, y + 0.5f);
}

int main(void)
{
    const int n = 1000, width = 40, height = 25;
    float h[1000], got[1000];
    for (int i = 0; i < n; i++) h[i] = sinf(0.1f * i);

    float *d_in, *d_out;
    CUDA_CALL(hipMalloc((void **)&d_in, sizeof h));
    CUDA_CALL(hipMalloc((void **)&d_out, sizeof h));
    CUDA_CALL(hipMemcpy(d_in, h, sizeof h, hipMemcpyHostToDevice));

    size_t offset;
    CUDA_CALL(hipBindTexture(&offset, texSignal, d_in, sizeof h));
    hipLaunchKernelGGL(smooth, dim3((n + 255) / 256), dim3(256), 0, 0, d_out, n);
    CUDA_CALL(hipDeviceSynchronize());
    CUDA_CALL(hipMemcpy(got, d_out, sizeof got, hipMemcpyDeviceToHost));
    CUDA_CALL(hipUnbindTexture(texSignal));

    int ok = 1;
    for (int i = 0; i < n; i++) {
        float want = 0.25f * h[i > 0 ? i - 1 : 0] + 0.5f * h[i] + 0.25f * h[i < n - 1 ? i + 1 : n - 1];
        ok = ok && fabsf(got[i] - want) < 1e-6f;
    }

    hipArray *array;
    hipChannelFormatDesc desc = hipCreateChannelDesc<float>();
    CUDA_CALL(hipMallocArray(&array, &desc, width, height));
    CUDA_CALL(hipMemcpyToArray(array, 0, 0, h, sizeof h, hipMemcpyHostToDevice));
    texImage.addressMode[0] = hipAddressModeClamp;
    texImage.addressMode[1] = hipAddressModeClamp;
    texImage.filterMode = hipFilterModePoint;
    texImage.normalized = false;
    CUDA_CALL(hipBindTextureToArray(texImage, array, desc));
    hipLaunchKernelGGL(flip, dim3(dim3(3, 2)), dim3(dim3(16, 16)), 0, 0, d_out, width, height);
    CUDA_CALL(hipDeviceSynchronize());
    CUDA_CALL(hipMemcpy(got, d_out, sizeof got, hipMemcpyDeviceToHost));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) ok = ok && got[y * width + x] == h[y * width + width - 1 - x];

    hipUnbindTexture(texImage);
    hipFreeArray(array);
    hipFree(d_in);
    hipFree(d_out);
    hipDeviceReset();
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

// Legacy on purpose: texture and surface references, gone from CUDA 12, and calls that went with them.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

texture<float, 1, cudaReadModeElementType> texSignal;
texture<float, cudaTextureType2D, cudaReadModeElementType> texImage;

#define CUDA_CALL(x)                                                                  \
    do {                                                                              \
        if ((x) != cudaSuccess) {                                                     \
            printf("error at %s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(x)); \
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
    CUDA_CALL(cudaMalloc((void **)&d_in, sizeof h));
    CUDA_CALL(cudaMalloc((void **)&d_out, sizeof h));
    CUDA_CALL(cudaMemcpy(d_in, h, sizeof h, cudaMemcpyHostToDevice));

    size_t offset;
    CUDA_CALL(cudaBindTexture(&offset, texSignal, d_in, sizeof h));
    smooth<<<(n + 255) / 256, 256>>>(d_out, n);
    CUDA_CALL(cudaThreadSynchronize());
    CUDA_CALL(cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    CUDA_CALL(cudaUnbindTexture(texSignal));

    int ok = 1;
    for (int i = 0; i < n; i++) {
        float want = 0.25f * h[i > 0 ? i - 1 : 0] + 0.5f * h[i] + 0.25f * h[i < n - 1 ? i + 1 : n - 1];
        ok = ok && fabsf(got[i] - want) < 1e-6f;
    }

    cudaArray *array;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    CUDA_CALL(cudaMallocArray(&array, &desc, width, height));
    CUDA_CALL(cudaMemcpyToArray(array, 0, 0, h, sizeof h, cudaMemcpyHostToDevice));
    texImage.addressMode[0] = cudaAddressModeClamp;
    texImage.addressMode[1] = cudaAddressModeClamp;
    texImage.filterMode = cudaFilterModePoint;
    texImage.normalized = false;
    CUDA_CALL(cudaBindTextureToArray(texImage, array, desc));
    flip<<<dim3(3, 2), dim3(16, 16)>>>(d_out, width, height);
    CUDA_CALL(cudaThreadSynchronize());
    CUDA_CALL(cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) ok = ok && got[y * width + x] == h[y * width + width - 1 - x];

    cudaUnbindTexture(texImage);
    cudaFreeArray(array);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaThreadExit();
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

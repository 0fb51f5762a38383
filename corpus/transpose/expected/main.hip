// Matrix transpose through a padded shared-memory tile, from and to pitched allocations.
#include <cstdio>
#include <cstdlib>
#include <hip/hip_runtime.h>

#define TILE_DIM 32
#define BLOCK_ROWS 8

#define CUDA_SAFE_CALL(call)                                                                          \
    {                                                                                                 \
        const hipError_t error = call;                                                               \
        if (error != hipSuccess) {                                                                   \
            fprintf(stderr, "Error: %s:%d, code: %d, reason: %s\n", __FILE__, __LINE__, (int)error,   \
                    hipGetErrorString(error));                                                       \
            exit(1);                                                                                  \
        }                                                                                             \
    }

__global__ void transposeTile(float *odata, size_t opitch, const float *idata, size_t ipitch, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];

    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * ipitch + x];

    __syncthreads();

    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < height && y + j < width) odata[(y + j) * opitch + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main()
{
    const int width = 1000, height = 517;
    float *h_in = (float *)malloc(width * height * sizeof(float));
    float *h_out = (float *)calloc(width * height, sizeof(float));
    for (int i = 0; i < width * height; ++i) h_in[i] = (float)i;

    float *d_in, *d_out;
    size_t pitchIn, pitchOut;
    CUDA_SAFE_CALL(hipMallocPitch((void **)&d_in, &pitchIn, width * sizeof(float), height));
    CUDA_SAFE_CALL(hipMallocPitch((void **)&d_out, &pitchOut, height * sizeof(float), width));
    CUDA_SAFE_CALL(hipMemset2D(d_out, pitchOut, 0, height * sizeof(float), width));
    CUDA_SAFE_CALL(hipMemcpy2D(d_in, pitchIn, h_in, width * sizeof(float), width * sizeof(float), height,
                                hipMemcpyHostToDevice));

    dim3 threads(TILE_DIM, BLOCK_ROWS);
    dim3 grid((width + TILE_DIM - 1) / TILE_DIM, (height + TILE_DIM - 1) / TILE_DIM);

    hipEvent_t beg, end;
    CUDA_SAFE_CALL(hipEventCreate(&beg));
    CUDA_SAFE_CALL(hipEventCreateWithFlags(&end, hipEventBlockingSync));
    CUDA_SAFE_CALL(hipEventRecord(beg));
    hipLaunchKernelGGL(transposeTile, dim3(grid), dim3(threads), 0, 0, d_out, pitchOut / sizeof(float), d_in, pitchIn / sizeof(float), width, height);
    CUDA_SAFE_CALL(hipEventRecord(end));
    CUDA_SAFE_CALL(hipEventSynchronize(end));
    float ms;
    CUDA_SAFE_CALL(hipEventElapsedTime(&ms, beg, end));
    printf("%dx%d in %.3f ms, %.1f GB/s\n", width, height, ms, 2.0 * width * height * sizeof(float) / (ms * 1e6));

    CUDA_SAFE_CALL(hipMemcpy2D(h_out, height * sizeof(float), d_out, pitchOut, height * sizeof(float), width,
                                hipMemcpyDeviceToHost));

    int wrong = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) wrong += h_out[x * height + y] != h_in[y * width + x];

    CUDA_SAFE_CALL(hipEventDestroy(beg));
    CUDA_SAFE_CALL(hipEventDestroy(end));
    CUDA_SAFE_CALL(hipFree(d_in));
    CUDA_SAFE_CALL(hipFree(d_out));
    free(h_in);
    free(h_out);
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}

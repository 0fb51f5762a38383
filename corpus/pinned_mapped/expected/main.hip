// Host memory that the device reads directly: mapped allocations, registered buffers, write-combined input.
#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRY(call)                                                              \
    do {                                                                       \
        hipError_t err = call;                                                \
        if (err != hipSuccess) {                                              \
            fprintf(stderr, "%s: %s\n", #call, hipGetErrorString(err));       \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

__global__ void dot(int size, const float *a, const float *b, float *c)
{
    __shared__ float cache[256];
    float temp = 0;
    for (int tid = threadIdx.x + blockIdx.x * blockDim.x; tid < size; tid += blockDim.x * gridDim.x)
        temp += a[tid] * b[tid];
    cache[threadIdx.x] = temp;
    __syncthreads();
    for (int i = blockDim.x / 2; i != 0; i /= 2) {
        if (threadIdx.x < i) cache[threadIdx.x] += cache[threadIdx.x + i];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        c[blockIdx.x] = cache[0];
        __threadfence_system();
    }
}

int main(void)
{
    const int N = 1 << 20, blocks = 32;
    hipDeviceProp_t prop;
    int whichDevice;
    TRY(hipGetDevice(&whichDevice));
    TRY(hipGetDeviceProperties(&prop, whichDevice));
    if (prop.canMapHostMemory != 1) {
        printf("device %d (compute %d.%d) cannot map host memory\n", whichDevice, prop.major, prop.minor);
        return 1;
    }
    TRY(hipSetDeviceFlags(hipDeviceMapHost));

    float *a, *partial, *dev_a, *dev_b, *dev_partial;
    TRY(hipHostMalloc((void **)&a, N * sizeof(float), hipHostMallocWriteCombined | hipHostMallocMapped));
    TRY(hipHostMalloc((void **)&partial, blocks * sizeof(float), hipHostMallocMapped | hipHostMallocPortable));

    float *b = (float *)aligned_alloc(4096, N * sizeof(float));
    TRY(hipHostRegister(b, N * sizeof(float), hipHostRegisterMapped));

    for (int i = 0; i < N; i++) {
        a[i] = (float)(i % 10);
        b[i] = (float)(i % 7);
    }
    memset(partial, 0, blocks * sizeof(float));

    TRY(hipHostGetDevicePointer((void **)&dev_a, a, 0));
    TRY(hipHostGetDevicePointer((void **)&dev_b, b, 0));
    TRY(hipHostGetDevicePointer((void **)&dev_partial, partial, 0));

    hipLaunchKernelGGL(dot, dim3(blocks), dim3(256), 0, 0, N, dev_a, dev_b, dev_partial);
    TRY(hipGetLastError());
    TRY(hipDeviceSynchronize());

    double sum = 0, expected = 0;
    for (int i = 0; i < blocks; i++) sum += partial[i];
    for (int i = 0; i < N; i++) expected += (double)(i % 10) * (i % 7);

    unsigned int flags = 0;
    TRY(hipHostGetFlags(&flags, partial));
    int ok = (flags & hipHostMallocMapped) != 0 && sum > expected * 0.9999 && sum < expected * 1.0001;

    size_t freeBytes, totalBytes;
    TRY(hipMemGetInfo(&freeBytes, &totalBytes));
    printf("dot product %.1f (expected %.1f), %zu of %zu MB free\n", sum, expected, freeBytes >> 20, totalBytes >> 20);

    TRY(hipHostUnregister(b));
    TRY(hipHostFree(a));
    TRY(hipHostFree(partial));
    free(b);
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

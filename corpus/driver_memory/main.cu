// The driver API's memory, streams and events beside a kernel of the runtime: attributes, 2-D copies, memsets.
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define checkCudaDrvErrors(err) driverCheck(err, __FILE__, __LINE__)

inline void driverCheck(CUresult err, const char *file, int line)
{
    if (CUDA_SUCCESS != err) {
        const char *text = NULL;
        cuGetErrorString(err, &text);
        fprintf(stderr, "CUDA driver error %04d \"%s\" from %s, line %i.\n", err, text ? text : "?", file, line);
        exit(EXIT_FAILURE);
    }
}

__global__ void brighten(unsigned char *p, size_t pitch, int width, int height, int by)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) p[y * pitch + x] += by;
}

int main()
{
    checkCudaDrvErrors(cuInit(0));
    int count = 0, version = 0, sms = 0, unified = 0;
    checkCudaDrvErrors(cuDeviceGetCount(&count));
    if (count == 0) return EXIT_FAILURE;
    CUdevice device;
    char name[128];
    size_t total = 0, freeBytes = 0;
    checkCudaDrvErrors(cuDeviceGet(&device, 0));
    checkCudaDrvErrors(cuDeviceGetName(name, sizeof name, device));
    checkCudaDrvErrors(cuDeviceTotalMem(&total, device));
    checkCudaDrvErrors(cuDriverGetVersion(&version));
    checkCudaDrvErrors(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
    checkCudaDrvErrors(cuDeviceGetAttribute(&unified, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, device));
    printf("%s, driver %d, %d multiprocessors, unified %d\n", name, version, sms, unified);

    CUcontext context;
    checkCudaDrvErrors(cuDevicePrimaryCtxRetain(&context, device));
    checkCudaDrvErrors(cuCtxSetCurrent(context));
    checkCudaDrvErrors(cuMemGetInfo(&freeBytes, &total));

    const int width = 300, height = 40;
    CUdeviceptr image, words;
    size_t pitch;
    CUstream stream;
    CUevent start, stop;
    checkCudaDrvErrors(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    checkCudaDrvErrors(cuEventCreate(&start, CU_EVENT_DEFAULT));
    checkCudaDrvErrors(cuEventCreate(&stop, CU_EVENT_BLOCKING_SYNC));
    checkCudaDrvErrors(cuMemAllocPitch(&image, &pitch, width, height, 4));
    checkCudaDrvErrors(cuMemAlloc(&words, 100 * sizeof(unsigned)));
    checkCudaDrvErrors(cuMemsetD32Async(words, 0xdeadbeef, 100, stream));

    std::vector<unsigned char> host(width * height), result(width * height);
    std::vector<unsigned> hostWords(100);
    for (size_t i = 0; i < host.size(); ++i) host[i] = (unsigned char)(i * 31);
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = host.data();
    copy.srcPitch = width;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = image;
    copy.dstPitch = pitch;
    copy.WidthInBytes = width;
    copy.Height = height;
    checkCudaDrvErrors(cuMemcpy2DAsync(&copy, stream));

    checkCudaDrvErrors(cuEventRecord(start, stream));
    dim3 block(32, 4);
    brighten<<<dim3((width + 31) / 32, (height + 3) / 4), block, 0, stream>>>((unsigned char *)image, pitch, width, height, 3);
    checkCudaDrvErrors(cuEventRecord(stop, stream));
    checkCudaDrvErrors(cuEventSynchronize(stop));
    float ms = -1.0f;
    checkCudaDrvErrors(cuEventElapsedTime(&ms, start, stop));

    CUDA_MEMCPY2D back = {};
    back.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    back.srcDevice = image;
    back.srcPitch = pitch;
    back.dstMemoryType = CU_MEMORYTYPE_HOST;
    back.dstHost = result.data();
    back.dstPitch = width;
    back.WidthInBytes = width;
    back.Height = height;
    checkCudaDrvErrors(cuMemcpy2D(&back));
    checkCudaDrvErrors(cuMemcpyDtoHAsync(hostWords.data(), words, 100 * sizeof(unsigned), stream));
    checkCudaDrvErrors(cuStreamSynchronize(stream));

    int wrong = ms < 0.0f;
    for (size_t i = 0; i < host.size(); ++i) wrong += result[i] != (unsigned char)(host[i] + 3);
    for (unsigned w : hostWords) wrong += w != 0xdeadbeefu;
    checkCudaDrvErrors(cuMemFree(image));
    checkCudaDrvErrors(cuMemFree(words));
    checkCudaDrvErrors(cuEventDestroy(start));
    checkCudaDrvErrors(cuEventDestroy(stop));
    checkCudaDrvErrors(cuStreamDestroy(stream));
    checkCudaDrvErrors(cuDevicePrimaryCtxRelease(device));
    printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

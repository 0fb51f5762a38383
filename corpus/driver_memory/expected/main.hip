// The driver API's memory, streams and events beside a kernel of the runtime: attributes, 2-D copies, memsets.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define checkCudaDrvErrors(err) driverCheck(err, __FILE__, __LINE__)

inline void driverCheck(hipError_t err, const char *file, int line)
{
    if (hipSuccess != err) {
        const char *text = NULL;
        hipDrvGetErrorString(err, &text);
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
    checkCudaDrvErrors(hipInit(0));
    int count = 0, version = 0, sms = 0, unified = 0;
    checkCudaDrvErrors(hipGetDeviceCount(&count));
    if (count == 0) return EXIT_FAILURE;
    hipDevice_t device;
    char name[128];
    size_t total = 0, freeBytes = 0;
    checkCudaDrvErrors(hipDeviceGet(&device, 0));
    checkCudaDrvErrors(hipDeviceGetName(name, sizeof name, device));
    checkCudaDrvErrors(hipDeviceTotalMem(&total, device));
    checkCudaDrvErrors(hipDriverGetVersion(&version));
    checkCudaDrvErrors(hipDeviceGetAttribute(&sms, hipDeviceAttributeMultiprocessorCount, device));
    checkCudaDrvErrors(hipDeviceGetAttribute(&unified, hipDeviceAttributeUnifiedAddressing, device));
    printf("%s, driver %d, %d multiprocessors, unified %d\n", name, version, sms, unified);

    hipCtx_t context;
    checkCudaDrvErrors(hipDevicePrimaryCtxRetain(&context, device));
    checkCudaDrvErrors(hipCtxSetCurrent(context));
    checkCudaDrvErrors(hipMemGetInfo(&freeBytes, &total));

    const int width = 300, height = 40;
    hipDeviceptr_t image, words;
    size_t pitch;
    hipStream_t stream;
    hipEvent_t start, stop;
    checkCudaDrvErrors(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    checkCudaDrvErrors(hipEventCreateWithFlags(&start, hipEventDefault));
    checkCudaDrvErrors(hipEventCreateWithFlags(&stop, hipEventBlockingSync));
    checkCudaDrvErrors(hipMemAllocPitch(&image, &pitch, width, height, 4));
    checkCudaDrvErrors(hipMalloc(&words, 100 * sizeof(unsigned)));
    checkCudaDrvErrors(hipMemsetD32Async(words, 0xdeadbeef, 100, stream));

    std::vector<unsigned char> host(width * height), result(width * height);
    std::vector<unsigned> hostWords(100);
    for (size_t i = 0; i < host.size(); ++i) host[i] = (unsigned char)(i * 31);
    hip_Memcpy2D copy = {};
    copy.srcMemoryType = hipMemoryTypeHost;
    copy.srcHost = host.data();
    copy.srcPitch = width;
    copy.dstMemoryType = hipMemoryTypeDevice;
    copy.dstDevice = image;
    copy.dstPitch = pitch;
    copy.WidthInBytes = width;
    copy.Height = height;
    checkCudaDrvErrors(hipMemcpyParam2DAsync(&copy, stream));

    checkCudaDrvErrors(hipEventRecord(start, stream));
    dim3 block(32, 4);
    hipLaunchKernelGGL(brighten, dim3(dim3((width + 31) / 32, (height + 3) / 4)), dim3(block), 0, stream, (unsigned char *)image, pitch, width, height, 3);
    checkCudaDrvErrors(hipEventRecord(stop, stream));
    checkCudaDrvErrors(hipEventSynchronize(stop));
    float ms = -1.0f;
    checkCudaDrvErrors(hipEventElapsedTime(&ms, start, stop));

    hip_Memcpy2D back = {};
    back.srcMemoryType = hipMemoryTypeDevice;
    back.srcDevice = image;
    back.srcPitch = pitch;
    back.dstMemoryType = hipMemoryTypeHost;
    back.dstHost = result.data();
    back.dstPitch = width;
    back.WidthInBytes = width;
    back.Height = height;
    checkCudaDrvErrors(hipMemcpyParam2D(&back));
    checkCudaDrvErrors(hipMemcpyDtoHAsync(hostWords.data(), words, 100 * sizeof(unsigned), stream));
    checkCudaDrvErrors(hipStreamSynchronize(stream));

    int wrong = ms < 0.0f;
    for (size_t i = 0; i < host.size(); ++i) wrong += result[i] != (unsigned char)(host[i] + 3);
    for (unsigned w : hostWords) wrong += w != 0xdeadbeefu;
    checkCudaDrvErrors(hipFree(image));
    checkCudaDrvErrors(hipFree(words));
    checkCudaDrvErrors(hipEventDestroy(start));
    checkCudaDrvErrors(hipEventDestroy(stop));
    checkCudaDrvErrors(hipStreamDestroy(stream));
    checkCudaDrvErrors(hipDevicePrimaryCtxRelease(device));
    printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

// NVRTC and the driver API: a kernel compiled at run time, loaded as a module, launched with cuLaunchKernel.
#include <cuda.h>
#include <nvrtc.h>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define NVRTC_SAFE_CALL(x)                                                                   \
    do {                                                                                     \
        nvrtcResult result = x;                                                              \
        if (result != NVRTC_SUCCESS) {                                                       \
            std::fprintf(stderr, "%s failed: %s\n", #x, nvrtcGetErrorString(result));        \
            std::exit(1);                                                                    \
        }                                                                                    \
    } while (0)
#define CU_SAFE_CALL(x)                                                                      \
    do {                                                                                     \
        CUresult result = x;                                                                 \
        if (result != CUDA_SUCCESS) {                                                        \
            const char *msg;                                                                 \
            cuGetErrorName(result, &msg);                                                    \
            std::fprintf(stderr, "%s failed: %s\n", #x, msg);                                \
            std::exit(1);                                                                    \
        }                                                                                    \
    } while (0)

static const char *source =
    "extern \"C\" __global__ void saxpy(float a, float *x, float *y, float *out, size_t n)\n"
    "{\n"
    "  size_t tid = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (tid < n) out[tid] = a * x[tid] + y[tid];\n"
    "}\n";

int main()
{
    nvrtcProgram prog;
    NVRTC_SAFE_CALL(nvrtcCreateProgram(&prog, source, "saxpy.cu", 0, NULL, NULL));
    nvrtcResult compiled = nvrtcCompileProgram(prog, 0, NULL);
    size_t logSize;
    NVRTC_SAFE_CALL(nvrtcGetProgramLogSize(prog, &logSize));
    std::string log(logSize, '\0');
    NVRTC_SAFE_CALL(nvrtcGetProgramLog(prog, &log[0]));
    if (compiled != NVRTC_SUCCESS) {
        std::printf("%s\n", log.c_str());
        return 1;
    }
    size_t ptxSize;
    NVRTC_SAFE_CALL(nvrtcGetPTXSize(prog, &ptxSize));
    std::vector<char> ptx(ptxSize);
    NVRTC_SAFE_CALL(nvrtcGetPTX(prog, ptx.data()));
    NVRTC_SAFE_CALL(nvrtcDestroyProgram(&prog));

    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    CU_SAFE_CALL(cuInit(0));
    CU_SAFE_CALL(cuDeviceGet(&device, 0));
    CU_SAFE_CALL(cuDevicePrimaryCtxRetain(&context, device));
    CU_SAFE_CALL(cuCtxSetCurrent(context));
    CU_SAFE_CALL(cuModuleLoadDataEx(&module, ptx.data(), 0, 0, 0));
    CU_SAFE_CALL(cuModuleGetFunction(&kernel, module, "saxpy"));

    size_t n = 1000, bytes = n * sizeof(float);
    float a = 3.0f;
    std::vector<float> x(n), y(n), out(n);
    for (size_t i = 0; i < n; ++i) x[i] = i, y[i] = 2 * i;
    CUdeviceptr dX, dY, dOut;
    CU_SAFE_CALL(cuMemAlloc(&dX, bytes));
    CU_SAFE_CALL(cuMemAlloc(&dY, bytes));
    CU_SAFE_CALL(cuMemAlloc(&dOut, bytes));
    CU_SAFE_CALL(cuMemcpyHtoD(dX, x.data(), bytes));
    CU_SAFE_CALL(cuMemcpyHtoD(dY, y.data(), bytes));
    void *args[] = {&a, &dX, &dY, &dOut, &n};
    CU_SAFE_CALL(cuLaunchKernel(kernel, 8, 1, 1, 128, 1, 1, 0, NULL, args, 0));
    CU_SAFE_CALL(cuCtxSynchronize());
    CU_SAFE_CALL(cuMemcpyDtoH(out.data(), dOut, bytes));

    int wrong = 0;
    for (size_t i = 0; i < n; ++i) wrong += out[i] != a * x[i] + y[i];
    CU_SAFE_CALL(cuMemFree(dX));
    CU_SAFE_CALL(cuMemFree(dY));
    CU_SAFE_CALL(cuMemFree(dOut));
    CU_SAFE_CALL(cuModuleUnload(module));
    CU_SAFE_CALL(cuDevicePrimaryCtxRelease(device));
    std::printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}

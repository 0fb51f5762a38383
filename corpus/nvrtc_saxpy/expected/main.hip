// NVRTC and the driver API: a kernel compiled at run time, loaded as a module, launched with cuLaunchKernel.
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define NVRTC_SAFE_CALL(x)                                                                   \
    do {                                                                                     \
        hiprtcResult result = x;                                                              \
        if (result != HIPRTC_SUCCESS) {                                                       \
            std::fprintf(stderr, "%s failed: %s\n", #x, hiprtcGetErrorString(result));        \
            std::exit(1);                                                                    \
        }                                                                                    \
    } while (0)
#define CU_SAFE_CALL(x)                                                                      \
    do {                                                                                     \
        hipError_t result = x;                                                                 \
        if (result != hipSuccess) {                                                        \
            const char *msg;                                                                 \
            hipDrvGetErrorName(result, &msg);                                                    \
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
    hiprtcProgram prog;
    NVRTC_SAFE_CALL(hiprtcCreateProgram(&prog, source, "saxpy.cu", 0, NULL, NULL));
    hiprtcResult compiled = hiprtcCompileProgram(prog, 0, NULL);
    size_t logSize;
    NVRTC_SAFE_CALL(hiprtcGetProgramLogSize(prog, &logSize));
    std::string log(logSize, '\0');
    NVRTC_SAFE_CALL(hiprtcGetProgramLog(prog, &log[0]));
    if (compiled != HIPRTC_SUCCESS) {
        std::printf("%s\n", log.c_str());
        return 1;
    }
    size_t ptxSize;
    NVRTC_SAFE_CALL(hiprtcGetCodeSize(prog, &ptxSize));
    std::vector<char> ptx(ptxSize);
    NVRTC_SAFE_CALL(hiprtcGetCode(prog, ptx.data()));
    NVRTC_SAFE_CALL(hiprtcDestroyProgram(&prog));

    hipDevice_t device;
    hipCtx_t context;
    hipModule_t module;
    hipFunction_t kernel;
    CU_SAFE_CALL(hipInit(0));
    CU_SAFE_CALL(hipDeviceGet(&device, 0));
    CU_SAFE_CALL(hipDevicePrimaryCtxRetain(&context, device));
    CU_SAFE_CALL(hipCtxSetCurrent(context));
    CU_SAFE_CALL(hipModuleLoadDataEx(&module, ptx.data(), 0, 0, 0));
    CU_SAFE_CALL(hipModuleGetFunction(&kernel, module, "saxpy"));

    size_t n = 1000, bytes = n * sizeof(float);
    float a = 3.0f;
    std::vector<float> x(n), y(n), out(n);
    for (size_t i = 0; i < n; ++i) x[i] = i, y[i] = 2 * i;
    hipDeviceptr_t dX, dY, dOut;
    CU_SAFE_CALL(hipMalloc(&dX, bytes));
    CU_SAFE_CALL(hipMalloc(&dY, bytes));
    CU_SAFE_CALL(hipMalloc(&dOut, bytes));
    CU_SAFE_CALL(hipMemcpyHtoD(dX, x.data(), bytes));
    CU_SAFE_CALL(hipMemcpyHtoD(dY, y.data(), bytes));
    void *args[] = {&a, &dX, &dY, &dOut, &n};
    CU_SAFE_CALL(hipModuleLaunchKernel(kernel, 8, 1, 1, 128, 1, 1, 0, NULL, args, 0));
    CU_SAFE_CALL(hipCtxSynchronize());
    CU_SAFE_CALL(hipMemcpyDtoH(out.data(), dOut, bytes));

    int wrong = 0;
    for (size_t i = 0; i < n; ++i) wrong += out[i] != a * x[i] + y[i];
    CU_SAFE_CALL(hipFree(dX));
    CU_SAFE_CALL(hipFree(dY));
    CU_SAFE_CALL(hipFree(dOut));
    CU_SAFE_CALL(hipModuleUnload(module));
    CU_SAFE_CALL(hipDevicePrimaryCtxRelease(device));
    std::printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}

// options:
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <curand.h>
#include <cusparse.h>
#include <nvrtc.h>

// What CUDA only reads and HIP takes without const, and types that HIP has as typedefs alone.
struct cudaGraphicsResource;

void runtime(cudaGraphExec_t exec, cudaGraphNode_t node, const cudaMemcpy3DParms* params, struct cudaGraphicsResource* r,
             enum cudaExternalMemoryHandleType type) {
    cudaMemcpy3DParms own = {};
    cudaGraphExecMemcpyNodeSetParams(exec, node, params);
    cudaGraphExecMemcpyNodeSetParams(exec, node, &own);
}

void driver(CUdeviceptr to, const void* from, const float* floats, float* mine, size_t n, CUstream stream,
            CUmipmappedArray* array, const CUDA_ARRAY3D_DESCRIPTOR* description, CUcontext context, unsigned* version,
            CUjit_option* options, void** values, CUlinkState* state) {
    cuMemcpyHtoD(to, from, n);
    cuMemcpyHtoD(to, floats + 1, n);
    cuMemcpyHtoD(to, mine, n);
    cuMemcpyHtoDAsync(to, from, n, stream);
    cuMipmappedArrayCreate(array, description, 3);
    cuCtxGetApiVersion(context, version);
    cuLinkCreate(1, options, values, state);
    cuLinkAddData(*state, CU_JIT_INPUT_PTX, values, n, "name", 0, nullptr, nullptr);
}

void compile(nvrtcProgram* program, const char* text, const char* const* headers, const char* const* names,
             const char* const* options) {
    nvrtcCreateProgram(program, text, "a.cu", 1, headers, names);
    nvrtcCreateProgram(program, text, "a.cu", 0, nullptr, nullptr);
    nvrtcCompileProgram(*program, 2, options);
    const char* few[] = {"-a", "-b"};
    nvrtcCompileProgram(*program, 2, few);
}

void libraries(cublasHandle_t h, const void* const* a, void* const* c, const float* one, int n, const float* const* f,
               float* const* g, const cuComplex* const* x, cuComplex* const* y, const int* pivots, int* info,
               const __half* s, const __half* const* t, __half* const* u, __half* v, cusparseHandle_t sparse,
               cusparseSpVecDescr_t vector, cusparseDnVecDescr_t dense, const void* result, size_t* size,
               unsigned** constants, const cuComplex* z, cuComplex* w) {
    cublasGemmBatchedEx(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, one, a, CUDA_R_32F, n, a, CUDA_R_32F, n, one, c, CUDA_R_32F,
                        n, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    cublasSgetriBatched(h, n, f, n, pivots, g, n, info, 2);
    cublasCgetriBatched(h, n, x, n, pivots, y, n, info, 2);
    cublasSgetrsBatched(h, CUBLAS_OP_N, n, n, f, n, pivots, g, n, info, 2);
    cublasCgetrsBatched(h, CUBLAS_OP_N, n, n, x, n, pivots, y, n, info, 2);
    cublasHgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, s, s, n, s, n, s, v, n);
    cublasHgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, s, t, n, t, n, s, u, n, 2);
    cublasHgemm_64(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, s, s, n, s, n, s, v, n);
    cublasHgemmStridedBatched_64(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, s, s, n, 1, s, n, 1, s, v, n, 1, 2);
    cublasCsyrk_64(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, n, z, z, n, z, w, n);
    cusparseSpVV_bufferSize(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, vector, dense, result, CUDA_R_32F, size);
    curandGetScrambleConstants32(constants);
}

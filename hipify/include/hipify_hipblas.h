// hipify_hipblas.h - what translations use of hipBLAS that ROCm 5's hipBLAS does not have yet, and compute types that
// were data types before CUDA 11.
//
// ROCm 6 gave hipBLAS compute types of its own (hipblasComputeType_t) and HIP's data types (hipDataType); before it the
// Ex functions took hipblasDatatype_t for both. Here are the functions with the newer types, which call the older ones.
// Math modes only allow less precise arithmetic: ROCm 5 computes in full precision whatever they say, so that they are
// kept for who asks for them, and nothing else comes of them.
// With ROCm 6 and later, and on HIP's NVIDIA platform, hipBLAS is included, and only the compute types are added.
//
// Written by hipify-py; part of your program from here on: change it as you like.

#ifndef HIPIFY_HIPBLAS_H
#define HIPIFY_HIPBLAS_H

#include <hip/hip_runtime_api.h>
#include <hip/library_types.h>
#include <hipblas/hipblas.h>

#if HIP_VERSION_MAJOR < 6 && !defined(__HIP_PLATFORM_NVIDIA__)

#ifdef __cplusplus
#include <map>
#include <mutex>
#define HIPIFY_EX(name) name  // an overload
#else
#define HIPIFY_EX(name) hipify_##name  // C has no overloads: the name becomes a macro below
#endif

typedef enum {
    HIPBLAS_COMPUTE_16F = 0,
    HIPBLAS_COMPUTE_16F_PEDANTIC = 1,
    HIPBLAS_COMPUTE_32F = 2,
    HIPBLAS_COMPUTE_32F_PEDANTIC = 3,
    HIPBLAS_COMPUTE_32F_FAST_16F = 4,
    HIPBLAS_COMPUTE_32F_FAST_16BF = 5,
    HIPBLAS_COMPUTE_32F_FAST_TF32 = 6,
    HIPBLAS_COMPUTE_64F = 7,
    HIPBLAS_COMPUTE_64F_PEDANTIC = 8,
    HIPBLAS_COMPUTE_32I = 9,
    HIPBLAS_COMPUTE_32I_PEDANTIC = 10
} hipblasComputeType_t;

typedef enum {
    HIPBLAS_DEFAULT_MATH = 0,
    HIPBLAS_PEDANTIC_MATH = 2,
    HIPBLAS_TF32_TENSOR_OP_MATH = 3,
    HIPBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 4,
    HIPBLAS_TENSOR_OP_MATH = 5
} hipblasMath_t;

static inline hipblasDatatype_t hipify_blas_type(hipDataType type) {
    switch (type) {
    case HIP_R_16F: return HIPBLAS_R_16F;
    case HIP_R_32F: return HIPBLAS_R_32F;
    case HIP_R_64F: return HIPBLAS_R_64F;
    case HIP_C_16F: return HIPBLAS_C_16F;
    case HIP_C_32F: return HIPBLAS_C_32F;
    case HIP_C_64F: return HIPBLAS_C_64F;
    case HIP_R_8I: return HIPBLAS_R_8I;
    case HIP_R_8U: return HIPBLAS_R_8U;
    case HIP_R_32I: return HIPBLAS_R_32I;
    case HIP_R_32U: return HIPBLAS_R_32U;
    case HIP_C_8I: return HIPBLAS_C_8I;
    case HIP_C_8U: return HIPBLAS_C_8U;
    case HIP_C_32I: return HIPBLAS_C_32I;
    case HIP_C_32U: return HIPBLAS_C_32U;
    case HIP_R_16BF: return HIPBLAS_R_16B;
    case HIP_C_16BF: return HIPBLAS_C_16B;
    default: return (hipblasDatatype_t)255;  // refused by hipBLAS as an invalid type
    }
}

// The data type that stands for a compute type: a complex one where the result is complex.
static inline hipblasDatatype_t hipify_blas_compute(hipblasComputeType_t compute, hipDataType result) {
    const int complex = result == HIP_C_16F || result == HIP_C_32F || result == HIP_C_64F || result == HIP_C_16BF;
    switch (compute) {
    case HIPBLAS_COMPUTE_16F:
    case HIPBLAS_COMPUTE_16F_PEDANTIC: return complex ? HIPBLAS_C_16F : HIPBLAS_R_16F;
    case HIPBLAS_COMPUTE_32F:
    case HIPBLAS_COMPUTE_32F_PEDANTIC:
    case HIPBLAS_COMPUTE_32F_FAST_16F:
    case HIPBLAS_COMPUTE_32F_FAST_16BF:
    case HIPBLAS_COMPUTE_32F_FAST_TF32: return complex ? HIPBLAS_C_32F : HIPBLAS_R_32F;
    case HIPBLAS_COMPUTE_64F:
    case HIPBLAS_COMPUTE_64F_PEDANTIC: return complex ? HIPBLAS_C_64F : HIPBLAS_R_64F;
    case HIPBLAS_COMPUTE_32I:
    case HIPBLAS_COMPUTE_32I_PEDANTIC: return HIPBLAS_R_32I;
    default: return (hipblasDatatype_t)255;
    }
}

static inline hipblasStatus_t HIPIFY_EX(hipblasGemmEx)(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n, int k,
    const void* alpha, const void* A, hipDataType aType, int lda, const void* B, hipDataType bType, int ldb,
    const void* beta, void* C, hipDataType cType, int ldc, hipblasComputeType_t compute, hipblasGemmAlgo_t algo) {
    return hipblasGemmEx(handle, transA, transB, m, n, k, alpha, A, hipify_blas_type(aType), lda, B,
                         hipify_blas_type(bType), ldb, beta, C, hipify_blas_type(cType), ldc,
                         hipify_blas_compute(compute, cType), algo);
}

static inline hipblasStatus_t HIPIFY_EX(hipblasGemmBatchedEx)(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n, int k,
    const void* alpha, const void* A[], hipDataType aType, int lda, const void* B[], hipDataType bType, int ldb,
    const void* beta, void* C[], hipDataType cType, int ldc, int batchCount, hipblasComputeType_t compute,
    hipblasGemmAlgo_t algo) {
    return hipblasGemmBatchedEx(handle, transA, transB, m, n, k, alpha, A, hipify_blas_type(aType), lda, B,
                                hipify_blas_type(bType), ldb, beta, C, hipify_blas_type(cType), ldc, batchCount,
                                hipify_blas_compute(compute, cType), algo);
}

static inline hipblasStatus_t HIPIFY_EX(hipblasGemmStridedBatchedEx)(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n, int k,
    const void* alpha, const void* A, hipDataType aType, int lda, hipblasStride strideA, const void* B,
    hipDataType bType, int ldb, hipblasStride strideB, const void* beta, void* C, hipDataType cType, int ldc,
    hipblasStride strideC, int batchCount, hipblasComputeType_t compute, hipblasGemmAlgo_t algo) {
    return hipblasGemmStridedBatchedEx(handle, transA, transB, m, n, k, alpha, A, hipify_blas_type(aType), lda,
                                       strideA, B, hipify_blas_type(bType), ldb, strideB, beta, C,
                                       hipify_blas_type(cType), ldc, strideC, batchCount,
                                       hipify_blas_compute(compute, cType), algo);
}

static inline hipblasStatus_t HIPIFY_EX(hipblasAxpyEx)(
    hipblasHandle_t handle, int n, const void* alpha, hipDataType alphaType, const void* x, hipDataType xType,
    int incx, void* y, hipDataType yType, int incy, hipDataType execution) {
    return hipblasAxpyEx(handle, n, alpha, hipify_blas_type(alphaType), x, hipify_blas_type(xType), incx, y,
                         hipify_blas_type(yType), incy, hipify_blas_type(execution));
}

static inline hipblasStatus_t HIPIFY_EX(hipblasDotEx)(
    hipblasHandle_t handle, int n, const void* x, hipDataType xType, int incx, const void* y, hipDataType yType,
    int incy, void* result, hipDataType resultType, hipDataType execution) {
    return hipblasDotEx(handle, n, x, hipify_blas_type(xType), incx, y, hipify_blas_type(yType), incy, result,
                        hipify_blas_type(resultType), hipify_blas_type(execution));
}

static inline hipblasStatus_t HIPIFY_EX(hipblasDotcEx)(
    hipblasHandle_t handle, int n, const void* x, hipDataType xType, int incx, const void* y, hipDataType yType,
    int incy, void* result, hipDataType resultType, hipDataType execution) {
    return hipblasDotcEx(handle, n, x, hipify_blas_type(xType), incx, y, hipify_blas_type(yType), incy, result,
                         hipify_blas_type(resultType), hipify_blas_type(execution));
}

static inline hipblasStatus_t HIPIFY_EX(hipblasNrm2Ex)(
    hipblasHandle_t handle, int n, const void* x, hipDataType xType, int incx, void* result, hipDataType resultType,
    hipDataType execution) {
    return hipblasNrm2Ex(handle, n, x, hipify_blas_type(xType), incx, result, hipify_blas_type(resultType),
                         hipify_blas_type(execution));
}

static inline hipblasStatus_t HIPIFY_EX(hipblasRotEx)(
    hipblasHandle_t handle, int n, void* x, hipDataType xType, int incx, void* y, hipDataType yType, int incy,
    const void* c, const void* s, hipDataType csType, hipDataType execution) {
    return hipblasRotEx(handle, n, x, hipify_blas_type(xType), incx, y, hipify_blas_type(yType), incy, c, s,
                        hipify_blas_type(csType), hipify_blas_type(execution));
}

static inline hipblasStatus_t HIPIFY_EX(hipblasScalEx)(
    hipblasHandle_t handle, int n, const void* alpha, hipDataType alphaType, void* x, hipDataType xType, int incx,
    hipDataType execution) {
    return hipblasScalEx(handle, n, alpha, hipify_blas_type(alphaType), x, hipify_blas_type(xType), incx,
                         hipify_blas_type(execution));
}

#ifdef __cplusplus

namespace hipify {

struct blas_math_modes {
    std::mutex lock;
    std::map<hipblasHandle_t, hipblasMath_t> of;
};

template <class Own = void> blas_math_modes& math_modes() {  // a template: one object for all files of a program
    static blas_math_modes modes;
    return modes;
}

}  // namespace hipify

static inline hipblasStatus_t hipblasSetMathMode(hipblasHandle_t handle, hipblasMath_t mode) {
    if (handle == nullptr) return HIPBLAS_STATUS_NOT_INITIALIZED;
    hipify::blas_math_modes& modes = hipify::math_modes();
    const std::lock_guard<std::mutex> guard(modes.lock);
    modes.of[handle] = mode;
    return HIPBLAS_STATUS_SUCCESS;
}

static inline hipblasStatus_t hipblasGetMathMode(hipblasHandle_t handle, hipblasMath_t* mode) {
    if (handle == nullptr) return HIPBLAS_STATUS_NOT_INITIALIZED;
    if (mode == nullptr) return HIPBLAS_STATUS_INVALID_VALUE;
    hipify::blas_math_modes& modes = hipify::math_modes();
    const std::lock_guard<std::mutex> guard(modes.lock);
    const auto found = modes.of.find(handle);
    *mode = found == modes.of.end() ? HIPBLAS_DEFAULT_MATH : found->second;
    return HIPBLAS_STATUS_SUCCESS;
}

#else

#define hipblasGemmEx hipify_hipblasGemmEx
#define hipblasGemmBatchedEx hipify_hipblasGemmBatchedEx
#define hipblasGemmStridedBatchedEx hipify_hipblasGemmStridedBatchedEx
#define hipblasAxpyEx hipify_hipblasAxpyEx
#define hipblasDotEx hipify_hipblasDotEx
#define hipblasDotcEx hipify_hipblasDotcEx
#define hipblasNrm2Ex hipify_hipblasNrm2Ex
#define hipblasRotEx hipify_hipblasRotEx
#define hipblasScalEx hipify_hipblasScalEx

static inline hipblasStatus_t hipblasSetMathMode(hipblasHandle_t handle, hipblasMath_t mode) {
    (void)mode;
    return handle ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_NOT_INITIALIZED;
}

#endif  // __cplusplus

#endif  // ROCm 5

// What an Ex function of cuBLAS computes in when it is given a data type for it, as before CUDA 11.
static inline hipblasComputeType_t hipify_compute_type(hipDataType type) {
    switch (type) {
    case HIP_R_16F: return HIPBLAS_COMPUTE_16F;
    case HIP_R_32F:
    case HIP_C_32F: return HIPBLAS_COMPUTE_32F;
    case HIP_R_64F:
    case HIP_C_64F: return HIPBLAS_COMPUTE_64F;
    case HIP_R_32I: return HIPBLAS_COMPUTE_32I;
    default: return (hipblasComputeType_t)255;  // refused by hipBLAS as an invalid type
    }
}

#endif  // HIPIFY_HIPBLAS_H

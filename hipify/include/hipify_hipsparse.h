// hipify_hipsparse.h - what translations use of hipSPARSE that ROCm 5's hipSPARSE does not have yet.
//
// ROCm 6 added the texts of statuses, and descriptors of matrices and vectors that nobody writes to ("const"). To
// ROCm 5 those are descriptors like all others, which its functions take.
// With ROCm 6 and later, and on HIP's NVIDIA platform, only hipSPARSE is included.
//
// Written by hipify-py; part of your program from here on: change it as you like.

#ifndef HIPIFY_HIPSPARSE_H
#define HIPIFY_HIPSPARSE_H

#include <hip/hip_runtime_api.h>
#include <hipsparse/hipsparse.h>

#if HIP_VERSION_MAJOR < 6 && !defined(__HIP_PLATFORM_NVIDIA__)

typedef hipsparseSpVecDescr_t hipsparseConstSpVecDescr_t;
typedef hipsparseDnVecDescr_t hipsparseConstDnVecDescr_t;
typedef hipsparseSpMatDescr_t hipsparseConstSpMatDescr_t;
typedef hipsparseDnMatDescr_t hipsparseConstDnMatDescr_t;

static inline const char* hipsparseGetErrorName(hipsparseStatus_t status) {
    switch (status) {
    case HIPSPARSE_STATUS_SUCCESS: return "HIPSPARSE_STATUS_SUCCESS";
    case HIPSPARSE_STATUS_NOT_INITIALIZED: return "HIPSPARSE_STATUS_NOT_INITIALIZED";
    case HIPSPARSE_STATUS_ALLOC_FAILED: return "HIPSPARSE_STATUS_ALLOC_FAILED";
    case HIPSPARSE_STATUS_INVALID_VALUE: return "HIPSPARSE_STATUS_INVALID_VALUE";
    case HIPSPARSE_STATUS_ARCH_MISMATCH: return "HIPSPARSE_STATUS_ARCH_MISMATCH";
    case HIPSPARSE_STATUS_MAPPING_ERROR: return "HIPSPARSE_STATUS_MAPPING_ERROR";
    case HIPSPARSE_STATUS_EXECUTION_FAILED: return "HIPSPARSE_STATUS_EXECUTION_FAILED";
    case HIPSPARSE_STATUS_INTERNAL_ERROR: return "HIPSPARSE_STATUS_INTERNAL_ERROR";
    case HIPSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED: return "HIPSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED";
    case HIPSPARSE_STATUS_ZERO_PIVOT: return "HIPSPARSE_STATUS_ZERO_PIVOT";
    case HIPSPARSE_STATUS_NOT_SUPPORTED: return "HIPSPARSE_STATUS_NOT_SUPPORTED";
    case HIPSPARSE_STATUS_INSUFFICIENT_RESOURCES: return "HIPSPARSE_STATUS_INSUFFICIENT_RESOURCES";
    default: return "unknown status";
    }
}

static inline const char* hipsparseGetErrorString(hipsparseStatus_t status) {
    switch (status) {
    case HIPSPARSE_STATUS_SUCCESS: return "success";
    case HIPSPARSE_STATUS_NOT_INITIALIZED: return "the library is not initialized";
    case HIPSPARSE_STATUS_ALLOC_FAILED: return "memory cannot be allocated";
    case HIPSPARSE_STATUS_INVALID_VALUE: return "an argument has an invalid value";
    case HIPSPARSE_STATUS_ARCH_MISMATCH: return "the device lacks a feature that is needed";
    case HIPSPARSE_STATUS_MAPPING_ERROR: return "device memory cannot be accessed";
    case HIPSPARSE_STATUS_EXECUTION_FAILED: return "a kernel failed";
    case HIPSPARSE_STATUS_INTERNAL_ERROR: return "an internal operation failed";
    case HIPSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED: return "the type of the matrix is not supported";
    case HIPSPARSE_STATUS_ZERO_PIVOT: return "a pivot is zero";
    case HIPSPARSE_STATUS_NOT_SUPPORTED: return "the operation is not supported";
    case HIPSPARSE_STATUS_INSUFFICIENT_RESOURCES: return "resources are insufficient";
    default: return "unknown status";
    }
}

static inline hipsparseStatus_t hipsparseCreateConstSpVec(
    hipsparseConstSpVecDescr_t* vector, int64_t size, int64_t nnz, const void* indices, const void* values,
    hipsparseIndexType_t idxType, hipsparseIndexBase_t idxBase, hipDataType valueType) {
    return hipsparseCreateSpVec(vector, size, nnz, (void*)indices, (void*)values, idxType, idxBase, valueType);
}

static inline hipsparseStatus_t hipsparseCreateConstDnVec(
    hipsparseConstDnVecDescr_t* vector, int64_t size, const void* values, hipDataType valueType) {
    return hipsparseCreateDnVec(vector, size, (void*)values, valueType);
}

static inline hipsparseStatus_t hipsparseCreateConstDnMat(
    hipsparseConstDnMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t ld, const void* values,
    hipDataType valueType, hipsparseOrder_t order) {
    return hipsparseCreateDnMat(matrix, rows, cols, ld, (void*)values, valueType, order);
}

static inline hipsparseStatus_t hipsparseCreateConstCoo(
    hipsparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz, const void* cooRowInd,
    const void* cooColInd, const void* cooValues, hipsparseIndexType_t cooIdxType, hipsparseIndexBase_t idxBase,
    hipDataType valueType) {
    return hipsparseCreateCoo(matrix, rows, cols, nnz, (void*)cooRowInd, (void*)cooColInd, (void*)cooValues, cooIdxType,
                              idxBase, valueType);
}

static inline hipsparseStatus_t hipsparseCreateConstCsr(
    hipsparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz, const void* csrRowOffsets,
    const void* csrColInd, const void* csrValues, hipsparseIndexType_t csrRowOffsetsType,
    hipsparseIndexType_t csrColIndType, hipsparseIndexBase_t idxBase, hipDataType valueType) {
    return hipsparseCreateCsr(matrix, rows, cols, nnz, (void*)csrRowOffsets, (void*)csrColInd, (void*)csrValues,
                              csrRowOffsetsType, csrColIndType, idxBase, valueType);
}

static inline hipsparseStatus_t hipsparseCreateConstCsc(
    hipsparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz, const void* cscColOffsets,
    const void* cscRowInd, const void* cscValues, hipsparseIndexType_t cscColOffsetsType,
    hipsparseIndexType_t cscRowIndType, hipsparseIndexBase_t idxBase, hipDataType valueType) {
    return hipsparseCreateCsc(matrix, rows, cols, nnz, (void*)cscColOffsets, (void*)cscRowInd, (void*)cscValues,
                              cscColOffsetsType, cscRowIndType, idxBase, valueType);
}

static inline hipsparseStatus_t hipsparseCreateConstBlockedEll(
    hipsparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t ellBlockSize, int64_t ellCols,
    const void* ellColInd, const void* ellValue, hipsparseIndexType_t ellIdxType, hipsparseIndexBase_t idxBase,
    hipDataType valueType) {
    return hipsparseCreateBlockedEll(matrix, rows, cols, ellBlockSize, ellCols, (void*)ellColInd, (void*)ellValue,
                                     ellIdxType, idxBase, valueType);
}

static inline hipsparseStatus_t hipsparseConstSpVecGet(
    hipsparseConstSpVecDescr_t vector, int64_t* size, int64_t* nnz, const void** indices, const void** values,
    hipsparseIndexType_t* idxType, hipsparseIndexBase_t* idxBase, hipDataType* valueType) {
    return hipsparseSpVecGet(vector, size, nnz, (void**)indices, (void**)values, idxType, idxBase, valueType);
}

static inline hipsparseStatus_t hipsparseConstDnVecGet(
    hipsparseConstDnVecDescr_t vector, int64_t* size, const void** values, hipDataType* valueType) {
    return hipsparseDnVecGet(vector, size, (void**)values, valueType);
}

static inline hipsparseStatus_t hipsparseConstDnMatGet(
    hipsparseConstDnMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* ld, const void** values,
    hipDataType* valueType, hipsparseOrder_t* order) {
    return hipsparseDnMatGet(matrix, rows, cols, ld, (void**)values, valueType, order);
}

static inline hipsparseStatus_t hipsparseConstCooGet(
    hipsparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz, const void** cooRowInd,
    const void** cooColInd, const void** cooValues, hipsparseIndexType_t* idxType, hipsparseIndexBase_t* idxBase,
    hipDataType* valueType) {
    return hipsparseCooGet(matrix, rows, cols, nnz, (void**)cooRowInd, (void**)cooColInd, (void**)cooValues, idxType,
                           idxBase, valueType);
}

static inline hipsparseStatus_t hipsparseConstCsrGet(
    hipsparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz, const void** csrRowOffsets,
    const void** csrColInd, const void** csrValues, hipsparseIndexType_t* csrRowOffsetsType,
    hipsparseIndexType_t* csrColIndType, hipsparseIndexBase_t* idxBase, hipDataType* valueType) {
    return hipsparseCsrGet(matrix, rows, cols, nnz, (void**)csrRowOffsets, (void**)csrColInd, (void**)csrValues,
                           csrRowOffsetsType, csrColIndType, idxBase, valueType);
}

static inline hipsparseStatus_t hipsparseConstBlockedEllGet(
    hipsparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* ellBlockSize, int64_t* ellCols,
    const void** ellColInd, const void** ellValue, hipsparseIndexType_t* ellIdxType, hipsparseIndexBase_t* idxBase,
    hipDataType* valueType) {
    return hipsparseBlockedEllGet(matrix, rows, cols, ellBlockSize, ellCols, (void**)ellColInd, (void**)ellValue,
                                  ellIdxType, idxBase, valueType);
}

static inline hipsparseStatus_t hipsparseConstSpVecGetValues(hipsparseConstSpVecDescr_t vector, const void** values) {
    return hipsparseSpVecGetValues(vector, (void**)values);
}

static inline hipsparseStatus_t hipsparseConstDnVecGetValues(hipsparseConstDnVecDescr_t vector, const void** values) {
    return hipsparseDnVecGetValues(vector, (void**)values);
}

static inline hipsparseStatus_t hipsparseConstDnMatGetValues(hipsparseConstDnMatDescr_t matrix, const void** values) {
    return hipsparseDnMatGetValues(matrix, (void**)values);
}

static inline hipsparseStatus_t hipsparseConstSpMatGetValues(hipsparseConstSpMatDescr_t matrix, const void** values) {
    return hipsparseSpMatGetValues(matrix, (void**)values);
}

#endif  // ROCm 5

#endif  // HIPIFY_HIPSPARSE_H

// options: --roc
#include <cublas_v2.h>
#include <cusolverDn.h>
#include <cusparse.h>

void blas(cublasHandle_t h, int n, const float* alpha, const void* a, void* c) {
    cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, alpha, a, CUDA_R_32F, n, a, CUDA_R_32F, n, alpha, c, CUDA_R_32F,
                 n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

void solve(cusolverDnHandle_t h, int n, float* a, float* work, int size, int* info) {
    cusolverDnSpotrf(h, CUBLAS_FILL_MODE_LOWER, n, a, n, work, size, info);
}

void sparse(cusparseHandle_t h, cusparseMatDescr_t d, int n, float* val, int* row, int* col, csrilu02Info_t ilu,
            csrsv2Info_t sv, csric02Info_t ic, void* buffer, const float* alpha) {
    int size;
    cusparseScsrilu02_bufferSize(h, n, n, d, val, row, col, ilu, &size);
    cusparseScsrilu02_analysis(h, n, n, d, val, row, col, ilu, CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer);
    cusparseScsrilu02(h, n, n, d, val, row, col, ilu, CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer);
    cusparseScsric02_bufferSize(h, n, n, d, val, row, col, ic, &size);
    cusparseScsric02_analysis(h, n, n, d, val, row, col, ic, CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer);
    cusparseScsrsv2_bufferSize(h, CUSPARSE_OPERATION_NON_TRANSPOSE, n, n, d, val, row, col, sv, &size);
    cusparseScsrsv2_analysis(h, CUSPARSE_OPERATION_NON_TRANSPOSE, n, n, d, val, row, col, sv,
                             CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer);
    cusparseScsrsv2_solve(h, CUSPARSE_OPERATION_NON_TRANSPOSE, n, n, alpha, d, val, row, col, sv, val, val,
                          CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer);
    cusparseScsrgeam2(h, n, n, alpha, d, n, val, row, col, alpha, d, n, val, row, col, d, val, row, col, buffer);
    cusparseXcsrgeam2Nnz(h, n, n, d, n, row, col, d, n, row, col, d, row, &size, buffer);
    cusparseSbsrmv(h, CUSPARSE_DIRECTION_ROW, CUSPARSE_OPERATION_NON_TRANSPOSE, n, n, n, alpha, d, val, row, col, 2, val,
                   alpha, val);
    cusparseSgtsvInterleavedBatch(h, 0, n, val, val, val, val, 4, buffer);
}

void generic(cusparseHandle_t h, cusparseSpMatDescr_t a, cusparseDnVecDescr_t x, cusparseDnMatDescr_t b, size_t* size,
             void* buffer, const float* alpha) {
    cusparseSpMV_bufferSize(h, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, a, x, alpha, x, CUDA_R_32F,
                            CUSPARSE_SPMV_ALG_DEFAULT, size);
    cusparseSpMV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, a, x, alpha, x, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                 buffer);
    cusparseSpMM_bufferSize(h, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, a, b, alpha, b,
                            CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, size);
    cusparseSpMM(h, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, a, b, alpha, b, CUDA_R_32F,
                 CUSPARSE_SPMM_ALG_DEFAULT, buffer);
}

// One complex type in CUDA; rocBLAS and rocSPARSE have each one of their own.
void complex_sparse(cusparseHandle_t s, cublasHandle_t h, cusparseMatDescr_t d, cusparseColorInfo_t colors, int n,
                    cuComplex* a, const cuComplex* b, cuDoubleComplex* z, const cuDoubleComplex* y, int* row, int* col,
                    bsrsv2Info_t bsv, csrilu02Info_t ilu, csric02Info_t ic, const void** many, void** all) {
    int size;
    float fraction = 1;
    cuComplex one = make_cuComplex(1, 0);
    *a = cuCmulf(*b, one);
    cublasCaxpy(h, n, &one, b, 1, a, 1);
    cublasZgemm(h, CUBLAS_OP_C, CUBLAS_OP_N, n, n, n, y, y, n, y, n, y, z, n);
    cublasCgemmBatched(h, CUBLAS_OP_C, CUBLAS_OP_N, n, n, n, b, (const cuComplex* const*)many, n,
                       (const cuComplex* const*)many, n, b, (cuComplex* const*)all, n, 2);
    cublasScnrm2(h, n, b, 1, &fraction);
    cusparseCgthr(s, n, b, a, row, CUSPARSE_INDEX_BASE_ZERO);
    cusparseZbsrsv2_bufferSize(s, CUSPARSE_DIRECTION_ROW, CUSPARSE_OPERATION_NON_TRANSPOSE, n, n, d, z, row, col, 2, bsv, &size);
    cusparseCcsrilu02_bufferSize(s, n, n, d, a, row, col, ilu, &size);
    cusparseCcsrilu02(s, n, n, d, a, row, col, ilu, CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr);
    cusparseZcsric02_bufferSize(s, n, n, d, z, row, col, ic, &size);
    cusparseZcsrgeam2(s, n, n, y, d, n, z, row, col, y, d, n, z, row, col, d, z, row, col, nullptr);
    cusparseCcsrcolor(s, n, n, d, b, row, col, &fraction, &size, row, col, colors);
    cusparseCcsr2gebsr_bufferSize(s, CUSPARSE_DIRECTION_ROW, n, n, d, b, row, col, 2, 2, &size);
    cusparseDnVecDescr_t v;
    cusparseCreateDnVec(&v, n, a, CUDA_C_32F);
}

void batched(cublasHandle_t h, int n, const float* alpha, const void* const* a, void* const* c) {
    cublasGemmBatchedEx(h, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, alpha, a, CUDA_R_32F, n, a, CUDA_R_32F, n, alpha, c,
                        CUDA_R_32F, n, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

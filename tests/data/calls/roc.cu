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

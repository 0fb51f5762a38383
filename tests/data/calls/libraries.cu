// options: --target 7.2
#include <cublas_v2.h>
#include <cufft.h>
#include <cusparse.h>

void blas(cublasHandle_t h, int n, const void* a, void* c, const void** as, void** cs) {
    const float alpha = 1.f, beta = 0.f;
    cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &alpha, a, CUDA_R_16F, n, a, CUDA_R_16F, n, &beta, c, CUDA_R_32F, n,
                 CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &alpha, a, CUDA_R_16F, n, a, CUDA_R_16F, n, &beta, c, CUDA_R_32F, n,
                 CUDA_R_32F, CUBLAS_GEMM_DEFAULT);
    cublasGemmStridedBatchedEx(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, a, CUDA_R_32F, n, 4, a, CUDA_R_32F, n, 4,
                               &beta, c, CUDA_R_32F, n, 4, 2, CUDA_R_32F, CUBLAS_GEMM_DEFAULT);
    cublasGemmBatchedEx(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, as, CUDA_R_32F, n, as, CUDA_R_32F, n, &beta, cs,
                        CUDA_R_32F, n, 2, CUDA_R_32F, CUBLAS_GEMM_DEFAULT);
}

void properties() {
    int value;
    cufftGetProperty(MAJOR_VERSION, &value);
}

void sparse(cusparseHandle_t h, cusparseMatDescr_t d, int n, float* val, int* row, int* col, cusparseSpMatDescr_t a,
            cusparseDnMatDescr_t b, cusparseSpSMDescr_t descr) {
    int size;
    const float alpha = 1.f;
    cusparseScsr2gebsr_bufferSize(h, CUSPARSE_DIRECTION_ROW, n, n, d, val, row, col, 2, 2, &size);
    cusparseSgebsr2gebsc_bufferSize(h, n, n, n, val, row, col, 2, 2, &size);
    cusparseSpSM_solve(h, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, b, b, CUDA_R_32F,
                       CUSPARSE_SPSM_ALG_DEFAULT, descr);
}

// cuBLAS: SGEMM and GemmEx on the same matrices, a dot product and a norm, with statuses checked.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUBLAS_CHECK(call)                                                                   \
    do {                                                                                     \
        cublasStatus_t status_ = (call);                                                     \
        if (status_ != CUBLAS_STATUS_SUCCESS) {                                              \
            std::fprintf(stderr, "cuBLAS error %d at line %d\n", (int)status_, __LINE__);    \
            std::exit(1);                                                                    \
        }                                                                                    \
    } while (0)

int main()
{
    const int m = 60, n = 40, k = 50;
    std::vector<float> A(m * k), B(k * n), C(m * n), D(m * n);
    for (int i = 0; i < m * k; ++i) A[i] = (i % 9 - 4) * 0.25f;
    for (int i = 0; i < k * n; ++i) B[i] = (i % 7 - 3) * 0.5f;

    float *dA, *dB, *dC, *dD;
    cudaMalloc(&dA, A.size() * sizeof(float));
    cudaMalloc(&dB, B.size() * sizeof(float));
    cudaMalloc(&dC, C.size() * sizeof(float));
    cudaMalloc(&dD, D.size() * sizeof(float));

    cublasHandle_t handle;
    cudaStream_t stream;
    CUBLAS_CHECK(cublasCreate(&handle));
    cudaStreamCreate(&stream);
    CUBLAS_CHECK(cublasSetStream(handle, stream));
    CUBLAS_CHECK(cublasSetMatrix(m, k, sizeof(float), A.data(), m, dA, m));
    CUBLAS_CHECK(cublasSetMatrix(k, n, sizeof(float), B.data(), k, dB, k));

    const float alpha = 2.0f, beta = 0.0f;
    CUBLAS_CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, dA, m, dB, k, &beta, dC, m));
    CUBLAS_CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, dA, CUDA_R_32F, m, dB, CUDA_R_32F, k,
                              &beta, dD, CUDA_R_32F, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));

    float dot = 0, norm = 0;
    CUBLAS_CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    CUBLAS_CHECK(cublasSdot(handle, m * n, dC, 1, dD, 1, &dot));
    CUBLAS_CHECK(cublasSnrm2(handle, m * n, dC, 1, &norm));
    CUBLAS_CHECK(cublasGetMatrix(m, n, sizeof(float), dC, m, C.data(), m));
    CUBLAS_CHECK(cublasGetMatrix(m, n, sizeof(float), dD, m, D.data(), m));
    cudaStreamSynchronize(stream);

    double worst = 0, square = 0;
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < m; ++i) {
            double sum = 0;
            for (int l = 0; l < k; ++l) sum += A[l * m + i] * B[j * k + l];
            worst = std::fmax(worst, std::fabs(C[j * m + i] - 2 * sum) + std::fabs(D[j * m + i] - 2 * sum));
            square += 4 * sum * sum;
        }
    }
    bool ok = worst < 1e-2 && std::fabs(norm - std::sqrt(square)) < 1e-2 * norm && std::fabs(dot - square) < 1e-2 * dot;

    CUBLAS_CHECK(cublasDestroy(handle));
    cudaStreamDestroy(stream);
    cudaFree(dA);
    cudaFree(dB);
    cudaFree(dC);
    cudaFree(dD);
    std::printf("largest difference %g\n%s\n", worst, ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

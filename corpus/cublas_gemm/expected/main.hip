// cuBLAS: SGEMM and GemmEx on the same matrices, a dot product and a norm, with statuses checked.
#include <hipblas/hipblas.h>
#include <hip/hip_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUBLAS_CHECK(call)                                                                   \
    do {                                                                                     \
        hipblasStatus_t status_ = (call);                                                     \
        if (status_ != HIPBLAS_STATUS_SUCCESS) {                                              \
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
    hipMalloc(&dA, A.size() * sizeof(float));
    hipMalloc(&dB, B.size() * sizeof(float));
    hipMalloc(&dC, C.size() * sizeof(float));
    hipMalloc(&dD, D.size() * sizeof(float));

    hipblasHandle_t handle;
    hipStream_t stream;
    CUBLAS_CHECK(hipblasCreate(&handle));
    hipStreamCreate(&stream);
    CUBLAS_CHECK(hipblasSetStream(handle, stream));
    CUBLAS_CHECK(hipblasSetMatrix(m, k, sizeof(float), A.data(), m, dA, m));
    CUBLAS_CHECK(hipblasSetMatrix(k, n, sizeof(float), B.data(), k, dB, k));

    const float alpha = 2.0f, beta = 0.0f;
    CUBLAS_CHECK(hipblasSgemm(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, m, n, k, &alpha, dA, m, dB, k, &beta, dC, m));
    CUBLAS_CHECK(hipblasGemmEx(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, m, n, k, &alpha, dA, HIP_R_32F, m, dB, HIP_R_32F, k,
                              &beta, dD, HIP_R_32F, m, HIPBLAS_COMPUTE_32F, HIPBLAS_GEMM_DEFAULT));

    float dot = 0, norm = 0;
    CUBLAS_CHECK(hipblasSetPointerMode(handle, HIPBLAS_POINTER_MODE_HOST));
    CUBLAS_CHECK(hipblasSdot(handle, m * n, dC, 1, dD, 1, &dot));
    CUBLAS_CHECK(hipblasSnrm2(handle, m * n, dC, 1, &norm));
    CUBLAS_CHECK(hipblasGetMatrix(m, n, sizeof(float), dC, m, C.data(), m));
    CUBLAS_CHECK(hipblasGetMatrix(m, n, sizeof(float), dD, m, D.data(), m));
    hipStreamSynchronize(stream);

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

    CUBLAS_CHECK(hipblasDestroy(handle));
    hipStreamDestroy(stream);
    hipFree(dA);
    hipFree(dB);
    hipFree(dC);
    hipFree(dD);
    std::printf("largest difference %g\n%s\n", worst, ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

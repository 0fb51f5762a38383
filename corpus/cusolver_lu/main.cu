// cuSOLVER: LU factorisation with pivots and a solve.
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define CUSOLVER_CHECK(err)                                                          \
    do {                                                                             \
        cusolverStatus_t err_ = (err);                                               \
        if (err_ != CUSOLVER_STATUS_SUCCESS) {                                       \
            printf("cusolver error %d at %s:%d\n", err_, __FILE__, __LINE__);        \
            exit(1);                                                                 \
        }                                                                            \
    } while (0)

int main()
{
    const int n = 64;
    std::vector<double> A(n * n), B(n, 0.0), X(n);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) A[j * n + i] = i == j ? n : ((i * 7 + j * 3) % 5) - 2.0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) B[i] += A[j * n + i] * (j + 1);

    double *dA, *dB, *work;
    int *pivots, *dInfo, lwork = 0, info = 0;
    cudaMalloc((void **)&dA, A.size() * sizeof(double));
    cudaMalloc((void **)&dB, n * sizeof(double));
    cudaMalloc((void **)&pivots, n * sizeof(int));
    cudaMalloc((void **)&dInfo, sizeof(int));
    cudaMemcpy(dA, A.data(), A.size() * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(dB, B.data(), n * sizeof(double), cudaMemcpyHostToDevice);

    cusolverDnHandle_t solver;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    CUSOLVER_CHECK(cusolverDnCreate(&solver));
    CUSOLVER_CHECK(cusolverDnSetStream(solver, stream));
    CUSOLVER_CHECK(cusolverDnDgetrf_bufferSize(solver, n, n, dA, n, &lwork));
    cudaMalloc((void **)&work, lwork * sizeof(double));
    CUSOLVER_CHECK(cusolverDnDgetrf(solver, n, n, dA, n, work, pivots, dInfo));
    CUSOLVER_CHECK(cusolverDnDgetrs(solver, CUBLAS_OP_N, n, 1, dA, n, pivots, dB, n, dInfo));
    cudaStreamSynchronize(stream);
    cudaMemcpy(&info, dInfo, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(X.data(), dB, n * sizeof(double), cudaMemcpyDeviceToHost);

    double worst = 0;
    for (int i = 0; i < n; ++i) worst = fmax(worst, fabs(X[i] - (i + 1)));
    CUSOLVER_CHECK(cusolverDnDestroy(solver));
    cudaStreamDestroy(stream);
    cudaFree(dA);
    cudaFree(dB);
    cudaFree(work);
    cudaFree(pivots);
    cudaFree(dInfo);
    int ok = info == 0 && worst < 1e-9;
    printf("info %d, largest difference %g\n%s\n", info, worst, ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

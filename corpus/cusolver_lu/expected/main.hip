// cuSOLVER: LU factorisation with pivots and a solve.
#include <hip/hip_runtime.h>
#include <hipsolver/hipsolver.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define CUSOLVER_CHECK(err)                                                          \
    do {                                                                             \
        hipsolverStatus_t err_ = (err);                                               \
        if (err_ != HIPSOLVER_STATUS_SUCCESS) {                                       \
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
    hipMalloc((void **)&dA, A.size() * sizeof(double));
    hipMalloc((void **)&dB, n * sizeof(double));
    hipMalloc((void **)&pivots, n * sizeof(int));
    hipMalloc((void **)&dInfo, sizeof(int));
    hipMemcpy(dA, A.data(), A.size() * sizeof(double), hipMemcpyHostToDevice);
    hipMemcpy(dB, B.data(), n * sizeof(double), hipMemcpyHostToDevice);

    hipsolverHandle_t solver;
    hipStream_t stream;
    hipStreamCreateWithFlags(&stream, hipStreamNonBlocking);
    CUSOLVER_CHECK(hipsolverDnCreate(&solver));
    CUSOLVER_CHECK(hipsolverSetStream(solver, stream));
    CUSOLVER_CHECK(hipsolverDnDgetrf_bufferSize(solver, n, n, dA, n, &lwork));
    hipMalloc((void **)&work, lwork * sizeof(double));
    CUSOLVER_CHECK(hipsolverDnDgetrf(solver, n, n, dA, n, work, pivots, dInfo));
    CUSOLVER_CHECK(hipsolverDnDgetrs(solver, HIPBLAS_OP_N, n, 1, dA, n, pivots, dB, n, dInfo));
    hipStreamSynchronize(stream);
    hipMemcpy(&info, dInfo, sizeof(int), hipMemcpyDeviceToHost);
    hipMemcpy(X.data(), dB, n * sizeof(double), hipMemcpyDeviceToHost);

    double worst = 0;
    for (int i = 0; i < n; ++i) worst = fmax(worst, fabs(X[i] - (i + 1)));
    CUSOLVER_CHECK(hipsolverDnDestroy(solver));
    hipStreamDestroy(stream);
    hipFree(dA);
    hipFree(dB);
    hipFree(work);
    hipFree(pivots);
    hipFree(dInfo);
    int ok = info == 0 && worst < 1e-9;
    printf("info %d, largest difference %g\n%s\n", info, worst, ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

// A symmetric system solved by cuSOLVER: Cholesky factorisation, then two triangular solves; LU as a second opinion.
#include <hip/hip_runtime.h>
#include <hipsolver/hipsolver.h>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

static void cudaTry(hipError_t e, const char *what)
{
    if (e != hipSuccess) throw std::runtime_error(std::string(what) + ": " + hipGetErrorString(e));
}

static void solverTry(hipsolverStatus_t s, const char *what)
{
    if (s != HIPSOLVER_STATUS_SUCCESS) throw std::runtime_error(std::string(what) + ": status " + std::to_string(s));
}

#define CUDA_TRY(x) cudaTry((x), #x)
#define SOLVER_TRY(x) solverTry((x), #x)

static double residual(const std::vector<double> &A, const std::vector<double> &x, const std::vector<double> &b)
{
    const size_t n = b.size();
    double worst = 0;
    for (size_t i = 0; i < n; ++i) {
        double sum = -b[i];
        for (size_t j = 0; j < n; ++j) sum += A[j * n + i] * x[j];
        worst = std::fmax(worst, std::fabs(sum));
    }
    return worst;
}

static int run()
{
    const int n = 64;
    std::vector<double> A(n * n), b(n), x(n), x2(n);
    for (int j = 0; j < n; ++j) {
        b[j] = j % 5 - 2.0;
        for (int i = 0; i < n; ++i) A[j * n + i] = (i == j ? n : 0) + 1.0 / (1 + std::abs(i - j));
    }
    double *dA, *dB;
    int *dInfo, *dPivots, info = -1, lworkChol = 0, lworkLu = 0;
    CUDA_TRY(hipMalloc(&dA, A.size() * sizeof(double)));
    CUDA_TRY(hipMalloc(&dB, n * sizeof(double)));
    CUDA_TRY(hipMalloc(&dInfo, sizeof(int)));
    CUDA_TRY(hipMalloc(&dPivots, n * sizeof(int)));

    hipStream_t stream;
    hipsolverHandle_t solver;
    CUDA_TRY(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    SOLVER_TRY(hipsolverDnCreate(&solver));
    SOLVER_TRY(hipsolverSetStream(solver, stream));

    SOLVER_TRY(hipsolverDnDpotrf_bufferSize(solver, HIPBLAS_FILL_MODE_LOWER, n, dA, n, &lworkChol));
    SOLVER_TRY(hipsolverDnDgetrf_bufferSize(solver, n, n, dA, n, &lworkLu));
    double *work;
    CUDA_TRY(hipMalloc(&work, sizeof(double) * (lworkChol > lworkLu ? lworkChol : lworkLu)));

    CUDA_TRY(hipMemcpyAsync(dA, A.data(), A.size() * sizeof(double), hipMemcpyHostToDevice, stream));
    CUDA_TRY(hipMemcpyAsync(dB, b.data(), n * sizeof(double), hipMemcpyHostToDevice, stream));
    SOLVER_TRY(hipsolverDnDpotrf(solver, HIPBLAS_FILL_MODE_LOWER, n, dA, n, work, lworkChol, dInfo));
    SOLVER_TRY(hipsolverDnDpotrs(solver, HIPBLAS_FILL_MODE_LOWER, n, 1, dA, n, dB, n, dInfo));
    CUDA_TRY(hipMemcpyAsync(x.data(), dB, n * sizeof(double), hipMemcpyDeviceToHost, stream));
    CUDA_TRY(hipMemcpyAsync(&info, dInfo, sizeof(int), hipMemcpyDeviceToHost, stream));
    CUDA_TRY(hipStreamSynchronize(stream));
    if (info != 0) std::printf("potrf: info %d\n", info);

    CUDA_TRY(hipMemcpyAsync(dA, A.data(), A.size() * sizeof(double), hipMemcpyHostToDevice, stream));
    CUDA_TRY(hipMemcpyAsync(dB, b.data(), n * sizeof(double), hipMemcpyHostToDevice, stream));
    SOLVER_TRY(hipsolverDnDgetrf(solver, n, n, dA, n, work, dPivots, dInfo));
    SOLVER_TRY(hipsolverDnDgetrs(solver, HIPBLAS_OP_N, n, 1, dA, n, dPivots, dB, n, dInfo));
    CUDA_TRY(hipMemcpyAsync(x2.data(), dB, n * sizeof(double), hipMemcpyDeviceToHost, stream));
    CUDA_TRY(hipStreamSynchronize(stream));

    SOLVER_TRY(hipsolverDnDestroy(solver));
    CUDA_TRY(hipStreamDestroy(stream));
    for (void *p : {(void *)dA, (void *)dB, (void *)work, (void *)dInfo, (void *)dPivots}) CUDA_TRY(hipFree(p));
    const double r = residual(A, x, b), r2 = residual(A, x2, b);
    const bool ok = info == 0 && r < 1e-10 && r2 < 1e-10;
    std::printf("residuals %g and %g\n%s\n", r, r2, ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

int main()
{
    try {
        return run();
    } catch (const std::exception &e) {
        std::fprintf(stderr, "%s\nFAIL\n", e.what());
        return 1;
    }
}

// A symmetric system solved by cuSOLVER: Cholesky factorisation, then two triangular solves; LU as a second opinion.
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

static void cudaTry(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(e));
}

static void solverTry(cusolverStatus_t s, const char *what)
{
    if (s != CUSOLVER_STATUS_SUCCESS) throw std::runtime_error(std::string(what) + ": status " + std::to_string(s));
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
    CUDA_TRY(cudaMalloc(&dA, A.size() * sizeof(double)));
    CUDA_TRY(cudaMalloc(&dB, n * sizeof(double)));
    CUDA_TRY(cudaMalloc(&dInfo, sizeof(int)));
    CUDA_TRY(cudaMalloc(&dPivots, n * sizeof(int)));

    cudaStream_t stream;
    cusolverDnHandle_t solver;
    CUDA_TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    SOLVER_TRY(cusolverDnCreate(&solver));
    SOLVER_TRY(cusolverDnSetStream(solver, stream));

    SOLVER_TRY(cusolverDnDpotrf_bufferSize(solver, CUBLAS_FILL_MODE_LOWER, n, dA, n, &lworkChol));
    SOLVER_TRY(cusolverDnDgetrf_bufferSize(solver, n, n, dA, n, &lworkLu));
    double *work;
    CUDA_TRY(cudaMalloc(&work, sizeof(double) * (lworkChol > lworkLu ? lworkChol : lworkLu)));

    CUDA_TRY(cudaMemcpyAsync(dA, A.data(), A.size() * sizeof(double), cudaMemcpyHostToDevice, stream));
    CUDA_TRY(cudaMemcpyAsync(dB, b.data(), n * sizeof(double), cudaMemcpyHostToDevice, stream));
    SOLVER_TRY(cusolverDnDpotrf(solver, CUBLAS_FILL_MODE_LOWER, n, dA, n, work, lworkChol, dInfo));
    SOLVER_TRY(cusolverDnDpotrs(solver, CUBLAS_FILL_MODE_LOWER, n, 1, dA, n, dB, n, dInfo));
    CUDA_TRY(cudaMemcpyAsync(x.data(), dB, n * sizeof(double), cudaMemcpyDeviceToHost, stream));
    CUDA_TRY(cudaMemcpyAsync(&info, dInfo, sizeof(int), cudaMemcpyDeviceToHost, stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
    if (info != 0) std::printf("potrf: info %d\n", info);

    CUDA_TRY(cudaMemcpyAsync(dA, A.data(), A.size() * sizeof(double), cudaMemcpyHostToDevice, stream));
    CUDA_TRY(cudaMemcpyAsync(dB, b.data(), n * sizeof(double), cudaMemcpyHostToDevice, stream));
    SOLVER_TRY(cusolverDnDgetrf(solver, n, n, dA, n, work, dPivots, dInfo));
    SOLVER_TRY(cusolverDnDgetrs(solver, CUBLAS_OP_N, n, 1, dA, n, dPivots, dB, n, dInfo));
    CUDA_TRY(cudaMemcpyAsync(x2.data(), dB, n * sizeof(double), cudaMemcpyDeviceToHost, stream));
    CUDA_TRY(cudaStreamSynchronize(stream));

    SOLVER_TRY(cusolverDnDestroy(solver));
    CUDA_TRY(cudaStreamDestroy(stream));
    for (void *p : {(void *)dA, (void *)dB, (void *)work, (void *)dInfo, (void *)dPivots}) CUDA_TRY(cudaFree(p));
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

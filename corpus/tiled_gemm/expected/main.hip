// C = alpha*A*B + beta*C with shared-memory tiles; the tile size is a template argument.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(hipError_t err, const char *what)
{
    if (err != hipSuccess) {
        fprintf(stderr, "%s: %s\n", what, hipGetErrorString(err));
        exit(EXIT_FAILURE);
    }
}

template <typename T, int TILE>
__global__ __launch_bounds__(TILE * TILE) void gemmTiled(int M, int N, int K, T alpha, const T *__restrict__ A,
                                                         const T *__restrict__ B, T beta, T *__restrict__ C)
{
    __shared__ T As[TILE][TILE];
    __shared__ T Bs[TILE][TILE + 1];  // padded: no bank conflicts

    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    T acc = T(0);

    for (int t = 0; t < (K + TILE - 1) / TILE; ++t) {
        const int kA = t * TILE + threadIdx.x;
        const int kB = t * TILE + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (row < M && kA < K) ? __ldg(&A[row * K + kA]) : T(0);
        Bs[threadIdx.y][threadIdx.x] = (kB < K && col < N) ? __ldg(&B[kB * N + col]) : T(0);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k) {
            acc = fma(As[threadIdx.y][k], Bs[k][threadIdx.x], acc);
        }
        __syncthreads();
    }

    if (row < M && col < N) C[row * N + col] = alpha * acc + beta * C[row * N + col];
}

template <typename T, int TILE>
static double run(int M, int N, int K)
{
    std::vector<T> A(M * K), B(K * N), C(M * N), ref(M * N);
    for (int i = 0; i < M * K; ++i) A[i] = T((i * 7) % 11 - 5) / T(5);
    for (int i = 0; i < K * N; ++i) B[i] = T((i * 3) % 13 - 6) / T(6);
    for (int i = 0; i < M * N; ++i) C[i] = ref[i] = T(i % 3);
    const T alpha = T(1.5), beta = T(-0.5);

    for (int i = 0; i < M; ++i) {
        for (int j = 0; j < N; ++j) {
            double sum = 0.0;
            for (int k = 0; k < K; ++k) sum += double(A[i * K + k]) * double(B[k * N + j]);
            ref[i * N + j] = T(alpha * sum + beta * ref[i * N + j]);
        }
    }

    T *dA, *dB, *dC;
    check(hipMalloc((void **)&dA, A.size() * sizeof(T)), "cudaMalloc A");
    check(hipMalloc((void **)&dB, B.size() * sizeof(T)), "cudaMalloc B");
    check(hipMalloc((void **)&dC, C.size() * sizeof(T)), "cudaMalloc C");
    check(hipMemcpy(dA, A.data(), A.size() * sizeof(T), hipMemcpyHostToDevice), "copy A");
    check(hipMemcpy(dB, B.data(), B.size() * sizeof(T), hipMemcpyHostToDevice), "copy B");
    check(hipMemcpy(dC, C.data(), C.size() * sizeof(T), hipMemcpyHostToDevice), "copy C");

    dim3 block(TILE, TILE);
    dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    hipLaunchKernelGGL(HIP_KERNEL_NAME(gemmTiled<T, TILE>), dim3(grid), dim3(block), 0, 0, M, N, K, alpha, dA, dB, beta, dC);
    check(hipGetLastError(), "launch");
    check(hipDeviceSynchronize(), "gemmTiled");

    check(hipMemcpy(C.data(), dC, C.size() * sizeof(T), hipMemcpyDeviceToHost), "copy back");
    hipFree(dA);
    hipFree(dB);
    hipFree(dC);

    double worst = 0.0;
    for (int i = 0; i < M * N; ++i) worst = fmax(worst, fabs(double(C[i]) - double(ref[i])));
    return worst;
}

int main()
{
    const double single = run<float, 16>(193, 150, 211);
    const double dbl = run<double, 32>(128, 257, 65);
    printf("float: max difference %g\ndouble: max difference %g\n", single, dbl);
    const bool ok = single < 1e-3 && dbl < 1e-11;
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

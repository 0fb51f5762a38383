// Ways to launch: templates with commas, function pointers, namespaces, macros, lambdas, cudaLaunchKernel.
#include <cuda_runtime.h>
#include <cstdio>

namespace kernels {
template <typename T, int N>
__global__ void fill(T *out, T value)
{
    if (threadIdx.x < N) out[threadIdx.x] = value;
}
}  // namespace kernels

__global__ void addOne(int *v) { v[threadIdx.x] += 1; }
__global__ void triple(int *v) { v[threadIdx.x] *= 3; }

template <typename F>
__global__ void apply(int *v, F f)
{
    v[threadIdx.x] = f(v[threadIdx.x]);
}

#define LAUNCH(kernel, threads, ...)           \
    do {                                       \
        kernel<<<1, (threads)>>>(__VA_ARGS__); \
        cudaDeviceSynchronize();               \
    } while (0)

typedef void (*Kernel)(int *);

int main()
{
    const int n = 64;
    int *d, h[n];
    cudaMalloc(&d, n * sizeof(int));

    kernels::fill<int, n><<<1, n>>>(d, 2);  // 2
    const Kernel table[] = {addOne, triple};
    for (Kernel k : table) k<<<dim3(1), dim3(n)>>>(d);  // 3, 9
    table[0]<<<1, n, 0, 0>>>(d);  // 10
    LAUNCH(triple, n, d);  // 30
    int offset = 5;
    apply<<<1, n>>>(d, [=] __device__(int x) { return x + offset; });  // 35
    void *args[] = {&d};
    cudaLaunchKernel((const void *)addOne, dim3(1), dim3(n), args, 0, nullptr);  // 36

    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    cudaFree(d);
    int wrong = cudaGetLastError() != cudaSuccess;
    for (int v : h) wrong += v != 36;
    std::printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}

// Ways to launch: templates with commas, function pointers, namespaces, macros, lambdas, cudaLaunchKernel.
#include <hip/hip_runtime.h>
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
        hipLaunchKernelGGL(kernel, dim3(1), dim3((threads)), 0, 0, __VA_ARGS__); \
        hipDeviceSynchronize();               \
    } while (0)

typedef void (*Kernel)(int *);

int main()
{
    const int n = 64;
    int *d, h[n];
    hipMalloc(&d, n * sizeof(int));

    hipLaunchKernelGGL(HIP_KERNEL_NAME(kernels::fill<int, n>), dim3(1), dim3(n), 0, 0, d, 2);  // 2
    const Kernel table[] = {addOne, triple};
    for (Kernel k : table) hipLaunchKernelGGL(k, dim3(dim3(1)), dim3(dim3(n)), 0, 0, d);  // 3, 9
    hipLaunchKernelGGL(table[0], dim3(1), dim3(n), 0, 0, d);  // 10
    LAUNCH(triple, n, d);  // 30
    int offset = 5;
    hipLaunchKernelGGL(apply, dim3(1), dim3(n), 0, 0, d, [=] __device__(int x) { return x + offset; });  // 35
    void *args[] = {&d};
    hipLaunchKernel((const void *)addOne, dim3(1), dim3(n), args, 0, nullptr);  // 36

    hipMemcpy(h, d, sizeof(h), hipMemcpyDeviceToHost);
    hipFree(d);
    int wrong = hipGetLastError() != hipSuccess;
    for (int v : h) wrong += v != 36;
    std::printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}

"""The inputs of test_cases.py, one for each kind of fault."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """CUDA source, texts that the output must and must not hold, and (line, id) of findings above a note."""

    name: str
    source: str
    contains: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    findings: tuple[tuple[int, str], ...] = ()
    needs_clang: bool = False


CASES = (
    Case(
        "template arguments with commas",
        "#include <cuda_runtime.h>\ntemplate <class T, int R> __global__ void k(T* p) { p[0] = R; }\n"
        "void f(int* p, cudaStream_t s) {\n  k<int, (3 > 2)><<<1, 2, 0, s>>>(p);\n}\n",
        ("hipLaunchKernelGGL(HIP_KERNEL_NAME(k<int, (3 > 2)>), dim3(1), dim3(2), 0, s, p);",),
        ("<<<",),
    ),
    Case(
        "lambda argument stays whole",
        "#include <cuda_runtime.h>\ntemplate <class F> __global__ void k(int n, F f) { f(n); }\n"
        "void g(float a, float* y, int n) {\n  k<<<n, 1>>>(n, [=] __device__(int i) {\n    float t[2] = {a, y[i]};\n"
        "    y[i] = t[0];\n  });\n}\n",
        ("hipLaunchKernelGGL(k, dim3(n), dim3(1), 0, 0, n, [=] __device__(int i) {", "{a, y[i]}"),
        ("<<<",),
    ),
    Case(
        "comments and line breaks inside a launch",
        "#include <cuda_runtime.h>\nnamespace a { __global__ void k(int* p, int n) { p[0] = n; } }\nvoid f(int* p, int n) {\n"
        "  // a::k<<<9, 9>>>(p, 9);\n  a::k\n    <<<1,   /* one */\n       32  // warp <<<none>>>\n    >>>\n    (p,\n     n /* count */);\n}\n",
        ("// a::k<<<9, 9>>>(p, 9);", "hipLaunchKernelGGL(a::k, dim3(1),", "// warp <<<none>>>", "n /* count */);"),
        ("a::hipLaunch", "dim3(32  //"),
    ),
    Case(
        "launch through an array and an API by address",
        "#include <cuda_runtime.h>\n__global__ void k(int* p) { *p = 1; }\nvoid f(int* p) {\n  void (*t[1])(int*) = {k};\n"
        "  t[0]<<<1, 2>>>(p);\n  cudaError_t (*r)(void*) = &cudaFree;\n  r(p);\n}\n",
        ("hipLaunchKernelGGL(t[0], dim3(1), dim3(2), 0, 0, p);", "hipError_t (*r)(void*) = &hipFree;"),
    ),
    Case(
        "launches in macro bodies keep their continuations",
        "#include <cuda_runtime.h>\n__global__ void k(int* p) { *p = 1; }\n#define RUN(g, p) \\\n  do {            \\\n"
        "    k<<<g, 32>>>(p); \\\n  } while (0)\nvoid f(int* p) { RUN(1, p); }\n",
        ("    hipLaunchKernelGGL(k, dim3(g), dim3(32), 0, 0, p); \\\n",),
        ("<<<",),
    ),
    Case(
        "strings and comments are left alone",
        "#include <cuda_runtime.h>\n#include <cstdio>\n// cudaMalloc, k<<<1, 1>>>()\nint f(void* p) {\n"
        '  if (cudaFree(p) != cudaSuccess) puts("cudaFree failed" R"(cudaFree( " )");  /* cudaFree */\n  return \'"\';\n}\n',
        (
            "// cudaMalloc, k<<<1, 1>>>()",
            'hipFree(p) != hipSuccess) puts("cudaFree failed" R"(cudaFree( " )");  /* cudaFree */',
        ),
    ),
    Case(
        "the user's own symbols with CUDA's names",
        "#include <cuda_runtime.h>\nstruct Pool { int cudaFree(int s) { return s; } };\nnamespace m { inline int cudaGetDevice() { return 1; } }\n"
        "enum class E { cudaSuccess };\nint f(Pool& p, void* d) {\n  int cudaSetDevice = 3;\n  cudaFree(d);\n"
        "  return p.cudaFree(cudaSetDevice) + m::cudaGetDevice() + (int)E::cudaSuccess;\n}\n",
        (
            "  hipFree(d);",
            "int cudaFree(int s)",
            "p.cudaFree(cudaSetDevice)",
            "m::cudaGetDevice()",
            "E { cudaSuccess }",
        ),
        ("hipSetDevice", "hipGetDevice", "hipSuccess"),
        needs_clang=True,
    ),
    Case(
        "names that only contain a CUDA name",
        "#include <cuda_runtime.h>\n__global__ void cudaEncode(int* p) { *p = 1; }\nint cudaMallocFancy(int);\n"
        "struct my_cudaStream_t { cudaStream_t s; };\nint f(int* p) { cudaEncode<<<1, 1>>>(p); return cudaMallocFancy(2); }\n",
        ("hipLaunchKernelGGL(cudaEncode,", "cudaMallocFancy(2)", "struct my_cudaStream_t { hipStream_t s; };"),
    ),
    Case(
        "an API that nobody knows",
        "#include <cuda_runtime.h>\nvoid f() {\n  cudaBrandNewThing(1);\n}\n",
        ("cudaBrandNewThing(1);",),
        findings=((3, "HPY105"),),
    ),
    Case(
        "one runtime header",
        '#pragma once\n#include <cuda.h>\n#include <cuda_runtime.h>\n#include "cuda_runtime_api.h"\n'
        '#  include  "cublas_v2.h"   // spaced\n#include <device_launch_parameters.h>\n#include <thrust/sort.h>\n',
        (
            '#pragma once\n#include <hip/hip_runtime.h>\n#  include  "hipblas/hipblas.h"   // spaced\n#include <thrust/sort.h>\n',
        ),
        ("cuda",),
    ),
    Case(
        "a runtime header is added once, outside of any branch",
        "// first\n#include <cstdio>\n#ifdef A\n#include <cublas_v2.h>\n#endif\n__global__ void k() {}\nint main() { k<<<1, 4>>>(); }\n",
        ("// first\n#include <hip/hip_runtime.h>\n#include <cstdio>\n#ifdef A\n#include <hipblas/hipblas.h>\n#endif",),
    ),
    Case(
        "lookalike headers of the project",
        '#include "ops/cuda/reduce.cuh"\n#include <project/cuda_utils/cuda.h>\n#include MY_CUDA_HEADER\n#include <hip/hip_runtime.h>\n'
        "int f() { int n; cudaGetDeviceCount(&n); return n; }\n",
        (
            '#include "ops/cuda/reduce.cuh"',
            "#include <project/cuda_utils/cuda.h>",
            "#include MY_CUDA_HEADER",
            "hipGetDeviceCount(&n)",
        ),
        ("hip/hip/",),
        findings=((1, "HPY902"),),
    ),
    Case(
        "macros around API calls",
        "#include <cuda_runtime.h>\n#define SAFE(c) do { if ((c) != cudaSuccess) return -1; } while (0)\n#define FREE cudaFree\n"
        "int f(void* d, void* h, size_t n) {\n  SAFE(cudaMemcpy(d, h, n, cudaMemcpyHostToDevice));\n  return FREE(d) == cudaSuccess;\n}\n",
        ("if ((c) != hipSuccess)", "#define FREE hipFree", "SAFE(hipMemcpy(d, h, n, hipMemcpyHostToDevice));"),
        ("cuda",),
    ),
    Case(
        "names built by token pasting",
        "#include <cuda_runtime.h>\n#define API(name) cuda##name\nint f() { return API(DeviceSynchronize)() == cudaSuccess; }\n",
        ("#define API(name) hip##name",),
        findings=((2, "HPY111"),),
    ),
    Case(
        "a file that is HIP already",
        "#include <hip/hip_runtime.h>\n__constant__ float c[4];\n__global__ void k(float* p) { p[0] = c[0]; }\nint main() {\n  float h[4], *d;\n"
        "  (void)hipMalloc(&d, 16);\n  (void)hipMemcpyToSymbol(HIP_SYMBOL(c), h, sizeof(h));\n"
        "  hipLaunchKernelGGL(HIP_KERNEL_NAME(k), dim3(1), dim3(1), 0, 0, d);\n  return (int)hipFree(d);\n}\n",
        ("HIP_SYMBOL(c)", "HIP_KERNEL_NAME(k)"),
        ("HIP_SYMBOL(HIP_SYMBOL",),
    ),
    Case(
        "code that no branch compiles",
        "#include <cuda_runtime.h>\n__global__ void k(int* p) { *p = 1; }\n#ifdef LATER\nvoid g(int* p) { k<<<2, 64>>>(p); cudaDeviceSynchronize(); }\n"
        "#elif 0\nnot C++ : ( ' unbalanced\n#endif\nvoid h(int* p) { k<<<1, 1>>>(p); }\n",
        (
            "void g(int* p) { hipLaunchKernelGGL(k, dim3(2), dim3(64), 0, 0, p); hipDeviceSynchronize(); }",
            "not C++ : ( ' unbalanced",
            "void h(int* p) { hipLaunchKernelGGL(k, dim3(1), dim3(1), 0, 0, p); }",
        ),
    ),
    Case(
        "dynamic parallelism is never rewritten",
        "#include <cuda_runtime.h>\n__global__ void c(int* p) { *p = 1; }\n__global__ void k(int* p) {\n  c<<<1, 32>>>(p);\n}\n"
        "void f(int* p) { k<<<1, 32>>>(p); }\n",
        ("  c<<<1, 32>>>(p);", "hipLaunchKernelGGL(k,"),
        findings=((4, "HPY201"),),
    ),
    Case(
        "symbols and pinned memory",
        "#include <cuda_runtime.h>\n__constant__ float c[4];\nvoid f(const float* h, size_t n) {\n  float* p;\n  cudaMemcpyToSymbol(c, h, 16);\n"
        "  cudaMallocHost((void**)&p, n);\n  cudaFreeHost(p);\n}\n",
        (
            "hipMemcpyToSymbol(HIP_SYMBOL(c), h, 16);",
            "hipHostMalloc((void**)&p, n, hipHostMallocDefault);",
            "hipHostFree(p);",
        ),
    ),
)

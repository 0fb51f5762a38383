// What nvcc adds to C++: qualifiers, builtin variables, builtin vector types, kernel launches.
// Our own text. It only has to let clang resolve names; it is never compiled into a program.

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __grid_constant__ __attribute__((annotate("grid_constant")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(...)
#define __nv_pure__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __inline_hint__
#define __tile__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __cudart_builtin__
#define __device_builtin_surface_type__
#define __device_builtin_texture_type__
#define CUDARTAPI
#define CUDAAPI
#define CUDART_CB
#define CUDA_CB
#define CUBLASWINAPI
#define CUDNNWINAPI
#define CUSPARSEAPI
#define CUFFTAPI
#define CURANDAPI

#pragma clang force_cuda_host_device begin

typedef __SIZE_TYPE__ hipify_size_t;

#define HIPIFY_VECTOR(T, name) \
    struct name##1 { T x; }; \
    struct name##2 { T x, y; }; \
    struct name##3 { T x, y, z; }; \
    struct name##4 { T x, y, z, w; }; \
    constexpr name##1 make_##name##1(T x) { return {x}; } \
    constexpr name##2 make_##name##2(T x, T y) { return {x, y}; } \
    constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
    constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
#define HIPIFY_VECTOR_ALIGNED(T, name) \
    struct name##4_16a { T x, y, z, w; }; \
    struct name##4_32a { T x, y, z, w; }; \
    constexpr name##4_16a make_##name##4_16a(T x, T y, T z, T w) { return {x, y, z, w}; } \
    constexpr name##4_32a make_##name##4_32a(T x, T y, T z, T w) { return {x, y, z, w}; }

HIPIFY_VECTOR(signed char, char)
HIPIFY_VECTOR(unsigned char, uchar)
HIPIFY_VECTOR(short, short)
HIPIFY_VECTOR(unsigned short, ushort)
HIPIFY_VECTOR(int, int)
HIPIFY_VECTOR(unsigned int, uint)
HIPIFY_VECTOR(long, long)
HIPIFY_VECTOR(unsigned long, ulong)
HIPIFY_VECTOR(long long, longlong)
HIPIFY_VECTOR(unsigned long long, ulonglong)
HIPIFY_VECTOR(float, float)
HIPIFY_VECTOR(double, double)
HIPIFY_VECTOR_ALIGNED(long, long)
HIPIFY_VECTOR_ALIGNED(unsigned long, ulong)
HIPIFY_VECTOR_ALIGNED(long long, longlong)
HIPIFY_VECTOR_ALIGNED(unsigned long long, ulonglong)
HIPIFY_VECTOR_ALIGNED(double, double)
#undef HIPIFY_VECTOR
#undef HIPIFY_VECTOR_ALIGNED

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

extern const uint3 threadIdx;
extern const uint3 blockIdx;
extern const dim3 blockDim;
extern const dim3 gridDim;
extern const int warpSize;

enum cudaError : int;
typedef enum cudaError cudaError_t;
struct CUstream_st;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUstream_st *CUstream;

// The calls that clang makes of `kernel<<<grid, block, shared, stream>>>(...)`, old style and new.
extern "C" cudaError_t cudaConfigureCall(dim3 grid, dim3 block, hipify_size_t shared = 0, cudaStream_t stream = 0);
extern "C" int __cudaPushCallConfiguration(dim3 grid, dim3 block, hipify_size_t shared = 0, void *stream = 0);
extern "C" unsigned __cudaPopCallConfiguration(dim3 *grid, dim3 *block, hipify_size_t *shared, void *stream);
extern "C" cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args, hipify_size_t shared,
                                        cudaStream_t stream);
template <class T>
cudaError_t cudaLaunchKernel(T kernel, dim3 grid, dim3 block, void **args, hipify_size_t shared = 0,
                             cudaStream_t stream = 0);

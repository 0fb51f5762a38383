// What translations for ROCm 7 call and HIP's NVIDIA headers of ROCm 5.7 lack. benchmarks.nvidia_platform appends an
// include of it to hip_runtime.h and hip_runtime_api.h in a pack.
#ifndef HIPIFY_NVIDIA_SUPPLEMENT_H
#define HIPIFY_NVIDIA_SUPPLEMENT_H

#include <cuda.h>

#define hipMemLocationTypeHost cudaMemLocationTypeHost
#define hipResourceDesc cudaResourceDesc  // a typedef there: `struct hipResourceDesc` does not compile
#define hipTextureDesc cudaTextureDesc
#define hipResourceViewDesc cudaResourceViewDesc

#ifdef __cplusplus
template <class T>
static inline hipError_t hipMallocAsync(T **pointer, size_t size, hipStream_t stream)
{
    return hipMallocAsync(reinterpret_cast<void **>(pointer), size, stream);
}

template <class T>
static inline hipError_t hipMallocFromPoolAsync(T **pointer, size_t size, hipMemPool_t pool, hipStream_t stream)
{
    return hipMallocFromPoolAsync(reinterpret_cast<void **>(pointer), size, pool, stream);
}

// A device pointer is a pointer on AMD and a number here.
template <class T>
struct HipifyDeviceNumber {};
template <>
struct HipifyDeviceNumber<hipDeviceptr_t> {
    typedef hipError_t Result;
};

template <class T>
static inline typename HipifyDeviceNumber<T>::Result hipMalloc(T *pointer, size_t size)
{
    return hipMalloc(reinterpret_cast<void **>(pointer), size);
}

template <class T>
static inline typename HipifyDeviceNumber<T>::Result hipFree(T pointer)
{
    return hipFree(reinterpret_cast<void *>(pointer));
}

// hip_Memcpy2D takes the driver's kinds of memory here, and the runtime's enumeration on AMD: these are both.
struct HipifyMemoryKind {
    hipMemoryType hip;
    CUmemorytype cuda;
    operator hipMemoryType() const { return hip; }
    operator CUmemorytype() const { return cuda; }
};
static const HipifyMemoryKind hipifyMemoryHost = {hipMemoryTypeHost, CU_MEMORYTYPE_HOST};
static const HipifyMemoryKind hipifyMemoryDevice = {hipMemoryTypeDevice, CU_MEMORYTYPE_DEVICE};
#define hipMemoryTypeHost hipifyMemoryHost
#define hipMemoryTypeDevice hipifyMemoryDevice

#if CUDART_VERSION >= 13000
static inline hipError_t hipMemPrefetchAsync_v2(const void *pointer, size_t size, hipMemLocation where, unsigned flags,
                                                hipStream_t stream)
{
    return hipCUDAErrorTohipError(cudaMemPrefetchAsync(pointer, size, where, flags, stream));
}

static inline hipError_t hipMemAdvise_v2(const void *pointer, size_t size, hipMemoryAdvise advice, hipMemLocation where)
{
    return hipCUDAErrorTohipError(cudaMemAdvise(pointer, size, hipMemoryAdviseTocudaMemoryAdvise(advice), where));
}

static inline hipError_t hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph, cudaGraphExecUpdateResultInfo *info)
{
    return hipCUDAErrorTohipError(cudaGraphExecUpdate(exec, graph, info));
}
#endif

#ifdef THRUST_VERSION
#include <thrust/system/cuda/execution_policy.h>
THRUST_NAMESPACE_BEGIN
namespace hip = cuda;
THRUST_NAMESPACE_END
#endif
#endif
#endif

// Comes before everything else when translations are compiled by nvcc, with HIP's headers for NVIDIA GPUs.
// Those call CUDA as it was up to CUDA 12: the first part declares what CUDA 13 took away or changed, under the old
// names and arguments. The second part brings what newer releases of HIP declare and older headers do not. Headers that
// know CUDA 13 by themselves (HIPIFY_NVIDIA_CURRENT) need neither.
#ifndef HIPIFY_NVIDIA_H
#define HIPIFY_NVIDIA_H
#ifdef __cplusplus

#include <cuda.h>
#include <cuda_runtime.h>

#include <string.h>

#if CUDART_VERSION >= 13000 && !defined(HIPIFY_NVIDIA_CURRENT)

// Places of memory were numbers of devices.
static inline cudaMemLocation hipify_location(int device)
{
    cudaMemLocation place;
    memset(&place, 0, sizeof(place));
    place.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    place.id = device == cudaCpuDeviceId ? 0 : device;
    return place;
}

static inline cudaError_t cudaMemAdvise(const void *memory, size_t size, cudaMemoryAdvise advice, int device)
{
    return cudaMemAdvise(memory, size, advice, hipify_location(device));
}

static inline cudaError_t cudaMemPrefetchAsync(const void *memory, size_t size, int device, cudaStream_t stream)
{
    return cudaMemPrefetchAsync(memory, size, hipify_location(device), 0u, stream);
}

// Edges of graphs had no data of their own.
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to, size_t count)
{
    return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}

static inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                      const cudaGraphNode_t *to, size_t count)
{
    return cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}

static inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                            size_t *count)
{
    return cudaGraphGetEdges(graph, from, to, nullptr, count);
}

static inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count)
{
    return cudaGraphNodeGetDependencies(node, nodes, nullptr, count);
}

static inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count)
{
    return cudaGraphNodeGetDependentNodes(node, nodes, nullptr, count);
}

static inline cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                            cudaGraphEdgeData *edges, size_t *count)
{
    return cudaGraphNodeGetDependentNodes(node, nodes, edges, count);
}

static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
                                           size_t count, cudaGraphNodeParams *parameters)
{
    return cudaGraphAddNode(node, graph, before, nullptr, count, parameters);
}

static inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes,
                                                              size_t count, unsigned flags)
{
    return cudaStreamUpdateCaptureDependencies(stream, nodes, nullptr, count, flags);
}

static inline cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                                      unsigned long long *id, cudaGraph_t *graph,
                                                      const cudaGraphNode_t **nodes, size_t *count)
{
    return cudaStreamGetCaptureInfo(stream, status, id, graph, nodes, nullptr, count);
}

static inline CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
                                                 CUgraph *graph, const CUgraphNode **nodes, size_t *count)
{
    return cuStreamGetCaptureInfo(stream, status, id, graph, nodes, nullptr, count);
}

static inline CUresult cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device)
{
    return cuCtxCreate(context, static_cast<CUctxCreateParams *>(nullptr), flags, device);
}

// One launch over several devices is gone, and with it the attribute that told of it.
#define cudaDevAttrCooperativeMultiDeviceLaunch static_cast<cudaDeviceAttr>(96)

template <class Parameters>
static inline cudaError_t cudaLaunchCooperativeKernelMultiDevice(Parameters *, unsigned, unsigned)
{
    return cudaErrorNotSupported;
}

// So are texture references: what is declared of them compiles, and fails when it is called.
struct textureReference;

template <class Value, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct texture;

template <class... Arguments>
static inline cudaError_t cudaBindTexture(Arguments &&...)
{
    return cudaErrorNotSupported;
}

template <class... Arguments>
static inline cudaError_t cudaBindTexture2D(Arguments &&...)
{
    return cudaErrorNotSupported;
}

template <class... Arguments>
static inline cudaError_t cudaBindTextureToArray(Arguments &&...)
{
    return cudaErrorNotSupported;
}

template <class... Arguments>
static inline cudaError_t cudaUnbindTexture(Arguments &&...)
{
    return cudaErrorNotSupported;
}

template <class... Arguments>
static inline cudaError_t cudaGetTextureAlignmentOffset(Arguments &&...)
{
    return cudaErrorNotSupported;
}

// Properties that have become attributes.
struct HipifyDeviceProperties : cudaDeviceProp {
    int clockRate, memoryClockRate, computeMode, deviceOverlap, kernelExecTimeoutEnabled, maxTexture1DLinear;
    int singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch;
};

static inline cudaError_t cudaGetDeviceProperties(HipifyDeviceProperties *properties, int device)
{
    struct {
        int *property;
        cudaDeviceAttr attribute;
    } const moved[] = {
        {&properties->clockRate, cudaDevAttrClockRate},
        {&properties->memoryClockRate, cudaDevAttrMemoryClockRate},
        {&properties->computeMode, cudaDevAttrComputeMode},
        {&properties->deviceOverlap, cudaDevAttrGpuOverlap},
        {&properties->kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout},
        {&properties->maxTexture1DLinear, cudaDevAttrMaxTexture1DLinearWidth},
        {&properties->singleToDoublePrecisionPerfRatio, cudaDevAttrSingleToDoublePrecisionPerfRatio},
    };
    cudaError_t status = cudaGetDeviceProperties(static_cast<cudaDeviceProp *>(properties), device);
    properties->cooperativeMultiDeviceLaunch = 0;
    for (auto const &one : moved) {
        *one.property = 0;
        if (status == cudaSuccess) {
            status = cudaDeviceGetAttribute(one.property, one.attribute, device);
        }
    }
    return status;
}

#define cudaDeviceProp HipifyDeviceProperties
#endif

// HIP 6's own templates ask for these before anything defines them.
#if !defined(hipHostAllocDefault) && !defined(HIPIFY_NVIDIA_CURRENT)
#define hipHostAllocDefault cudaHostAllocDefault
#endif

#include <hip/hip_runtime.h>

// Macros there and functions on AMD: as functions they leave a program its own overloads of these names.
#if defined(__shfl) && defined(__shfl_up) && defined(__shfl_down) && defined(__shfl_xor)
#undef __shfl
#undef __shfl_up
#undef __shfl_down
#undef __shfl_xor

template <class T>
static __device__ inline T __shfl(T value, int lane, int width = 32)
{
    return __shfl_sync(0xffffffffu, value, lane, width);
}

template <class T>
static __device__ inline T __shfl_up(T value, unsigned delta, int width = 32)
{
    return __shfl_up_sync(0xffffffffu, value, delta, width);
}

template <class T>
static __device__ inline T __shfl_down(T value, unsigned delta, int width = 32)
{
    return __shfl_down_sync(0xffffffffu, value, delta, width);
}

template <class T>
static __device__ inline T __shfl_xor(T value, int mask, int width = 32)
{
    return __shfl_xor_sync(0xffffffffu, value, mask, width);
}
#endif

#if HIP_VERSION_MAJOR < 7 && !defined(HIPIFY_NVIDIA_CURRENT)

#ifndef hipMemLocationTypeHost
#define hipMemLocationTypeHost cudaMemLocationTypeHost
#endif
typedef cudaArray hipArray;
// Typedefs there, so that `struct hipResourceDesc` does not compile.
#define hipResourceDesc cudaResourceDesc
#define hipTextureDesc cudaTextureDesc
#define hipResourceViewDesc cudaResourceViewDesc

// Pointers of every type are taken, and device pointers, which are pointers on AMD and numbers here.
template <class T>
static inline hipError_t hipMallocAsync(T *memory, size_t size, hipStream_t stream)
{
    return hipMallocAsync(reinterpret_cast<void **>(memory), size, stream);
}

template <class T>
static inline hipError_t hipMallocFromPoolAsync(T *memory, size_t size, hipMemPool_t pool, hipStream_t stream)
{
    return hipMallocFromPoolAsync(reinterpret_cast<void **>(memory), size, pool, stream);
}

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

// Arrays with levels, and what an array is made of. Handles are of the driver's type in some releases.
template <class T>
static inline hipError_t hipMallocMipmappedArray(T *array, const hipChannelFormatDesc *format, hipExtent extent,
                                                 unsigned levels, unsigned flags = 0)
{
    cudaMipmappedArray_t *made = reinterpret_cast<cudaMipmappedArray_t *>(array);
    return hipCUDAErrorTohipError(cudaMallocMipmappedArray(made, format, extent, levels, flags));
}

template <class T>
static inline hipError_t hipFreeMipmappedArray(T array)
{
    return hipCUDAErrorTohipError(cudaFreeMipmappedArray(reinterpret_cast<cudaMipmappedArray_t>(array)));
}

template <class T>
static inline hipError_t hipGetMipmappedArrayLevel(cudaArray_t *level, T array, unsigned number)
{
    cudaMipmappedArray_const_t from = reinterpret_cast<cudaMipmappedArray_const_t>(array);
    return hipCUDAErrorTohipError(cudaGetMipmappedArrayLevel(level, from, number));
}

template <class T>
static inline hipError_t hipArrayGetInfo(hipChannelFormatDesc *format, hipExtent *extent, unsigned *flags, T array)
{
    return hipCUDAErrorTohipError(cudaArrayGetInfo(format, extent, flags, reinterpret_cast<cudaArray_t>(array)));
}
#endif

#if HIP_VERSION_MAJOR < 6

// hip_Memcpy2D takes the driver's kinds of memory here, and the runtime's enumeration on AMD: these are both.
struct HipifyMemoryKind {
    hipMemoryType hip;
    CUmemorytype cuda;
    constexpr operator hipMemoryType() const { return hip; }
    constexpr operator CUmemorytype() const { return cuda; }
};
static constexpr HipifyMemoryKind hipifyMemoryHost = {hipMemoryTypeHost, CU_MEMORYTYPE_HOST};
static constexpr HipifyMemoryKind hipifyMemoryDevice = {hipMemoryTypeDevice, CU_MEMORYTYPE_DEVICE};
#define hipMemoryTypeHost hipifyMemoryHost
#define hipMemoryTypeDevice hipifyMemoryDevice

// Properties that these headers leave unset.
static inline hipError_t hipify_device_properties(hipDeviceProp_t *properties, int device)
{
    hipError_t status = hipGetDeviceProperties(properties, device);
    struct {
        int *property;
        cudaDeviceAttr attribute;
    } const unset[] = {
        {&properties->managedMemory, cudaDevAttrManagedMemory},
        {&properties->concurrentManagedAccess, cudaDevAttrConcurrentManagedAccess},
        {&properties->pageableMemoryAccess, cudaDevAttrPageableMemoryAccess},
        {&properties->pageableMemoryAccessUsesHostPageTables, cudaDevAttrPageableMemoryAccessUsesHostPageTables},
        {&properties->directManagedMemAccessFromHost, cudaDevAttrDirectManagedMemAccessFromHost},
    };
    for (auto const &one : unset) {
        if (status == hipSuccess) {
            status = hipCUDAErrorTohipError(cudaDeviceGetAttribute(one.property, one.attribute, device));
        }
    }
    return status;
}
#define hipGetDeviceProperties hipify_device_properties
#endif

#if HIP_VERSION_MAJOR < 7 && CUDART_VERSION >= 13000 && !defined(HIPIFY_NVIDIA_CURRENT)
static inline hipError_t hipMemPrefetchAsync_v2(const void *memory, size_t size, cudaMemLocation place, unsigned flags,
                                                hipStream_t stream)
{
    return hipCUDAErrorTohipError(cudaMemPrefetchAsync(memory, size, place, flags, stream));
}

static inline hipError_t hipMemAdvise_v2(const void *memory, size_t size, hipMemoryAdvise advice, cudaMemLocation place)
{
    return hipCUDAErrorTohipError(cudaMemAdvise(memory, size, hipMemoryAdviseTocudaMemoryAdvise(advice), place));
}

static inline hipError_t hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph, cudaGraphExecUpdateResultInfo *info)
{
    return hipCUDAErrorTohipError(cudaGraphExecUpdate(exec, graph, info));
}
#endif

// HIP's name for what Thrust has for the GPU.
#if __has_include(<thrust/detail/config.h>)
#include <thrust/detail/config.h>
THRUST_NAMESPACE_BEGIN
namespace cuda
{
}
namespace hip = cuda;
THRUST_NAMESPACE_END
#endif

#endif
#endif

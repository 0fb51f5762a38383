// The part of the runtime and driver API whose shape matters to C++: templates, handles, structs without table rows.

#ifdef HIPIFY_POINTERS
typedef void *CUdeviceptr, *CUdeviceptr_v1, *CUdeviceptr_v2;
#else
typedef unsigned long long CUdeviceptr, CUdeviceptr_v1, CUdeviceptr_v2;
#endif
typedef int CUdevice, CUdevice_v1;
#ifdef HIPIFY_POINTERS
typedef struct __hip_texture *cudaTextureObject_t, *cudaTextureObject_v1, *CUtexObject, *CUtexObject_v1;
typedef struct __hip_surface *cudaSurfaceObject_t, *CUsurfObject, *CUsurfObject_v1;
typedef struct ihipMemGenericAllocationHandle *CUmemGenericAllocationHandle, *CUmemGenericAllocationHandle_v1;
typedef struct hipfftHandle_t *cufftHandle;
#else
typedef unsigned long long cudaTextureObject_t, cudaTextureObject_v1, CUtexObject, CUtexObject_v1;
typedef unsigned long long cudaSurfaceObject_t, CUsurfObject, CUsurfObject_v1;
typedef unsigned long long CUmemGenericAllocationHandle, CUmemGenericAllocationHandle_v1;
typedef int cufftHandle;
#endif
typedef unsigned long long cudaGraphConditionalHandle, CUgraphConditionalHandle;
typedef unsigned int cudaLogIterator, CUlogIterator;
typedef unsigned int GLuint_hipify, GLenum_hipify;

#define HIPIFY_HANDLE(tag, ...) \
    struct tag; \
    typedef struct tag *__VA_ARGS__
HIPIFY_HANDLE(CUctx_st, CUcontext);
HIPIFY_HANDLE(CUmod_st, CUmodule);
HIPIFY_HANDLE(CUfunc_st, CUfunction, *cudaFunction_t);
HIPIFY_HANDLE(CUkern_st, CUkernel, *cudaKernel_t);
HIPIFY_HANDLE(CUlib_st, CUlibrary, *cudaLibrary_t);
HIPIFY_HANDLE(CUevent_st, CUevent, *cudaEvent_t);
HIPIFY_HANDLE(CUgraph_st, CUgraph, *cudaGraph_t);
HIPIFY_HANDLE(CUgraphNode_st, CUgraphNode, *cudaGraphNode_t);
HIPIFY_HANDLE(CUgraphExec_st, CUgraphExec, *cudaGraphExec_t);
HIPIFY_HANDLE(CUgraphDeviceUpdatableNode_st, CUgraphDeviceNode, *cudaGraphDeviceNode_t);
HIPIFY_HANDLE(CUuserObject_st, CUuserObject, *cudaUserObject_t);
HIPIFY_HANDLE(CUmemPoolHandle_st, CUmemoryPool, *cudaMemPool_t);
HIPIFY_HANDLE(CUarray_st, CUarray);
HIPIFY_HANDLE(CUmipmappedArray_st, CUmipmappedArray);
HIPIFY_HANDLE(CUtexref_st, CUtexref);
HIPIFY_HANDLE(CUsurfref_st, CUsurfref);
HIPIFY_HANDLE(CUgraphicsResource_st, CUgraphicsResource);
HIPIFY_HANDLE(CUextMemory_st, CUexternalMemory);
HIPIFY_HANDLE(CUextSemaphore_st, CUexternalSemaphore);
HIPIFY_HANDLE(CUexternalMemory_st, *cudaExternalMemory_t);
HIPIFY_HANDLE(CUexternalSemaphore_st, *cudaExternalSemaphore_t);
HIPIFY_HANDLE(CUlinkState_st, CUlinkState);
HIPIFY_HANDLE(cudaArray, *cudaArray_t);
HIPIFY_HANDLE(cudaMipmappedArray, *cudaMipmappedArray_t);
HIPIFY_HANDLE(cudaGraphicsResource, *cudaGraphicsResource_t);
#undef HIPIFY_HANDLE
typedef const struct cudaArray *cudaArray_const_t;
typedef const struct cudaMipmappedArray *cudaMipmappedArray_const_t;

typedef void (*cudaHostFn_t)(void *);
typedef void (*CUhostFn)(void *);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);
enum cudaError_enum : int;
typedef enum cudaError_enum CUresult;
typedef void (*CUstreamCallback)(CUstream, CUresult, void *);

struct CUuuid_st { char bytes[16]; };
typedef struct CUuuid_st CUuuid;
typedef struct CUuuid_st cudaUUID_t;
struct cudaIpcEventHandle_st { char reserved[64]; };
typedef struct cudaIpcEventHandle_st cudaIpcEventHandle_t;
struct cudaIpcMemHandle_st { char reserved[64]; };
typedef struct cudaIpcMemHandle_st cudaIpcMemHandle_t;
struct CUipcMemHandle_st { char reserved[64]; };
typedef struct CUipcMemHandle_st CUipcMemHandle;
struct CUipcEventHandle_st { char reserved[64]; };
typedef struct CUipcEventHandle_st CUipcEventHandle;
struct cudaExtent { hipify_size_t width, height, depth; };
struct cudaPitchedPtr { void *ptr; hipify_size_t pitch, xsize, ysize; };
struct cudaPos { hipify_size_t x, y, z; };
struct cudaExtent make_cudaExtent(hipify_size_t w, hipify_size_t h, hipify_size_t d);
struct cudaPitchedPtr make_cudaPitchedPtr(void *p, hipify_size_t pitch, hipify_size_t x, hipify_size_t y);
struct cudaPos make_cudaPos(hipify_size_t x, hipify_size_t y, hipify_size_t z);

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat, cudaChannelFormatKindNone,
    cudaChannelFormatKindNV12
};
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
struct cudaChannelFormatDesc { int x, y, z, w; enum cudaChannelFormatKind f; };
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f);
template <class T> struct cudaChannelFormatDesc cudaCreateChannelDesc();
struct cudaChannelFormatDesc cudaCreateChannelDescHalf();
struct cudaChannelFormatDesc cudaCreateChannelDescHalf1();
struct cudaChannelFormatDesc cudaCreateChannelDescHalf2();
struct cudaChannelFormatDesc cudaCreateChannelDescHalf4();

const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);

// Templates called with explicit arguments. The C variadic twin of each takes all other calls.
#define HIPIFY_TEMPLATED(name) \
    cudaError_t name(...); \
    template <class... T, class... U> cudaError_t name(U &&...)
HIPIFY_TEMPLATED(cudaMallocManaged);
HIPIFY_TEMPLATED(cudaMallocHost);
HIPIFY_TEMPLATED(cudaMallocAsync);
HIPIFY_TEMPLATED(cudaMallocFromPoolAsync);
HIPIFY_TEMPLATED(cudaMalloc);
HIPIFY_TEMPLATED(cudaHostAlloc);
HIPIFY_TEMPLATED(cudaHostGetDevicePointer);
HIPIFY_TEMPLATED(cudaFuncSetAttribute);
HIPIFY_TEMPLATED(cudaFuncSetCacheConfig);
HIPIFY_TEMPLATED(cudaFuncGetAttributes);
HIPIFY_TEMPLATED(cudaLaunchCooperativeKernel);
HIPIFY_TEMPLATED(cudaLaunchKernelEx);
HIPIFY_TEMPLATED(cudaGetSymbolAddress);
HIPIFY_TEMPLATED(cudaGetSymbolSize);
HIPIFY_TEMPLATED(cudaMemcpyToSymbol);
HIPIFY_TEMPLATED(cudaMemcpyFromSymbol);
HIPIFY_TEMPLATED(cudaMemcpyToSymbolAsync);
HIPIFY_TEMPLATED(cudaMemcpyFromSymbolAsync);
HIPIFY_TEMPLATED(cudaBindTexture);
HIPIFY_TEMPLATED(cudaBindTexture2D);
HIPIFY_TEMPLATED(cudaBindTextureToArray);
HIPIFY_TEMPLATED(cudaUnbindTexture);
HIPIFY_TEMPLATED(cudaBindSurfaceToArray);
HIPIFY_TEMPLATED(cudaOccupancyMaxActiveBlocksPerMultiprocessor);
HIPIFY_TEMPLATED(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags);
HIPIFY_TEMPLATED(cudaOccupancyMaxPotentialBlockSize);
HIPIFY_TEMPLATED(cudaOccupancyMaxPotentialBlockSizeWithFlags);
HIPIFY_TEMPLATED(cudaOccupancyMaxPotentialBlockSizeVariableSMem);
HIPIFY_TEMPLATED(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags);
HIPIFY_TEMPLATED(cudaOccupancyMaxActiveClusters);
HIPIFY_TEMPLATED(cudaOccupancyMaxPotentialClusterSize);
#undef HIPIFY_TEMPLATED
unsigned long long cudaCGGetIntrinsicHandle(...);
void *cudaGetParameterBuffer(...);
void *cudaGetParameterBufferV2(...);
cudaStream_t cudaGetCurrentGraphExec_hipify(...);

// Functions that take device addresses or handles that are integers in CUDA. Calls are held against these shapes only
// where those are declared as the pointers that they are in HIP, to see what no longer fits: behind the last of them all
// is taken.
#ifdef HIPIFY_POINTERS
typedef void *hipDeviceptr_t;
typedef cudaTextureObject_t hipTextureObject_t;
typedef cudaSurfaceObject_t hipSurfaceObject_t;
typedef CUmemGenericAllocationHandle hipMemGenericAllocationHandle_t;
typedef cufftHandle hipfftHandle;
#define HIPIFY_SHAPE(result, name, ...) result name(__VA_ARGS__, ...)
#else
#define HIPIFY_SHAPE(result, name, ...) result name(...)
#endif
#define HIPIFY_TAKES(...) HIPIFY_SHAPE(CUresult, __VA_ARGS__)
#define HIPIFY_RUNTIME(...) HIPIFY_SHAPE(cudaError_t, __VA_ARGS__)
#define HIPIFY_PASTE(a, b) a##b
#define HIPIFY_FFT(...) HIPIFY_SHAPE(HIPIFY_PASTE(cufft, Result), __VA_ARGS__)
extern "C++" {
HIPIFY_TAKES(cuModuleGetGlobal, CUdeviceptr *);
HIPIFY_TAKES(cuModuleGetGlobal_v2, CUdeviceptr *);
HIPIFY_TAKES(cuLibraryGetGlobal, CUdeviceptr *);
HIPIFY_TAKES(cuLibraryGetManaged, CUdeviceptr *);
HIPIFY_TAKES(cuMemAlloc, CUdeviceptr *);
HIPIFY_TAKES(cuMemAlloc_v2, CUdeviceptr *);
HIPIFY_TAKES(cuMemAllocPitch, CUdeviceptr *);
HIPIFY_TAKES(cuMemAllocPitch_v2, CUdeviceptr *);
HIPIFY_TAKES(cuMemFree, CUdeviceptr);
HIPIFY_TAKES(cuMemFree_v2, CUdeviceptr);
HIPIFY_TAKES(cuMemGetAddressRange, CUdeviceptr *, size_t *, CUdeviceptr);
HIPIFY_TAKES(cuMemGetAddressRange_v2, CUdeviceptr *, size_t *, CUdeviceptr);
HIPIFY_TAKES(cuMemHostGetDevicePointer, CUdeviceptr *);
HIPIFY_TAKES(cuMemHostGetDevicePointer_v2, CUdeviceptr *);
HIPIFY_TAKES(cuMemAllocManaged, CUdeviceptr *);
HIPIFY_TAKES(cuIpcGetMemHandle, void *, CUdeviceptr);
HIPIFY_TAKES(cuIpcOpenMemHandle, CUdeviceptr *);
HIPIFY_TAKES(cuIpcOpenMemHandle_v2, CUdeviceptr *);
HIPIFY_TAKES(cuIpcCloseMemHandle, CUdeviceptr);
HIPIFY_TAKES(cuMemcpy, CUdeviceptr, CUdeviceptr);
HIPIFY_TAKES(cuMemcpyAsync, CUdeviceptr, CUdeviceptr);
HIPIFY_TAKES(cuMemcpyPeer, CUdeviceptr, CUcontext, CUdeviceptr);
HIPIFY_TAKES(cuMemcpyPeerAsync, CUdeviceptr, CUcontext, CUdeviceptr);
HIPIFY_TAKES(cuMemcpyHtoD, CUdeviceptr);
HIPIFY_TAKES(cuMemcpyHtoD_v2, CUdeviceptr);
HIPIFY_TAKES(cuMemcpyHtoDAsync, CUdeviceptr);
HIPIFY_TAKES(cuMemcpyHtoDAsync_v2, CUdeviceptr);
HIPIFY_TAKES(cuMemcpyDtoH, void *, CUdeviceptr);
HIPIFY_TAKES(cuMemcpyDtoH_v2, void *, CUdeviceptr);
HIPIFY_TAKES(cuMemcpyDtoHAsync, void *, CUdeviceptr);
HIPIFY_TAKES(cuMemcpyDtoHAsync_v2, void *, CUdeviceptr);
HIPIFY_TAKES(cuMemcpyDtoD, CUdeviceptr, CUdeviceptr);
HIPIFY_TAKES(cuMemcpyDtoD_v2, CUdeviceptr, CUdeviceptr);
HIPIFY_TAKES(cuMemcpyDtoDAsync, CUdeviceptr, CUdeviceptr);
HIPIFY_TAKES(cuMemcpyDtoDAsync_v2, CUdeviceptr, CUdeviceptr);
HIPIFY_TAKES(cuMemcpyDtoA, CUarray, size_t, CUdeviceptr);
HIPIFY_TAKES(cuMemcpyDtoA_v2, CUarray, size_t, CUdeviceptr);
HIPIFY_TAKES(cuMemcpyAtoD, CUdeviceptr);
HIPIFY_TAKES(cuMemcpyAtoD_v2, CUdeviceptr);
HIPIFY_TAKES(cuMemsetD8, CUdeviceptr);
HIPIFY_TAKES(cuMemsetD8_v2, CUdeviceptr);
HIPIFY_TAKES(cuMemsetD16, CUdeviceptr);
HIPIFY_TAKES(cuMemsetD16_v2, CUdeviceptr);
HIPIFY_TAKES(cuMemsetD32, CUdeviceptr);
HIPIFY_TAKES(cuMemsetD32_v2, CUdeviceptr);
HIPIFY_TAKES(cuMemsetD8Async, CUdeviceptr);
HIPIFY_TAKES(cuMemsetD16Async, CUdeviceptr);
HIPIFY_TAKES(cuMemsetD32Async, CUdeviceptr);
HIPIFY_TAKES(cuMemsetD2D8, CUdeviceptr);
HIPIFY_TAKES(cuMemsetD2D8_v2, CUdeviceptr);
HIPIFY_TAKES(cuMemsetD2D16, CUdeviceptr);
HIPIFY_TAKES(cuMemsetD2D16_v2, CUdeviceptr);
HIPIFY_TAKES(cuMemsetD2D32, CUdeviceptr);
HIPIFY_TAKES(cuMemsetD2D32_v2, CUdeviceptr);
HIPIFY_TAKES(cuMemsetD2D8Async, CUdeviceptr);
HIPIFY_TAKES(cuMemsetD2D16Async, CUdeviceptr);
HIPIFY_TAKES(cuMemsetD2D32Async, CUdeviceptr);
HIPIFY_TAKES(cuMemAddressReserve, CUdeviceptr *, size_t, size_t, CUdeviceptr);
HIPIFY_TAKES(cuMemAddressFree, CUdeviceptr);
HIPIFY_TAKES(cuMemMap, CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle);
HIPIFY_TAKES(cuMemUnmap, CUdeviceptr);
HIPIFY_TAKES(cuMemSetAccess, CUdeviceptr);
HIPIFY_TAKES(cuMemGetAccess, unsigned long long *, const void *, CUdeviceptr);
HIPIFY_TAKES(cuMemAllocAsync, CUdeviceptr *);
HIPIFY_TAKES(cuMemAllocFromPoolAsync, CUdeviceptr *);
HIPIFY_TAKES(cuMemFreeAsync, CUdeviceptr);
HIPIFY_TAKES(cuMemPoolExportPointer, void *, CUdeviceptr);
HIPIFY_TAKES(cuMemPoolImportPointer, CUdeviceptr *);
HIPIFY_TAKES(cuPointerGetAttribute, void *, int, CUdeviceptr);
HIPIFY_TAKES(cuPointerSetAttribute, const void *, int, CUdeviceptr);
HIPIFY_TAKES(cuPointerGetAttributes, unsigned, void *, void **, CUdeviceptr);
HIPIFY_TAKES(cuMemPrefetchAsync, CUdeviceptr);
HIPIFY_TAKES(cuMemPrefetchAsync_v2, CUdeviceptr);
HIPIFY_TAKES(cuMemAdvise, CUdeviceptr);
HIPIFY_TAKES(cuMemAdvise_v2, CUdeviceptr);
HIPIFY_TAKES(cuMemRangeGetAttribute, void *, size_t, int, CUdeviceptr);
HIPIFY_TAKES(cuMemRangeGetAttributes, void **, size_t *, void *, size_t, CUdeviceptr);
HIPIFY_TAKES(cuMemGetHandleForAddressRange, void *, CUdeviceptr);
HIPIFY_TAKES(cuStreamWriteValue32, CUstream, CUdeviceptr);
HIPIFY_TAKES(cuStreamWriteValue32_v2, CUstream, CUdeviceptr);
HIPIFY_TAKES(cuStreamWriteValue64, CUstream, CUdeviceptr);
HIPIFY_TAKES(cuStreamWriteValue64_v2, CUstream, CUdeviceptr);
HIPIFY_TAKES(cuStreamWaitValue32, CUstream, CUdeviceptr);
HIPIFY_TAKES(cuStreamWaitValue32_v2, CUstream, CUdeviceptr);
HIPIFY_TAKES(cuStreamWaitValue64, CUstream, CUdeviceptr);
HIPIFY_TAKES(cuStreamWaitValue64_v2, CUstream, CUdeviceptr);
HIPIFY_TAKES(cuTexRefSetAddress, size_t *, CUtexref, CUdeviceptr);
HIPIFY_TAKES(cuTexRefSetAddress_v2, size_t *, CUtexref, CUdeviceptr);
HIPIFY_TAKES(cuTexRefSetAddress2D, CUtexref, const void *, CUdeviceptr);
HIPIFY_TAKES(cuTexRefSetAddress2D_v2, CUtexref, const void *, CUdeviceptr);
HIPIFY_TAKES(cuTexRefSetAddress2D_v3, CUtexref, const void *, CUdeviceptr);
HIPIFY_TAKES(cuTexRefGetAddress, CUdeviceptr *);
HIPIFY_TAKES(cuTexRefGetAddress_v2, CUdeviceptr *);
HIPIFY_TAKES(cuGraphicsResourceGetMappedPointer, CUdeviceptr *);
HIPIFY_TAKES(cuGraphicsResourceGetMappedPointer_v2, CUdeviceptr *);
HIPIFY_TAKES(cuGraphAddMemFreeNode, CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUdeviceptr);
HIPIFY_TAKES(cuGraphMemFreeNodeGetParams, CUgraphNode, CUdeviceptr *);
HIPIFY_TAKES(cuMemCreate, CUmemGenericAllocationHandle *);
HIPIFY_TAKES(cuMemRelease, CUmemGenericAllocationHandle);
HIPIFY_TAKES(cuMemExportToShareableHandle, void *, CUmemGenericAllocationHandle);
HIPIFY_TAKES(cuMemImportFromShareableHandle, CUmemGenericAllocationHandle *);
HIPIFY_TAKES(cuMemRetainAllocationHandle, CUmemGenericAllocationHandle *);
HIPIFY_TAKES(cuMemGetAllocationPropertiesFromHandle, void *, CUmemGenericAllocationHandle);
HIPIFY_TAKES(cuTexObjectCreate, CUtexObject *);
HIPIFY_TAKES(cuTexObjectDestroy, CUtexObject);
HIPIFY_TAKES(cuSurfObjectCreate, CUsurfObject *);
HIPIFY_TAKES(cuSurfObjectDestroy, CUsurfObject);
HIPIFY_TAKES(cuTexObjectGetResourceDesc, void *, CUtexObject);
HIPIFY_TAKES(cuTexObjectGetTextureDesc, void *, CUtexObject);
HIPIFY_TAKES(cuTexObjectGetResourceViewDesc, void *, CUtexObject);
HIPIFY_TAKES(cuSurfObjectGetResourceDesc, void *, CUsurfObject);
HIPIFY_RUNTIME(cudaCreateTextureObject, cudaTextureObject_t *);
HIPIFY_RUNTIME(cudaDestroyTextureObject, cudaTextureObject_t);
HIPIFY_RUNTIME(cudaGetTextureObjectResourceDesc, void *, cudaTextureObject_t);
HIPIFY_RUNTIME(cudaGetTextureObjectTextureDesc, void *, cudaTextureObject_t);
HIPIFY_RUNTIME(cudaGetTextureObjectResourceViewDesc, void *, cudaTextureObject_t);
HIPIFY_RUNTIME(cudaCreateSurfaceObject, cudaSurfaceObject_t *);
HIPIFY_RUNTIME(cudaDestroySurfaceObject, cudaSurfaceObject_t);
HIPIFY_RUNTIME(cudaGetSurfaceObjectResourceDesc, void *, cudaSurfaceObject_t);
HIPIFY_FFT(cufftCreate, cufftHandle *);
HIPIFY_FFT(cufftPlan1d, cufftHandle *);
HIPIFY_FFT(cufftPlan2d, cufftHandle *);
HIPIFY_FFT(cufftPlan3d, cufftHandle *);
HIPIFY_FFT(cufftPlanMany, cufftHandle *);
HIPIFY_FFT(cufftDestroy, cufftHandle);
HIPIFY_FFT(cufftExecC2C, cufftHandle);
HIPIFY_FFT(cufftExecC2R, cufftHandle);
HIPIFY_FFT(cufftExecD2Z, cufftHandle);
HIPIFY_FFT(cufftExecR2C, cufftHandle);
HIPIFY_FFT(cufftExecZ2D, cufftHandle);
HIPIFY_FFT(cufftExecZ2Z, cufftHandle);
HIPIFY_FFT(cufftGetSize, cufftHandle);
HIPIFY_FFT(cufftGetSize1d, cufftHandle);
HIPIFY_FFT(cufftGetSize2d, cufftHandle);
HIPIFY_FFT(cufftGetSize3d, cufftHandle);
HIPIFY_FFT(cufftGetSizeMany, cufftHandle);
HIPIFY_FFT(cufftGetSizeMany64, cufftHandle);
HIPIFY_FFT(cufftMakePlan1d, cufftHandle);
HIPIFY_FFT(cufftMakePlan2d, cufftHandle);
HIPIFY_FFT(cufftMakePlan3d, cufftHandle);
HIPIFY_FFT(cufftMakePlanMany, cufftHandle);
HIPIFY_FFT(cufftMakePlanMany64, cufftHandle);
HIPIFY_FFT(cufftSetAutoAllocation, cufftHandle);
HIPIFY_FFT(cufftSetStream, cufftHandle);
HIPIFY_FFT(cufftSetWorkArea, cufftHandle);
HIPIFY_FFT(cufftXtClearCallback, cufftHandle);
HIPIFY_FFT(cufftXtExec, cufftHandle);
HIPIFY_FFT(cufftXtExecDescriptor, cufftHandle);
HIPIFY_FFT(cufftXtGetSizeMany, cufftHandle);
HIPIFY_FFT(cufftXtMakePlanMany, cufftHandle);
HIPIFY_FFT(cufftXtMalloc, cufftHandle);
HIPIFY_FFT(cufftXtMemcpy, cufftHandle);
HIPIFY_FFT(cufftXtSetCallback, cufftHandle);
HIPIFY_FFT(cufftXtSetCallbackSharedSize, cufftHandle);
HIPIFY_FFT(cufftXtSetGPUs, cufftHandle);
}
#undef HIPIFY_TAKES
#undef HIPIFY_RUNTIME
#undef HIPIFY_FFT
#undef HIPIFY_PASTE
#undef HIPIFY_SHAPE

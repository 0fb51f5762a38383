// Functions of the driver that take device addresses. Calls are held against these shapes only where CUdeviceptr is
// declared as the pointer that it is in HIP, to see what no longer fits: behind the last address all is taken.
#ifdef HIPIFY_POINTERS
typedef void *hipDeviceptr_t;
#define HIPIFY_TAKES(name, ...) CUresult name(__VA_ARGS__, ...)
#else
#define HIPIFY_TAKES(name, ...) CUresult name(...)
#endif
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
HIPIFY_TAKES(cuMemMap, CUdeviceptr);
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
}
#undef HIPIFY_TAKES

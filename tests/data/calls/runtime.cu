// options: --target 6.4
#include <cuda.h>
#include <cuda_runtime.h>

__constant__ float symbol[4];
template <class T>
__global__ void kernel(T* p) { p[threadIdx.x] = T(); }

void memory(float* p, void* v, size_t n, cudaStream_t s, cudaMemLocation location) {
    cudaMallocHost(&p, n);
    cudaMallocHost((void**)&p, n, cudaHostAllocMapped);
    cudaHostAlloc((void**)&p, n, cudaHostAllocPortable | cudaHostAllocWriteCombined);
    cudaMallocAsync(&v, n, s);
    cudaMemcpyToSymbol(symbol, p, n);
    cudaMemcpyToSymbol(symbol, p, n, 0, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbolAsync(symbol, p, n, 0, cudaMemcpyHostToDevice, s);
    cudaMemcpyFromSymbol(p, symbol, n);
    cudaMemcpyFromSymbolAsync(p, symbol, n, 0, cudaMemcpyDeviceToHost, s);
    cudaGetSymbolAddress(&v, symbol);
    cudaGetSymbolSize(&n, symbol);
    cudaMemPrefetchAsync(p, n, 0, s);
    cudaMemPrefetchAsync(p, n, 0);
    cudaMemPrefetchAsync(p, n, location, 0, s);
    cudaMemAdvise(p, n, cudaMemAdviseSetReadMostly, 0);
    cudaMemAdvise(p, n, cudaMemAdviseSetReadMostly, location);
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, p);
    if (attributes.memoryType == cudaMemoryTypeDevice) return;
}

void functions(cudaFuncAttributes* attributes, void** args, cudaStream_t s, cudaEvent_t event) {
    cudaFuncSetCacheConfig(kernel<float>, cudaFuncCachePreferL1);
    cudaFuncSetSharedMemConfig(kernel<float>, cudaSharedMemBankSizeFourByte);
    cudaFuncSetAttribute(kernel<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    cudaFuncGetAttributes(attributes, kernel<float>);
    cudaLaunchKernel(kernel<float>, dim3(1), dim3(32), args, 0, s);
    cudaLaunchCooperativeKernel(kernel<float>, dim3(1), dim3(32), args, 0, s);
    cudaLaunchCooperativeKernel((void*)kernel<float>, dim3(1), dim3(32), args);
    int grid, block;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&grid, kernel<float>, 256, 0);
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel<float>, 0, 0);
    cudaEventCreate(&event);
    cudaEventCreate(&event, cudaEventDisableTiming);
}

void graphs(cudaStream_t s, cudaGraph_t g, cudaGraphNode_t n, cudaGraphExec_t x, cudaGraphNode_t* nodes, float* p) {
    const cudaGraphNode_t* deps;
    size_t count;
    unsigned long long id;
    cudaStreamCaptureStatus status;
    char log[64];
    cudaGraphExecUpdateResult result;
    cudaGraphInstantiate(&x, g, 0);
    cudaGraphInstantiate(&x, g, &n, log, sizeof(log));
    cudaGraphExecUpdate(x, g, &n, &result);
    cudaStreamGetCaptureInfo(s, &status, &id);
    cudaStreamGetCaptureInfo(s, &status);
    cudaStreamGetCaptureInfo(s, &status, &id, &g, &deps, &count);
    cudaStreamGetCaptureInfo(s, &status, &id, &g, &deps, nullptr, &count);
    cudaStreamUpdateCaptureDependencies(s, nodes, 1, 0);
    cudaStreamUpdateCaptureDependencies(s, nodes, nullptr, 1, 0);
    cudaGraphAddDependencies(g, &n, &n, 1);
    cudaGraphAddDependencies(g, &n, &n, nullptr, 1);
    cudaGraphRemoveDependencies(g, &n, &n, nullptr, 1);
    cudaGraphGetEdges(g, nodes, nodes, &count);
    cudaGraphGetEdges(g, nodes, nodes, nullptr, &count);
    cudaGraphNodeGetDependencies(n, nodes, nullptr, &count);
    cudaGraphNodeGetDependentNodes(n, nodes, nullptr, &count);
    cudaGraphAddMemcpyNodeToSymbol(&n, g, nodes, 0, symbol, p, 16, 0, cudaMemcpyHostToDevice);
    cudaGraphAddMemcpyNodeFromSymbol(&n, g, nodes, 0, p, symbol, 16, 0, cudaMemcpyDeviceToHost);
    cudaGraphMemcpyNodeSetParamsToSymbol(n, symbol, p, 16, 0, cudaMemcpyHostToDevice);
    cudaGraphMemcpyNodeSetParamsFromSymbol(n, p, symbol, 16, 0, cudaMemcpyDeviceToHost);
    cudaGraphExecMemcpyNodeSetParamsToSymbol(x, n, symbol, p, 16, 0, cudaMemcpyHostToDevice);
    cudaGraphExecMemcpyNodeSetParamsFromSymbol(x, n, p, symbol, 16, 0, cudaMemcpyDeviceToHost);
}

void driver(CUdeviceptr d, CUcontext c, CUdevice device, CUfunction f, CUstream s, CUgraph g, CUgraphExec x) {
    cuuint64_t id;
    CUstreamCaptureStatus status;
    const CUgraphNode* deps;
    size_t count;
    int grid, block;
    cuMemcpy(d, d, 4);
    cuMemcpyAsync(d, d, 4, s);
    cuMemcpyPeer(d, c, d, c, 4);
    cuMemcpyPeerAsync(d, c, d, c, 4, s);
    cuCtxCreate(&c, 0, device);
    cuCtxCreate(&c, nullptr, 0, device);
    cuCtxCreate_v3(&c, nullptr, 0, 0, device);
    cuCtxSynchronize();
    cuMemPrefetchAsync(d, 4, device, s);
    cuStreamGetCaptureInfo(s, &status, &id, &g, &deps, &count);
    cuStreamGetCaptureInfo_v2(s, &status, &id, &g, &deps, &count);
    cuGraphInstantiate(&x, g, 0);
    cuGraphExecGetFlags(x, &id);
    cuOccupancyMaxPotentialBlockSize(&grid, &block, f, nullptr, 0, 0);
    cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, f, 0, 0, 0, 0);
    cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536);
    cuFuncSetCacheConfig(f, CU_FUNC_CACHE_PREFER_L1);
    CUDA_KERNEL_NODE_PARAMS params;
    params.gridDimX = params.blockDimY = 1;
}

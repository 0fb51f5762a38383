// options: --target 7.2
// Pairs of functions whose parameter types differ: what a program writes must still compile.
#include <cuda.h>
#include <cusolverDn.h>
#include <cusolverSp.h>
#include <nvToolsExt.h>
#include <curand_kernel.h>
void review(cusolverDnHandle_t h, cublasFillMode_t u, cublasOperation_t op, cusolverDnParams_t p, float* a, int* info,
            cusolverSpHandle_t sp, cusparseMatDescr_t d, void* v, size_t n, const char* c) {
    int l;
    cusolverDnSpotrf_bufferSize(h, u, 4, a, 4, &l);
    cusolverDnSpotrf(h, u, 4, a, 4, a, l, info);
    cusolverDnSpotrf(h, CUBLAS_FILL_MODE_LOWER, 4, a, 4, a, l, info);
    cusolverDnSgetrs(h, op, 4, 1, a, 4, info, a, 4, info);
    cusolverDnXpotrf(h, p, u, 4, CUDA_R_32F, a, 4, CUDA_R_32F, v, n, v, n, info);
    cusolverDnXpotrs(h, p, u, 4, 1, CUDA_R_32F, a, 4, CUDA_R_32F, a, 4, info);
    cusolverDnXgetrs(h, p, op, 4, 1, CUDA_R_32F, a, 4, (int64_t*)v, CUDA_R_32F, a, 4, info);
    cusolverDnSsyevd(h, CUSOLVER_EIG_MODE_VECTOR, u, 4, a, 4, a, a, l, info);
    float tol = 1e-6f;
    int sing;
    cusolverSpScsrlsvqr(sp, 4, 4, d, a, info, info, a, tol, 0, a, &sing);
    nvtxRangeId_t id = nvtxRangeStartA("x");
    nvtxRangeEnd(id);
    CUdevice dev;
    cuDeviceGetByPCIBusId(&dev, c);
    CUtexref tr;
    CUmodule m;
    cuModuleGetTexRef(&tr, m, "t");
    CUgraphNode gn;
    CUDA_MEMSET_NODE_PARAMS mp;
    cuGraphMemsetNodeGetParams(gn, &mp);
    CUdeviceptr dp;
    cuGraphMemFreeNodeGetParams(gn, &dp);
    CUkernelNodeAttrValue av;
    cuGraphKernelNodeSetAttribute(gn, CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE, &av);
    CUlinkState ls;
    CUjit_option opts[1];
    cuLinkCreate(0, 0, 0, &ls);
    cuLinkAddData(ls, CU_JIT_INPUT_PTX, v, n, "n", 0, opts, &v);
    cuLinkAddFile(ls, CU_JIT_INPUT_PTX, "n", 0, opts, &v);
    CUmemoryPool pool;
    cuMemPoolExportToShareableHandle(v, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC md;
    CUmipmappedArray ma;
    CUexternalMemory em;
    cuExternalMemoryGetMappedMipmappedArray(&ma, em, &md);
    cuTexRefSetAddress(&n, tr, dp, 4);
    cuTexRefSetFilterMode(tr, CU_TR_FILTER_MODE_POINT);
    cuTexRefSetAddressMode(tr, 0, CU_TR_ADDRESS_MODE_WRAP);
    cuTexRefSetFormat(tr, CU_AD_FORMAT_FLOAT, 1);
    CUfilter_mode fm;
    CUaddress_mode am;
    cuTexRefGetFilterMode(&fm, tr);
    cuTexRefGetAddressMode(&am, tr, 0);
    cuTexRefSetMipmapFilterMode(tr, CU_TR_FILTER_MODE_LINEAR);
}

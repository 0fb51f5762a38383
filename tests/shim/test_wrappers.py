"""The functions that stand in for CUDA's: each compiles with HIP's headers, and takes what CUDA's takes."""

from __future__ import annotations

from pathlib import Path

from hipify.rules import rulebook
from hipify.shim.header import names_in, render
from hipify.shim.project import Shim
from hipify.shim.wrappers import wrappers
from tests.support.hip import compile_hip

USES = """
__global__ void kernel(int *p) { *p = 1; }
struct Wide { float *p; };
int main() {
  float *f; void *v; hipEvent_t e; hipStream_t s = nullptr; hipMemPool_t pool = nullptr; size_t n = 1; int device = 0;
  hipGraph_t g; hipGraphExec_t x; hipGraphNode_t node; hipMemLocation place{hipMemLocationTypeDevice, 0};
  hipStreamCaptureStatus status; unsigned long long id; const hipGraphNode_t *deps; hipFuncAttributes a; hipCtx_t c;
  hipFunction_t function = nullptr; hipDeviceptr_t d = nullptr; unsigned long long flags; void *args[] = {&v};
  cudaMallocHost(&f, n); cudaMallocHost(&v, n); cudaMallocHost((void **)&f, n, 0);
  cudaEventCreate(&e); cudaEventCreate(&e, hipEventDisableTiming);
  cudaFuncSetCacheConfig(kernel, hipFuncCachePreferL1); cudaFuncSetCacheConfig((const void *)kernel, hipFuncCachePreferL1);
  cudaFuncSetSharedMemConfig(kernel, hipSharedMemBankSizeFourByte);
  cudaFuncSetAttribute(kernel, hipFuncAttributeMaxDynamicSharedMemorySize, 1024);
  cudaFuncGetAttributes(&a, kernel); cudaFuncGetAttributes(&a, (const void *)kernel);
  cudaLaunchKernel(kernel, dim3(1), dim3(2), args, 0, s); cudaLaunchKernel((void *)kernel, 1, 2, args);
  cudaLaunchCooperativeKernel(kernel, 1, 2, args, 0, 0);
  cudaGraphInstantiate(&x, g); cudaGraphInstantiate(&x, g, 0); cudaGraphInstantiate(&x, g, NULL, NULL, 0);
  cudaGraphInstantiate(&x, g, nullptr, nullptr, 0); cuGraphInstantiate(&x, g, 0);
  cudaMallocAsync(&f, n, s); cudaMallocAsync(&v, n, 0); cudaMallocAsync(&f, n, pool, s); cudaMallocAsync(&v, n, pool, 0);
  cudaMemPrefetchAsync(f, n, device); cudaMemPrefetchAsync(f, n, 0, s); cudaMemPrefetchAsync(f, n, device, NULL);
  cudaMemPrefetchAsync(f, n, place, 0, s); cuMemPrefetchAsync(d, n, 0, s);
  cudaMemAdvise(f, n, hipMemAdviseSetReadMostly, 0); cudaMemAdvise(f, n, hipMemAdviseSetReadMostly, place);
  cudaGraphAddDependencies(g, &node, &node, n); cudaGraphAddDependencies(g, &node, &node, nullptr, n);
  cudaGraphGetEdges(g, nullptr, nullptr, &n); cudaGraphGetEdges(g, &node, &node, nullptr, &n);
  cudaGraphNodeGetDependencies(node, nullptr, &n); cudaGraphNodeGetDependentNodes(node, &node, nullptr, &n);
  cudaStreamGetCaptureInfo(s, &status); cudaStreamGetCaptureInfo(s, &status, &id);
  cudaStreamGetCaptureInfo(s, &status, &id, &g, &deps, &n); cudaStreamGetCaptureInfo(s, &status, &id, &g, &deps, nullptr, &n);
  cuMemcpy(d, d, n); cuMemcpyAsync(d, d, n, s); cuCtxCreate(&c, 0, 0); cuCtxCreate(&c, nullptr, 0, 0);
  cuFuncSetCacheConfig(function, hipFuncCachePreferL1); cuGraphExecGetFlags(x, &flags);
}
__global__ void surfaces(hipSurfaceObject_t o, float4 *out) {
  out[0] = surf1Dread<float4>(o, 0); out[1] = surf2Dread<float4>(o, 0, 0); out[2] = surf3Dread<float4>(o, 0, 0, 0);
  out[3] = surf2Dread<float4>(o, 0, 0, hipBoundaryModeClamp); surf2Dread(&out[4], o, 0, 0, hipBoundaryModeZero);
  surf1Dwrite(out[0], o, 0, hipBoundaryModeZero); surf2Dwrite(out[0], o, 0, 0, hipBoundaryModeTrap);
  surf3Dwrite(out[0], o, 0, 0, 0, hipBoundaryModeTrap); surf2Dwrite(out[0], o, 0, 0);
}
void blas(hipblasHandle_t h, __half *p) {
  cublasHgemm(h, HIPBLAS_OP_N, HIPBLAS_OP_N, 1, 1, 1, p, p, 1, p, 1, p, p, 1);
  cublasHgemmStridedBatched(h, HIPBLAS_OP_N, HIPBLAS_OP_N, 1, 1, 1, p, p, 1, 1, p, 1, 1, p, p, 1, 1, 1);
}
"""


def test_every_wrapper_takes_what_cudas_function_takes(tmp_path: Path) -> None:
    shim = Shim(
        "7.2", wrappers=list(wrappers().values()), hip_headers={"hipblas/hipblas.h": False, "hip/hip_fp16.h": False}
    )
    (tmp_path / "all.h").write_text(render(shim, "all.h"))
    assert names_in(render(shim, "all.h")) == set(wrappers())
    source = tmp_path / "uses.cu"
    source.write_text('#include "all.h"\n' + USES)
    assert [str(error) for error in compile_hip(source, arch="gfx1100")] == []


def test_every_wrapper_is_for_a_function_whose_calls_rules_change() -> None:
    ruled = {name.decode() for name in rulebook.load().names}
    assert wrappers().keys() - ruled == set()
    assert len(wrappers()) > 30


def test_the_wrappers_compile_with_the_release_before(tmp_path: Path) -> None:
    shim = Shim("6.4", wrappers=[w for name, w in wrappers().items() if not name.startswith("cublas")])
    (tmp_path / "all.h").write_text(render(shim, "all.h"))
    source = tmp_path / "none.cu"
    source.write_text(
        '#include "all.h"\nint f(void *p) { return cudaMemPrefetchAsync(p, 1, 0) + cudaMallocHost(&p, 1); }\n'
    )
    assert [str(error) for error in compile_hip(source, rocm="6.4")] == []

"""What the spelling of an identifier alone tells: whether it is shaped like a CUDA library's name, or like HIP's."""

from __future__ import annotations

import re

# The libraries by the prefix of their names. A capital or digit must follow a lower-case prefix: `cudaMalloc`, not
# `cudamalloc`. Bulk libraries (NPP, CUPTI, NVML, nvJPEG) have no rows in the tables: their prefix is all there is.
_CUDA_PREFIXES: tuple[tuple[bytes, str], ...] = (
    (rb"cudnn[A-Z]", "cudnn"),
    (rb"CUDNN_[A-Z]", "cudnn"),
    (rb"cublasLt[A-Z]", "cublaslt"),
    (rb"CUBLASLT_[A-Z]", "cublaslt"),
    (rb"cublas(?:Xt|Mp|Dx)?[A-Z]", "cublas"),
    (rb"CUBLAS_[A-Z]", "cublas"),
    (rb"cufft(?:Xt|Mp|w)?[A-Z]", "cufft"),
    (rb"CUFFT_[A-Z]", "cufft"),
    (rb"curand[A-Z]|curand_[a-z]", "curand"),
    (rb"CURAND_[A-Z]", "curand"),
    (rb"cusparseLt[A-Z]", "cusparselt"),
    (rb"CUSPARSELT_[A-Z]", "cusparselt"),
    (rb"cusparse[A-Z]", "cusparse"),
    (rb"CUSPARSE_[A-Z]", "cusparse"),
    (rb"cusolver(?:Dn|Sp|Rf|Mg|Mp)?[A-Z]", "cusolver"),
    (rb"CUSOLVER_[A-Z]", "cusolver"),
    (rb"cutensor(?:Mg|Net)?[A-Z]", "cutensor"),
    (rb"CUTENSOR_[A-Z]", "cutensor"),
    (rb"cuFile[A-Z]|CU_FILE_[A-Z]", "cufile"),
    (rb"nccl[A-Z]|pnccl[A-Z]", "nccl"),
    (rb"NCCL_[A-Z]", "nccl"),
    (rb"nvrtc[A-Z]|NVRTC_[A-Z]", "nvrtc"),
    (rb"nvJitLink[A-Z]|NVJITLINK_[A-Z]", "nvjitlink"),
    (rb"nvtx[A-Z]|NVTX_[A-Z]", "nvtx"),
    (rb"nvml[A-Z]|NVML_[A-Z]", "nvml"),
    (rb"cupti[A-Z]|CUPTI_[A-Z]|CUpti_[A-Z]", "cupti"),
    (rb"nppi?s?[A-Z]|nppi[a-z]*[A-Z]|NPP_[A-Z]|NPPI_[A-Z]|Npp(?:i|Stream|Status|Library|GpuCompute|Cmp)[A-Z_]?", "npp"),
    (rb"nvjpeg[A-Z2]|NVJPEG_[A-Z]", "nvjpeg"),
    (rb"nvshmem[a-zA-Z_]|NVSHMEM_[A-Z]", "nvshmem"),
    (rb"nvgraph[A-Z]|NVGRAPH_[A-Z]", "nvgraph"),
    (rb"optix[A-Z]|OPTIX_[A-Z]", "optix"),
    (rb"cuda[A-Z]", "runtime"),
    (rb"CU_[A-Z]+_[A-Z]", "driver"),
    (rb"cu[A-Z][a-z]+[A-Z]", "driver"),
    (rb"__nv_[a-z]|__nvvm_[a-z]", "device"),
)
_CUDA = re.compile(b"|".join(b"(%s)" % pattern for pattern, _ in _CUDA_PREFIXES))
_HIP = re.compile(
    rb"hip[A-Z]|HIP_[A-Z]|hip(?:blas|blaslt|fft|rand|sparse|solver|tensor|dnn|rtc|cub|file|sparselt)(?:[A-Z]|Lt|_[a-z])"
    rb"|HIP(?:BLAS|BLASLT|FFT|RAND|SPARSE|SOLVER|TENSOR|DNN|RTC|SPARSELT|CUB)_"
    rb"|hipcub\Z|hipstdpar\Z|__HIP_|__hip_|HIPRT_|HIP(?:address|filter|resource)[A-Za-z]|ihip[A-Z]|hiprtc[A-Z]"
    rb"|roc(?:blas|sparse|solver|rand|fft|tx|shmem|prim|wmma|thrust)(?:\Z|[A-Z_])|miopen[A-Z]|rsmi_|RSMI_|rccl[A-Z_]"
)


def spelled_like_cuda(name: bytes) -> str:
    """The library whose spelling an identifier has, '' for none.

    Only for names that no table knows. `CUDA_CHECK` and the like are as often the user's own: they answer ''.
    """
    match = _CUDA.match(name)
    return _CUDA_PREFIXES[match.lastindex - 1][1] if match and match.lastindex else ""


def is_hip_name(name: bytes) -> bool:
    """Whether an identifier is spelled like one of HIP's or ROCm's own."""
    return _HIP.match(name) is not None

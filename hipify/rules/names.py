"""What the spelling of an identifier alone tells: whether it is shaped like a CUDA library's name, or like HIP's."""

from __future__ import annotations

from hipify.patterns import lazy

# The words that begin the names of each API: `cudaMemFoo` may be CUDA's, `cudaThing` is somebody's own.
_RUNTIME = (
    rb"Access|Arr|Array|Bind|Boundary|Channel|Choose|Cluster|Compute|Cooperative|CpuDevice|Create|Ctx|Dev|Device|Driver"
    rb"|Enable|Error|Event|Execution|Ext|External|Fabric|Filter|Flush|Format|Free|Func|GL|Get|Graph|Graphics|Green|Host"
    rb"|Import|Init|Invalid|Ipc|Jit|Kernel|Launch|Library|Limit|Log|Logs|Malloc|Managed|Mem|Memcpy|Memory|Memset"
    rb"|Mipmapped|Occupancy|Output|Peek|Peer|Pitched|Pointer|Pos|Profiler|Read|Resource|Runtime|Set|Setup|Shared|Signal"
    rb"|Stream|Surface|Synchronization|Texture|Thread|Trigger|UUID|Unbind|User|VDPAU|Wait"
)
_DRIVER = (
    rb"Array|Checkpoint|Coredump|Ctx|Dev|Device|Driver|EGL|Event|External|Fabric|Flush|Func|GL|Get|Graph|Graphics|Green"
    rb"|Import|Init|Ipc|Kernel|Launch|Library|Link|Logs|Mem|Memcpy|Memset|Mipmapped|Module|Multicast|Occupancy|Param"
    rb"|Pointer|Process|Profiler|Signal|Stream|Surf|Tensor|Tex|Thread|User|VDPAU|Wait"
)
# What people append to a library's prefix to name things of their own: `cudaErrorCheck`, `cublasStat`, `cuda_gemm`.
_USER_WORD = lazy(
    rb"\w*(?:Check|Chk|CHECK|Errchk|Assert|Safe|Selector|Guard|Deleter|Wrapper|Utils?|Helper|Manager|Timer|Impl)\Z"
    rb"|cu(?:da)?(?:MemPool|Buf|Stack[A-Za-z]*)\Z"
    rb"|cu(?:da|blas|fft|rand|sparse|solver|dnn)(?:Stat|Status|Result|Ret|Res|Err|Info|Handle|Ctx)\Z"
    rb"|cu(?:da|blas|blasLt|fft|solver|dnn|tensor)_[a-z]"
)
# The libraries by the prefix of their names. Bulk libraries (NPP, CUPTI, NVML, nvJPEG) have no rows in the tables:
# their prefix is all there is.
_CUDA_PREFIXES: tuple[tuple[bytes, str], ...] = (
    (rb"cudnn[A-Z]|CUDNN_[A-Z0-9]+_[A-Z0-9]", "cudnn"),
    (rb"cublasLt[A-Z]|CUBLASLT_[A-Z]", "cublaslt"),
    (rb"cublas(?:Xt|Mp|Dx)?[A-Z]|CUBLAS_[A-Z]+_[A-Z0-9]", "cublas"),
    (rb"cufft(?:Xt|Mp|w)?[A-Z]|CUFFT_[A-Z]+_[A-Z0-9]", "cufft"),
    (
        rb"curand[A-Z]|curand_(?:uniform|normal|log_normal|poisson|discrete|mtgp32|init)|CURAND_[A-Z]+_[A-Z0-9]",
        "curand",
    ),
    (rb"cusparseLt[A-Z]|CUSPARSELT_[A-Z]", "cusparselt"),
    (rb"cusparse[A-Z]|CUSPARSE_[A-Z]+_[A-Z0-9]", "cusparse"),
    (rb"cusolver(?:Dn|Sp|Rf|Mg|Mp)?[A-Z]|CUSOLVER_[A-Z]+_[A-Z0-9]", "cusolver"),
    (rb"cutensor(?:Mg|Net)?[A-Z]|CUTENSOR_[A-Z]+_[A-Z0-9]", "cutensor"),
    (rb"cuFile[A-Z]|CU_FILE_[A-Z]", "cufile"),
    (rb"p?nccl[A-Z]|NCCL_[A-Z]+_[A-Z0-9]", "nccl"),
    (rb"nvrtc[A-Z]|NVRTC_[A-Z]", "nvrtc"),
    (rb"nvJitLink[A-Z]|NVJITLINK_[A-Z]", "nvjitlink"),
    (rb"nvtx[A-Z]|NVTX3?_[A-Z]", "nvtx"),
    (rb"nvml[A-Z]|NVML_[A-Z]", "nvml"),
    (rb"cupti[A-Z]|CUPTI_[A-Z]|CUpti_[A-Z]", "cupti"),
    (
        rb"nppi?s?[A-Z]|nppi[a-z]*[A-Z]|NPPI?_[A-Z]|Npp(?:iSize|iPoint|iRect|Stream|Status|Library|GpuCompute|Cmp)",
        "npp",
    ),
    (rb"Npp(?:8|16|32|64)[usf]c?\Z", "npp"),
    (rb"nvjpeg[A-Z2]|NVJPEG_[A-Z]", "nvjpeg"),
    (rb"nvshmemx?_[a-z]|NVSHMEM_[A-Z]", "nvshmem"),
    (rb"nvgraph[A-Z]|NVGRAPH_[A-Z]", "nvgraph"),
    (rb"optix[A-Z]|OPTIX_[A-Z]", "optix"),
    (rb"cuda(?:%s)(?![a-z])" % _RUNTIME, "runtime"),
    (
        rb"CU_(?:AD|COMPUTE|COREDUMP|CTX|CUBEMAP|DEVICE|EVENT|FUNC|GET|GRAPH|IPC|JIT|LAUNCH|LIBRARY|LIMIT|MEM|MEMPOOL)_",
        "driver",
    ),
    (rb"CU_(?:MEMORYTYPE|MULTICAST|OCCUPANCY|POINTER|RES|SHARED|STREAM|SYNC|TENSOR|TR|TRSA|TRSF)_", "driver"),
    (rb"cu(?:%s)(?![a-z])" % _DRIVER, "driver"),
    (rb"__nv_[a-z]|__nvvm_[a-z]", "device"),
)
_CUDA = lazy(b"|".join(b"(%s)" % pattern for pattern, _ in _CUDA_PREFIXES))
_HIP = lazy(
    rb"hip[A-Z]|HIP_[A-Z]|hip(?:blas|blaslt|fft|rand|sparse|solver|tensor|dnn|rtc|cub|file|sparselt)(?:[A-Z]|Lt|_[a-z])"
    rb"|HIP(?:BLAS|BLASLT|FFT|RAND|SPARSE|SOLVER|TENSOR|DNN|RTC|SPARSELT|CUB)_"
    rb"|hipcub\Z|hipstdpar\Z|__HIP_|__hip_|HIPRT_|HIP(?:address|filter|resource)[A-Za-z]|ihip[A-Z]|hiprtc[A-Z]"
    rb"|roc(?:blas|sparse|solver|rand|fft|tx|shmem|prim|wmma|thrust)(?:\Z|[A-Z_])|miopen[A-Z]|rsmi_|RSMI_|rccl[A-Z_]"
)


def spelled_like_cuda(name: bytes) -> str:
    """The library whose spelling an identifier has, '' for none.

    Only for names that no table knows. `CUDA_CHECK` and the like are as often the user's own: they answer ''.
    """
    match = _CUDA.match(name) if not _USER_WORD.match(name) else None
    return _CUDA_PREFIXES[match.lastindex - 1][1] if match and match.lastindex else ""


def is_hip_name(name: bytes) -> bool:
    """Whether an identifier is spelled like one of HIP's or ROCm's own."""
    return _HIP.match(name) is not None

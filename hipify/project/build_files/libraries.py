"""CUDA's libraries by their link names, and ROCm's that take their places."""

from __future__ import annotations

from hipify.patterns import lazy

LIBRARIES: dict[str, str] = {
    # hipcc brings the runtime by itself; a linker that is another compiler does not.
    "cudart": "amdhip64", "cudart_static": "amdhip64", "cuda": "amdhip64",
    "cudadevrt": "", "culibos": "", "cudafilt": "", "nvvm": "",
    "cublas": "hipblas", "cublas_static": "hipblas", "cublasLt": "hipblaslt", "cublasLt_static": "hipblaslt",
    "cublas_device": "", "cublasXt": "hipblas", "cufft": "hipfft", "cufft_static": "hipfft",
    "cufft_static_nocallback": "hipfft", "cufftw": "hipfftw", "curand": "hiprand", "curand_static": "hiprand",
    "cusparse": "hipsparse", "cusparse_static": "hipsparse", "cusolver": "hipsolver", "cusolver_static": "hipsolver",
    "cusparseLt": "hipsparselt", "cutensor": "hiptensor", "cudnn": "MIOpen", "nccl": "rccl", "nccl_static": "rccl",
    "nvrtc": "hiprtc", "nvrtc_static": "hiprtc", "nvrtc-builtins": "", "nvJitLink": "hiprtc",
    "nvToolsExt": "roctx64", "nvtx3": "roctx64",
}  # fmt: skip
"""CUDA libraries: the ROCm one; an empty text where hipcc needs none."""

ROC_LIBRARIES = {"cublas": "rocblas", "cufft": "rocfft", "curand": "rocrand", "cusparse": "rocsparse",
                 "cusolver": "rocsolver", "cublas_static": "rocblas"}  # fmt: skip

WITHOUT_COUNTERPART: dict[str, str] = {
    "nvidia-ml": "AMD's is amd_smi or rocm_smi64, with another interface",
    "cupti": "AMD's is rocprofiler-sdk, with another interface",
    "nvjpeg": "AMD's is rocJPEG, with another interface",
    "nvcuvid": "AMD's is rocDecode, with another interface",
    "nvencodeapi": "ROCm has no video encoder library",
    "cufile": "AMD's hipFile is young; see whether your release has it",
    "nvptxcompiler_static": "there is no PTX on AMD",
    "nvfatbin": "there are no fat binaries of NVIDIA's kind on AMD",
    "nvshmem": "AMD's is rocSHMEM, with another interface",
    "cusolverMg": "ROCm has no multi-GPU solver",
    "cutensornet": "ROCm has no such library", "custatevec": "AMD's is rocQuantum or hipStateVec",
    "OpenCL": "",
}  # fmt: skip

_NPP = lazy(r"npp[a-z]*\Z")


def library(name: str, roc: bool = False) -> tuple[str, str]:
    """A library's name for ROCm ('' when none is needed), and why there is none where that is so."""
    if roc and name in ROC_LIBRARIES:
        return ROC_LIBRARIES[name], ""
    if name in LIBRARIES:
        return LIBRARIES[name], ""
    lost = WITHOUT_COUNTERPART.get(
        name, "ROCm's image library is RPP, with another interface" if _NPP.match(name) else ""
    )
    return name, lost

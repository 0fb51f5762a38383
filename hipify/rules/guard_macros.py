"""The macros by which CUDA code asks for CUDA: compilers, header guards, versions and architectures."""

from __future__ import annotations

import enum

from hipify.patterns import lazy

EXISTENCE = {
    b"__CUDACC__": b"__HIPCC__",
    b"__NVCC__": b"__HIPCC__",
    b"__CUDA_ARCH__": b"__HIP_DEVICE_COMPILE__",
    b"__CUDACC_RTC__": b"__HIPCC_RTC__",
    b"__CUDACC_EXTENDED_LAMBDA__": b"__HIPCC__",
    b"__CUDACC_RELAXED_CONSTEXPR__": b"__HIPCC__",
    b"__DRIVER_TYPES_H__": b"HIP_INCLUDE_HIP_DRIVER_TYPES_H",
    b"__CUDA_RUNTIME_H__": b"HIP_INCLUDE_HIP_HIP_RUNTIME_H",
    b"__CUDA_RUNTIME_API_H__": b"HIP_INCLUDE_HIP_HIP_RUNTIME_API_H",
    b"__cuda_cuda_h__": b"HIP_INCLUDE_HIP_HIP_RUNTIME_API_H",
    b"__VECTOR_TYPES_H__": b"HIP_INCLUDE_HIP_AMD_DETAIL_HIP_VECTOR_TYPES_H",
    b"__VECTOR_FUNCTIONS_H__": b"HIP_INCLUDE_HIP_AMD_DETAIL_HIP_VECTOR_TYPES_H",
    b"__VECTOR_FUNCTIONS_HPP__": b"HIP_INCLUDE_HIP_AMD_DETAIL_HIP_VECTOR_TYPES_H",
    b"__TEXTURE_TYPES_H__": b"HIP_INCLUDE_HIP_TEXTURE_TYPES_H",
    b"__SURFACE_TYPES_H__": b"HIP_INCLUDE_HIP_SURFACE_TYPES_H",
    b"__LIBRARY_TYPES_H__": b"HIP_INCLUDE_HIP_LIBRARY_TYPES_H",
    b"CU_COMPLEX_H_": b"HIP_INCLUDE_HIP_HIP_COMPLEX_H",
    b"CURAND_KERNEL_H_": b"HIPRAND_KERNEL_H_",
    b"__CUDA_FP16_H__": b"HIP_INCLUDE_HIP_HIP_FP16_H",
    b"__CUDA_BF16_H__": b"HIP_INCLUDE_HIP_HIP_BF16_H",
    b"CUBLAS_API_H_": b"HIPBLAS_H",
    b"CUBLAS_V2_H_": b"HIPBLAS_H",
    b"CUBLAS_H_": b"HIPBLAS_H",
    b"_CUFFT_H_": b"HIPFFT_H_",
    b"CUSPARSE_H_": b"HIPSPARSE_H",
    b"CUSPARSEAPI": b"HIPSPARSE_H",
    b"CUSOLVER_COMMON_H_": b"HIPSOLVER_H",
    b"CUSOLVERDN_H_": b"HIPSOLVER_H",
    b"CURAND_H_": b"HIPRAND_H_",
}
"""Macros whose existence means the same as that of a HIP macro: the compiler's, and the guards of headers."""

_COMPILER = frozenset((b"__CUDACC__", b"__NVCC__", b"__CUDACC_RTC__", b"__NVCOMPILER", b"__NVCOMPILER_CUDA__"))
KNOWN_GUARDS = _COMPILER.union(EXISTENCE)
GUARD_PARTS = (b"__CUDA_ARCH", b"__CUDACC_VER", b"_VERSION", b"_VER_", b"_MAJOR", b"_MINOR")
"""One of these is in each guard macro's name but in those known."""
_ARCH = lazy(rb"__CUDA_ARCH(?:_\w+)?__|__CUDA_ARCH_FEAT_\w+")
_VERSION = lazy(
    rb"CUDA_VERSION|CUDART_VERSION|__CUDACC_VER(?:_\w+)?__|__CUDA_API_VERSION\w*|CUDA_API_VERSION"
    rb"|(?:CUBLAS|CUSPARSE|CUSOLVER|CUFFT|CURAND|CUDNN|CUTENSOR|NPP|NVRTC|NVJPEG)_(?:VERSION|VER_\w+|MAJOR|MINOR)"
    rb"|CUB_(?:VERSION|MAJOR_VERSION|MINOR_VERSION)"
)
GUARD_WORDS = frozenset(
    (
        *KNOWN_GUARDS,
        *(b"__CUDA_ARCH*", b"__CUDACC_VER*", b"__CUDA_API_VERSION*"),
        *(b"CUDA_VERSION", b"CUDART_VERSION", b"CUDA_API_VERSION"),
        *(b"CUB_VERSION", b"CUB_MAJOR_VERSION", b"CUB_MINOR_VERSION"),
        *(
            library + ending
            for library in b"CUBLAS CUSPARSE CUSOLVER CUFFT CURAND CUDNN CUTENSOR NPP NVRTC NVJPEG".split()
            for ending in (b"_VERSION", b"_VER_*", b"_MAJOR", b"_MINOR")
        ),
    )
)
"""Each guard macro is one of these, or begins like one (`NPP_VER_*`): what stages that deal with them need."""
HIP_WORD = lazy(rb"HIP|hip(?![a-z])|ROCM|ROCM_|RCCL|AMD|__HCC__|__gfx")


class GuardKind(enum.Enum):
    """What a guard macro tells about CUDA."""

    VERSION = "version"
    ARCH = "architecture"
    COMPILER = "compiler"


def guard_kind(name: bytes) -> GuardKind | None:
    """Which kind of CUDA guard macro a name is; None for any other name."""
    if name in _COMPILER or name in EXISTENCE:
        return GuardKind.ARCH if name == b"__CUDA_ARCH__" else GuardKind.COMPILER
    if b"CU" not in name and b"NP" not in name and b"NV" not in name:
        return None
    if _ARCH.fullmatch(name):
        return GuardKind.ARCH
    return GuardKind.VERSION if _VERSION.fullmatch(name) else None

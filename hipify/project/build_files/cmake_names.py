"""CMake's names for CUDA, and what they are for HIP. Data only."""

from __future__ import annotations

TARGETS: dict[str, tuple[str, str]] = {
    "cudart": ("hip::host", "hip"), "cudart_static": ("hip::host", "hip"), "cuda_driver": ("hip::host", "hip"),
    "toolkit": ("hip::host", "hip"), "cuda": ("hip::host", "hip"),
    "cublas": ("roc::hipblas", "hipblas"), "cublas_static": ("roc::hipblas", "hipblas"),
    "cublasLt": ("roc::hipblaslt", "hipblaslt"), "cublasLt_static": ("roc::hipblaslt", "hipblaslt"),
    "cufft": ("hip::hipfft", "hipfft"), "cufft_static": ("hip::hipfft", "hipfft"),
    "cufft_static_nocallback": ("hip::hipfft", "hipfft"), "cufftw": ("hip::hipfftw", "hipfft"),
    "curand": ("hip::hiprand", "hiprand"), "curand_static": ("hip::hiprand", "hiprand"),
    "cusparse": ("roc::hipsparse", "hipsparse"), "cusparse_static": ("roc::hipsparse", "hipsparse"),
    "cusolver": ("roc::hipsolver", "hipsolver"), "cusolver_static": ("roc::hipsolver", "hipsolver"),
    "cusparseLt": ("roc::hipsparselt", "hipsparselt"), "cutensor": ("hiptensor::hiptensor", "hiptensor"),
    "nvrtc": ("hiprtc::hiprtc", "hiprtc"), "nvrtc_static": ("hiprtc::hiprtc", "hiprtc"),
    "nvJitLink": ("hiprtc::hiprtc", "hiprtc"), "nvToolsExt": ("roctx64", ""), "nvtx3": ("roctx64", ""),
    "nccl": ("roc::rccl", "rccl"), "cudnn": ("MIOpen", "miopen"),
    "culibos": ("", ""), "cudadevrt": ("", ""),
}  # fmt: skip
"""The targets CUDA::NAME (and plain libraries): the target for HIP, and the package that defines it."""

LIBRARY_VARIABLES: dict[str, str] = {
    "CUDA_LIBRARIES": "cudart", "CUDA_CUDART_LIBRARY": "cudart", "CUDA_cudart_static_LIBRARY": "cudart",
    "CUDA_CUDA_LIBRARY": "cudart", "CUDA_DRIVER_LIBRARY": "cudart", "CUDA_cudadevrt_LIBRARY": "cudadevrt",
    "CUDA_CUBLAS_LIBRARIES": "cublas", "CUDA_cublas_LIBRARY": "cublas", "CUDA_cublasLt_LIBRARY": "cublasLt",
    "CUDA_CUFFT_LIBRARIES": "cufft", "CUDA_cufft_LIBRARY": "cufft", "CUDA_curand_LIBRARY": "curand",
    "CUDA_cusparse_LIBRARY": "cusparse", "CUDA_cusolver_LIBRARY": "cusolver", "CUDA_nvrtc_LIBRARY": "nvrtc",
    "CUDA_nvToolsExt_LIBRARY": "nvToolsExt", "CUDNN_LIBRARY": "cudnn", "CUDNN_LIBRARIES": "cudnn",
    "NCCL_LIBRARIES": "nccl", "NCCL_LIBRARY": "nccl",
}  # fmt: skip
"""Variables that hold libraries: the target's name after `CUDA::`."""

VARIABLES: dict[str, str] = {
    "CUDA_FOUND": "hip_FOUND", "CUDAToolkit_FOUND": "hip_FOUND", "CUDA_INCLUDE_DIRS": "hip_INCLUDE_DIRS",
    "CUDAToolkit_INCLUDE_DIRS": "hip_INCLUDE_DIRS", "CUDAToolkit_INCLUDE_DIR": "hip_INCLUDE_DIRS",
    "CUDA_TOOLKIT_INCLUDE": "hip_INCLUDE_DIRS", "CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES": "hip_INCLUDE_DIRS",
    "CUDA_TOOLKIT_ROOT_DIR": "ROCM_PATH", "CUDAToolkit_ROOT": "ROCM_PATH",
    "CUDAToolkit_BIN_DIR": "hip_BIN_INSTALL_DIR",
    "CUDAToolkit_LIBRARY_DIR": "hip_LIB_INSTALL_DIR", "CUDAToolkit_LIBRARY_ROOT": "ROCM_PATH",
    "CUDA_NVCC_FLAGS": "CMAKE_HIP_FLAGS", "CUDA_NVCC_FLAGS_RELEASE": "CMAKE_HIP_FLAGS_RELEASE",
    "CUDA_NVCC_FLAGS_DEBUG": "CMAKE_HIP_FLAGS_DEBUG", "CMAKE_CUDA_COMPILER": "CMAKE_HIP_COMPILER",
    "CMAKE_CUDA_COMPILER_ID": "CMAKE_HIP_COMPILER_ID", "CMAKE_CUDA_COMPILER_VERSION": "CMAKE_HIP_COMPILER_VERSION",
    "CMAKE_CUDA_COMPILER_LAUNCHER": "CMAKE_HIP_COMPILER_LAUNCHER", "CMAKE_CUDA_STANDARD": "CMAKE_HIP_STANDARD",
    "CMAKE_CUDA_STANDARD_REQUIRED": "CMAKE_HIP_STANDARD_REQUIRED", "CMAKE_CUDA_EXTENSIONS": "CMAKE_HIP_EXTENSIONS",
    "CMAKE_CUDA_ARCHITECTURES": "CMAKE_HIP_ARCHITECTURES",
    "CMAKE_CUDA_VISIBILITY_PRESET": "CMAKE_HIP_VISIBILITY_PRESET",
    "CMAKE_CUDA_STANDARD_LIBRARIES": "CMAKE_HIP_STANDARD_LIBRARIES",
    "CMAKE_CUDA_COMPILE_FEATURES": "CMAKE_HIP_COMPILE_FEATURES",
    "CMAKE_CUDA_SOURCE_FILE_EXTENSIONS": "CMAKE_HIP_SOURCE_FILE_EXTENSIONS",
}  # fmt: skip
"""Variables of FindCUDA, FindCUDAToolkit and the CUDA language. CMAKE_CUDA_FLAGS and its kin follow a pattern."""

PROPERTIES: dict[str, str] = {
    "CUDA_ARCHITECTURES": "HIP_ARCHITECTURES", "CUDA_STANDARD": "HIP_STANDARD",
    "CUDA_STANDARD_REQUIRED": "HIP_STANDARD_REQUIRED", "CUDA_EXTENSIONS": "HIP_EXTENSIONS",
    "CUDA_COMPILER_LAUNCHER": "HIP_COMPILER_LAUNCHER", "CUDA_VISIBILITY_PRESET": "HIP_VISIBILITY_PRESET",
}  # fmt: skip

DROPPED_PROPERTIES: dict[str, str] = {
    "CUDA_SEPARABLE_COMPILATION": "clang's option -fgpu-rdc says it",
    "CUDA_RESOLVE_DEVICE_SYMBOLS": "hipcc links device code with the program",
    "CUDA_RUNTIME_LIBRARY": "HIP has one runtime library, a shared one",
    "CUDA_PTX_COMPILATION": "AMD has no PTX; compile a code object with hipcc --genco",
    "CUDA_CUBIN_COMPILATION": "compile a code object with hipcc --genco",
    "CUDA_FATBIN_COMPILATION": "compile a code object with hipcc --genco",
}
"""Target properties without a counterpart, and why."""

DROPPED_VARIABLES: dict[str, str] = {
    "CMAKE_CUDA_HOST_COMPILER": "clang compiles host code itself",
    "CUDA_HOST_COMPILER": "clang compiles host code itself",
    "CMAKE_CUDA_COMPILER": "CMake finds ROCm's clang by itself; it takes no hipcc",
    "CMAKE_CUDA_RUNTIME_LIBRARY": "HIP has one runtime library, a shared one",
    "CUDA_USE_STATIC_CUDA_RUNTIME": "HIP has one runtime library, a shared one",
    "CMAKE_CUDA_RESOLVE_DEVICE_SYMBOLS": "clang links device code with the program",
    "CUDA_PROPAGATE_HOST_FLAGS": "clang takes all flags for host code",
    "CUDA_VERBOSE_BUILD": "use VERBOSE=1",
    "CUDA_ATTACH_VS_BUILD_RULE_TO_CUDA_FILE": "nothing of the kind is needed",
    "CUDA_64_BIT_DEVICE_CODE": "64 bits are the only ones",
    "CMAKE_CUDA_USE_RESPONSE_FILE_FOR_OBJECTS": "clang needs no such setting",
}
"""Variables that are set for nvcc only, and why HIP needs none."""

FIND_CUDA_COMMANDS: dict[str, str] = {
    "cuda_add_executable": "add_executable",
    "cuda_add_library": "add_library",
    "cuda_include_directories": "include_directories",
}
LINKING_COMMANDS = {"cuda_add_cublas_to_target": "cublas", "cuda_add_cufft_to_target": "cufft"}
ARCHITECTURE_COMMANDS = frozenset(("cuda_select_nvcc_arch_flags", "torch_cuda_get_nvcc_gencode_flag"))
"""Commands that set a variable to nvcc options for GPUs; clang gets those of CMAKE_HIP_ARCHITECTURES from CMake."""
CLEANING_COMMAND = "cuda_build_clean_target"
LOST_COMMANDS: dict[str, str] = {
    "cuda_compile": "compile the sources as part of a HIP target",
    "cuda_compile_ptx": "AMD has no PTX; compile a code object with hipcc --genco",
    "cuda_compile_cubin": "compile a code object with hipcc --genco",
    "cuda_compile_fatbin": "compile a code object with hipcc --genco",
    "cuda_wrap_srcs": "compile the sources as part of a HIP target",
    "cuda_compute_separable_compilation_object_file_name": "clang needs no such object",
    "cuda_link_separable_compilation_objects": "clang links device code with the program",
    "cuda_build_shared_library": "",
}
"""FindCUDA's commands that have no counterpart, and what to do."""

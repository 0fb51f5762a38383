"""The libraries that a program needs on linking, by the headers that its translation includes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hipify.parser.source import Source
from hipify.parser.structure import Structure

_BY_FOLDER = {
    "hipblas": "hipblas", "hipblaslt": "hipblaslt", "hipfft": "hipfft", "hiprand": "hiprand", "hipsparse": "hipsparse",
    "hipsparselt": "hipsparselt", "hipsolver": "hipsolver", "rocblas": "rocblas", "rocfft": "rocfft",
    "rocrand": "rocrand", "rocsparse": "rocsparse", "rocsolver": "rocsolver", "rccl": "rccl", "miopen": "MIOpen",
    "hiptensor": "hiptensor", "roctracer": "roctx64", "rocprofiler-sdk-roctx": "rocprofiler-sdk-roctx",
    "amd_smi": "amd_smi", "rocm_smi": "rocm_smi64",
}  # fmt: skip
_BY_NAME = {"hip/hiprtc.h": "hiprtc", "hipfft/hipfftw.h": "hipfftw", "hipblas.h": "hipblas", "rccl.h": "rccl",
            "hiprand/hiprand_kernel.h": "", "rocrand/rocrand_kernel.h": "", "roctx.h": "roctx64", "hipfft.h": "hipfft",
            "hipsparse.h": "hipsparse", "rocblas.h": "rocblas"}  # fmt: skip

FOR_NVIDIA = {"hipblas": "cublas", "hipblaslt": "cublasLt", "hipfft": "cufft", "hiprand": "curand", "rccl": "nccl",
              "hipsparse": "cusparse", "hipsolver": "cusolver", "hiprtc": "nvrtc", "roctx64": ""}  # fmt: skip
"""What stands behind the libraries on HIP's NVIDIA platform."""


def of_headers(names: Iterable[str]) -> list[str]:
    """The libraries of headers, each once, in order."""
    found: dict[str, None] = {}
    for name in names:
        library = _BY_NAME.get(name, _BY_FOLDER.get(name.split("/")[0]) if "/" in name else None)
        if library:
            found[library] = None
    return list(found)


def of_output(data: bytes) -> list[str]:
    """The libraries that a translated file needs."""
    return of_headers(headers_of(data))


def headers_of(data: bytes) -> list[str]:
    """What a translated file includes."""
    return [include.name.strip().decode("utf-8", "replace") for include in Structure(Source(data, "")).includes]


def options(libraries: Iterable[str], given: Iterable[str], nvidia: bool = False) -> list[str]:
    """The -l options for libraries that the flags do not name already."""
    named = set(given)
    wanted = (FOR_NVIDIA.get(name, name) if nvidia else name for name in libraries)
    return [f"-l{name}" for name in dict.fromkeys(wanted) if name and f"-l{name}" not in named]


def without_parts_of_runtime(flags: Iterable[str], runtime: Path | None) -> list[str]:
    """The flags without hipRTC's library where it is not there: its functions are the runtime's then, as in HIP 5."""
    flags = list(flags)
    if runtime is None or (runtime / "libhiprtc.so").exists() or any(flag.startswith("-L") for flag in flags):
        return flags
    return [flag for flag in flags if flag != "-lhiprtc"]

"""What brings the parts of a ROCm installation, on the systems that package them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """A part: what shows that it is there (a header below include/), and its packages.

    `since` is the first Debian release that has it.
    """

    name: str
    header: str
    debian: str
    fedora: str
    conda: str = ""
    since: int = 12


HIPCC = Part("hipcc", "", "hipcc", "hipcc rocm-hip-devel", "hipcc hip-devel hip-runtime-amd rocm-device-libs")
CLANG = Part("clang and lld, in place of a hipcc that does not start", "", "clang lld", "clang lld", "clangxx lld")
DEVICE_LIBS = Part("device libraries", "", "rocm-device-libs", "rocm-device-libs", "rocm-device-libs")
ROCMINFO = Part("rocminfo", "", "rocminfo", "rocminfo", "rocminfo")
HEADERS = Part("HIP headers", "hip/hip_runtime.h", "libamdhip64-dev", "rocm-hip-devel", "hip-devel")

LIBRARIES = (
    Part("hipBLAS", "hipblas/hipblas.h", "libhipblas-dev", "hipblas-devel", since=13),
    Part("hipFFT", "hipfft/hipfft.h", "libhipfft-dev", "hipfft-devel", since=13),
    Part("hipRAND", "hiprand/hiprand.h", "libhiprand-dev librocrand-dev", "hiprand-devel rocrand-devel"),
    Part("hipSPARSE", "hipsparse/hipsparse.h", "libhipsparse-dev", "hipsparse-devel"),
    Part("hipSOLVER", "hipsolver/hipsolver.h", "libhipsolver-dev", "hipsolver-devel", since=13),
    Part("hipCUB", "hipcub/hipcub.hpp", "libhipcub-dev", "hipcub-devel", since=13),
    Part("rocThrust", "thrust/system/hip/config.h", "librocthrust-dev", "rocthrust-devel", since=13),
    Part("RCCL", "rccl/rccl.h", "librccl-dev", "rccl-devel", since=13),
    Part("MIOpen", "miopen/miopen.h", "libmiopen-dev", "miopen-devel", since=14),
    Part("rocWMMA", "rocwmma/rocwmma.hpp", "librocwmma-dev", "rocwmma-devel", since=14),
)
"""The libraries that translated programs use."""

EVERY = (
    *LIBRARIES,
    Part("hipBLASLt", "hipblaslt/hipblaslt.h", "libhipblaslt-dev", "hipblaslt-devel", since=14),
    Part("hipSPARSELt", "hipsparselt/hipsparselt.h", "libhipsparselt-dev", "hipsparselt-devel", since=14),
    Part("rocBLAS", "rocblas/rocblas.h", "librocblas-dev", "rocblas-devel", since=13),
    Part("rocFFT", "rocfft/rocfft.h", "librocfft-dev", "rocfft-devel", since=13),
    Part("rocRAND", "rocrand/rocrand.h", "librocrand-dev", "rocrand-devel"),
    Part("rocSOLVER", "rocsolver/rocsolver.h", "librocsolver-dev", "rocsolver-devel", since=13),
    Part("rocSPARSE", "rocsparse/rocsparse.h", "librocsparse-dev", "rocsparse-devel"),
    Part("roctx", "roctracer/roctx.h", "libroctx-dev", "roctracer-devel", since=13),
)
"""Those, and the ones that few programs use or only with --roc."""


def command(part: Part, distribution: str, release: str = "") -> str:
    """The command that installs a part on a system; for a system that is not known, the command of each that is."""
    if distribution in ("debian", "ubuntu"):
        number = release.partition(".")[0]
        late = distribution == "debian" and number.isdecimal() and int(number) < part.since
        return f"apt-get install {part.debian}" + (f" (from Debian {part.since} on)" if late else "")
    if distribution == "fedora":
        return f"dnf install {part.fedora}"
    if distribution == "conda":
        return (
            f"conda install -c conda-forge {part.conda}" if part.conda else "AMD's own packages; conda-forge lacks it"
        )
    conda = f"; conda: {command(part, 'conda')}" if part.conda else ""
    return f"Debian, Ubuntu: apt-get install {part.debian}; Fedora: dnf install {part.fedora}{conda}"


def is_of(header: str, known: str) -> bool:
    """Whether a header is of the library that a known header is of: in the same folder, or the same by its name."""
    folder, _, name = known.rpartition("/")
    return header.split("/")[0] == folder.split("/")[0] if "/" in header else header == name

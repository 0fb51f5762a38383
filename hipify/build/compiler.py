"""The command lines: hipcc's, that of the clang in its place, and nvcc's for HIP's NVIDIA platform."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hipify.build import nvidia
from hipify.build.machine import Machine
from hipify.build.toolchain import Nvcc, Toolchain
from hipify.rules.arch import lanes_of

_QUIET = (
    "-fno-caret-diagnostics", "-fno-color-diagnostics", "-fno-diagnostics-fixit-info", "-ferror-limit=0",
    "-fmacro-backtrace-limit=0", "-ftemplate-backtrace-limit=0", "-Wno-unused-command-line-argument",
    "-Xclang", "-fno-diagnostics-use-presumed-location",  # with #line, too, a message is about the line where it stands
)  # fmt: skip
_MACRO_GONE, _DAZ_GONE = 22, 20
_OLD_LIBRARIES = Path(__file__).parents[1] / "include" / "clang" / "old_device_libraries.h"
_OWN_ABI = 600
# Folders that compilers know: to name one with -isystem would change the order in which headers are found.
_SYSTEM = (Path("/usr/include"), Path("/usr/local/include"))


@dataclass(frozen=True)
class Amd:
    """HIP for AMD GPUs: hipcc, or clang called the way hipcc would call it."""

    tool: Toolchain
    archs: tuple[str, ...]
    environ: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """How messages call it."""
        return "hipcc" if not self.tool.direct else f"clang++ {self.tool.clang.split('.')[0]}"

    @property
    def label(self) -> str:
        """The same, with the release."""
        return f"{self.name} (HIP {self.tool.hip or 'of no known release'})"

    def compile(self, source: Path, output: Path | None, flags: Sequence[str], host_only: bool = False) -> list[str]:
        """Compile a source to an object, or, with no output, only look for errors."""
        language = ["-x", "hip"]
        if source.suffix == ".c":  # which nvcc, too, hands to a C compiler, without a standard of C++
            language = ["-x", "c", "-D__HIP_PLATFORM_AMD__=1"]
            flags = [flag for flag in flags if not flag.startswith(("-std=c++", "-std=gnu++"))]
        line = [str(self.tool.program), *language, *self._archs(), *_QUIET]
        line += self._direct() if self.tool.direct else []
        line += [] if any(f.startswith("-std") for f in flags) or source.suffix == ".c" else ["-std=c++17"]
        line += [*flags, *self._own_headers(), *self._asked_for(flags)]
        line += ["--cuda-host-only"] if host_only else []
        return [*line, *(["-fsyntax-only"] if output is None else ["-c"]), str(source),
                *([] if output is None else ["-o", str(output)])]  # fmt: skip

    def link(self, objects: Sequence[Path], output: Path, flags: Sequence[str]) -> list[str]:
        """Link objects to a program."""
        line = [str(self.tool.program), *map(str, objects), "-o", str(output)]
        if "-fgpu-rdc" in flags:
            line += ["--hip-link", *self._archs()]
        if self.tool.direct:
            folder = self.tool.runtime
            line += [f"-L{folder}", f"-Wl,-rpath,{folder}"] if folder is not None else []
            line += [] if "--hip-link" in line else ["--hip-link", *self._archs()]
            line += [f"--rocm-path={self.tool.prefix}"]
        return [*line, *flags, *(["-lamdhip64"] if self.tool.direct else [])]

    def _asked_for(self, flags: Sequence[str]) -> list[str]:
        """What releases declare only when they are asked to.

        HIP 6 does so with CUDA's warp built-ins (`__shfl_sync`, votes of tiles), hipSOLVER before it with the
        enumerations that it shares with hipBLAS.
        """
        macro = {"5": "HIPSOLVER_USE_HIPBLAS_ENUMS", "6": "HIP_ENABLE_WARP_SYNC_BUILTINS"}.get(self.tool.hip[:1])
        asked = macro is None or any(flag.startswith(f"-D{macro}") for flag in flags)
        return [] if asked else [f"-D{macro}"]

    def _archs(self) -> list[str]:
        return [f"--offload-arch={arch}" for arch in self.archs]

    def _direct(self) -> list[str]:
        """What hipcc would add."""
        line = [f"--rocm-path={self.tool.prefix}", "-D__HIP_PLATFORM_AMD__=1"]
        if self.tool.device_libs is not None:
            line.append(f"--rocm-device-lib-path={self.tool.device_libs}")
            line += _code_object_version(self.tool.device_libs)
            if (self.tool.device_libs / "oclc_daz_opt_off.bc").exists() and self._clang >= _DAZ_GONE:
                line += ["-include", str(_OLD_LIBRARIES)]
        major = re.match(r"\d+", self.tool.hip)
        if major and int(major[0]) < 7 and self._clang >= _MACRO_GONE:
            # A macro that this clang defines no more and HIP 5's and 6's headers ask for.
            for arch in self.archs:
                line += [f"-Xarch_{arch.split(':')[0]}", f"-D__AMDGCN_WAVEFRONT_SIZE={lanes_of(arch) or 64}"]
            line += ["-Xarch_host", "-D__AMDGCN_WAVEFRONT_SIZE=64"]
        return line

    @property
    def _clang(self) -> int:
        return int(self.tool.clang.partition(".")[0] or 0)

    def _own_headers(self) -> list[str]:
        if not self.tool.direct or self.tool.prefix == Path("/usr"):
            return []
        return ["-isystem", str(self.tool.headers)]


@dataclass(frozen=True)
class Nvidia:
    """HIP for NVIDIA GPUs: nvcc with HIP's headers."""

    nvcc: Nvcc
    headers: Path
    archs: tuple[str, ...] = ()
    environ: dict[str, str] = field(default_factory=dict)

    name = label = "nvcc"

    @property
    def own_headers(self) -> list[str]:
        """What leads nvcc to HIP's headers: ours come first, where those are older than CUDA 13."""
        current = [] if nvidia.are_older(self.headers) else ["-DHIPIFY_NVIDIA_CURRENT=1"]
        prelude = ["-include", str(nvidia.PRELUDE), *current]
        folder = [f"-I{self.headers}"] if self.headers in _SYSTEM else ["-isystem", str(self.headers)]
        return [*prelude, f"-I{nvidia.OVERLAY}", *folder]

    def compile(self, source: Path, output: Path | None, flags: Sequence[str], host_only: bool = False) -> list[str]:
        """Compile a source to an object; without an output the object goes nowhere."""
        line = [str(self.nvcc.path), "-x", "cu", "-D__HIP_PLATFORM_NVIDIA__=1", *self._archs()]
        line += [] if any(re.match(r"--?std", f) for f in flags) else ["-std=c++17"]
        line += ["--extended-lambda", "--expt-relaxed-constexpr", *flags, *self.own_headers]
        return [*line, "-c", str(source), "-o", str(output or "/dev/null")]

    def link(self, objects: Sequence[Path], output: Path, flags: Sequence[str]) -> list[str]:
        """Link objects to a program."""
        return [str(self.nvcc.path), *self._archs(), *map(str, objects), "-o", str(output), *flags]

    def _archs(self) -> list[str]:
        groups = [arch for arch in self.archs if "_" not in arch]  # native, all, all-major
        named = [arch for arch in self.archs if "_" in arch]
        codes = [f"-gencode=arch={arch.replace('sm_', 'compute_')},code={arch}" for arch in named]
        return [*(f"-arch={group}" for group in groups), *codes]


Compiler = Amd | Nvidia


def _code_object_version(device_libs: Path) -> list[str]:
    """What clang must be told where the device libraries are older than what it makes by itself."""
    versions = [int(path.stem.rpartition("_")[2]) for path in device_libs.glob("oclc_abi_version_[0-9]*.bc")]
    newest = max(versions, default=_OWN_ABI)
    return [f"-mcode-object-version={newest // 100}"] if newest < _OWN_ABI else []


def environment(machine: Machine) -> dict[str, str]:
    """The environment of AMD compilers: hipcc must not choose the platform by itself."""
    return {**machine.environ, "HIP_PLATFORM": "amd"}

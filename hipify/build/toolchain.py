"""Find the compilers: hipcc, the clang that takes its place where its binary does not start, and nvcc."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from hipify import installed
from hipify.build.machine import Machine
from hipify.errors import UsageError

AMD, NVIDIA = "amd", "nvidia"
_FIRST_LAUNCHING_CLANG = 15
_NEWEST, _OLDEST = 25, 15


@dataclass(frozen=True)
class Toolchain:
    """What compiles HIP here.

    `path` is hipcc; `found_by` says where from. `clang` is the compiler behind it, and `program` what is really run:
    hipcc, or that clang where `problem` says why hipcc itself does not start.
    """

    path: Path
    found_by: str
    prefix: Path
    hip: str = ""
    rocm: str = ""
    clang: str = ""
    program: Path = Path()
    device_libs: Path | None = None
    problem: str = ""
    platform: str = AMD

    @property
    def direct(self) -> bool:
        """Whether clang is called in hipcc's place."""
        return self.program != self.path

    @property
    def usable(self) -> bool:
        """Whether there is anything that compiles."""
        return bool(self.program.name)

    @property
    def headers(self) -> Path:
        """The folder of HIP's headers."""
        return self.prefix / "include"

    @property
    def runtime(self) -> Path | None:
        """The folder of the runtime that programs are linked with, where it is there."""
        found = [path for path in self.prefix.glob("lib*/**/libamdhip64.so") if path.exists()]
        return found[0].parent if found else None

    def environment(self, machine: Machine) -> dict[str, str]:
        """The environment for hipcc: it must not choose the platform by itself."""
        return {**machine.environ, "HIP_PLATFORM": AMD}


def find(machine: Machine, given: str = "") -> Toolchain | None:
    """The first hipcc there is, the user's own choice first; UsageError when that choice is no program."""
    if given and not _runs(Path(given)):
        found = machine.which(given) if os.sep not in given else None
        if found is None:
            raise UsageError(f"--hipcc {given}: is no program that can be run")
        return _read(machine, found, "--hipcc")
    if given:
        return _read(machine, Path(given), "--hipcc")
    for place, found_by in installed.hipccs(machine.environ, str(machine.root)):
        if installed.runs(place):
            return _read(machine, Path(place), found_by)
    return None


def _runs(path: Path) -> bool:
    return installed.runs(str(path))


def _read(machine: Machine, path: Path, found_by: str) -> Toolchain:
    """Ask a hipcc what it is, and look for what takes its place when it does not answer."""
    done = machine.call(path, "--version", HIP_PLATFORM=AMD)
    prefix = _prefix(path, done.out)
    hip = re.search(r"HIP version:\s*(\S+)", done.out)
    clang = re.search(r"clang version (\d+[\d.]*)", done.out)
    tool = Toolchain(
        path=path,
        found_by=found_by,
        prefix=prefix,
        hip=hip[1] if hip else _header_version(prefix),
        rocm=_release(prefix),
        clang=clang[1] if clang else "",
        program=path,
        device_libs=device_libraries(prefix),
        platform=_own_choice(machine),
    )
    if done.status == 0 and clang:
        return tool
    reason = _reason(f"{done.err}\n{done.out}", path)
    found, version = _clang(machine, prefix)
    return replace(tool, problem=reason, program=found or Path(), clang=version)


def _prefix(path: Path, told: str) -> Path:
    """The prefix of an installation: by hipcc's place or, for a script that calls one, by the clang that it names."""
    prefix = Path(installed.prefix_of(str(path)))
    clang = re.search(r"^InstalledDir: (.+)", told, re.M)
    if clang is None or (prefix / "include" / "hip").is_dir():
        return prefix
    return next((place for place in Path(clang[1]).parents if (place / "include" / "hip").is_dir()), prefix)


def _reason(text: str, path: Path) -> str:
    """Why a program did not start, in a few words."""
    lost = re.findall(r"version `(GLIBC_[\d.]+)' not found", text)
    if lost:
        return f"it needs {lost[0]}, which this system has not"
    gone = re.search(r"Can't exec \"([^\"]+)\"|failed to execute:?\s*(\S+/\S+)", text)
    if gone:
        return f"it calls {gone[1] or gone[2]}, which is not there"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0].removeprefix(f"{path}: ") if lines else "it says nothing about its version"


def _header_version(prefix: Path) -> str:
    try:
        text = (prefix / "include" / "hip" / "hip_version.h").read_text("utf-8", "replace")
    except OSError:
        return ""
    parts = [re.search(rf"#define HIP_VERSION_{name}\s+(\d+)", text) for name in ("MAJOR", "MINOR", "PATCH")]
    return ".".join(part[1] for part in parts if part)


def _release(prefix: Path) -> str:
    """The ROCm release that an installation calls itself."""
    for path in (prefix / ".info" / "version", prefix / ".info" / "version-dev"):
        try:
            return path.read_text("utf-8", "replace").split("-")[0].strip()
        except OSError:
            continue
    return ""


def device_libraries(prefix: Path) -> Path | None:
    """The folder of the device libraries (ocml.bc and its like) of an installation."""
    patterns = (
        "amdgcn/bitcode", "lib/llvm*/lib/clang/*/amdgcn/bitcode", "lib/llvm*/amdgcn/bitcode",
        "lib/clang/*/amdgcn/bitcode", "lib/*/amdgcn/bitcode", "lib/amdgcn/bitcode", "llvm/lib/clang/*/amdgcn/bitcode",
        "lib64/amdgcn/bitcode", "lib64/rocm/llvm/lib/clang/*/amdgcn/bitcode",
    )  # fmt: skip
    found = [path for pattern in patterns for path in prefix.glob(pattern) if (path / "ocml.bc").exists()]
    return max(found, key=lambda path: [int(n) for n in re.findall(r"\d+", str(path))]) if found else None


def _clang(machine: Machine, prefix: Path) -> tuple[Path | None, str]:
    """The newest clang++ that can take hipcc's place: the installation's own, else the system's."""
    own = [prefix / folder / "clang++" for folder in ("llvm/bin", "lib/llvm/bin")]
    named = [machine.which(f"clang++-{number}") for number in range(_NEWEST, _OLDEST - 1, -1)]
    for path in [*own, *named, machine.which("clang++")]:
        if path is not None and _runs(path):
            version = clang_version(machine, path)
            if version and int(version.split(".")[0]) >= _FIRST_LAUNCHING_CLANG:
                return path, version
    return None, ""


def clang_version(machine: Machine, path: Path) -> str:
    """The version that a clang says it has."""
    match = re.search(r"clang version (\d+[\d.]*)", machine.call(path, "--version").out)
    return match[1] if match else ""


def _own_choice(machine: Machine) -> str:
    """The platform that hipcc would take by itself: NVIDIA's, where it sees a CUDA toolkit."""
    said = machine.environ.get("HIP_PLATFORM", "")
    if said in (AMD, NVIDIA):
        return said
    return NVIDIA if machine.which("nvcc") else AMD


@dataclass(frozen=True)
class Nvcc:
    """CUDA's compiler, the one behind HIP's NVIDIA platform."""

    path: Path
    version: str


def find_nvcc(machine: Machine) -> Nvcc | None:
    """The first nvcc there is."""
    places = [machine.which("nvcc")]
    for variable in ("CUDA_PATH", "CUDA_HOME"):
        if machine.environ.get(variable):
            places.append(Path(machine.environ[variable]) / "bin" / "nvcc")
    places.append(machine.at("/usr/local/cuda/bin/nvcc"))
    for path in places:
        if path is not None and _runs(path):
            match = re.search(r"release (\d+\.\d+)", machine.call(path, "--version").out)
            return Nvcc(path, match[1] if match else "")
    return None


def target_for(hip: str) -> str:
    """The release to translate for with a hipcc: the latest that hipify-py knows and is no later, else the first."""
    from hipify.rules.target import KNOWN_ROCM, label, supported

    major, minor = (*(int(part) for part in re.findall(r"\d+", hip)[:2]), 0, 0)[:2]
    return label(supported((major, minor)) or KNOWN_ROCM[0])


@cache
def this_machine() -> Machine:
    """The machine that we run on."""
    return Machine()

"""What `hipify-py doctor` looks at, as plain values, and how it says it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from hipify.build import install, nvidia
from hipify.build.machine import Machine
from hipify.build.toolchain import NVIDIA, Nvcc, Toolchain, find, find_nvcc
from hipify.cli.releases import Choice, compiled_target, installed_cuda, installed_target
from hipify.installed import passed_over
from hipify.project.build_files.flags import DEFAULT_ARCHS

_DEVICES = ("/dev/kfd", "/dev/dri")
_CONTAINER_FLAGS = {
    "/dev/kfd": "--device=/dev/kfd",
    "/dev/dri": "--device=/dev/dri",
}
_ALWAYS = "--security-opt seccomp=unconfined"


@dataclass(frozen=True)
class Health:
    """Everything that was found out."""

    machine: Machine
    hipcc: Toolchain | None
    nvcc: Nvcc | None

    @classmethod
    def of(cls, machine: Machine, hipcc: str = "") -> Health:
        """Look at a machine."""
        return cls(machine, find(machine, hipcc), find_nvcc(machine))

    @cached_property
    def target(self) -> Choice:
        """The release that translations are for when nobody says."""
        return installed_target(self.machine.environ, str(self.machine.root))

    @property
    def build_target(self) -> Choice:
        """The release that what is compiled at once is for: hipcc's own, or the nearest to it."""
        return compiled_target(self.hipcc) or self.target

    @cached_property
    def cuda(self) -> Choice:
        """The CUDA release that sources are taken to be written for when neither anybody nor they say."""
        return installed_cuda(self.machine.environ, str(self.machine.root))

    @property
    def builds(self) -> bool:
        """Whether HIP can be compiled for AMD GPUs."""
        return self.hipcc is not None and self.hipcc.usable and not any(self._lost(self.hipcc))

    @property
    def runs(self) -> bool:
        """Whether programs can be run on a GPU."""
        return bool(self.machine.gpus.archs) and not any(map(self.machine.device, _DEVICES))

    @property
    def nvidia_headers(self) -> Path | None:
        """Where HIP's headers for NVIDIA GPUs are, which --platform nvidia takes."""
        return nvidia.headers(self.machine, hipcc=str(self.hipcc.path) if self.hipcc else "")[0]

    @property
    def archs(self) -> tuple[str, ...]:
        """What a build is for when nobody says."""
        return self.machine.gpus.distinct or DEFAULT_ARCHS

    def missing(self) -> list[tuple[str, str]]:
        """What is missing, and the command that brings it."""
        parts = [install.HIPCC] if self.hipcc is None else [*self._lost(self.hipcc)]
        if not self.machine.gpus.tools:
            parts.append(install.ROCMINFO)
        if self.hipcc is not None:
            parts += [p for p in install.LIBRARIES if not (self.hipcc.headers / p.header).exists()]
        system = self.machine.distribution, self.machine.distribution_release
        found = [(part.name, install.command(part, *system)) for part in parts]
        if not self.machine.driver:
            how = "on the host: modprobe amdgpu" if self.machine.container else "modprobe amdgpu"
            found.append(("kernel driver", f"{how} (Linux has it; newer GPUs need AMD's amdgpu-dkms)"))
        return found

    @staticmethod
    def _lost(hipcc: Toolchain) -> Iterator[install.Part]:
        if not hipcc.usable:
            yield install.CLANG
        if hipcc.device_libs is None:
            yield install.DEVICE_LIBS
        if not (hipcc.headers / install.HEADERS.header).exists():
            yield install.HEADERS


def as_text(health: Health) -> str:
    """The report for people."""
    lines = [*_compilers(health), *_gpus(health), *_access(health), *_missing(health)]
    return "".join(f"{line}\n" for line in lines)


def _compilers(health: Health) -> Iterator[str]:
    hipcc, nvcc = health.hipcc, health.nvcc
    if hipcc is None:
        yield "hipcc: not found (looked at --hipcc, HIPCC, ROCM_PATH, HIP_PATH, PATH and the usual prefixes)"
    else:
        yield f"hipcc: {hipcc.path} (found by {hipcc.found_by})"
    for setting in passed_over(health.machine.environ, hipcc.found_by if hipcc else ""):
        yield f"  {setting} was passed over: it leads to no hipcc"
    if hipcc is not None:
        release = f", ROCm {hipcc.rocm}" if hipcc.rocm else ""
        yield f"  version: HIP {hipcc.hip or 'unknown'}{release}"
        if hipcc.problem:
            yield f"  does not start: {hipcc.problem}"
        if hipcc.direct and hipcc.usable:
            yield f"  called instead: {hipcc.program}"
        yield f"  clang: {hipcc.clang or 'not found'}"
        yield f"  headers: {hipcc.headers / 'hip' if (hipcc.headers / 'hip').is_dir() else 'not found'}"
        yield f"  device libraries: {hipcc.device_libs or 'not found'}"
        own = f"hipcc alone would choose {NVIDIA}" if hipcc.platform == NVIDIA else "hipcc's own choice"
        yield f"  platform: amd ({own})"
        there = [p.name for p in install.LIBRARIES if (hipcc.headers / p.header).exists()]
        yield f"  libraries: {', '.join(there) or 'none'}"
    yield f"nvcc: {nvcc.path}, CUDA {nvcc.version or 'unknown'}" if nvcc else "nvcc: not found"
    if nvcc:
        yield f"  HIP's headers for NVIDIA GPUs: {health.nvidia_headers or 'not found'}"
    yield f"translations are for: ROCm {health.target.release}, {health.target.origin}; --target chooses"
    built = health.build_target
    if built.release != health.target.release:
        yield f"  those of build, --build, --run and --check: ROCm {built.release}, {built.origin}"
    known = health.cuda.release or "of no known release"
    yield f"sources are for: CUDA {known}, {health.cuda.origin}; --cuda-version chooses"


def _gpus(health: Health) -> Iterator[str]:
    gpus = health.machine.gpus
    if gpus.archs:
        counted = [f"{gpus.archs.count(a)} x {a}" if gpus.archs.count(a) > 1 else a for a in gpus.distinct]
        yield f"AMD GPUs: {', '.join(counted)} ({gpus.seen_by})"
        yield f"a build is for: {', '.join(health.archs)}, the GPUs here; --offload-arch chooses others"
    else:
        yield f"AMD GPUs: none ({gpus.reason})"
        yield f"a build is for: {', '.join(health.archs)}, the default where no GPU is seen; --offload-arch chooses"


def _access(health: Health) -> Iterator[str]:
    machine = health.machine
    yield f"kernel driver: amdgpu is {'loaded' if machine.driver else 'not loaded'}"
    for device in _DEVICES:
        problem = machine.device(device)
        yield f"{device}: {problem or 'can be opened'}"
    groups = machine.missing_groups
    if groups:
        yield f"groups: {machine.user} is not in {' and '.join(groups)}: usermod -aG {','.join(groups)} {machine.user}"
    else:
        yield f"groups: {machine.user} needs no other"
    if machine.container:
        flags = [flag for device, flag in _CONTAINER_FLAGS.items() if machine.device(device)]
        flags += [f"--group-add {group}" for group in groups]
        yield f"container: {machine.container}" + (f"; start it with {' '.join([*flags, _ALWAYS])}" if flags else "")


def _missing(health: Health) -> Iterator[str]:
    missing = health.missing()
    if missing:
        yield "missing:"
        for name, command in missing:
            yield f"  {name}: {command}"
    yield f"can build for AMD GPUs: {'yes' if health.builds else 'no'}"
    yield f"can run on an AMD GPU: {'yes' if health.runs else 'no'}"


def as_values(health: Health) -> dict[str, object]:
    """The report for programs."""
    hipcc, nvcc, machine = health.hipcc, health.nvcc, health.machine
    return {
        "hipcc": None
        if hipcc is None
        else {
            "path": str(hipcc.path),
            "found_by": hipcc.found_by,
            "hip": hipcc.hip,
            "rocm": hipcc.rocm,
            "clang": hipcc.clang,
            "called": str(hipcc.program) if hipcc.usable else None,
            "problem": hipcc.problem,
            "device_libraries": str(hipcc.device_libs) if hipcc.device_libs else None,
        },
        "nvcc": {"path": str(nvcc.path), "cuda": nvcc.version} if nvcc else None,
        "nvidia_headers": str(health.nvidia_headers) if health.nvidia_headers else None,
        "target": health.target.release,
        "target_origin": health.target.origin,
        "build_target": health.build_target.release,
        "build_target_origin": health.build_target.origin,
        "cuda_version": health.cuda.release or None,
        "cuda_version_origin": health.cuda.origin,
        "gpus": list(machine.gpus.archs),
        "offload_archs": list(health.archs),
        "driver": machine.driver,
        "devices": {device: machine.device(device) or None for device in _DEVICES},
        "missing_groups": list(machine.missing_groups),
        "container": machine.container or None,
        "missing": [{"name": name, "install": command} for name, command in health.missing()],
        "builds": health.builds,
        "runs": health.runs,
    }

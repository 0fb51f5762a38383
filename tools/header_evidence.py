"""Ask clang which names a ROCm release really declares.

Every name is put into one program as a using-declaration (or, for a macro, an `#ifdef`), which is compiled against
the release's headers for host and device; the lines that fail are the names that do not exist. This sees what a
user's program would see: no comment, no branch for another platform, no name of an internal namespace counts.
"""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

_ERROR = re.compile(r"probe\.hip:(\d+):\d+: (?:fatal )?error: (.*)")
_IDENT = re.compile(r"[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*\Z")

# By the first letters of a name: the include folder that must exist for a verdict, and what to include. The first
# pattern that matches decides.
GROUPS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("hipblasLt|HIPBLASLT_", "hipblaslt", ("hipblaslt/hipblaslt.h",)),
    ("hipblas|HIPBLAS", "hipblas", ("hipblas/hipblas.h",)),
    ("hipfft|HIPFFT_|hipLibXt|hipXtDesc", "hipfft", ("hipfft/hipfft.h", "hipfft/hipfftXt.h", "hipfft/hiplibxt.h")),
    ("hiprand|HIPRAND_|mtgp32|skipahead", "hiprand", ("hiprand/hiprand.h", "hiprand/hiprand_kernel.h")),
    ("hipsparseLt|HIPSPARSELT_", "hipsparselt", ("hipsparselt/hipsparselt.h",)),
    ("hipsparse|HIPSPARSE|[bc]sr|prune|color", "hipsparse", ("hipsparse/hipsparse.h",)),
    ("hipsolver|HIPSOLVER|syevj|gesvdj", "hipsolver", ("hipsolver/hipsolver.h",)),
    ("hiptensor|HIPTENSOR_", "hiptensor", ("hiptensor/hiptensor.h",)),
    ("hipFile|HIPFILE_|HIP_FILE_", "hipfile.h", ("hipfile.h",)),
    ("hipdnn|HIPDNN_", "hipdnn", ("hipdnn/backend/hipdnn_backend.h",)),
    ("hipcub|_*HIPCUB|_?Hipcub|(BEGIN|END)_HIPCUB|cub::|_*CUB_", "hipcub", ("hipcub/hipcub.hpp",)),
    ("p?nccl|NCCL_", "rccl", ("rccl/rccl.h",)),
    ("roctx", "roctracer", ("roctracer/roctx.h",)),
    ("rocblas|ROCBLAS_", "rocblas", ("rocblas/rocblas.h",)),
    ("rocsparse", "rocsparse", ("rocsparse/rocsparse.h",)),
    ("rocsolver", "rocsolver", ("rocsolver/rocsolver.h",)),
    ("rocrand|ROCRAND_", "rocrand", ("rocrand/rocrand.h", "rocrand/rocrand_kernel.h")),
    ("miopen", "miopen", ("miopen/miopen.h",)),
    ("hipRound|__hip_(cvt_.*_to_)?fp4|__HIP_E2M1", "hip/hip_fp4.h", ("hip/hip_fp4.h",)),
    ("hiprandMakeMTGP32", "hiprand", ("hiprand/hiprand_mtgp32_host.h",)),
    (
        "",
        "hip",
        (
            "hip/hip_runtime.h",
            "hip/hip_runtime_api.h",
            "hip/hip_fp16.h",
            "hip/hip_bf16.h",
            "hip/hip_bfloat16.h",
            "hip/hip_fp8.h",
            "hip/hip_complex.h",
            "hip/hiprtc.h",
            "hip/hip_cooperative_groups.h",
            "hip/hip_gl_interop.h",
            "hip/hip_math_constants.h",
            "hip/library_types.h",
            "hip/hip_ext.h",
            "hip/surface_types.h",
        ),
    ),
)

# Headers that miss a part here (a third party's, or a package that was cut): their text is searched instead.
TEXT_GROUPS: tuple[tuple[str, str], ...] = (("rsmi_|RSMI_", "rocm_smi"), ("rocwmma", "rocwmma"))

# What every compiler run knows without a header.
BUILTIN = frozenset(
    (
        "int",
        "bool",
        "void*",
        "uint32_t",
        "__builtin_trap",
        "__builtin_debugtrap",
        "hipcub",
        "__HIP_NO_HALF_OPERATORS__",
        "__HIP_NO_HALF_CONVERSIONS__",
        "assert",
        "alloca",
        "malloc",
        "free",
        "printf",
        "memcpy",
        "memset",
        "__global__",
        "__device__",
        "__host__",
        "__shared__",
        "__constant__",
        "__managed__",
        "__launch_bounds__",
        "__forceinline__",
        "__noinline__",
        "__restrict__",
    )
)


class HeaderTrouble(Exception):
    """The headers do not compile here, as when a third party's are missing."""


@dataclass
class Evidence:
    """What one release declares. `has` answers None when the release's headers for a name are not at hand."""

    present: set[str] = field(default_factory=set)
    absent: set[str] = field(default_factory=set)

    def has(self, name: str) -> bool | None:
        """Whether the release declares this name."""
        return True if name in self.present else False if name in self.absent else None


def probe(usr: Path, names: set[str], fields: set[str]) -> Evidence:
    """Which of the names and struct members the headers under `usr` declare."""
    include = usr / "include"
    evidence = Evidence(present=set(names) & BUILTIN)
    classes = {name.rpartition("::")[0] for name in names if name.count("::") >= 2}
    left = {name for name in names | fields | classes if _IDENT.match(name)} - BUILTIN
    for pattern, folder in TEXT_GROUPS:
        group = {name for name in left if re.match(pattern, name)}
        left -= group
        if (include / folder).exists():
            found = _spelled(include / folder, group)
            evidence.present |= found
            evidence.absent |= group - found
    verdict = {name for name in left if (include / _folder(name)).exists()}
    headers = [h for *_, group_headers in reversed(GROUPS) for h in group_headers if (include / h).exists()]
    found = _declared(usr, headers, sorted(verdict), fields)
    found -= _host_only(usr, found)
    evidence.present |= found
    evidence.absent |= verdict - found
    return evidence


@functools.cache
def _folder(name: str) -> str:
    return next(folder for pattern, folder, _ in GROUPS if re.match(pattern, name))


def _declared(usr: Path, headers: list[str], names: list[str], fields: set[str]) -> set[str]:
    """The names that compile on the host or on the device."""
    lines = ["#include <cstring>", "#include <cstdio>", "#include <cassert>", "#include <cmath>"]
    lines += [f"#include <{header}>" for header in headers]
    where: dict[int, str] = {}
    for name in names:
        lines += [f"#ifndef {name}"] if "::" not in name else ["#if 1"]
        lines.append(_line(name, name in fields, len(lines)))
        where[len(lines)] = name
        lines.append("#endif")
    program = "\n".join(lines) + "\n"
    sides = [_failures(usr, program, side, where) for side in ("--cuda-host-only", "--cuda-device-only")]
    missing = {name: message for name, message in sides[0].items() if name in sides[1]}
    # A member of a class template cannot be named without arguments: the text must do.
    known = set(names) - missing.keys()
    unclear = {
        n for n, message in missing.items() if n.rpartition("::")[0] in known and not message.startswith("no member")
    }
    return known | _spelled(usr / "include" / "hipcub", unclear)


def _host_only(usr: Path, names: set[str]) -> set[str]:
    """The names that only the C library declares, so that no device code can call them."""
    candidates = sorted(name for name in names if "::" not in name)
    lines = [f"#include <{h}>" for h in ("cmath", "cstdlib", "cstring", "cstdio", "ctime", "strings.h")]
    where: dict[int, str] = {}
    for name in candidates:
        lines.append(_line(name, False, len(lines)))
        where[len(lines)] = name
    undeclared = _failures(usr, "\n".join(lines) + "\n", "", where)
    libc = set(candidates) - undeclared.keys()
    resources = Path(subprocess.run([_clang(), "-print-resource-dir"], capture_output=True, text=True).stdout.strip())
    return libc - _spelled(resources / "include", libc, "__clang_*") - _spelled(usr / "include" / "hip", libc)


def _spelled(folder: Path, names: set[str], files: str = "*") -> set[str]:
    """The names whose last part is a word of the header text: weaker evidence, where clang cannot read the headers."""
    paths = [folder] if folder.is_file() else [p for p in folder.rglob(files) if p.is_file()]
    words = {w for path in paths for w in re.findall(r"[A-Za-z_]\w*", path.read_text("utf-8", "replace"))}
    return {name for name in names if name.rpartition("::")[2] in words}


def _line(name: str, member: bool, number: int) -> str:
    space = f"probe_{number}"
    struct, _, last = name.rpartition("::")
    if member:
        return f"namespace {space} {{ using type = decltype(::{struct}::{last}); }}"
    if name.count("::") >= 2:
        return f"namespace {space} {{ struct type : ::{struct} {{ using ::{struct}::{last}; }}; }}"
    return f"namespace {space} {{ using ::{name}; }}"


def _failures(usr: Path, program: str, side: str, where: dict[int, str]) -> dict[str, str]:
    """The names whose lines do not compile, with clang's message."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "probe.hip"
        path.write_text(program, encoding="utf-8")
        command = [*_hip_flags(usr, side), str(path)] if side else ["-x", "c++", "-fsyntax-only", str(path)]
        result = subprocess.run([_clang(), *command, *_PLAIN], capture_output=True, text=True, check=False)
    failed: dict[str, str] = {}
    for line, message in _ERROR.findall(result.stderr):
        name = where.get(int(line))
        if name is None:
            raise HeaderTrouble(f"the headers under {usr} do not compile: line {line}: {message}")
        failed.setdefault(name, message)
    if result.returncode and not failed:
        errors = [line for line in result.stderr.splitlines() if "error" in line]
        raise HeaderTrouble(errors[0] if errors else "clang failed")
    return failed


_PLAIN = ("-w", "-std=c++17", "-ferror-limit=0", "-fno-caret-diagnostics", "-fno-color-diagnostics")


@functools.cache
def _clang() -> str:
    clang = next((c for c in ("clang++-22", "clang++-21", "clang++-20", "clang++") if shutil.which(c)), None)
    if clang is None:
        raise HeaderTrouble("no clang++ is installed")
    return clang


def _hip_flags(usr: Path, side: str) -> list[str]:
    text = (usr / "include/hip/hip_version.h").read_text()
    major = re.search(r"HIP_VERSION_MAJOR\s+(\d+)", text)
    old = ["-D__AMDGCN_WAVEFRONT_SIZE=64"] if major and int(major[1]) < 7 else []
    # gfx90a, not gfx942: the one with image instructions, so that texture functions count.
    platform = ["--offload-arch=gfx90a", "-nogpulib", f"--rocm-path={usr}", "-D__HIP_PLATFORM_AMD__=1", *old]
    return ["-x", "hip", side, "-fsyntax-only", *platform, "-isystem", f"{usr}/include"]

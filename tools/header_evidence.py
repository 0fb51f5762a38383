"""Ask clang which names a ROCm release really declares.

Every name is put into one program as a using-declaration (or, for a macro, an `#ifdef`), which is compiled against
the release's headers for host and device; the lines that fail are the names that do not exist. This sees what a
user's program would see: no comment, no branch for another platform, no name of an internal namespace counts.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

_ERROR = re.compile(r"probe\.hip:(\d+):\d+: (?:fatal )?error: (.*)")
_IDENT = re.compile(r"[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*\Z")
_PROGRAM_LINES = re.compile(r"^(?:using|struct|#)", re.MULTILINE)

# By the first letters of a name: the include folder that must exist for a verdict, and what to include.
GROUPS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("hipblasLt|HIPBLASLT_", "hipblaslt", ("hipblaslt/hipblaslt.h",)),
    ("hipblas|HIPBLAS_", "hipblas", ("hipblas/hipblas.h", "hipblaslt/hipblaslt.h")),
    ("hipfft|HIPFFT_", "hipfft", ("hipfft/hipfft.h", "hipfft/hipfftXt.h")),
    ("hiprand|HIPRAND_", "hiprand", ("hiprand/hiprand.h", "hiprand/hiprand_kernel.h")),
    ("hipsparseLt|HIPSPARSELT_", "hipsparselt", ("hipsparselt/hipsparselt.h",)),
    ("hipsparse|HIPSPARSE_", "hipsparse", ("hipsparse/hipsparse.h",)),
    ("hipsolver|HIPSOLVER_", "hipsolver", ("hipsolver/hipsolver.h",)),
    ("hiptensor|HIPTENSOR_", "hiptensor", ("hiptensor/hiptensor.h",)),
    ("hipFile|HIPFILE_|HIP_FILE_", "hipfile.h", ("hipfile.h",)),
    ("hipdnn|HIPDNN_", "hipdnn", ("hipdnn/backend/hipdnn_backend.h",)),
    ("hipcub", "hipcub", ("hipcub/hipcub.hpp",)),
    ("nccl|NCCL_|pnccl", "rccl", ("rccl/rccl.h",)),
    ("roctx", "roctracer", ("roctracer/roctx.h",)),
    ("rsmi_|RSMI_", "rocm_smi", ("rocm_smi/rocm_smi.h",)),
    ("rocblas|ROCBLAS_", "rocblas", ("rocblas/rocblas.h",)),
    ("rocsparse", "rocsparse", ("rocsparse/rocsparse.h",)),
    ("rocsolver", "rocsolver", ("rocsolver/rocsolver.h",)),
    (
        "rocrand|ROCRAND_",
        "rocrand",
        ("rocrand/rocrand.h", "rocrand/rocrand_kernel.h", "rocrand/rocrand_mtgp32_11213.h"),
    ),
    ("mtgp32", "hiprand", ("hiprand/hiprand.h", "hiprand/hiprand_kernel.h", "hiprand/hiprand_mtgp32_host.h")),
    ("miopen", "miopen", ("miopen/miopen.h",)),
    ("rocwmma", "rocwmma", ("rocwmma/rocwmma.hpp",)),
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
            "hip/hip_fp4.h",
            "hip/hip_complex.h",
            "hip/hiprtc.h",
            "hip/hip_cooperative_groups.h",
            "hip/hip_gl_interop.h",
            "hip/hip_math_constants.h",
            "hip/library_types.h",
            "hip/hip_ext.h",
            "hip/surface_types.h",
            "hip/hip_deprecated.h",
        ),
    ),
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


def probe(release: str, usr: Path, names: set[str], fields: set[str]) -> Evidence:
    """Which of the names and struct members the headers under `usr` declare."""
    evidence = Evidence()
    include = usr / "include"
    left = {name for name in names if _IDENT.match(name)}
    members = set(fields)
    for pattern, folder, headers in GROUPS:
        match = re.compile(pattern).match
        group = {name for name in left if match(name)}
        group_members = {name for name in members if match(name)}
        left -= group
        members -= group_members
        if not (group or group_members) or not (include / folder).exists():
            continue
        present = [h for h in headers if (include / h).exists()]
        try:
            found = _declared(usr, present, sorted(group | group_members), fields)
        except HeaderTrouble as trouble:
            print(f"make_tables: {release}: {folder}: {trouble}; its names are searched as text", file=sys.stderr)
            found = _spelled(include / folder, group | group_members)
        evidence.present |= found
        evidence.absent |= (group | group_members) - found
    return evidence


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
    missing: set[str] | None = None
    for side in ("--cuda-host-only", "--cuda-device-only"):
        failed = _failures(usr, "\n".join(lines) + "\n", side, where)
        missing = failed if missing is None else missing & failed
    return set(names) - (missing or set())


def _spelled(folder: Path, names: set[str]) -> set[str]:
    """The names whose last part is a word of the header text: weaker evidence, where clang cannot read the headers."""
    files = [folder] if folder.is_file() else [p for p in folder.rglob("*") if p.is_file()]
    words = {w for path in files for w in re.findall(r"[A-Za-z_]\w*", path.read_text("utf-8", "replace"))}
    return {name for name in names if name.rpartition("::")[2] in words}


def _line(name: str, member: bool, number: int) -> str:
    space = f"probe_{number}"
    struct, _, last = name.rpartition("::")
    if member:
        return f"namespace {space} {{ using type = decltype(::{struct}::{last}); }}"
    if name.count("::") >= 2:
        return f"namespace {space} {{ struct type : ::{struct} {{ using ::{struct}::{last}; }}; }}"
    return f"namespace {space} {{ using ::{name}; }}"


def _failures(usr: Path, program: str, side: str, where: dict[int, str]) -> set[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "probe.hip"
        path.write_text(program, encoding="utf-8")
        result = subprocess.run([*_compiler(usr, side), str(path)], capture_output=True, text=True, check=False)
    failed = set()
    for line, message in _ERROR.findall(result.stderr):
        name = where.get(int(line))
        if name is None:
            raise HeaderTrouble(f"line {line}: {message}")
        failed.add(name)
    if result.returncode and not failed:
        lines = [line for line in result.stderr.splitlines() if "error" in line]
        raise HeaderTrouble(lines[0] if lines else "clang failed")
    return failed


def _compiler(usr: Path, side: str) -> list[str]:
    clang = next((c for c in ("clang++-22", "clang++-21", "clang++-20", "clang++") if shutil.which(c)), None)
    if clang is None:
        raise SystemExit("make_tables: no clang++ is installed")
    text = (usr / "include/hip/hip_version.h").read_text() if (usr / "include/hip/hip_version.h").exists() else ""
    major = re.search(r"HIP_VERSION_MAJOR\s+(\d+)", text)
    old = ["-D__AMDGCN_WAVEFRONT_SIZE=64"] if major and int(major[1]) < 7 else []
    # gfx90a, not gfx942: the one with image instructions, so that texture functions count.
    return [
        clang, "-x", "hip", side, "-fsyntax-only", "--offload-arch=gfx90a", "-std=c++17", "-w", "-nogpulib",
        f"--rocm-path={usr}", "-D__HIP_PLATFORM_AMD__=1", *old, "-ferror-limit=0", "-fno-caret-diagnostics",
        "-fno-color-diagnostics", "-isystem", f"{usr}/include",
    ]  # fmt: skip

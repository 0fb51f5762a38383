"""Folders that look like machines. Their hipcc, rocminfo and nvcc are test doubles: scripts that print a fixed text."""

from __future__ import annotations

import shutil
from pathlib import Path

from hipify.build.machine import Machine

ROCMINFO = """\
ROCk module is loaded
Agent 1
  Name:                    AMD EPYC 7A53 64-Core Processor
Agent 2
  Name:                    gfx90a
  ISA Info:
      Name:                    amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-
Agent 3
  Name:                    gfx90a
Agent 4
  Name:                    gfx1100
"""
HIPCC = "HIP version: 6.4.43482-0f2d60242\nAMD clang version 19.0.0git (roc-6.4.0)\nTarget: x86_64-unknown-linux-gnu\n"


def program(path: Path, out: str = "", err: str = "", status: int = 0) -> Path:
    """A program that prints and ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\ncat <<'EOF'\n{out}EOF\ncat >&2 <<'EOF'\n{err}EOF\nexit {status}\n")
    path.chmod(0o755)
    return path


def rocm(prefix: Path, hipcc: str = HIPCC, release: str = "6.4.0") -> Path:
    """A ROCm installation below a prefix; gives the prefix."""
    program(prefix / "bin" / "hipcc", hipcc)
    for name in ("include/hip/hip_runtime.h", "include/hipblas/hipblas.h", "include/hiprand/hiprand.h"):
        (prefix / name).parent.mkdir(parents=True, exist_ok=True)
        (prefix / name).touch()
    (prefix / "amdgcn" / "bitcode").mkdir(parents=True)
    (prefix / "amdgcn" / "bitcode" / "ocml.bc").touch()
    (prefix / ".info").mkdir()
    (prefix / ".info" / "version").write_text(f"{release}-47\n")
    return prefix


def machine(root: Path, system: str = "debian", release: str = "13", **environ: str) -> Machine:
    """A machine whose PATH is its own /usr/bin, behind a folder with sh and little else."""
    for folder in ("etc", "usr/bin", "opt", "tools"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    for tool in ("sh", "cat", "chmod", "make"):
        if not (root / "tools" / tool).exists():
            (root / "tools" / tool).symlink_to(shutil.which(tool) or f"/bin/{tool}")
    (root / "etc" / "os-release").write_text(f'NAME="Some Linux"\nID={system}\nVERSION_ID="{release}"\n')
    return Machine({"PATH": f"{root}/usr/bin:{root}/tools", **environ}, root)


def with_gpus(root: Path) -> None:
    """Put a loaded driver, its devices and three GPUs into a machine."""
    (root / "sys/module/amdgpu").mkdir(parents=True)
    (root / "dev/dri").mkdir(parents=True)
    (root / "dev/kfd").touch()
    (root / "dev/dri/renderD128").touch()
    program(root / "usr/bin/rocminfo", ROCMINFO)


def recorder(path: Path, log: Path, made: str = "exit 0") -> Path:
    """A test double of a compiler: it logs HIP_PLATFORM and its words, and makes a script of every output."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "#!/bin/sh\n"
        f"if [ \"$1\" = --version ]; then cat <<'EOF'\n{HIPCC}Cuda compilation tools, release 12.4, V12.4.131\nEOF\n"
        "exit 0; fi\n"
        'if [ "$1" = --dryrun ]; then exit 0; fi\n'
        f'echo "HIP_PLATFORM=$HIP_PLATFORM $*" >> {log}\n'
        'while [ $# -gt 0 ]; do if [ "$1" = -o ]; then out="$2"; fi; shift; done\n'
        f'if [ -n "$out" ] && [ "$out" != /dev/null ]; then cat > "$out" <<\'EOF\'\n#!/bin/sh\n{made}\nEOF\n'
        'chmod 755 "$out"; fi\n'
    )
    path.chmod(0o755)
    return path

"""Folders that look like machines. Their hipcc, rocminfo and nvcc are test doubles: scripts that print a fixed text."""

from __future__ import annotations

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
    """A machine whose PATH is its own /usr/bin, behind the folder of sh and cat."""
    for folder in ("etc", "usr/bin", "opt", "tools"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    for tool in ("sh", "cat"):
        if not (root / "tools" / tool).exists():
            (root / "tools" / tool).symlink_to(f"/bin/{tool}")
    (root / "etc" / "os-release").write_text(f'NAME="Some Linux"\nID={system}\nVERSION_ID="{release}"\n')
    return Machine({"PATH": f"{root}/usr/bin:{root}/tools", **environ}, root)


def with_gpus(root: Path) -> None:
    """Put a loaded driver, its devices and three GPUs into a machine."""
    (root / "sys/module/amdgpu").mkdir(parents=True)
    (root / "dev/dri").mkdir(parents=True)
    (root / "dev/kfd").touch()
    (root / "dev/dri/renderD128").touch()
    program(root / "usr/bin/rocminfo", ROCMINFO)

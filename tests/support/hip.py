"""Compile HIP sources for AMD GPUs with real headers, in tests: the line that hipcc would run, with Debian's clang."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMPILER = "clang++-22"
HELPERS = ROOT / "hipify" / "include"
_DIAGNOSTIC = re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):(?P<column>\d+): (?:fatal )?error: (?P<message>.*)$")


class ToolMissing(Exception):
    """A compiler or its headers are not here; the message says how they come."""


@dataclass(frozen=True)
class CompileError:
    """One error of the compiler."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


@functools.cache
def rocm_folder(release: str) -> Path:
    """The `usr` folder of a ROCm release, brought on first use."""
    command = [sys.executable, str(ROOT / "tools" / "rocm_headers.py"), release]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ToolMissing(done.stderr.strip() or f"tools/rocm_headers.py {release} failed")
    return Path(done.stdout.strip().splitlines()[-1])


def command_line(path: Path, rocm: str, arch: str, fast: bool, flags: Sequence[str]) -> list[str]:
    """How one HIP file is compiled."""
    if not shutil.which(COMPILER):
        raise ToolMissing(f"no {COMPILER} here; make test-deps installs it")
    usr = rocm_folder(rocm)
    bitcode = sorted([*usr.glob("lib/llvm-*/lib/clang/*/amdgcn/bitcode"), *usr.glob("lib/*/amdgcn/bitcode")])
    line = [COMPILER, "-x", "hip", f"--offload-arch={arch}", f"--rocm-path={usr}", "-D__HIP_PLATFORM_AMD__=1"]
    line += ["-std=c++17", "-w", "-ferror-limit=0", "-fno-caret-diagnostics", "-fno-color-diagnostics"]
    line += [f"--rocm-device-lib-path={bitcode[-1]}"] if bitcode else []
    if not rocm.startswith("7"):  # a macro that clang 22 no longer has and those headers ask for
        line.append(f"-D__AMDGCN_WAVEFRONT_SIZE={32 if arch.startswith('gfx1') else 64}")
    line += ["-I", str(HELPERS), *flags, "-isystem", str(usr / "include")]
    return [*line, "-fsyntax-only" if fast else "-c", str(path), *([] if fast else ["-o", "/dev/null"])]


def compile_hip(
    path: Path, rocm: str = "7.2", arch: str = "gfx942", fast: bool = True, flags: Sequence[str] = ()
) -> list[CompileError]:
    """Compile one HIP file, device and host; the errors, none when it compiles."""
    command = command_line(path, rocm, arch, fast, flags)
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=300)
    errors = _errors(done.stderr)
    if done.returncode:  # a failed device pass hides the host's errors
        host = subprocess.run(
            [*command, "--cuda-host-only"], capture_output=True, text=True, errors="replace", check=False, timeout=300
        )
        errors += [error for error in _errors(host.stderr) if error not in errors]
    if done.returncode and not errors:
        errors = [CompileError(str(path), 0, (done.stderr.strip().splitlines() or ["no message"])[-1])]
    return errors


def compile_many(jobs: Sequence[tuple[Path, str, Sequence[str]]], rocm: str = "7.2") -> list[list[CompileError]]:
    """Compile files, each with its offload arch and flags, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda job: compile_hip(job[0], rocm, job[1], flags=job[2]), jobs))


def _errors(text: str) -> list[CompileError]:
    found = (_DIAGNOSTIC.match(line) for line in text.splitlines())
    return list(dict.fromkeys(CompileError(m["file"], int(m["line"]), m["message"]) for m in found if m))

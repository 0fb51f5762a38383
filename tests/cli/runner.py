"""Run the program as its own process, or as a call, in a folder of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

CUDA = b"""#include <cuda_runtime.h>

__global__ void fill(int *out) { out[threadIdx.x] = 1; }

int main() {
  int *data;
  cudaMalloc(&data, 64);
  fill<<<1, 16>>>(data);
  cudaFree(data);
  return 0;
}
"""
"""A program that translates without a finding."""

UNKNOWN = b"#include <cuda_runtime.h>\nint main() { return cudaGetFlyingSaucerCount(0); }\n"
"""A program with one call that is CUDA's by its spelling and has no counterpart."""


def environment() -> dict[str, str]:
    """The environment for a process that must find this checkout."""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def command(*arguments: str) -> list[str]:
    """The command line of a process."""
    return [sys.executable, "-m", "hipify", *arguments]


def run(folder: Path, *arguments: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the program in a folder, with `data` as its standard input."""
    return subprocess.run(command(*arguments), cwd=folder, env=environment(), input=data, capture_output=True)


def names(folder: Path) -> list[str]:
    """What lies in a folder."""
    return sorted(path.name for path in folder.iterdir())

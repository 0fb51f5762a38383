"""The distribution's own hipcc builds, links and starts programs of the corpus; without a GPU they say so."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.corpus import programs
from tests.support.hip import HELPERS

PROGRAMS = {program.name: program for program in programs()}
# None of these needs more than the oldest hipcc that Debian has (HIP 5.2).
BUILT = ("saxpy", "scan", "tiled_gemm", "nbody", "constant_memory")


@pytest.mark.parametrize("name", BUILT)
def test_hipcc_builds_and_the_program_starts(name: str, tmp_path: Path) -> None:
    hipcc = shutil.which("hipcc")
    assert hipcc, "no hipcc here; make test-deps installs it"
    source = PROGRAMS[name].expected / "main.hip"
    built = tmp_path / name
    environment = {**os.environ, "HIP_PLATFORM": "amd"}  # hipcc would choose NVIDIA where it sees nvcc
    command = [hipcc, "-x", "hip", "--offload-arch=gfx90a", "-std=c++17", "-w", "-I", str(HELPERS), str(source)]
    done = subprocess.run(
        [*command, "-o", str(built)], capture_output=True, text=True, env=environment, check=False, timeout=200
    )
    assert done.returncode == 0, done.stderr[-2000:]
    ran = subprocess.run([built], capture_output=True, text=True, check=False, timeout=60)
    if not Path("/dev/kfd").exists():
        assert ran.returncode != 0
        assert "PASS" not in ran.stdout
    else:
        assert "PASS" in ran.stdout

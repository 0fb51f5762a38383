"""Device code of several files, linked by hand (`nvcc -dlink`, then g++): the converted makefile builds with hipcc."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hipify.cli.main import main

MAKEFILE = """\
NVCC = nvcc
NVCCFLAGS = -O1 -arch=sm_70
OBJS = a.o b.o

prog: main.o $(OBJS) link.o
	g++ -o $@ main.o $(OBJS) link.o -L/usr/local/cuda/lib64 -lcudadevrt -lcudart

link.o: $(OBJS)
	$(NVCC) $(NVCCFLAGS) -dlink $(OBJS) -o link.o

%.o: %.cu
	$(NVCC) $(NVCCFLAGS) -dc $< -o $@

main.o: main.cpp
	g++ -O2 -c main.cpp -o main.o
"""
FILES = {
    "Makefile": MAKEFILE,
    "main.cpp": 'extern "C" int work();\nint main() { return work(); }\n',
    "a.cu": "#include <cuda_runtime.h>\n#include <stdio.h>\nextern __device__ int twice(int x);\n"
    "__global__ void k(int* p) { *p = twice(*p); }\n"
    'extern "C" int work() {\n    int* p;\n'
    '    if (cudaMalloc(&p, 4) != cudaSuccess) { puts("no device"); return 3; }\n'
    "    k<<<1, 1>>>(p);\n    return cudaDeviceSynchronize() != cudaSuccess;\n}\n",
    "b.cu": "__device__ int twice(int x) { return 2 * x; }\n",
}


def test_hipcc_links_what_gcc_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shutil.which("hipcc"), "no hipcc here; make test-deps installs it"
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    for name, text in FILES.items():
        Path("in", name).write_text(text)
    assert main(["convert", "in", "out"]) == 0
    environ = {**os.environ, "HIP_PLATFORM": "amd"}
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        environ.pop(name, None)
    made = subprocess.run(["make", "-C", "out"], env=environ, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    ran = subprocess.run([str(tmp_path / "out/prog")], capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stdout) in ((0, ""), (3, "no device\n"))

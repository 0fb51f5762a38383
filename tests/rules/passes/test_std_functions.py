"""C functions of std in device code."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify import Options, translate_source
from tests.support.hip import compile_hip

HEAD = "#include <cstdio>\n#include <cstring>\n#include <ctime>\n#include <cuda_runtime.h>\n"


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('__global__ void k(int n) { std::printf("%d", n); }', '__global__ void k(int n) { ::printf("%d", n); }'),
        ("__device__ void f(int* p, int* q) { ::std::memcpy(p, q, 4); }",
         "__device__ void f(int* p, int* q) { ::memcpy(p, q, 4); }"),
        ("__host__ __device__ void f(int* p) { std :: memset(p, 0, 4); }",
         "__host__ __device__ void f(int* p) { :: memset(p, 0, 4); }"),
        ("__device__ long f() { return std::clock(); }", "__device__ long f() { return ::clock(); }"),
        ('void f(int* p) { std::printf("%d", 1); std::memset(p, 0, 4); }', None),
        ('__global__ void k() { printf("%d", 1); }', None),
    ],
)  # fmt: skip
def test_device_code_uses_the_device_s(tmp_path: Path, before: str, after: str | None, clang: bool) -> None:
    made = translate_source(HEAD + before + "\n", "t.cu", Options(clang=clang, target="7.2"))
    head = HEAD.replace("cuda_runtime.h", "hip/hip_runtime.h")
    assert made.output.decode() == head + (after or before) + "\n"
    (tmp_path / "t.hip").write_bytes(made.output)
    assert compile_hip(tmp_path / "t.hip", "7.2", "gfx90a", flags=["-nogpulib"]) == []

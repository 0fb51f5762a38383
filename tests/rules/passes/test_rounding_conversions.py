"""CUDA's conversions of numbers with a rounding mode as their last argument."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify import Options, translate_file, translate_source


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("int2float(i)", "__int2float_rn(i)"),
        ("uint2float(u, cudaRoundMinInf)", "__uint2float_rd(u)"),
        ("float2int(x + 1)", "__float2int_rz(x + 1)"),
        ("float2uint(x, cudaRoundNearest)", "__float2uint_rn(x)"),
        ("double2ull(x, cudaRoundPosInf)", "__double2ull_ru(x)"),
        ("ull2double(u, cudaRoundZero)", "__ull2double_rz(u)"),
        ("int2double(i, cudaRoundZero)", "__int2double_rn(i)"),
        ("float2double(x)", "static_cast<double>(x)"),
    ],
)
def test_the_mode_becomes_part_of_the_name(cuda: str, hip: str) -> None:
    text = f"__global__ void k(double* p, int i, unsigned u, float x) {{ *p = {cuda}; }}\n"
    made = translate_source(text, "t.cu", Options(clang=False))
    assert f"*p = {hip};" in made.output.decode()
    assert not made.findings


@pytest.mark.parametrize(
    "text",
    [
        "float f(int i) { return int2float(i); }",
        "__device__ float int2float(int i);\n__device__ float f(int i) { return int2float(i); }",
        "__device__ float f(Own o, int i) { return o.int2float(i) + Own::float2int(i); }",
    ],
)
def test_the_programs_own_stay(text: str) -> None:
    made = translate_source(f"{text}\n", "t.cu", Options(clang=False))
    assert made.output.decode().endswith(f"{text}\n")


def test_one_that_a_header_declares_stays(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("namespace own { float int2float(int); }\n")
    text = '#include "own.h"\nnamespace own { __device__ float f(int i) { return int2float(i); } }\n'
    (tmp_path / "t.cu").write_text(text)
    assert translate_file(tmp_path / "t.cu", Options(clang=False)).output.decode().endswith(text)

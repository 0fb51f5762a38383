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
        ("dadd(x, 2.0)", "__dadd_rn(x, 2.0)"),
        ("dmul(x, dsub(x, 1.0), cudaRoundNearest)", "__dmul_rn(x, __dsub_rn(x, 1.0))"),
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


def test_modes_that_hip_does_not_have_are_named() -> None:
    text = "__global__ void k(double* p, cudaRoundMode m) { p[0] = dadd(p[1], p[2], m) + dmul(p[1], 2.0, cudaRoundZero); }\n"
    made = translate_source(text, "t.cu", Options(clang=False))
    assert "dadd(p[1], p[2], m) + dmul(p[1], 2.0, cudaRoundZero)" in made.output.decode()
    assert [(f.id, f.message.split()[-3]) for f in made.findings] == [
        ("HPY101", "cudaRoundMode"),
        ("HPY101", "cudaRoundZero"),
    ]


def test_one_that_a_header_declares_stays(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("namespace own { float int2float(int); }\n")
    text = '#include "own.h"\nnamespace own { __device__ float f(int i) { return int2float(i); } }\n'
    (tmp_path / "t.cu").write_text(text)
    assert translate_file(tmp_path / "t.cu", Options(clang=False)).output.decode().endswith(text)

"""Mathematics functions of the host that HIP has on the device alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify import Options, translate_source
from tests.support.hip import compile_hip

HEADER = "hipify_hostmath.h"
HEAD = "#include <cuda_runtime.h>\n"


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    "code",
    [
        "float f(float x) { return rsqrtf(x) + rsqrt(x); }",
        "double f(double x) { return ::sinpi(x) + cospi(x) + normcdf(x) + rcbrt(x); }",
        "double f(double x) { double s, c; sincospi(x, &s, &c); return s + c; }",
        "unsigned f(unsigned a) { return umin(a, 4u) + llmax(a, 3); }",
    ],
)
@pytest.mark.parametrize("release", ["5.7", "7.2"])
def test_host_code_gets_the_header(tmp_path: Path, code: str, clang: bool, release: str) -> None:
    made = translate_source(HEAD + code + "\n", "t.cu", Options(clang=clang, target=release))
    assert list(made.helper_headers) == [HEADER]
    assert made.findings == ()
    (tmp_path / "t.hip").write_bytes(made.output)
    assert compile_hip(tmp_path / "t.hip", release, "gfx90a", flags=["-nogpulib"]) == []


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    "code",
    [
        "__global__ void k(float* p) { p[0] = rsqrtf(p[1]) + umin(1u, 2u) + erfinv(0.5); }",
        "float rsqrtf(float x);\nfloat f(float x) { return rsqrtf(x); }",
        "struct S { float rsqrtf(float); };\nfloat f(S s) { return s.rsqrtf(1.f); }",
        "namespace mine { float erfinvf(float); }\nfloat f(float x) { return mine::erfinvf(x); }",
    ],
)
def test_other_code_does_not(code: str, clang: bool) -> None:
    made = translate_source(HEAD + code + "\n", "t.cu", Options(clang=clang))
    assert (dict(made.helper_headers), made.findings) == ({}, ())


def test_both_sides_at_once(tmp_path: Path) -> None:
    made = translate_source(HEAD + "__host__ __device__ float f(float x) { return rsqrtf(x); }\n", "t.cu", Options())
    assert list(made.helper_headers) == [HEADER]
    (tmp_path / "t.hip").write_bytes(made.output)
    assert compile_hip(tmp_path / "t.hip", flags=["-nogpulib"]) == []


@pytest.mark.parametrize("name", ["erfinv", "erfinvf", "erfcinv", "erfcx", "normcdfinvf"])
def test_what_has_no_host_version_is_an_error(name: str) -> None:
    made = translate_source(f"{HEAD}double f(double x) {{\n  return {name}(x);\n}}\n", "t.cu", Options())
    assert [(f.id, f.line, f.severity.label) for f in made.findings] == [("HPY121", 3, "error")]

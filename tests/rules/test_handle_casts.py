"""Handles that are integers in CUDA and pointers in HIP, where clang tells no types."""

from __future__ import annotations

import pytest

import hipify
from hipify.model import Options

HEAD = (
    "#include <cufft.h>\n#include <cuda.h>\n#include <cuda_runtime.h>\n"
    "void run(int plan); void take(unsigned long long t); struct T { unsigned long long tex; int plan; };\n"
)
ARGUMENTS = "cufftHandle a, cufftComplex* d, cudaTextureObject_t o, unsigned long long x, T& s, CUdeviceptr p"


def translate(body: str) -> tuple[str, hipify.Translation]:
    result = hipify.translate_source(
        f"{HEAD}void f({ARGUMENTS}, int i) {{\n  {body}\n}}\n", "t.cu", Options(clang=False)
    )
    return result.output.decode().split("{\n  ")[-1].removesuffix("\n}\n"), result


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a = -1;", "a = (hipfftHandle)(-1);"),
        ("if (a == -1 || a < 0) return;", "if ((long)a == -1 || (long)a < 0) return;"),
        ("unsigned long long n = o;", "unsigned long long n = (size_t)o;"),
        ("take(o); s.tex = o; o = x;", "take((size_t)o); s.tex = (size_t)o; o = (hipTextureObject_t)(x);"),
        ("o = s.tex;", "o = (hipTextureObject_t)(s.tex);"),
        ("cudaDestroyTextureObject(s.tex);", "hipDestroyTextureObject((hipTextureObject_t)s.tex);"),
        ("cudaCreateTextureObject(&s.tex, 0, 0, 0);", "hipCreateTextureObject((hipTextureObject_t*)&s.tex, 0, 0, 0);"),
        ("cuMemRelease(x);", "hipMemRelease((hipMemGenericAllocationHandle_t)x);"),
        ("cuMemFree(x);", "hipFree((hipDeviceptr_t)x);"),
        ("cuMemcpyDtoH(d, x, 4);", "hipMemcpyDtoH(d, (hipDeviceptr_t)x, 4);"),
        ("p = (CUdeviceptr)x + 4;", "p = (char*)(hipDeviceptr_t)x + 4;"),
    ],
)
def test_they_are_cast(body: str, expected: str) -> None:
    output, result = translate(body)
    assert output == expected
    assert {(f.id, f.severity) for f in result.findings} == {("HPY119", hipify.Severity.NOTE)}


@pytest.mark.parametrize(
    "body",
    [
        "run(a);",
        "i = a;",
        "s.plan = a;",
        "unsigned n = a;",
        "cufftExecC2C(i, d, d, 1);",
        "cufftPlan1d(&s.plan, 8, CUFFT_C2C, 1);",
    ],
)
def test_plans_kept_in_an_int_are_reported(body: str) -> None:
    output, result = translate(body)
    assert "(hipfftHandle" not in output
    assert [(f.id, f.severity, f.line) for f in result.findings] == [("HPY119", hipify.Severity.ERROR, 6)]


@pytest.mark.parametrize(
    "body",
    [
        "if (a == 0 || !o) a = 0;",
        "cufftHandle b = a; cufftExecC2C(b, d, d, 1); cudaDestroyTextureObject(o);",
        "cufftHandle* q = &a; cufftExecC2C(*q, d, d, 1); cufftDestroy(q[0]);",
        "CUdeviceptr q = p; cuMemFree(q); cuMemcpyDtoH(d, p, x);",
        "{ int a = i; i = a; if (a == 3) run(a); }",
    ],
)
def test_uses_that_fit_stay(body: str) -> None:
    assert translate(body)[1].findings == ()

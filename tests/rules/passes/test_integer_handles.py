"""Handles that are integers in CUDA and pointers in HIP: plans of cuFFT, textures, surfaces, memory."""

from __future__ import annotations

import pytest

import hipify
from hipify.model import Options
from hipify.parser.source import Source
from hipify.rules.context import Context
from hipify.rules.handle_uses import as_integers
from tests.rules.handles import LINE, translate


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a = -1;", "a = (hipfftHandle)(-1);"),
        ("if (a == -1 || a < 0) return;", "if ((long)a == -1 || (long)a < 0) return;"),
        ('printf("%d", a);', 'printf("%d", (int)(long)a);'),
        ("std::vector<cufftHandle> w(2, -1);", "std::vector<hipfftHandle> w(2, (hipfftHandle)(-1));"),
        ("take(o); s.tex = o; o = x;", "take((size_t)o); s.tex = (size_t)o; o = (hipTextureObject_t)x;"),
        ("cudaDestroyTextureObject(s.tex);", "hipDestroyTextureObject((hipTextureObject_t)s.tex);"),
        (
            "cudaCreateTextureObject(&s.tex, 0, 0, 0);",
            "hipCreateTextureObject((hipTextureObject_t*)(&s.tex), 0, 0, 0);",
        ),
        ("unsigned n = o & 0xFF;", "unsigned n = (size_t)o & 0xFF;"),
        ("o = ((cudaTextureObject_t)x) << 32;", "o = (hipTextureObject_t)((size_t)((hipTextureObject_t)x) << 32);"),
        ("cuMemRelease(x); x = h;", "hipMemRelease((hipMemGenericAllocationHandle_t)x); x = (size_t)h;"),
        ("cuMemCreate(&x, 0, nullptr, 0);", "hipMemCreate((hipMemGenericAllocationHandle_t*)(&x), 0, nullptr, 0);"),
    ],
)
def test_they_are_cast(body: str, expected: str) -> None:
    output, result = translate(body, clang=True)
    assert output == expected
    assert {(f.id, f.severity) for f in result.findings} == {("HPY119", hipify.Severity.NOTE)}


@pytest.mark.parametrize(
    "body",
    [
        "run(a);",
        "i = a;",
        "a = made();",
        "cufftExecC2C(i, d, d, 1);",
        "cufftPlan1d(&i, 8, CUFFT_C2C, 1);",
        "auto l = [&]() -> int { return a; };",
    ],
)
def test_plans_kept_in_an_int_are_reported(body: str) -> None:
    """A pointer does not fit into an `int`: no cast may hide that."""
    output, result = translate(body, clang=True)
    assert "(hipfftHandle" not in output
    assert [(f.id, f.severity, f.line) for f in result.findings] == [("HPY119", hipify.Severity.ERROR, LINE)]


@pytest.mark.parametrize(
    "text",
    [
        "cufftHandle a, b[2] = {0}; void f(float2* d) { cufftPlan1d(&a, 8, CUFFT_C2C, 1); cufftExecC2C(a, d, d, 1); }",
        "struct S { cufftHandle p = 0; }; void f(S* s) { if (!s->p) cufftDestroy(s->p); s->p = 0; }",
        "static cudaTextureObject_t t; __global__ void k(cudaTextureObject_t u, int n) { tex1Dfetch<float>(u, n); }\n"
        "void f() { cudaCreateTextureObject(&t, 0, 0, 0); k<<<1, 1>>>(t, 2); }",
    ],
)
def test_files_that_hand_them_on_need_no_clang(text: str) -> None:
    assert not as_integers(Context(Source(text.encode(), "t.cu"), Options(clang=False)))


@pytest.mark.parametrize(
    "text",
    [
        "void f(int p) { cufftDestroy(p); }",
        "cufftHandle a = -1;",
        "void g(cudaTextureObject_t t) { take(t); }",
        "unsigned f(cudaTextureObject_t t) { return t >> 32; }",
    ],
)
def test_files_that_count_with_them_do(text: str) -> None:
    assert as_integers(Context(Source(text.encode(), "t.cu"), Options(clang=False)))

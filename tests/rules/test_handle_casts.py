"""Handles that are integers in CUDA and pointers in HIP, where clang tells no types."""

from __future__ import annotations

import pytest

import hipify
from tests.rules.handles import LINE, translate


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
    output, result = translate(body, clang=False)
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
    output, result = translate(body, clang=False)
    assert "(hipfftHandle" not in output
    assert [(f.id, f.severity, f.line) for f in result.findings] == [("HPY119", hipify.Severity.ERROR, LINE)]


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
    assert translate(body, clang=False)[1].findings == ()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("std::vector<size_t> v; v.push_back(o);", "v.push_back((size_t)o);"),
        ("std::map<int, size_t> m; m.insert({1, o});", "m.insert({1, (size_t)o});"),
        ("std::map<int, size_t> m; m.insert(std::make_pair(1, o));", "m.insert(std::make_pair(1, (size_t)o));"),
        ("std::vector<std::pair<int, size_t>> v; v.push_back({1, o});", "v.push_back({1, (size_t)o});"),
        ("int n; size_t v[2] = {o, 0};", "size_t v[2] = {(size_t)o, 0};"),
        ("int n; size_t v[]{0, o};", "size_t v[]{0, (size_t)o};"),
        ("int n; std::pair<int, size_t> q{1, o};", "std::pair<int, size_t> q{1, (size_t)o};"),
        ("std::vector<unsigned long long>* v; v->emplace_back(o);", "v->emplace_back((size_t)o);"),
        ("std::map<int, uint64_t> m; m[1] = o;", "m[1] = (size_t)o;"),
        ("std::vector<size_t> v; v[0] = a;", "v[0] = (long)a;"),
        ("std::vector<size_t> v; v.push_back(p); v.assign(2, p);", "v.push_back((size_t)p); v.assign(2, (size_t)p);"),
        ("std::map<int, size_t> m; m[1] = p;", "m[1] = (size_t)p;"),
        ("int n[2] = {(int)a, 1};", "int n[2] = {(int)(long)a, 1};"),
    ],
)
def test_handles_put_into_containers_of_integers_are_cast(body: str, expected: str) -> None:
    output, result = translate(body, clang=False)
    assert expected in output
    assert {(f.id, f.severity) for f in result.findings} == {("HPY119", hipify.Severity.NOTE)}


@pytest.mark.parametrize(
    "body",
    [
        "std::map<int, int> m; m.insert({1, a});",
        "std::vector<int> v; v.push_back(a);",
        "std::vector<int> v(1); v[0] = a;",
    ],
)
def test_plans_put_into_containers_of_32_bits_are_reported(body: str) -> None:
    output, result = translate(body, clang=False)
    assert output == body
    assert [(f.id, f.severity) for f in result.findings] == [("HPY119", hipify.Severity.ERROR)]


@pytest.mark.parametrize(
    "body",
    [
        "std::vector<cufftHandle> v; v.push_back(a); v[0] = a;",
        "std::map<size_t, cudaTextureObject_t> m; m.insert({1, o}); cudaTextureObject_t v[2] = {o, 0};",
        "std::vector<CUdeviceptr> v; v.push_back(p); v[0] = p;",
        "std::vector<std::vector<int>> v; v.push_back(make(a));",
        "std::map<int, void*> m; m[1] = p; m.emplace(1, p);",
    ],
)
def test_containers_of_handles_stay(body: str) -> None:
    output, result = translate(body, clang=False)
    assert "(size_t)" not in output and "(long)" not in output
    assert result.findings == ()

"""Addresses that are integers in CUDA and pointers in HIP, where only clang sees what is asked for."""

from pathlib import Path

import pytest

import hipify

HEADER = """#pragma once
#include <cuda.h>
#include <cstddef>
#include <cstdint>
#include <vector>
void take64(uint64_t a, int n);
void takesz(size_t a);
template <class T> void taket(T a);
struct W { void m(unsigned long long a); uint64_t addr; std::vector<uint64_t> v; W(unsigned long long a); };
struct V { CUdeviceptr base; uint64_t len; CUdeviceptr get() const; };
uint64_t give();
void api_take(CUdeviceptr p);
void tref(unsigned long long &a);
void tptr(unsigned long long *a);
void tcp(const CUdeviceptr *a);
"""
ARGUMENTS = "CUdeviceptr p, CUdeviceptr q, CUdeviceptr *ps, W &w, V &v, unsigned long long u, bool c"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "h.h").write_text(HEADER)
    return tmp_path


def translate(project: Path, body: str, more: str = "") -> tuple[str, hipify.Translation]:
    text = (
        "#include <cstdio>\n#include <iostream>\n#include <string>\n#include <unordered_map>\n#include <algorithm>\n"
        f'#include "h.h"\n{more}\nvoid f({ARGUMENTS}) {{\n  {body}\n}}\n'
    )
    result = hipify.translate_source(text, str(project / "t.cu"))
    return result.output.decode().split("{\n  ")[-1].removesuffix("\n}\n"), result


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("take64(p, 3);", "take64((size_t)p, 3);"),
        ("take64(ps[1], 1);", "take64((size_t)ps[1], 1);"),
        ("takesz(p + 4);", "takesz((size_t)((char*)p + 4));"),
        ("taket(p);", "taket(p);"),
        ("w.m(p);", "w.m((size_t)p);"),
        ("w.addr = p;", "w.addr = (size_t)p;"),
        ("w.v.push_back(p);", "w.v.push_back((size_t)p);"),
        ("W w2(p);", "W w2((size_t)p);"),
        ("W w2{p};", "W w2{(size_t)p};"),
        ("p = give();", "p = (hipDeviceptr_t)give();"),
        ("api_take(give() + 4);", "api_take((hipDeviceptr_t)(give() + 4));"),
        ("CUdeviceptr z[2] = {0, give()};", "hipDeviceptr_t z[2] = {0, (hipDeviceptr_t)give()};"),
        ("if (p != w.addr) return;", "if ((size_t)p != w.addr) return;"),
        ("if (p % 16) return;", "if ((size_t)p % 16) return;"),
        ('printf("%llu", p);', 'printf("%llu", (unsigned long long)p);'),
        ("cuMemcpyDtoD(p, w.addr, 4);", "hipMemcpyDtoD(p, (hipDeviceptr_t)w.addr, 4);"),
        ("cuMemFree(u);", "hipFree((hipDeviceptr_t)u);"),
        ("cuMemAlloc(&u, 4);", "hipMalloc((hipDeviceptr_t*)(&u), 4);"),
        ("switch (p & 15) { case 0: break; }", "switch ((size_t)p & 15) { case 0: break; }"),
        ("p = (p + 255) & ~255ull;", "p = (hipDeviceptr_t)(((size_t)p + 255) & ~255ull);"),
        ("p = p / 256 * 256;", "p = (hipDeviceptr_t)((size_t)p / 256 * 256);"),
        ("p &= ~255ull; u = -p;", "(size_t&)p &= ~255ull; u = -(size_t)p;"),
        ("u += p; p -= q;", "u += (size_t)p; (char*&)p -= (size_t)q;"),
        ("tref(p); tptr(&p);", "tref((unsigned long long&)p); tptr((unsigned long long*)(&p));"),
        ("tcp(&u);", "tcp((const hipDeviceptr_t*)(&u));"),
        ("q = c ? p : u;", "q = c ? p : (hipDeviceptr_t)u;"),
        ("int i = (int)p;", "int i = (int)(size_t)p;"),
        ("unsigned i = static_cast<unsigned>(p);", "unsigned i = static_cast<unsigned>((size_t)p);"),
        ("double d = (double)p; float e = p;", "double d = (double)(size_t)p; float e = (size_t)p;"),
        ("u = v.get() + 4; u = *ps + 4;", "u = (size_t)((char*)v.get() + 4); u = (size_t)((char*)(*ps) + 4);"),
        ("std::cout << p << v.get() + 3;", "std::cout << (size_t)p << (size_t)v.get() + 3;"),
        ("auto s = std::to_string(p);", "auto s = std::to_string((size_t)p);"),
        ("u = std::max<unsigned long long>(p, u);", "u = std::max<unsigned long long>((size_t)p, u);"),
        ("auto l = [&](uint64_t a) { return a; }; l(p);", "auto l = [&](uint64_t a) { return a; }; l((size_t)p);"),
        ("V z{u, p};", "V z{(hipDeviceptr_t)u, (size_t)p};"),
        ("V z = {.base = u};", "V z = {.base = (hipDeviceptr_t)u};"),
        (
            "std::unordered_map<CUdeviceptr, int> m; m[u] = m.count(u); m.emplace(u, 3);",
            "std::unordered_map<hipDeviceptr_t, int> m; m[(hipDeviceptr_t)u] = m.count((hipDeviceptr_t)u); "
            "m.emplace((hipDeviceptr_t)u, 3);",
        ),
        (
            "std::vector<CUdeviceptr> z(4, 0); z.push_back(u); z[0] = u; z.emplace_back(u);",
            "std::vector<hipDeviceptr_t> z(4, 0); z.push_back((hipDeviceptr_t)u); z[0] = (hipDeviceptr_t)u; "
            "z.emplace_back((hipDeviceptr_t)u);",
        ),
        (
            "CUDA_MEMCPY2D t; t.srcDevice = u; u = t.dstDevice;",
            "hip_Memcpy2D t; t.srcDevice = (hipDeviceptr_t)u; u = (size_t)t.dstDevice;",
        ),
    ],
)
def test_clang_says_what_needs_a_cast(project: Path, body: str, expected: str) -> None:
    output, result = translate(project, body)
    assert output == expected
    assert {(f.id, f.severity) for f in result.findings} <= {("HPY119", hipify.Severity.NOTE)}
    assert bool(result.findings) == (body != "taket(p);")


def test_templates_of_integers_get_integers(project: Path) -> None:
    align = "template <class T> T align(T a, size_t n) { return (a + n - 1) / n * n; }"
    output, _ = translate(project, "p = align(p, 64);", align)
    assert output == "p = (hipDeviceptr_t)align((size_t)p, 64);"


@pytest.mark.parametrize(
    "body",
    ["std::vector<CUdeviceptr> z; std::vector<uint64_t> y(z.begin(), z.end());", "w.v.insert(w.v.begin(), {p, q});"],
)
def test_what_no_cast_mends_is_reported(project: Path, body: str) -> None:
    _, result = translate(project, body)
    errors = [f for f in result.findings if f.severity is hipify.Severity.ERROR]
    assert {(f.id, f.line) for f in errors} == {("HPY119", 9)}


def test_a_file_without_the_type_is_looked_at_for_functions_of_headers_that_take_it(project: Path) -> None:
    text = '#include "h.h"\nvoid g(W &w) { api_take(w.addr); }\n'
    result = hipify.translate_source(text, str(project / "t.cu"))
    assert "api_take((hipDeviceptr_t)w.addr);" in result.output.decode()


def test_what_was_wrong_in_cuda_is_not_told_as_an_address(project: Path) -> None:
    _, result = translate(project, "int i = nowhere; take64(w, 3); cuMemFree(p);")
    assert "HPY119" not in {f.id for f in result.findings}

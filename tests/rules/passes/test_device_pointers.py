"""Arithmetic on CUdeviceptr, which is no integer in HIP."""

from pathlib import Path

import pytest

import hipify

HEAD = "#include <cuda.h>\nstruct B { CUdeviceptr base; };\n"


def translate(body: str, clang: bool = True) -> hipify.Translation:
    text = f"{HEAD}void f(CUdeviceptr p, CUdeviceptr q, CUdeviceptr* list, B* b, int n, float* x, unsigned long long u) {{\n  {body}\n}}\n"
    return hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("cuMemFree(p + 16);", "hipFree((char*)p + 16);"),
        ("p = n * 4 + q;", "p = n * 4 + (char*)q;"),
        ("n = q - p;", "n = (char*)q - (char*)p;"),
        ("p += n; q -= 4;", "(char*&)p += n; (char*&)q -= 4;"),
        ("p++; ++q;", "((char*&)p)++; ++(char*&)q;"),
        ("x = (float*)(b->base + 8);", "x = (float*)((char*)b->base + 8);"),
        ("u = p;", "u = (size_t)p;"),
    ],
)
def test_bytes_are_counted_by_a_char_pointer(body: str, expected: str, clang: bool) -> None:
    result = translate(body, clang)
    assert expected in result.output.decode()
    assert {(f.id, f.severity) for f in result.findings} == {("HPY119", hipify.Severity.NOTE)}


@pytest.mark.parametrize(
    "body",
    [
        "if (p < q || p == 0 || p && q) p = q;",
        "x = (float*)p; u = (unsigned long long)p; cuMemFree(p);",
        "n = n + u; list = list + 1; x += n;",
        "{ int p = 1; p += 2; n = p + 1; }",
    ],
)
def test_what_needs_no_cast_stays(body: str) -> None:
    result = translate(body)
    assert body.replace("cuMemFree", "hipFree") in result.output.decode()
    assert result.findings == ()


def test_elements_of_a_list_are_pointers() -> None:
    assert "p = (char*)list[n + 1] + 4;" in translate("p = list[n + 1] + 4;").output.decode()


def test_bits_are_no_business_of_pointers_without_clang() -> None:
    (finding,) = translate("n = p & 255;", clang=False).findings
    assert (finding.id, finding.severity, finding.line) == ("HPY119", hipify.Severity.ERROR, 4)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "buf.h").write_text(
        "#include <cuda.h>\ntypedef CUdeviceptr devptr_t;\nstruct Buf {\n  CUdeviceptr base, *more; size_t n;\n"
        "  CUdeviceptr ptr() const { return base; }\n  CUdeviceptr list[4];\n};\nCUdeviceptr current();\n"
    )
    return tmp_path


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("cuMemFree(x->base + 16);", "hipFree((char*)x->base + 16);"),
        ("cuMemFree(y.ptr() + n);", "hipFree((char*)y.ptr() + n);"),
        ("cuMemFree(current() - 4);", "hipFree((char*)current() - 4);"),
        ("cuMemFree(q + 4);", "hipFree((char*)q + 4);"),
        ("cuMemFree(y.list[2] + 4);", "hipFree((char*)y.list[2] + 4);"),
        ("y.base += 4;", "(char*&)y.base += 4;"),
        ("n = x->base;", "n = (size_t)x->base;"),
        ("n = x->base - y.base;", "n = (char*)x->base - (char*)y.base;"),
        ("if (y.base > 0) use(y.base);", "if ((size_t)y.base > 0) use((size_t)y.base);"),
        ("if (y.base == n) return y.base;", "if ((size_t)y.base == n) return (size_t)y.base;"),
        ("y.base = n;", "y.base = (hipDeviceptr_t)(n);"),
        ("x->base = 0x1000;", "x->base = (hipDeviceptr_t)(0x1000);"),
        ("CUdeviceptr w = n + 4;", "hipDeviceptr_t w = (hipDeviceptr_t)(n + 4);"),
        ("y.base = uint64_t(q);", "y.base = (hipDeviceptr_t)(uint64_t(q));"),
        ("y.base = (uint64_t)n;", "y.base = (hipDeviceptr_t)((uint64_t)n);"),
        ("q = static_cast<CUdeviceptr>(n);", "q = reinterpret_cast<hipDeviceptr_t>(n);"),
        ("auto u = static_cast<uint64_t>(q);", "auto u = reinterpret_cast<uint64_t>(q);"),
    ],
)
def test_pointers_that_a_header_declares_are_cast(project: Path, body: str, expected: str, clang: bool) -> None:
    text = (
        '#include <cuda.h>\n#include <cstdint>\n#include "buf.h"\nvoid use(uint64_t v);\n'
        f"size_t f(Buf* x, Buf& y, devptr_t q, size_t n) {{\n  {body}\n}}\n"
    )
    result = hipify.translate_source(text, str(project / "t.cu"), hipify.Options(clang=clang))
    assert f"  {expected}\n" in result.output.decode()
    assert {f.id for f in result.findings} <= {"HPY119"}


@pytest.mark.parametrize("clang", [True, False])
def test_uses_that_fit_stay(project: Path, clang: bool) -> None:
    body = (
        "  if (x->base == 0 || y.base != 0 && q) x->base = y.base;\n  y.base = 0; q = nullptr_of(x);\n"
        "  auto v = (unsigned long long)y.base; auto t = reinterpret_cast<uint64_t>(q); n = x->n + y.n;\n"
    )
    text = f'#include <cuda.h>\n#include "buf.h"\nvoid f(Buf* x, Buf& y, devptr_t q, size_t n) {{\n{body}}}\n'
    result = hipify.translate_source(text, str(project / "t.cu"), hipify.Options(clang=clang))
    assert body in result.output.decode()
    assert result.findings == ()


def test_bits_of_a_sum_are_reported_without_clang(project: Path) -> None:
    text = '#include <cuda.h>\n#include "buf.h"\nvoid f(Buf& y) { y.base = (y.base + 255) & ~255ull; }\n'
    result = hipify.translate_source(text, str(project / "t.cu"), hipify.Options(clang=False))
    assert [(f.id, f.severity, f.line) for f in result.findings] == [("HPY119", hipify.Severity.ERROR, 3)]

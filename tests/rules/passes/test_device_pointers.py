"""Arithmetic on CUdeviceptr, which is no integer in HIP."""

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
        "int p = 1; p += 2; n = p + 1;",
    ],
)
def test_what_needs_no_cast_stays(body: str) -> None:
    result = translate(body)
    assert body.replace("cuMemFree", "hipFree") in result.output.decode()
    assert result.findings == ()


def test_elements_of_a_list_are_pointers() -> None:
    assert "p = (char*)list[n + 1] + 4;" in translate("p = list[n + 1] + 4;").output.decode()


def test_bits_are_no_business_of_pointers() -> None:
    (finding,) = translate("n = p & 255;").findings
    assert (finding.id, finding.severity, finding.line) == ("HPY119", hipify.Severity.ERROR, 4)

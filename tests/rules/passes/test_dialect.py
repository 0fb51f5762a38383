"""What nvcc takes and clang rejects: conversions in braces, suffixed literals, arrays of variable size."""

import pytest

import hipify

HEAD = "#include <cuda_runtime.h>\n"


def translate(text: str, clang: bool = True) -> hipify.Translation:
    return hipify.translate_source(HEAD + text, "t.cu", hipify.Options(clang=clang))


def body(result: hipify.Translation) -> str:
    return result.output.decode().partition("\n")[2]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("int a[2] = {m, 2};", "int a[2] = {static_cast<int>(m), 2};"),
        ("int a[] = {1, m + f(m, 2) /* x */};", "int a[] = {1, static_cast<int>(m + f(m, 2)) /* x */};"),
        ("dim3 g = {m, 1};", "dim3 g = {static_cast<unsigned int>(m), 1};"),
        ("dim3 g{1, (n + 3) / 4};", "dim3 g{1, static_cast<unsigned int>((n + 3) / 4)};"),
        ("P p = {1, m};", "P p = {1, static_cast<float>(m)};"),
        ("P q[] = {{1, 2.0f}, {n, d}};", "P q[] = {{1, 2.0f}, {n, static_cast<float>(d)}};"),
        ("P r = {.n = 1, .x = d};", "P r = {.n = 1, .x = static_cast<float>(d)};"),
        ("int b[3] = {[1] = m};", "int b[3] = {[1] = static_cast<int>(m)};"),
        ("unsigned char c = {n};", "unsigned char c = {static_cast<unsigned char>(n)};"),
    ],
)
def test_what_a_type_may_not_hold_is_converted(before: str, after: str) -> None:
    head = "struct P { int n; float x; };\nint f(long, int);\nvoid g(size_t m, int n, double d) { "
    result = translate(f"{head}{before} }}\n")
    assert body(result) == f"{head}{after} }}\n"
    assert result.findings == ()


@pytest.mark.parametrize(
    "text",
    [
        "int a[2] = {n, 3};",
        "float3 v = {n, n, n};",
        "long q[] = {n};",
        "float2 w[] = {{n, m}, {m, n}};",
        "dim3 g(m, n);",
    ],
)
def test_what_clang_takes_stays(text: str) -> None:
    text = f"void g(size_t m, int n) {{ {text} }}\n"
    assert body(translate(text)) == text


def test_in_templates_and_macros_it_is_reported() -> None:
    text = "#define LIST(v) {1, v + v}\nvoid g(long m) { int a[] = LIST(m); }\n"
    text += "template <class T> T f(long n) { int a[] = {n}; return a[0]; }\n"
    result = translate(text)
    assert [(f.id, f.line) for f in result.findings] == [("HPY612", 3), ("HPY612", 4)]
    assert body(result) == text


def test_an_array_of_variable_size_with_an_initialiser_is_reported() -> None:
    result = translate("void g(int n) {\nint a[n] = {0};\nint b[4] = {0};\nint c[n];\n}\n")
    assert [(f.id, f.line) for f in result.findings] == [("HPY613", 3)]


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('printf("%"PRIu64"\\n", v);', 'printf("%" PRIu64"\\n", v);'),
        ("f(u8\"a\"NAME, 'x'NAME);", "f(u8\"a\" NAME, 'x' NAME);"),
        ('f("a"s, "b"_mine, "c"sv, u8"d", L"e", "f" "g", "h"/**/X);', ""),
        ('// "a"NAME\n#include "a.h"\n', ""),
    ],
)
def test_a_macro_behind_a_literal_is_no_suffix(before: str, after: str, clang: bool) -> None:
    assert body(translate(f"void g(unsigned long v) {{ {before} }}\n", clang)) == (
        f"void g(unsigned long v) {{ {after or before} }}\n"
    )

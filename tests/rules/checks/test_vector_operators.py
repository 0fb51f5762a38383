"""Operators on vector types: kept from HIP where HIP's own do the same, reported where they do not."""

import pytest

from hipify.emit import rewriter
from hipify.model import Options, Severity
from hipify.parser.source import Source
from hipify.rules.engine import analyse

ERROR, NOTE = Severity.ERROR, Severity.NOTE


def severities(text: str) -> list[Severity]:
    """The severities of the findings about operators."""
    findings = analyse(Source(text.encode(), "v.cuh"), Options(clang=False)).findings
    return [f.severity for f in findings if f.id == "HPY707"]


def translated(text: str) -> str:
    """The text after translation, without the runtime's include."""
    data = text.encode()
    out = rewriter.apply(data, analyse(Source(data, "v.cuh"), Options(clang=False)).edits)
    return out.decode().replace("#include <hip/hip_runtime.h>\n", "", 1)


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        ("float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x, a.y * b.y); }", NOTE),
        ("float2 operator/(const float2& a, const float2& b) { return {a.x / b.x, a.y / b.y}; }", NOTE),
        ("void operator+=(int3 &a, int3 b) { a.x += b.x; a.y += b.y; a.z += b.z; }", NOTE),
        ("float2& operator-=(float2& u, float2 v) { u.x = u.x - v.x; u.y = u.y - v.y; return u; }", NOTE),
        ("float3 operator-(float3 a) { return make_float3(-a.x, -a.y, -a.z); }", NOTE),
        ("float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.y, a.y * b.x); }", ERROR),
        ("float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x, a.x * b.x); }", ERROR),
        ("float operator*(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }", ERROR),
    ],
)
def test_definitions_that_clash(definition: str, expected: Severity) -> None:
    assert severities(f"inline __host__ __device__ {definition}\n") == [expected]


@pytest.mark.parametrize(
    "definition",
    [
        "inline __device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }",
        "inline __device__ float2 operator*(float2 a, float s) { return make_float2(a.x * s, a.y * s); }",
        "inline __device__ void operator*=(float2& a, float s) { a.x *= s; a.y *= s; }",
        "struct V { float2 v; V& operator*=(float2 b) { return *this; } float2 operator-() { return v; } };",
        "inline __device__ Mine operator*(Mine a, Mine b) { return a; }",
        "float2 operator*(float2 a, float2 b);",
        "bool operator==(float2 a, float2 b) { return a.x == b.x; }",
    ],
)
def test_definitions_that_do_not(definition: str) -> None:
    assert severities(definition + "\n") == []
    assert "#ifndef" not in translated(definition + "\n")


def test_neighbours_share_a_guard_and_translation_is_done_once() -> None:
    one = "inline __device__ void operator+=(float2 &a, float2 b)\n{\n    a.x += b.x;\n    a.y += b.y;\n}\n"
    two = "// the same\ninline __device__ float2 operator-(float2 a) { return make_float2(-a.x, -a.y); }\n"
    out = translated(one + two + "int end;\n")
    assert out == "#ifndef __HIP_PLATFORM_AMD__\n" + one + two + "#endif\nint end;\n"
    assert translated(out) == out


def test_a_definition_amid_a_line_gets_lines_of_its_own() -> None:
    out = translated("int a; inline float2 operator-(float2 v) { return make_float2(-v.x, -v.y); } int b;\n")
    assert out.splitlines()[1] == "#ifndef __HIP_PLATFORM_AMD__"
    assert out.splitlines()[3:] == ["#endif", " int b;"]


def test_the_runtime_is_included_outside_of_the_guard() -> None:
    data = b"__device__ float2 operator-(float2 a) { return make_float2(-a.x, -a.y); }\n"
    out = rewriter.apply(data, analyse(Source(data, "v.cu"), Options(clang=False)).edits)
    assert out.startswith(b"#include <hip/hip_runtime.h>\n#ifndef __HIP_PLATFORM_AMD__\n__device__")


@pytest.mark.parametrize(
    "alias",
    ["using vec = float3;", "typedef float3 vec;", "using vec = float3;\n#define vec(x, y, z) make_float3(x, y, z)"],
)
@pytest.mark.parametrize("same", [True, False])
def test_operators_on_the_programs_own_names_of_vector_types(alias: str, same: bool) -> None:
    make = "vec" if "#define" in alias else "make_float3"
    last = "a.z * b.z" if same else "0"
    text = f"{alias}\nvec operator*(vec a, vec b) {{ return {make}(a.x * b.x, a.y * b.y, {last}); }}\n"
    assert severities(text) == [NOTE if same else ERROR]
    assert ("#ifndef __HIP_PLATFORM_AMD__" in translated(text)) is same


def test_a_macro_that_makes_something_else_of_a_vector_is_no_constructor() -> None:
    head = "using vec = float2;\n#define vec(x, y) make_float2(y, x)\n"
    text = head + "vec operator*(vec a, vec b) { return vec(a.x * b.x, a.y * b.y); }\n"
    assert severities(text) == [ERROR]

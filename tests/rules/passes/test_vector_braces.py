"""Lists in braces mean for HIP's vector types what they mean for CUDA's."""

from __future__ import annotations

import pytest

import hipify


def translate(text: str, *, clang: bool, head: str = "cuda_runtime.h") -> hipify.Translation:
    return hipify.translate_source(f"#include <{head}>\n{text}\n", "t.cu", hipify.Options(clang=clang))


def body(result: hipify.Translation) -> str:
    return result.output.decode().split("\n", 1)[1].rstrip("\n")


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("float4 v{1.f};", "float4 v{1.f, 0, 0, 0};"),
        ("float4 v = {1.f};", "float4 v = {1.f, 0, 0, 0};"),
        ("const int3 v = {1, 2};", "const int3 v = {1, 2, 0};"),
        ("float4 const v{2 * 3, };", "float4 const v{2 * 3, 0, 0, 0, };"),
        ("float2* f() { return new float2{1.f}; }", "float2* f() { return new float2{1.f, 0}; }"),
        ("auto v = (float4){1.f};", "auto v = (float4){1.f, 0, 0, 0};"),
        ("float1 v = {1.f}, w{1.f};", "float1 v = float1{1.f}, w{1.f};"),
        ("float4 v = {.x = 1, .z = 2};", "float4 v = {1, 0, 2, 0};"),
        ("float4 f(float a) { return {a, a}; }", "float4 f(float a) { return {a, a, 0, 0}; }"),
        ("float4 f(float a) { if (a) { return {a}; } }", "float4 f(float a) { if (a) { return {a, 0, 0, 0}; } }"),
        ("float4 f(float a) { return float4{a}; }", "float4 f(float a) { return float4{a, 0, 0, 0}; }"),
        ("float4 f(float4 a) { return float4{a.y}; }", "float4 f(float4 a) { return float4{a.y, 0, 0, 0}; }"),
        ("void f(float4 v) { v = {1.f, 2.f}; }", "void f(float4 v) { v = {1.f, 2.f, 0, 0}; }"),
        ("struct S { float4 v; S() : v{1.f} {} };", "struct S { float4 v; S() : v{1.f, 0, 0, 0} {} };"),
        ("float2 a[2] = {1, 2, 3, 4};", "float2 a[2] = {{1, 2}, {3, 4}};"),
        ("float3 a[2] = {1, 2, 3, 4};", "float3 a[2] = {{1, 2, 3}, {4, 0, 0}};"),
        ("float3 a[] = {1, 2, 3,4,\n 5,};", "float3 a[] = {{1, 2, 3}, {4,\n 5,0}};"),
        ("float4 a[8] = {0};", "float4 a[8] = {};"),
        ("float4 a[2][2] = {0};", "float4 a[2][2] = {};"),
        ("float2 a[2] = {{1}, {.y = 2}};", "float2 a[2] = {{1, 0}, {0, 2}};"),
    ],
)
def test_lists_are_completed(before: str, after: str, clang: bool) -> None:
    result = translate(before, clang=clang)
    assert body(result) == after
    assert result.findings == ()


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "float4 v = {1, 2, 3, 4}, w{}, x = {};",
        "float4 f(float4 a) { float4 b{a}; return b; }",
        "float4 f(float4 a) { return float4{make_float4(1, 2, 3, 4)}; }",
        "float4 a[2] = {make_float4(1, 2, 3, 4), make_float4(1, 2, 3, 4)}, b[2] = {};",
        "auto f(float a) -> float4 { float4 v; v.x = a; return v; }",
        "namespace m { struct float4 { float x; }; }\nm::float4 v = {1.f};",
        "struct S { int n; float4* p; };\nS s = {0};",
        "dim3 d = {1}, e{2};",
        "struct P { int a, b; };\nfloat4 f(int a) { auto g = [=]() -> P { return {a, a}; }; g(); }",
        "int a[4] = {0};",
    ],
)
def test_other_lists_stay(text: str, clang: bool) -> None:
    result = translate(text, clang=clang)
    assert body(result) == text
    assert result.findings == ()


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("v = {a, b};", "v = __half2{a, b};"),
        ("v = {};", "v = __half2{};"),
        ("o[1] = {a, b};", "o[1] = __half2{a, b};"),
        ("half2 w = {a, b};", "half2 w = {a, b};"),
        ("half2 w({a, b});", "half2 w(__half2{a, b});"),
        ("v = half2({b, a});", "v = half2(__half2{b, a});"),
        ("auto* w = new half2({a, b});", "auto* w = new half2(__half2{a, b});"),
        ("*o = {a, b};", "*o = __half2{a, b};"),
        ("(*o) = {a, b};", "(*o) = __half2{a, b};"),
        ("if (o) *(half2*)o = {a, b};", "if (o) *(half2*)o = __half2{a, b};"),
        ("((half2*)o)[1] = {a, b};", "((half2*)o)[1] = __half2{a, b};"),
        ("reinterpret_cast<half2*>(o)[1] = {a, b};", "reinterpret_cast<half2*>(o)[1] = __half2{a, b};"),
        ("struct H { half2 h; H(half c) : h({c, c}) {} };", "struct H { half2 h; H(half c) : h(__half2{c, c}) {} };"),
        ("q = {c, c};", "q = __hip_bfloat162{c, c};"),
    ],
)
def test_pairs_of_half_floats_are_assigned_by_name(before: str, after: str, clang: bool) -> None:
    head = "__device__ void f(half2* o, half a, half b, __nv_bfloat16 c) { half2 v; __nv_bfloat162 q; "
    result = translate("#include <cuda_bf16.h>\n" + head + before + " }", clang=clang, head="cuda_fp16.h")
    assert body(result).endswith(f"{after} }}")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("struct S { float4 v; int n; };\nS s = {0};", "struct S { float4 v; int n; };\nS s = {};"),
        ("struct S { float2 v; int n; };\nS s = {{1}, 2};", "struct S { float2 v; int n; };\nS s = {{1, 0}, 2};"),
        (
            "struct S { int n; float2 v; };\nS s[] = {{1, {2}}, {.v = {3}}};",
            "struct S { int n; float2 v; };\nS s[] = {{1, {2, 0}}, {.v = {3, 0}}};",
        ),
    ],
)
def test_members_of_structures_are_read_by_clang(before: str, after: str) -> None:
    assert body(translate(before, clang=True)) == after


def test_braces_left_out_in_a_structure_are_reported() -> None:
    result = translate("struct S { float2 v; int n; };\nS s = {1, 2, 3};", clang=True)
    assert [(f.id, f.severity.label) for f in result.findings] == [("HPY714", "error")]


@pytest.mark.parametrize(
    ("text", "target", "message"),
    [
        ("return float4{a};", "6.4", "if a is a number, HIP gives it to every component of float4"),
        ("return float4{a};", "7.2", ""),
        ("return {a};", "7.2", "if a is a number, HIP needs all components"),
    ],
)
def test_what_may_be_a_number_is_reported(text: str, target: str, message: str) -> None:
    options = hipify.Options(target=target)
    result = hipify.translate_source(f"template <class T> float4 f(T a) {{ {text} }}", "t.cu", options)
    assert [f.message for f in result.findings] == [message] * bool(message)


def test_numbers_that_hips_constructors_convert_only_get_braces() -> None:
    result = translate("void f(float a) { int2 v[1] = {a, 2}; int2 w[2] = {1, 2, a, a}; }", clang=True)
    assert body(result) == ("void f(float a) { int2 v[1] = {{a, 2}}; int2 w[2] = {{1, 2}, {a, a}}; }")


def test_one_half_for_a_pair_is_reported() -> None:
    text = "__device__ void f(half2 v, half a) { v = {a}; }"
    (finding,) = translate(text, clang=True, head="cuda_fp16.h").findings
    assert (finding.id, finding.line, finding.column) == ("HPY714", 2, 42)


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize("alias", ["typedef float4 vec;", "using vec = float4;"])
def test_names_that_the_file_gives_to_vectors(alias: str, clang: bool) -> None:
    result = translate(f"{alias}\nvec v{{1.f}}; auto w = (vec){{1.f, 2.f}};", clang=clang)
    assert body(result) == f"{alias}\nvec v{{1.f, 0, 0, 0}}; auto w = (vec){{1.f, 2.f, 0, 0}};"


def test_lists_in_members_that_clang_does_not_look_into() -> None:
    head = "template <class T> struct V { T x, y; };\nstruct N { V<float4> b; float4 c; };\n"
    result = translate(head + "N n = {{{1.f}, {2.f}}, {3.f}};", clang=True)
    assert body(result) == head + "N n = {{{1.f, 0, 0, 0}, {2.f, 0, 0, 0}}, {3.f, 0, 0, 0}};"


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("__half_raw r = {0x3c00};", "__half_raw r = {.x = 0x3c00};"),
        ("__half_raw r{0x3c00}, s{1};", "__half_raw r{.x = 0x3c00}, s{.x = 1};"),
        ("__half_raw r = {.x = 0x3c00}, s = {};", "__half_raw r = {.x = 0x3c00}, s = {};"),
        ("__half_raw f(unsigned short b) { return {b}; }", "__half_raw f(unsigned short b) { return {.x = b}; }"),
        ("__half f() { return __half_raw{0x3c00}; }", "__half f() { return __half_raw{.x = 0x3c00}; }"),
        (
            "__half_raw f(int b) { return __half_raw{static_cast<unsigned short>(b + 1)}; }",
            "__half_raw f(int b) { return __half_raw{.x = static_cast<unsigned short>(b + 1)}; }",
        ),
        ("__half_raw a[2] = {{1}, {2}};", "__half_raw a[2] = {{.x = 1}, {.x = 2}};"),
        ("__half_raw a[2] = {1, 2};", "__half_raw a[2] = {{.x = 1}, {.x = 2}};"),
        ("__half2_raw r = {1, 2};", "__half2_raw r = {.x = {.x = 1}, .y = {.x = 2}};"),
        ("__half2_raw r{{1}, {2}};", "__half2_raw r{.x = {.x = 1}, .y = {.x = 2}};"),
        ("struct S { __half_raw r; }; S s = {{1}};", "struct S { __half_raw r; }; S s = {{.x = 1}};"),
        ("__half_raw f(__half_raw a) { __half_raw r = a; return r; }", "{ __half_raw r = a; return r; }"),
        (
            "__half_raw f(_Float16 a) { return __half_raw{static_cast<_Float16>(a)}; }",
            "{ return __half_raw{static_cast<_Float16>(a)}; }",
        ),
    ],
)
def test_bits_of_half_floats_are_given_to_the_member_for_bits(before: str, after: str, clang: bool) -> None:
    if before.startswith("struct") and not clang:
        before, after = before.replace("S s = {{1}}", "S s = {}"), after.replace("S s = {{.x = 1}}", "S s = {}")
    result = translate(before, clang=clang, head="cuda_fp16.h")
    assert after in body(result)
    assert result.findings == ()


def test_what_may_be_bits_or_a_half_float_is_reported() -> None:
    (finding,) = translate(
        "template <class T> __half_raw f(T a) { return {a}; }", clang=False, head="cuda_fp16.h"
    ).findings
    assert (finding.id, finding.severity.label) == ("HPY714", "warning")
    assert finding.message.startswith("if a is an integer, it is the bits in CUDA, and the number itself in HIP")


def test_other_variables_of_the_name_of_a_vector_keep_their_lists() -> None:
    text = "void f() { float4 q{1.f}; }\nvoid g() { int q{1}; }\nstruct S { int q; S() : q{3} {} };"
    assert body(translate(text, clang=False)) == text.replace("{1.f}", "{1.f, 0, 0, 0}")


@pytest.mark.parametrize(("last", "ids"), [("p, m", []), ("1, 2, 3, 4, m", ["HPY714"])])
def test_vectors_behind_a_member_without_braces_are_whole(last: str, ids: list[str]) -> None:
    text = (
        "struct Ray { float4 pos; float3 dir; };\n"
        "struct Scene { float3 size; float step; Ray ray; unsigned n; int id; float4 s; float3 most; };\n"
        f"Scene f(float3 v, float4 p, float3 d, unsigned n, float3 m) {{ Scene s = {{v, 1.f, p, d, n, 2, {last}}}; return s; }}"
    )
    assert [f.id for f in translate(text, clang=True).findings] == ids

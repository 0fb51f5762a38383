"""Device functions for types that HIP's own do not take: the headers that bring them, only where they are needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify import Options, Severity, Translation, translate_source
from tests.support.hip import compile_hip

BFLOAT, OVERLOADS = "hipify_bfloat16.h", "hipify_overloads.h"
HEAD = "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <cuda_runtime.h>\n"

PROGRAM = (
    HEAD
    + """
__global__ void bfloats(__nv_bfloat16* p, __nv_bfloat162* q, unsigned* m) {
  p[0] = __hadd_sat(p[1], p[2]);
  p[3] = __hfma_relu(p[4], p[5], p[6]);
  p[7] = __hmax_nan(p[1], htanh(p[2]));
  q[0] = __hmul2_sat(q[1], q[2]);
  q[3] = __hcmadd(q[1], q[2], __hequ2(q[1], q[2]));
  m[0] = __hltu2_mask(q[1], q[2]) + __hne2_mask(q[1], q[2]);
  q[4] = h2tanh(__ldg(q + 5));
}
__global__ void others(float x, double d, float2* f, long long* l, unsigned short* u, ushort4* v, int* o, short2 s, char4 c) {
  float a, b;
  sincos(x, &a, &b);
  sincospi(x, &a, &b);
  double e, g;
  sincos(d, &e, &g);
  atomicAdd(f, make_float2(a, b));
  atomicAnd(l, 3ll);
  atomicXor_system(l, 3ll);
  atomicCAS(u, u[1], u[2]);
  v[0] = __ldg(v + 1);
  o[0] = __dp2a_lo(s, c, 1) + __dp2a_hi(s, c, 1) + static_cast<int>(fdivide(d, 2.0));
  if (o[0]) __assertfail("text", "file", 1, "function", 1);
}
"""
)


def translated(text: str, target: str = "7.2", clang: bool = False) -> Translation:
    return translate_source(text, "t.cu", Options(target=target, clang=clang))


@pytest.mark.parametrize(("target", "arch"), [("5.7", "gfx90a"), ("6.4", "gfx942"), ("7.2", "gfx1100")])
def test_the_functions_compile_for_every_release(tmp_path: Path, target: str, arch: str) -> None:
    made = translated(PROGRAM, target, clang=True)
    (tmp_path / "t.hip").write_bytes(made.output)
    for name, content in made.helper_headers.items():
        (tmp_path / name).write_bytes(content)
    assert {BFLOAT, OVERLOADS, "hipify_half.h"} <= set(made.helper_headers)
    assert compile_hip(tmp_path / "t.hip", target, arch, flags=["-nogpulib"]) == []
    assert [f.message for f in made.findings if f.severity > Severity.NOTE] == []


@pytest.mark.parametrize(
    ("parameter", "call", "header"),
    [
        ("__nv_bfloat16 a", "__hadd_sat(a, a)", BFLOAT),
        ("__half a", "__hadd_sat(a, a)", ""),
        ("float a", "sincos(a, p, p)", OVERLOADS),
        ("double a", "sincos(a, p, p)", ""),
        ("float2* a", "atomicAdd(a, v)", OVERLOADS),
        ("float* a", "atomicAdd(a, v)", ""),
        ("long long* a", "atomicOr(a, 1)", OVERLOADS),
        ("unsigned* a", "atomicOr(a, 1)", ""),
        ("short2 a", "__dp2a_lo(a, b, 1)", OVERLOADS),
    ],
)
def test_a_header_comes_only_where_a_type_asks_for_it(parameter: str, call: str, header: str) -> None:
    made = translated(f"{HEAD}__device__ void f({parameter}) {{ {call}; }}\n", clang=True)
    assert {name for name in made.helper_headers if name in (BFLOAT, OVERLOADS)} == ({header} - {""})
    if header:
        assert f'#include "{header}"' in made.output.decode()
        assert "HPY407" in [f.id for f in made.findings]


def test_a_template_may_take_a_bfloat() -> None:
    text = f"{HEAD}template <class T> __device__ T f(T a) {{ return __hmax_nan(a, a); }}\nusing B = __nv_bfloat16;\n"
    assert BFLOAT in translated(text, clang=True).helper_headers


def test_the_files_own_function_needs_no_header() -> None:
    text = f"{HEAD}__device__ void sincos(float a, float* s, float* c);\n__device__ void f(float a) {{ sincos(a, p, q); }}\n"
    assert OVERLOADS not in translated(text).helper_headers


def test_atomic_swaps_of_short_words_are_there_in_rocm_7() -> None:
    text = f"{HEAD}__global__ void f(unsigned short* a) {{ atomicCAS(a, a[1], a[2]); }}\n"
    assert OVERLOADS in translated(text, "6.4", clang=True).helper_headers
    assert OVERLOADS not in translated(text, "7.2", clang=True).helper_headers


ATOMICS = "#include <cuda_runtime.h>\nstruct S { float4* p; float2 q; float f; };\n__device__ float4 g;\n"


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    "call",
    [
        "atomicAdd(a + 1, make_float4(1, 2, 3, 4));",
        "atomicAdd(&a[i], a[0]);",
        "atomicAdd(&s.q, v);",
        "atomicAdd(s.p, a[1]);",
        "atomicAdd(&g, a[1]);",
        "atomicAdd((float4*)f, a[2]);",
        "atomicAdd(reinterpret_cast<float2*>(f + i), v);",
        "auto w = reinterpret_cast<float2*>(f); atomicAdd(w, v);",
    ],
)
def test_vectors_are_added_with_a_header_of_ours(call: str, clang: bool) -> None:
    made = translated(
        f"{ATOMICS}__global__ void k(float4* a, float2 v, S s, float* f, int i) {{ {call} }}\n", clang=clang
    )
    assert list(made.helper_headers) == [OVERLOADS]
    assert [(f.id, f.line) for f in made.findings] == [("HPY407", 4)]


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize("call", ["atomicAdd(f, a->x);", "atomicAdd(&s.f, v.x);", "atomicAdd(&a[i].x, 1.0f);"])
def test_numbers_of_vectors_are_hips(call: str, clang: bool) -> None:
    made = translated(
        f"{ATOMICS}__global__ void k(float4* a, float2 v, S s, float* f, int i) {{ {call} }}\n", clang=clang
    )
    assert (dict(made.helper_headers), made.findings) == ({}, ())


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(("use", "headers"), [("float2* p", [OVERLOADS]), ("float* p", [])])
def test_templates_may_add_vectors(use: str, headers: list[str], clang: bool) -> None:
    text = (
        "#include <cuda_runtime.h>\ntemplate <class T> __device__ void add(T* p, T v) { atomicAdd(p, v); }\n"
        f"__global__ void k({use}) {{ add(p, p[1]); }}\n"
    )
    assert list(translated(text, clang=clang).helper_headers) == headers


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("atomicExch(a, a[1]);", ["HPY101"]),
        ("atomicCAS(&a[i], a[0], a[1]);", ["HPY101"]),
        ("atomicExch(f, a->x); atomicCAS(u, 1ull, 2ull);", []),
    ],
)
def test_exchanges_of_sixteen_bytes_are_named(call: str, found: list[str], clang: bool) -> None:
    text = f"#include <cuda_runtime.h>\n__global__ void k(float4* a, float* f, unsigned long long* u, int i) {{ {call} }}\n"
    assert [f.id for f in translated(text, clang=clang).findings] == found

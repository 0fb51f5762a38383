"""Members of CUDA's structs."""

from __future__ import annotations

import pytest

import hipify


def translate(source: str, **options) -> tuple[str, list[str]]:
    """The HIP text, and the messages about members."""
    result = hipify.translate_source(source, "t.cu", hipify.Options(clang=False, **options))
    return result.output.decode(), [f.message for f in result.findings if f.id == "HPY115"]


@pytest.mark.parametrize(
    ("declaration", "use", "expected"),
    [
        ("cudaPointerAttributes a;", "a.memoryType", "a.type"),
        ("cudaPointerAttributes* a;", "a->memoryType", "a->type"),
        ("const struct cudaPointerAttributes& a = g();", "a.memoryType", "a.type"),
        ("cudaPointerAttributes b, a[4];", "a[i + 1].memoryType", "a[i + 1].type"),
        ("cudaPointerAttributes* a;", "(*a).memoryType", "(*a).type"),
        ("CUDA_KERNEL_NODE_PARAMS p;", "p.gridDimX = p.blockDimZ", "p.gridDim.x = p.blockDim.z"),
        ("mine a;", "a.memoryType", "a.memoryType"),
        ("cudaPointerAttributes a; { mine a;", "a.memoryType", "a.memoryType"),
        ("cudaPointerAttributes b;", "a.memoryType", "a.memoryType"),
        ("cudaPointerAttributes b;", "other().memoryType", "other().memoryType"),
    ],
)
def test_a_member_is_renamed_by_the_type_of_what_holds_it(declaration, use, expected):
    text, messages = translate(f"void f() {{ {declaration} x({use}); }}\n")
    assert f"x({expected})" in text
    assert messages == []


def test_rocm_5_still_has_the_old_member():
    text, _ = translate("void f() { cudaPointerAttributes a; x(a.memoryType); }\n", target="5.7")
    assert "x(a.memoryType)" in text


def test_a_member_of_a_member_counts():
    source = "struct S { cudaDeviceProp prop; };\nint f(S& s) { return s.prop.mpsEnabled + s.prop.major; }\n"
    text, messages = translate(source)
    assert messages == ["cudaDeviceProp::mpsEnabled: hipDeviceProp_t has no such member"]
    assert "s.prop.mpsEnabled + s.prop.major" in text


def test_miopen_names_the_algorithm_by_direction():
    source = "void f() { cudnnConvolutionFwdAlgoPerf_t p[2]; x(p[0].algo); }\n"
    assert "x(p[0].fwd_algo)" in translate(source, miopen=True)[0]
    assert "x(p[0].algo)" in translate(source)[0]


@pytest.mark.parametrize("clang", [True, False])
def test_results_of_cudnns_searches_under_miopen(clang: bool) -> None:
    code = (
        "#include <cudnn.h>\nvoid f(cudnnConvolutionFwdAlgoPerf_t* p) {\n  size_t m = p[0].memory; float t = p->time;\n"
        "  if (p[0].status) return;\n  auto a = p[0].algo; auto d = p[0].determinism; auto t2 = p->mathType;\n}\n"
    )
    made = hipify.translate_source(code, "t.cu", hipify.Options(clang=clang, miopen=True))
    assert b"auto a = p[0].fwd_algo;" in made.output
    assert [(f.id, f.line) for f in made.findings] == [("HPY115", 4), ("HPY115", 5), ("HPY115", 5)]

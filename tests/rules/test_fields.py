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


LACKS = "cudaDeviceProp::mpsEnabled: hipDeviceProp_t has no such member"
SHOW = "#define SHOW(f) printf(#f, p.f)\n"


@pytest.mark.parametrize(
    "source",
    [
        "int cudaDeviceProp::*m = &cudaDeviceProp::mpsEnabled;\n",
        "using Props = cudaDeviceProp;\nint Props::*m = &Props::mpsEnabled;\n",
        "typedef struct cudaDeviceProp Props;\nint s = sizeof(Props::mpsEnabled);\n",
        "size_t o = offsetof(cudaDeviceProp, mpsEnabled);\n",
        "cudaDeviceProp p = {.mpsEnabled = 1};\n",
        "void f() { g(cudaDeviceProp{.major = 7, .mpsEnabled = 1}); }\n",
        "typedef cudaDeviceProp Props;\nint f(Props* p) { return p->mpsEnabled; }\n",
        "cudaDeviceProp query(int);\nint f() { return query(0).mpsEnabled; }\n",
        "const cudaDeviceProp& query(int);\nint f() { auto p = query(0); return p.mpsEnabled; }\n",
        SHOW + "void f() { cudaDeviceProp p; SHOW(mpsEnabled); }\n",
        "#define AT(o, f) ((o).f)\nint f(cudaDeviceProp* a) { return AT(*a, mpsEnabled); }\n",
        "#define AT(o, f) (o)->f\n#define GET(f) AT(q, f)\nint f() { cudaDeviceProp* q; return GET(mpsEnabled); }\n",
        "#define OF(T, m) decltype(((T*)0)->m)\nOF(cudaDeviceProp, mpsEnabled) x;\n",
        SHOW + "#define ALL(X) X(major) X(mpsEnabled)\nvoid f() { cudaDeviceProp p; ALL(SHOW) }\n",
    ],
)
def test_a_member_without_an_object_in_front_of_it_is_reported(source):
    text, messages = translate(source)
    assert messages == [LACKS]
    assert text.count("mpsEnabled") == source.count("mpsEnabled")


@pytest.mark.parametrize(
    "source",
    [
        SHOW + "struct mine { int mpsEnabled; };\nvoid f() { cudaDeviceProp q; mine p; SHOW(mpsEnabled); }\n",
        "struct mine { int mpsEnabled; };\ncudaDeviceProp q;\nint mine::*m = &mine::mpsEnabled;\n",
        "#define ID(x) x\nint f(cudaDeviceProp p, int mpsEnabled) { return ID(mpsEnabled); }\n",
        "struct mine { int mpsEnabled; };\ncudaDeviceProp q;\nmine m = {.mpsEnabled = 1};\n",
        "struct mine { int mpsEnabled; };\ncudaDeviceProp q;\ntemplate <class P> int f(P p) { return p.mpsEnabled; }\n",
    ],
)
def test_members_of_the_programs_own_structs_are_not(source):
    assert translate(source)[1] == []


def test_members_without_an_object_are_renamed():
    source = "auto m = &cudaPointerAttributes::memoryType;\n#define IS(f, v) (a.f == v)\n"
    source += "bool f(cudaPointerAttributes a) { return IS(memoryType, cudaMemoryTypeHost); }\n"
    text, messages = translate(source)
    assert "&hipPointerAttribute_t::type;" in text
    assert "IS(type, hipMemoryTypeHost)" in text
    assert messages == []


@pytest.mark.parametrize(
    "function",
    [
        "template <class P> int kind(const P& a) { return a.memoryType; }\n",
        "template <typename... P, typename A> int kind(A* a) { return a->memoryType; }\n",
        "auto kind = [](const auto& a) { return a.memoryType; };\n",
    ],
)
def test_members_of_what_a_template_is_given_are_reported_where_one_struct_fits(function):
    source = function + "int f(cudaPointerAttributes p) { return kind(p); }\n"
    text, messages = translate(source)
    assert "memoryType, which hipPointerAttribute_t lacks" in messages[0]
    assert text.count("memoryType") == 1
    assert translate(source, target="5.7")[1] == []
    assert translate(function)[1] == []


@pytest.mark.parametrize("struct", ["cudaKernelNodeAttrValue", "cudaStreamAttrValue", "cudaLaunchAttributeValue"])
@pytest.mark.parametrize("clang", [True, False])
def test_the_names_of_a_launch_attributes_value_are_of_one_union(struct: str, clang: bool) -> None:
    code = f"#include <cuda_runtime.h>\nvoid f({struct} v) {{\n  v.cooperative = 1;\n  v.clusterDim.x = 2;\n}}\n"
    result = hipify.translate_source(code, "t.cu", hipify.Options(clang=clang, target="7.2"))
    assert [(f.id, f.line) for f in result.findings] == [("HPY115", 4)]


def test_members_of_older_releases_that_hip_has_are_known() -> None:
    code = "#include <cuda_runtime.h>\nint f(cudaPointerAttributes a) { return a.isManaged + a.memoryType; }\n"
    for target in ("5.7", "7.2"):
        assert not hipify.translate_source(code, "t.cu", hipify.Options(clang=True, target=target)).findings

"""A function is declared for host and device in the same way everywhere, as clang wants it."""

from __future__ import annotations

from pathlib import Path

import pytest

import hipify
from hipify.parser.source import Source
from hipify.rules.context import Context

HEAD = "#include <cuda_runtime.h>\n"


def translate(text: str, clang: bool = False) -> hipify.Translation:
    return hipify.translate_source(HEAD + text, "t.cu", hipify.Options(clang=clang))


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("__device__ int f(int);\nint f(int a) { return a; }", "BOTH int f(int);\nBOTH int f(int a) { return a; }"),
        ("int f(int);\n__device__ int f(int a) { return a; }", "BOTH int f(int);\nBOTH int f(int a) { return a; }"),
        ("BOTH int f(int);\nint f(int a) { return a; }", "BOTH int f(int);\nBOTH int f(int a) { return a; }"),
        (
            'extern "C" __device__ int f(int);\nextern "C" int f(int a) { return a; }',
            'extern "C" BOTH int f(int);\nextern "C" BOTH int f(int a) { return a; }',
        ),
        (
            "struct S { public: __device__ int m(const float* p, int n = 3); };\nint S::m(const float* q, int k) { return k; }",
            "struct S { public: BOTH int m(const float* p, int n = 3); };\nBOTH int S::m(const float* q, int k) { return k; }",
        ),
        ("struct S { __device__ S(int); };\nS::S(int) {}", "struct S { BOTH S(int); };\nBOTH S::S(int) {}"),
        (
            "template <class T> struct C { __device__ T m(T); };\ntemplate <class U> U C<U>::m(U a) { return a; }",
            "template <class T> struct C { BOTH T m(T); };\ntemplate <class U> BOTH U C<U>::m(U a) { return a; }",
        ),
        (
            "namespace n { __device__ int f(int); }\nint n::f(int a) { return a; }",
            "namespace n { BOTH int f(int); }\nBOTH int n::f(int a) { return a; }",
        ),
        (
            "template <class T> BOTH T f(T a) { return a; }\ntemplate <> __host__ float f<float>(float a) { return a; }",
            "template <class T> BOTH T f(T a) { return a; }\n"
            "template <> __device__ inline __host__ float f<float>(float a) { return a; }",
        ),
        (
            "template <class T> struct C { BOTH T m(T a) { return a; } };\ntemplate <> int C<int>::m(int a) { return a; }",
            "template <class T> struct C { BOTH T m(T a) { return a; } };\n"
            "template <> BOTH inline int C<int>::m(int a) { return a; }",
        ),
        (
            "template <class T> BOTH T f(T a) { return a; }\ntemplate float f<float>(float);",
            "template <class T> BOTH T f(T a) { return a; }\ntemplate BOTH float f<float>(float);",
        ),
        (
            "#define HD BOTH\nHD int f(int);\nint f(int a) { return a; }",
            "#define HD BOTH\nHD int f(int);\nBOTH int f(int a) { return a; }",
        ),
    ],
)
def test_declarations_say_the_same(before: str, after: str, clang: bool) -> None:
    result = translate(before.replace("BOTH", "__host__ __device__"), clang)
    assert result.output.decode() == "#include <hip/hip_runtime.h>\n" + after.replace("BOTH", "__host__ __device__")
    assert {(f.id, f.severity) for f in result.findings} == {("HPY614", hipify.Severity.NOTE)}


@pytest.mark.parametrize(
    "text",
    [
        "__device__ int f(int a) { return a; }\nint f(float a) { return 1; }",
        "#ifdef X\n__device__ int f(int a) { return a; }\n#else\nint f(int a) { return 1; }\n#endif",
        "#ifdef X\n__device__ int f(int a);\n#else\nint f(int a);\n#endif\nEXPORTED int f(int a) { return 1; }",
        "struct A { __device__ int m(int); };\nstruct B { int m(int); };\nint B::m(int a) { return a; }",
        "template <class T, int N> struct A { __device__ T m(T); };\ntemplate <class T> struct A<T, 2> { T m(T); };\n"
        "template <class T> T A<T, 2>::m(T a) { return a; }",
        "__global__ void k(int* p);\n__global__ void k(int* p) {}\nvoid g() { k<<<1, 1>>>(nullptr); }",
        "typedef __device__ unsigned char (*f)(unsigned char);\n__device__ unsigned char (*g)(unsigned char);",
        "__device__ constexpr int f(int a);\nconstexpr int f(int a) { return a; }",
    ],
)
def test_other_functions_stay(text: str) -> None:
    assert "HPY614" not in {f.id for f in translate(text).findings}


@pytest.mark.parametrize(
    "text",
    [
        "template <class T> __device__ T g(T a) { return a; }\ntemplate <> float g<float>(float a) { return a + 1; }",
        "template <class T> T g(T a) { return a; }\ntemplate <> __device__ float g<float>(float a) { return a + 1; }",
        "template <class T> struct S { T n(T a) { return a; } };\ntemplate <> __device__ int S<int>::n(int a) { return a; }",
    ],
)
def test_what_cannot_be_the_same_is_reported(text: str) -> None:
    result = translate(text)
    assert [(f.id, f.severity, f.line) for f in result.findings] == [("HPY614", hipify.Severity.ERROR, 3)]


HEADER = """#pragma once
struct S { __device__ int m(int); __host__ __device__ int n(int a, float b = 1); int o(int); };
template <class T> __host__ __device__ T f(T a) { return a; }
__host__ __device__ int g(int);
__device__ int h(int);
#define MAYBE __device__
MAYBE int i(int);
"""


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("int S::m(int b) { return b; }", "__device__ int S::m(int b) { return b; }"),
        ("__device__ int S::n(int a, float) { return a; }", "BOTH int S::n(int a, float) { return a; }"),
        ("template <> int f<int>(int a) { return 1; }", "template <> BOTH inline int f<int>(int a) { return 1; }"),
        ("__device__ int g(int a) { return a; }", "BOTH int g(int a) { return a; }"),
        ("int h(int a) { return a; }", "__device__ int h(int a) { return a; }"),
        ("int i(int a) { return a; }", "__device__ int i(int a) { return a; }"),
    ],
)
def test_definitions_follow_the_headers(tmp_path: Path, before: str, after: str, clang: bool) -> None:
    (tmp_path / "s.h").write_text(HEADER)
    head = '#include <cuda_runtime.h>\n#include "s.h"\n'
    result = hipify.translate_source(head + before, str(tmp_path / "t.cu"), hipify.Options(clang=clang))
    assert result.output.decode().split('"s.h"\n')[1] == after.replace("BOTH", "__host__ __device__")
    assert [(f.id, f.severity) for f in result.findings] == [("HPY614", hipify.Severity.NOTE)]


@pytest.mark.parametrize(
    "text", ["int h(float a) { return 1; }", "namespace n { int h(int a) { return a; } }", "int j = h(3);"]
)
def test_other_functions_of_a_name_stay(tmp_path: Path, text: str) -> None:
    (tmp_path / "s.h").write_text(HEADER)
    source = f'#include "s.h"\n{text}\n'
    result = hipify.translate_source(source, str(tmp_path / "t.cu"), hipify.Options(clang=False))
    assert (result.output.decode(), result.findings) == (source, ())


def test_a_definition_that_says_more_than_the_header_is_reported(tmp_path: Path) -> None:
    (tmp_path / "s.h").write_text(HEADER)
    text = '#include "s.h"\n__host__ __device__ int h(int a) { return a; }\n'
    result = hipify.translate_source(text, str(tmp_path / "t.cu"), hipify.Options(clang=False))
    assert [(f.id, f.severity, f.line) for f in result.findings] == [("HPY614", hipify.Severity.ERROR, 2)]


HD_HEADER = (
    "#pragma once\n#ifdef __CUDACC__\n#define HD __host__ __device__\n#define DEV __device__ \\\n  __forceinline__\n"
    "#else\n#define HD\n#define DEV\n#endif\n#define HDI HD inline\n"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "include").mkdir()
    (tmp_path / "include/hd.h").write_text(HD_HEADER)
    (tmp_path / "decl.h").write_text(
        '#include "include/hd.h"\nHD int f(int a);\nDEV int g(int a);\n'
        "template <class T> struct V { HD T get() const; T p; };\n"
    )
    return tmp_path


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('#include "decl.h"\nint f(int a) { return a; }\n', "BOTH int f(int a) { return a; }\n"),
        (
            '#include "decl.h"\ntemplate <class T> T V<T>::get() const { return p; }\n',
            "template <class T> BOTH T V<T>::get() const { return p; }\n",
        ),
        (
            '#include "include/hd.h"\nHDI int h(int a);\nint h(int a) { return a; }\n',
            "HDI int h(int a);\nBOTH int h(int a) { return a; }\n",
        ),
        (
            '#include "include/hd.h"\n#define MINE HDI\nMINE int h(int a);\nint h(int a) { return a; }\n',
            "#define MINE HDI\nMINE int h(int a);\nBOTH int h(int a) { return a; }\n",
        ),
        ('#include "decl.h"\nDEV int g(int a) { return a; }\n', "DEV int g(int a) { return a; }\n"),
    ],
)
def test_macros_of_other_headers_are_read(project: Path, text: str, expected: str, clang: bool) -> None:
    source = project / "m.cu"
    source.write_text(HEAD + text)
    made = hipify.translate_file(source, hipify.Options(clang=clang))
    assert made.output.decode().partition('.h"\n')[2] == expected.replace("BOTH", "__host__ __device__")
    assert [f.id for f in made.findings] == ["HPY614"] * expected.count("BOTH")


def test_functions_with_macros_of_other_headers_are_device_code(project: Path) -> None:
    text = b'#include "decl.h"\nHDI int f(int a) { return a; }\nint host(int a) { return a; }\n'
    context = Context(Source(text, str(project / "m.cu")), hipify.Options(clang=False))
    places = context.structure.index[b"return"]
    assert [context.functions.in_device(index) for index in places] == [True, False]

"""A function is declared for host and device in the same way everywhere, as clang wants it."""

from __future__ import annotations

import pytest

import hipify

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

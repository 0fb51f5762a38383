"""Default arguments of class templates' members stand in the class."""

from __future__ import annotations

import pytest

import hipify


def translate(text: str, clang: bool = False) -> hipify.Translation:
    return hipify.translate_source(f"#include <cuda_runtime.h>\n{text}\n", "t.cu", hipify.Options(clang=clang))


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "template <class T> struct A { void f(int n, float); };\ntemplate <class T> void A<T>::f(int n, float x = 2 * 3) {}",
            "template <class T> struct A { void f(int n, float = 2 * 3); };\ntemplate <class T> void A<T>::f(int n, float x) {}",
        ),
        (
            "template <class T, int N> struct A { void f(int n); };\ntemplate <class T> struct A<T, 2> { void f(int n); };\n"
            "template <class U> void A<U, 2>::f(int n /* why */ = sizeof(U)) {}",
            "template <class T, int N> struct A { void f(int n); };\n"
            "template <class T> struct A<T, 2> { void f(int n = sizeof(T)); };\n"
            "template <class U> void A<U, 2>::f(int n /* why */) {}",
        ),
        (
            "template <class T> struct A { void f(cudaStream_t s); };\n"
            "template <class T> void A<T>::f(cudaStream_t s = cudaStreamPerThread) {}",
            "template <class T> struct A { void f(hipStream_t s = hipStreamPerThread); };\n"
            "template <class T> void A<T>::f(hipStream_t s) {}",
        ),
        (
            "struct P { template <class T> void t(T a, int n); };\ntemplate <class T> void P::t(T a, int n = 5) {}",
            "struct P { template <class T> void t(T a, int n = 5); };\ntemplate <class T> void P::t(T a, int n) {}",
        ),
    ],
)
def test_they_are_carried_into_the_class(before: str, after: str, clang: bool) -> None:
    result = translate(before, clang)
    assert result.output.decode() == f"#include <hip/hip_runtime.h>\n{after}\n"
    assert {(f.id, f.severity) for f in result.findings} == {("HPY615", hipify.Severity.NOTE)}


@pytest.mark.parametrize(
    "text",
    [
        "#include <a.h>\ntemplate <class T> void A<T>::f(int n = 3) {}",
        "template <class T> struct A { void f(int n = 2); };\ntemplate <class T> void A<T>::f(int n = 3) {}",
    ],
)
def test_they_are_reported_where_the_class_is_not_found(text: str) -> None:
    result = translate(text)
    assert [(f.id, f.severity, f.line) for f in result.findings] == [("HPY615", hipify.Severity.ERROR, 3)]
    assert "int n = 3" in result.output.decode()


@pytest.mark.parametrize(
    "text",
    [
        "struct P { void f(int n); };\nvoid P::f(int n = 2) {}",
        "template <class T> struct A { void f(int n = 2); };\ntemplate <class T> void A<T>::f(int n) {}",
        "template <class T> void g(T a) { int n; A<T>::f(n = 3); if (A<T>::h(n == 2)) {} }",
    ],
)
def test_others_stay(text: str) -> None:
    assert translate(text).output.decode() == f"#include <hip/hip_runtime.h>\n{text}\n"

"""Which functions run on the device: also operators and specialisations, whose names are more than one word."""

from __future__ import annotations

import pytest

from hipify.model import Options
from hipify.parser.source import Source
from hipify.rules.context import Context


def functions(text: str) -> list[tuple[str, str]]:
    """Name and body of each function that the file's attributes mark."""
    context = Context(Source(text.encode(), "t.cu"), Options(clang=False))
    start = context.tokens.start
    return [
        (context.text(f.name).decode() if f.name >= 0 else "", text[start[f.body] : start[f.stop] + 1])
        for f in context.functions.all
    ]


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("template <> __device__ int f<int, half>(half v)", "f"),
        ("template <> __global__ void k<true, (3 > 2)>(int* p)", "k"),
        ("template <> __device__ void Foo<int>::bar<3>(int a)", "bar"),
        ("template <> __device__ V A<B<int>>::f<C<int>>(V a)", "f"),
        ("__device__ V operator+(V a, V b)", "operator"),
        ("__device__ bool operator<(V a, V b)", "operator"),
        ("__device__ bool operator>(V a, V b)", "operator"),
        ("__device__ V operator>>(V a, int b)", "operator"),
        ("__device__ bool operator==(V a, V b)", "operator"),
        ("__device__ V& operator=(const V& a)", "operator"),
        ("__device__ V& operator<<=(const V& a)", "operator"),
        ("template <> __device__ V operator-<int>(V a)", "operator"),
        ("__device__ int operator()(int a) const", "operator"),
        ("__device__ __forceinline__ void f(T (&a)[3])", "f"),
    ],
)
def test_what_a_function_is_called(head: str, name: str) -> None:
    assert functions(f"{head} {{ return; }}\n") == [(name, "{ return; }")]


@pytest.mark.parametrize(
    "text",
    [
        "__device__ int a = b<3>(4) + c; int f() { }\n",
        "__device__ const T x<int>(3); void g() { }\n",
        "__device__ A<int>(*fp)(int); int f() { return 1; }\n",
        "__device__ int t[3] = { 1, 2 }; void f() { }\n",
        "__device__ bool operator<(V a, V b); int f() { }\n",
    ],
)
def test_declarations_and_variables_are_no_functions(text: str) -> None:
    assert functions(text) == []

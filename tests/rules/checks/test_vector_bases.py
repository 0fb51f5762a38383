"""HPY715: a vector type for one of several base classes."""

from __future__ import annotations

import pytest

from hipify.model import Options
from hipify.parser.source import Source
from hipify.rules.engine import analyse


def found(text: str) -> list[int]:
    findings = analyse(Source(text.encode(), "t.cu"), Options(clang=False)).findings
    return [f.line for f in findings if f.id == "HPY715"]


@pytest.mark.parametrize(
    "head",
    [
        "struct V : float3, Ops<V>",
        "class V : public Base<float, 3, V>, public float3",
        "class V : public Base<Inner<float, 3>>, public float3",
        "class V final : Ops<V>, virtual protected uint2, Other",
    ],
)
def test_a_vector_type_beside_another_base(head: str) -> None:
    assert found(f"{head} {{ }};\n") == [1]


@pytest.mark.parametrize("number", ["uint64_t", "unsigned long long", "float"])
def test_a_vector_type_that_becomes_a_number(number: str) -> None:
    assert found(f"struct U : public uint2 {{ U(); __device__ operator {number}() const; }};\n") == [1]


@pytest.mark.parametrize(
    "text",
    [
        "struct V : float3 { };\n",
        "struct V : float3 { V operator+(V) const; operator bool() const; explicit operator int() const; };\n",
        "struct V : float3 { }; struct W { operator int() const; };\n",
        "struct V { float3 a; int b : 3; };\n",
        "struct A { }; void f(struct B* b, float3 c, int d) { }\n",
        "struct V : Base<float3, int> { };\n",
        "struct V : binary_function<float2, float2, float2> { };\n",
        "struct V : Outer<Inner<int, float2, int>>, Other { };\n",
        "struct float3 { float x; };\nstruct V : Ops<V>, float3 { };\n",
        "template <class T, class U = float3> struct V { };\n",
    ],
)
def test_other_uses_of_vector_types(text: str) -> None:
    assert found(text) == []

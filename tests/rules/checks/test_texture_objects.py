"""Texture and surface objects beside operators of integers."""

import pytest

import hipify


def found(body: str) -> list[tuple[str, int]]:
    head = "#include <cuda_runtime.h>\nvoid f(cudaTextureObject_t* p, cudaTextureObject_t t, cudaSurfaceObject_t s, uint2 o) {\n"
    result = hipify.translate_source(head + body + "\n}\n", "t.cu", hipify.Options(clang=False))
    return [(finding.id, finding.line) for finding in result.findings if finding.id == "HPY514"]


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ("unsigned a = t & 0xFF, b = t >> 32;", 2),
        ("int n = s % 2;", 1),
        ("t = ((cudaTextureObject_t)o.x) | ((cudaTextureObject_t)o.y) << 32;", 2),
        ("t = (cudaTextureObject_t)o.x + 1;", 1),
    ],
)
def test_bits_of_an_object_are_reported(body: str, number: int) -> None:
    assert found(body) == [("HPY514", 3)] * number


@pytest.mark.parametrize(
    "body",
    [
        "if (t && p) { t = 0; f(&t, t, s, o); }",
        "cudaTextureObject_t a[2]; a[0] = t; auto q = (cudaTextureObject_t)p;",
        "cudaTextureObject_t *u = &t, v = *p; bool b = t == v;",
        "struct T { int t; } x; int n = x.t & 3;",
    ],
)
def test_objects_that_are_handed_on_are_not(body: str) -> None:
    assert found(body) == []

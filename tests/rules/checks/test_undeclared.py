"""Names that clang finds no declaration of."""

from __future__ import annotations

import pytest

import hipify

HEAD = "#include <cuda_runtime.h>\n"


def found(text: str, **options: object) -> list[tuple[str, int]]:
    """Ids and lines of the findings."""
    result = hipify.translate_source(HEAD + text, "t.cu", hipify.Options(**options))  # type: ignore[arg-type]
    return [(f.id, f.line) for f in result.findings]


@pytest.mark.parametrize(
    "line",
    [
        "__device__ int f(int a) { return __vfancy4(a); }",
        "__device__ int f(int* a) { return atomicFancy(a, 1); }",
        "void f() { cuFancy(1); cudaMalloc(0, 4); }",
        "void f(cudaDeviceProp p) { int q = p.fancyNewField; }",
        "__device__ bool f(bool a) { return any(a); }",
        "__device__ int f(bool a) { return ballot(a); }",
    ],
)
def test_named_where_every_header_was_found(line: str) -> None:
    assert found(line + "\n") == [("HPY118", 2)]


@pytest.mark.parametrize(
    "text",
    [
        '#include "not_here.h"\nvoid f() { cuFancy(1); cudaMalloc(0, 4); }\n',
        "void f() { use(CTA_SIZE); cudaMalloc(0, 4); }\n",
        "void cuFancy(int);\nvoid f() { cuFancy(1); cudaMalloc(0, 4); }\n",
        "int all(int);\n__device__ int any(int);\n__device__ int f(int a) { return any(a) + all(a); }\n",
        "void f(int a) { any(a); cudaMalloc(0, 4); }\n",
        "#define cuFancy(x) (x)\nvoid f() { cuFancy(1); cudaMalloc(0, 4); }\n",
        "struct cudaMine { int a; };\nvoid f(cudaMine p) { int q = p.b; cudaMalloc(0, 4); }\n",
    ],
)
def test_not_where_the_name_may_be_the_users(text: str) -> None:
    assert "HPY118" not in [f for f, _ in found(text)]


@pytest.mark.parametrize("clang", [True, False])
def test_short_names_of_barriers_are_translated(clang: bool) -> None:
    text = (
        "__global__ void k(int* p, bool b) { p[0] = syncthreads_count(b) + syncthreads_and(b) + syncthreads_or(b); }\n"
    )
    output = hipify.translate_source(HEAD + text, "t.cu", hipify.Options(clang=clang)).output.decode()
    assert "p[0] = __syncthreads_count(b) + __syncthreads_and(b) + __syncthreads_or(b);" in output


def test_without_clang_nothing_is_said() -> None:
    assert found("void f() { cuFancy(1); cudaMalloc(0, 4); }\n", clang=False) == []

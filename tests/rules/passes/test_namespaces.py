"""Namespaces of CUB and of Thrust's CUDA backend, in every way they are named."""

import pytest

import hipify

HEAD = "#include <cub/cub.cuh>\n#include <thrust/execution_policy.h>\n#include <thrust/sort.h>\n"


def translate(text: str) -> hipify.Translation:
    return hipify.translate_source(HEAD + text, "t.cu", hipify.Options(clang=False))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("namespace c = cub;\n", "namespace c = hipcub;\n"),
        ("namespace c=cub;\n", "namespace c=hipcub;\n"),
        ("namespace m { namespace c = ::cub; }\n", "namespace m { namespace c = ::hipcub; }\n"),
        ("void f(int* x) { thrust::sort(thrust::cuda_cub::par, x, x); }\n", "thrust::sort(thrust::hip_rocprim::par, x"),
        ("auto& c = thrust::cuda_category();\n", "auto& c = thrust::hip_category();\n"),
        ("#include <thrust/system/cuda/vector.h>\n", "#include <thrust/system/hip/vector.h>\n"),
    ],
)
def test_renamed(text: str, expected: str) -> None:
    result = translate(text)
    assert expected in result.output.decode()
    assert result.findings == ()


@pytest.mark.parametrize(
    "text", ["int cub = 1; int c = cub;\n", "struct A { int cuda_cub; }; int f(A a) { return a.cuda_cub; }\n"]
)
def test_left_alone(text: str) -> None:
    assert text in translate(text).output.decode()


@pytest.mark.parametrize(
    "text",
    [
        "__device__ int f(int v) { return cub::WarpFancy(v, 1); }\n",
        "namespace c = cub; __device__ int f(int v) { return c::WarpFancy(v, 1); }\n",
    ],
)
def test_names_that_no_table_knows_are_named(text: str) -> None:
    (finding,) = translate(text).findings
    assert (finding.id, finding.severity, finding.line) == ("HPY701", hipify.Severity.WARNING, 4)
    assert "WarpFancy" in finding.message


def test_what_the_program_adds_to_the_namespace_is_its_own() -> None:
    assert translate("namespace cub { struct Mine {}; }\ncub::Mine m;\n").findings == ()

"""Numbers in the place of CUDA's enumerators."""

from __future__ import annotations

import pytest

import hipify
from hipify.rules.library import Library
from hipify.rules.passes.numbers import NEEDS, _table


def translate(source: str, **options: object) -> tuple[str, list[tuple[str, str]]]:
    """The HIP text, and severity and message of what is said about numbers."""
    result = hipify.translate_source(source, "t.cu", hipify.Options(clang=False, **options))  # type: ignore[arg-type]
    return result.output.decode(), [(f.severity.label, f.message) for f in result.findings if f.id == "HPY127"]


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("(cudaDeviceAttr)97", "(hipDeviceAttribute_t)hipDeviceAttributeSharedMemPerBlockOptin"),
        ("cudaDeviceAttr(16)", "hipDeviceAttribute_t(hipDeviceAttributeMultiprocessorCount)"),
        ("(enum cudaDeviceAttr) 0x10", "(enum hipDeviceAttribute_t) hipDeviceAttributeMultiprocessorCount"),
        ("static_cast<enum cudaDeviceAttr>(11)", "static_cast<enum hipDeviceAttribute_t>(hipDeviceAttributeMaxPitch)"),
        ("(CUdevice_attribute)(75)", "(hipDeviceAttribute_t)(hipDeviceAttributeComputeCapabilityMajor)"),
        ("(cublasOperation_t)(t ? 1 : 0)", "(hipblasOperation_t)(t ? HIPBLAS_OP_T : HIPBLAS_OP_N)"),
        ("cublasOperation_t{2u}", "hipblasOperation_t{HIPBLAS_OP_C}"),
        ("(cublasGemmAlgo_t)-1", "(hipblasGemmAlgo_t)HIPBLAS_GEMM_DEFAULT"),
        ("static_cast<cublasGemmAlgo_t>(99)", "static_cast<hipblasGemmAlgo_t>(HIPBLAS_GEMM_DEFAULT)"),
        ("(curandRngType)100", "(hiprandRngType_t)HIPRAND_RNG_PSEUDO_DEFAULT"),
        ("(cusolverEigMode_t)1", "(hipsolverEigMode_t)HIPSOLVER_EIG_MODE_VECTOR"),
    ],
)
def test_a_number_becomes_the_enumerator(cuda: str, hip: str) -> None:
    text, said = translate(f"void f(bool t) {{ g({cuda}); }}\n")
    assert f"g({hip});" in text
    assert {severity for severity, _ in said} == {"note"}
    assert translate(text)[0] == text


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("(cudaError_t)2", "(hipError_t)2"),
        ("(cudaDeviceAttr)45", "(hipDeviceAttribute_t)45"),
        ("(cublasStatus_t)0", "(hipblasStatus_t)0"),
        ("(cublasOperation_t)o", "(hipblasOperation_t)o"),
        ("static_cast<cublasOperation_t>(kept)", "static_cast<hipblasOperation_t>(kept)"),
        ("(cublasOperation_t)h(1)", "(hipblasOperation_t)h(1)"),
        ("vector<cublasOperation_t>(3)", "vector<hipblasOperation_t>(3)"),
    ],
)
def test_what_means_the_same_or_is_no_number_is_left(cuda: str, hip: str) -> None:
    text, said = translate(f"void f(cublasOperation_t o) {{ int kept = CUBLAS_OP_T; g({cuda}); }}\n")
    assert f"g({hip});" in text
    assert said == []


def test_declarations_are_no_casts() -> None:
    source = "cublasOperation_t g(cublasOperation_t, int n = 1);\nvoid f(cublasOperation_t) { }\n"
    text, said = translate(source)
    assert "int n = 1" in text
    assert said == []


def test_an_integer_that_is_cast_is_reported() -> None:
    source = "void f(int n) { for (int i = 1; i < 9; i++) g((cudaDeviceAttr)i, static_cast<cublasOperation_t>(n)); }\n"
    text, said = translate(source)
    assert "(hipDeviceAttribute_t)i, static_cast<hipblasOperation_t>(n)" in text
    assert [severity for severity, _ in said] == ["warning", "warning"]


def test_a_number_whose_enumerator_hip_lacks_is_an_error() -> None:
    text, said = translate("void f() { g((cudaDeviceAttr)120); }\n")
    assert "(hipDeviceAttribute_t)120" in text
    assert said == [("error", "120 is cudaDevAttrClusterLaunch as cudaDeviceAttr, which HIP lacks")]


def test_the_table_holds_names_of_cuda_only() -> None:
    names = Library.default().names
    unknown = {name for rows in _table().values() for name in rows.values()} - names
    assert unknown == set()
    assert _table().keys() <= NEEDS


@pytest.mark.parametrize(
    "end", ["(cudaDeviceAttr)", "(cudaDeviceAttr)-", "cudaDeviceAttr(", "static_cast<cudaDeviceAttr>("]
)
def test_a_cast_of_nothing_ends_a_file(end: str) -> None:
    text = f"void f(int* v) {{ g(v, {end}"
    result = hipify.translate_source(text, "t.cu", hipify.Options(clang=False))
    assert result.output.decode().endswith(text.replace("cudaDeviceAttr", "hipDeviceAttribute_t"))

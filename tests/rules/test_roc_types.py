"""Option --roc: complex types and data types where rocBLAS and rocSPARSE have each their own."""

from __future__ import annotations

import pytest

from hipify import Options, Severity, translate_source
from hipify.rules.roc_types import own_types

BLAS, SPARSE, LT = "#include <cublas_v2.h>\n", "#include <cusparse.h>\n", "#include <cublasLt.h>\n"


def roc(text: str, path: str = "a.cu", **options: object) -> tuple[str, list[str]]:
    """The translation, and the messages of what is no note."""
    made = Options(roc=True, clang=False)._replace(**options)  # type: ignore[arg-type]
    done = translate_source(text, path, made)
    told = [f"{f.id} {f.message}" for f in done.findings if f.severity > Severity.NOTE]
    return done.output.decode(), told


def test_complex_types_stay_hips() -> None:
    text, told = roc(BLAS + "cuComplex f(cuDoubleComplex z) { return make_cuComplex(cuCreal(z), 0); }\n")
    assert "hipComplex f(hipDoubleComplex z) { return make_hipComplex(hipCreal(z), 0); }" in text
    assert "#include <hip/hip_complex.h>" in text
    assert told == []


@pytest.mark.parametrize(
    ("call", "made"),
    [
        (
            "cublasCaxpy(h, n, &a, x + 1, 1, y, 1);",
            "rocblas_caxpy(h, n, reinterpret_cast<const rocblas_float_complex*>(&a), "
            "reinterpret_cast<const rocblas_float_complex*>(x + 1), 1, reinterpret_cast<rocblas_float_complex*>(y), 1);",
        ),
        (
            "cusparseZgthr(h, n, x, y, i, CUSPARSE_INDEX_BASE_ONE);",
            "rocsparse_zgthr(h, n, reinterpret_cast<const rocsparse_double_complex*>(x), "
            "reinterpret_cast<rocsparse_double_complex*>(y), i, rocsparse_index_base_one);",
        ),
        ("cusparseSgthr(h, n, x, y, i, b);", "rocsparse_sgthr(h, n, x, y, i, b);"),
        (
            "cusparseCgthr(h, n, nullptr, (cuComplex*)y, i, b);",
            "rocsparse_cgthr(h, n, nullptr, reinterpret_cast<rocsparse_float_complex*>((hipComplex*)y), i, b);",
        ),
    ],
)  # fmt: skip
def test_arguments_are_cast(call: str, made: str) -> None:
    text, told = roc(f"{BLAS}{SPARSE}void f() {{ {call} }}\n")
    assert made in text
    assert told == []


def test_comments_and_lines_stay() -> None:
    text, _ = roc(SPARSE + "void f() {\n  cusparseCgthr(h, n,  // count\n      x /* from */, y,\n      i, b);\n}\n")
    assert "n,  // count\n      reinterpret_cast<const rocsparse_float_complex*>(x) /* from */, " in text


def test_c_gets_casts_of_c() -> None:
    text, _ = roc(SPARSE + "void f() { cusparseCgthr(h, n, x, y, i, b); }\n", "a.c")
    assert "(const rocsparse_float_complex*)(x), (rocsparse_float_complex*)(y)" in text


def test_without_the_option_nothing_is_cast() -> None:
    text, _ = roc(SPARSE + "void f() { cusparseCgthr(h, n, x, y, i, b); }\n", roc=False)
    assert "hipsparseCgthr(h, n, x, y, i, b);" in text


def test_a_function_that_is_named_only_is_reported() -> None:
    _, told = roc(BLAS + "auto f = cublasCaxpy;\n")
    assert told == ["HPY112 cublasCaxpy is named here without being called; rocblas_caxpy takes other arguments"]


def test_what_only_the_hip_library_has_is_reported() -> None:
    text, told = roc(BLAS + "void f() { cublasSsyrk_64(h, u, o, n, k, a, A, lda, b, C, ldc); }\n")
    assert "cublasSsyrk_64(" in text
    assert [message.split()[0] for message in told] == ["HPY110"]


def test_what_only_the_hip_library_has_is_reported_where_a_rule_speaks() -> None:
    _, told = roc(BLAS + "void f() { cublasSgetrsBatched(h, op, n, k, A, lda, p, B, ldb, info, count); }\n")
    assert [message.split()[0] for message in told] == ["HPY110"]


@pytest.mark.parametrize(
    ("headers", "name"),
    [
        (BLAS, "rocblas_datatype_f32_r"),
        (SPARSE, "rocsparse_datatype_f32_r"),
        (BLAS + SPARSE, "rocblas_datatype_f32_r"),
        (LT, "HIP_R_32F"),
        ("", "HIP_R_32F"),
    ],
)
def test_data_types_are_those_of_the_library_that_is_used(headers: str, name: str) -> None:
    text, told = roc(f"{headers}auto t = CUDA_R_32F;\n")
    assert f"auto t = {name};" in text
    assert told == []


def test_data_types_of_two_libraries_are_cast() -> None:
    both, _ = roc(BLAS + SPARSE + "void f() { cusparseCreateDnVec(&v, n, p, CUDA_R_32F); }\n")
    assert "rocsparse_create_dnvec_descr(&v, n, p, static_cast<rocsparse_datatype>(rocblas_datatype_f32_r));" in both
    one, _ = roc(SPARSE + "void f() { cusparseCreateDnVec(&v, n, p, CUDA_R_32F); }\n")
    assert "rocsparse_create_dnvec_descr(&v, n, p, rocsparse_datatype_f32_r);" in one


def test_data_types_that_cannot_be_cast_are_reported() -> None:
    _, told = roc(BLAS + LT)
    assert told == [
        "HPY110 cublasLt.h: hipBLASLt takes hipDataType, and with --roc the data types of this file are rocBLAS's"
    ]


def test_the_table_knows_positions_and_types() -> None:
    assert own_types(b"rocsparse_cgthr") == {2: "const rocsparse_float_complex*", 3: "rocsparse_float_complex*"}
    assert own_types(b"rocsparse_sgthr") == {}

"""Names that CUDA has as a struct or an enum and HIP as a typedef alone: the keyword goes."""

from __future__ import annotations

import pytest

from hipify import Options, translate_source


def translated(text: str, **options: object) -> str:
    made = Options(clang=False)._replace(**options)  # type: ignore[arg-type]
    return translate_source(f"#include <cuda_runtime.h>\n{text}\n", "t.cu", made).output.decode()


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("struct cudaGraphicsResource *resource;", "hipGraphicsResource *resource;"),
        ("void f(enum cudaExternalMemoryHandleType t);", "void f(hipExternalMemoryHandleType t);"),
        ("const struct /* by value */ cudaLaunchParams p = {};", "const hipLaunchParams p = {};"),
        ("sizeof(struct cudaLaunchParams);", "sizeof(hipLaunchParams);"),
        ("cudaLaunchParams p;", "hipLaunchParams p;"),
        ("struct cudaDeviceProp p;", "struct hipDeviceProp_t p;"),
    ],
)
def test_the_keyword_goes_where_hip_has_a_typedef(cuda: str, hip: str) -> None:
    assert hip in translated(cuda).splitlines()


def test_a_declaration_of_the_name_alone_goes_whole() -> None:
    assert translated("struct cudaGraphicsResource;\nint x;").splitlines()[1:] == ["", "int x;"]


def test_roc_names_are_typedefs_too() -> None:
    assert "rocblas_fill f;" in translated("#include <cublas_v2.h>\nenum cublasFillMode_t f;", roc=True).splitlines()

"""Names that look like CUDA's and are the program's own; macros that guards alone speak of."""

from __future__ import annotations

from pathlib import Path

import pytest

import hipify
from hipify.rules.error_numbers import error_number
from hipify.rules.library import Library

_LACKING = ("enum_constant", "unsupported")


def found(text: str) -> list[tuple[str, int]]:
    result = hipify.translate_source(text, "t.cu", hipify.Options(clang=False))
    return [(f.id, f.line) for f in result.findings if f.severity.label != "note"]


@pytest.mark.parametrize(
    "text",
    [
        "struct S { int (*nvmlFancyCall)(int); };\n",
        "struct S { char* (*nvmlFancyCall)(int); };\n",
        "int f(S* s) { return s->nvmlFancyCall(1); }\n",
        "int f(S s) { return s.nvmlFancyCall(1); }\n",
    ],
)
def test_what_a_library_is_called_through_is_the_programs(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "int f() { return nvmlFancyCall(1); }\n",
        "int f() { return (*nvmlFancyCall)(1); }\n",
        "void* f() { return (void*)nvmlFancyCall; }\n",
    ],
)
def test_what_nothing_declares_is_reported(text: str) -> None:
    assert found(text) == [("HPY105", 1)]


def test_a_guard_that_asks_for_hips_macro_too_is_no_error() -> None:
    text = "#ifndef __CUDACC_RTC__\n#include <string>\n#endif\n"
    result = hipify.translate_source(text, "t.cu", hipify.Options(clang=False))
    assert result.output == b"#if !defined(__CUDACC_RTC__) && !defined(__HIPCC_RTC__)\n#include <string>\n#endif\n"
    assert [f.id for f in result.findings] == ["HPY604"]


@pytest.mark.parametrize("clang", [True, False])
def test_using_declarations_name_what_calls_become(clang: bool) -> None:
    text = (
        "#include <cuda_runtime.h>\nnamespace a { using ::cudaHostAlloc; using ::cudaMallocHost; using ::cudaFree; }\n"
        "void f(void** p) { a::cudaHostAlloc(p, 4, 0); a::cudaMallocHost(p, 4); a::cudaFree(*p); }\n"
    )
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert made.output.decode().splitlines()[1:] == [
        "namespace a { using ::hipHostAlloc; using ::hipHostMalloc; using ::hipHostMalloc; using ::hipFree; }",
        "void f(void** p) { a::hipHostMalloc(p, 4, 0); a::hipHostMalloc(p, 4, hipHostMallocDefault); a::hipFree(*p); }",
    ]
    assert made.findings == ()


@pytest.mark.parametrize("clang", [True, False])
def test_an_alias_in_a_namespace_keeps_its_name_in_all_places(clang: bool) -> None:
    text = (
        "#include <cuda_runtime.h>\nnamespace b { using cudaEvent_t = ::cudaEvent_t; cudaEvent_t g; }\n"
        "void f() { b::cudaEvent_t e; cudaEvent_t h; }\n"
    )
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert made.output.decode().splitlines()[1:] == [
        "namespace b { using cudaEvent_t = ::hipEvent_t; cudaEvent_t g; }",
        "void f() { b::cudaEvent_t e; hipEvent_t h; }",
    ]


@pytest.mark.parametrize("clang", [True, False])
def test_names_of_the_projects_headers_are_known(tmp_path: Path, clang: bool) -> None:
    (tmp_path / "u.h").write_text(
        "void cudaSetup(int device);\nextern int cudaDevice;\nclass cudaTool { public: int a; };\n"
    )
    source = tmp_path / "t.cu"
    source.write_text('#include "u.h"\nvoid f() { cudaSetup(cudaDevice); cudaTool t; t.a = cudaSetOther(); }\n')
    found = [f.message.split()[0] for f in hipify.translate_file(source, hipify.Options(clang=clang)).findings]
    assert found == ["cudaSetOther"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("case cudaErrorTooManyPeers:", "case (hipError_t)711 /* cudaErrorTooManyPeers */:"),
        ("case CUDA_ERROR_NOT_PERMITTED:", "case (hipError_t)800 /* CUDA_ERROR_NOT_PERMITTED */:"),
        ("e == cudaErrorExternalDevice;", "e == (hipError_t)1911 /* cudaErrorExternalDevice */;"),
        ("case CUFFT_LICENSE_ERROR:", "case (hipfftResult)15 /* CUFFT_LICENSE_ERROR */:"),
        ("case CUSOLVER_STATUS_INVALID_LICENSE:", "case (hipsolverStatus_t)15 /* CUSOLVER_STATUS_INVALID_LICENSE */:"),
    ],
)
def test_error_codes_without_a_name_in_hip_are_numbers(text: str, expected: str) -> None:
    result = hipify.translate_source(f"{text}\n", "t.cu", hipify.Options(clang=False))
    assert expected in result.output.decode()
    assert [f.id for f in result.findings] == ["HPY128"]


def test_error_codes_that_do_not_stand_alone_are_reported() -> None:
    result = hipify.translate_source("auto e = cudaError::cudaErrorInvalidPc;\n", "t.cu", hipify.Options(clang=False))
    assert "HPY128" not in [f.id for f in result.findings]
    assert [f.id for f in result.findings if f.severity.label == "error"] == ["HPY101"]


def test_every_error_code_has_a_number_or_a_counterpart() -> None:
    library = Library.default()
    codes = [n.decode() for n in library.names if n.startswith((b"cudaError", b"CUDA_ERROR_"))]
    lacking = {n for n in codes if (api := library.get(n.encode())) and (api.kind, api.status) == _LACKING}
    assert lacking and not [n for n in lacking if not error_number(n)]

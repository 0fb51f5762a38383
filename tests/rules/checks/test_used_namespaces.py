"""Calls behind `using namespace` that may be of the project's own functions, where there is no clang."""

from __future__ import annotations

from pathlib import Path

import pytest

import hipify

MINE = "#include <cuda_runtime.h>\nnamespace mine { int cudaFree(void* p, int how = 0); int cudaNew(); }\n"


def said(text: str, path: str = "t.cu", clang: bool = False) -> list[tuple[int, str]]:
    result = hipify.translate_source(text.encode(), path, hipify.Options(clang=clang))
    return [(f.line, f.message) for f in result.findings if f.id == "HPY124"]


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("using namespace mine;\nvoid f(void* p) { cudaFree(p); cudaFree(p, 1); }\n", [4, 4]),
        ("namespace outer { using namespace mine;\nvoid f(void* p) { cudaFree(p); } }\n", [4]),
        ("void f(void* p) { using namespace mine;\ncudaFree(p); }\n", [4]),
        ("using namespace mine;\nvoid f(void* p) { ::cudaFree(p); mine::cudaFree(p); cudaFree(); cudaMalloc(&p, 4); }\n", []),
        ("void f() { using namespace mine; }\nvoid g(void* p) { cudaFree(p); }\n", []),
        ("void g(void* p) { cudaFree(p); }\nusing namespace mine;\n", []),
        ("using namespace theirs;\nvoid g(void* p) { cudaFree(p); }\n", []),
    ],
)  # fmt: skip
def test_calls_within_reach_are_reported(body: str, lines: list[int]) -> None:
    assert said(MINE + body) == [(line, "cudaFree: may be mine::cudaFree, by `using namespace`") for line in lines]


def test_a_header_may_hold_the_namespace(tmp_path: Path) -> None:
    (tmp_path / "mine.h").write_text("#pragma once\nnamespace a { namespace mine { int cudaFree(void* p); } }\n")
    text = '#include <cuda_runtime.h>\n#include "mine.h"\nusing namespace a::mine;\nvoid f(void* p) { cudaFree(p); }\n'
    assert said(text, str(tmp_path / "k.cu")) == [(4, "cudaFree: may be mine::cudaFree, by `using namespace`")]


def test_clang_knows() -> None:
    text = MINE + "using namespace mine;\nvoid f(void* p) { cudaFree(p, 1); }\n"
    assert said(text, clang=True) == []

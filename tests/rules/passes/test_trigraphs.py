"""Trigraphs are written as what nvcc reads them as."""

from __future__ import annotations

import pytest

import hipify


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("int a ??( 2 ??) = ??< 1, 2 ??>;", "int a [ 2 ] = { 1, 2 };"),
        ("int b = 1 ??! ??- 2 ??' 4;", "int b = 1 | ~ 2 ^ 4;"),
        ("??=define X 3", "#define X 3"),
        ('const char* s = "what??!";', 'const char* s = "what|";'),
        ("int c; // on ??/\nint d;", "int c; // on \\\nint d;"),
    ],
)
def test_they_are_replaced(before: str, after: str) -> None:
    result = hipify.translate_source(before + "\n__device__ int z;\n", "t.cu", hipify.Options(clang=False))
    assert after + "\n__device__ int z;\n" in result.output.decode()
    assert {f.id for f in result.findings} == {"HPY616"}


@pytest.mark.parametrize(
    "text", ['auto s = R"(what??!)";', "int e; // really??!", "/* ??= */ int f;", 'auto s = "??";']
)
def test_other_question_marks_stay(text: str) -> None:
    result = hipify.translate_source(text + "\n", "t.cu", hipify.Options(clang=False))
    assert result.output.decode() == text + "\n"
    assert result.findings == ()


def test_host_sources_keep_them() -> None:
    result = hipify.translate_source('auto s = "what??!";\nvoid f() { cudaFree(0); }\n', "t.cpp")
    assert 'auto s = "what??!";' in result.output.decode()

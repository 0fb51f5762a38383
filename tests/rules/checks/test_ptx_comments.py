"""Marks in the assembly are no instructions."""

import pytest

import hipify


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize("mark", ['"// begin loop\\n"', '"/* begin */"', '"// a\\n" "// b\\n"', '""'])
def test_comments_alone_are_no_ptx(mark: str, clang: bool) -> None:
    text = f'__device__ void f(int x) {{ asm volatile({mark} ::: "memory"); }}\n'
    assert hipify.translate_source(text, "t.cu", hipify.Options(clang=clang)).findings == ()


def test_an_instruction_behind_a_comment_is_ptx() -> None:
    text = '__device__ void f(int* x) { asm("// mark\\n exit;"); }\n'
    assert [f.id for f in hipify.translate_source(text, "t.cu").findings] == ["HPY401"]


def test_the_header_that_takes_the_place_of_two_is_included_once() -> None:
    text = "#include <cuda_pipeline.h>\n#include <cuda_pipeline_primitives.h>\n__device__ void f() { __pipeline_commit(); }\n"
    made = hipify.translate_source(text, "t.cu").output.decode()
    assert made.count("hipify_device.h") == 1

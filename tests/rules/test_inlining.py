"""`--inline-headers`: the output needs no other file of ours."""

from __future__ import annotations

from pathlib import Path

import pytest

import hipify
from hipify.rules.passes.builtins import header_text
from tests.support.hip import compile_hip

SOURCE = """#include <cuda_pipeline.h>
#include <cuda_fp16.h>
__global__ void k(int* x, half* h) {
    x[0] = __shfl_down_sync(0xffffffff, x[1], 2) + __dp4a(1, 2, 3);
    atomicAdd(h, h[1]);
    __pipeline_commit();
}
"""
HEADERS = ("hipify_warp.h", "hipify_simd.h", "hipify_half.h", "hipify_device.h")


def test_the_headers_are_in_the_output_once_and_compile(tmp_path: Path) -> None:
    result = hipify.translate_source(SOURCE, "t.cu", hipify.Options(inline_headers=True))
    assert dict(result.helper_headers) == {}
    assert b'"hipify_' not in result.output
    for name in HEADERS:
        assert result.output.count(header_text(name).rstrip(b"\n")) == 1, name
    path = tmp_path / "t.hip"
    path.write_bytes(result.output)
    assert compile_hip(path) == []


def test_without_it_they_stand_beside_the_output() -> None:
    result = hipify.translate_source(SOURCE, "t.cu", hipify.Options())
    assert sorted(result.helper_headers) == sorted(HEADERS)
    for name in HEADERS:
        assert result.output.count(b'#include "%s"' % name.encode()) == 1


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_line_ends_and_lines_of_findings(newline: str) -> None:
    source = SOURCE.replace("\n", newline)
    result = hipify.translate_source(source, "t.cu", hipify.Options(inline_headers=True))
    lines = result.output.decode().split(newline)
    assert all("\r" not in line and "\n" not in line for line in lines)
    shuffle = next(f for f in result.findings if f.id == "HPY301")
    assert "hipify::shfl_down_sync" in lines[shuffle.output_line - 1]


def test_a_file_that_needs_none_stays_as_it_is() -> None:
    text = "#include <cuda_runtime.h>\nvoid f(void* p) { cudaFree(p); }\n"
    plain, inlined = (hipify.translate_source(text, "t.cu", hipify.Options(inline_headers=i)) for i in (False, True))
    assert plain.output == inlined.output


def test_a_header_that_includes_another_brings_it_along() -> None:
    text = "#include <cuda_bf16.h>\n__global__ void f(__nv_bfloat16* p) { p[0] = __hadd_sat(p[1], p[2]); }\n"
    made = hipify.translate_source(text, "t.cu", hipify.Options(inline_headers=True))
    output = made.output.decode()
    assert 'include "' not in output
    assert output.count("#define HIPIFY_HALF_H\n") == output.count("#define HIPIFY_BFLOAT16_H\n") == 1
    assert made.helper_headers == {}

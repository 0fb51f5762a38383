"""Device functions that HIP has for some types only."""

import pytest

import hipify

HEAD = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"


@pytest.mark.parametrize("clang", [True, False])
def test_extremes_of_two_halves_are_provided_and_those_of_bfloat16_are_hips(clang: bool) -> None:
    text = HEAD + (
        "__device__ half2 f(half2 a, half2 b) { return __hmax2(a, __hmin2(b, a)); }\n"
        "__device__ __nv_bfloat162 g(__nv_bfloat162 a, __nv_bfloat162 b) { return __hmax2(a, b); }\n"
    )
    result = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    found = [(f.id, f.line) for f in result.findings]
    assert ("HPY407", 3) in found
    assert ("HPY407", 4) not in found
    assert "hipify_half.h" in result.helper_headers

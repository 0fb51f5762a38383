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


def test_a_library_function_that_the_file_declares_itself_is_reported() -> None:
    declared = 'extern "C" __device__ float __nv_sinf(float);\n'
    use = "__device__ float f(float x) { return __nv_sinf(x); }\n"
    (found,) = hipify.translate_source(declared + use, "t.cu").findings
    assert (found.id, found.line) == ("HPY101", 1)
    assert found.message == "__nv_sinf: a function of NVIDIA's device library; HIP has sinf"
    own = "__device__ float __nv_sinf(float x) { return x; }\n"
    assert hipify.translate_source(own + use, "t.cu").findings == ()
    assert "return sinf(x)" in hipify.translate_source(use, "t.cu").output.decode()


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    "head", ["__global__ void __maxnreg__(64) k()", "__global__ void __launch_bounds__(64) __maxnreg__(N) k()"]
)
def test_a_word_with_a_list_in_front_of_a_functions_name_declares_nothing(head: str, clang: bool) -> None:
    text = f"#include <cuda_runtime.h>\n{head} {{}}\n"
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert b'#include "hipify_device.h"' in made.output
    assert [(f.id, f.line) for f in made.findings] == [("HPY407", 2)]

"""Launches whose configuration only the preprocessor or a template can count."""

import pytest

import hipify

HEAD = "#include <cuda_runtime.h>\n__global__ void k(int* p, int v) { *p = v; }\n"


@pytest.mark.parametrize(
    "text",
    [
        "#define CFG 1, 32\nvoid f(int* p) { k<<<CFG>>>(p, 1); }\n",
        "#define CFG 1, 32\nvoid f(int* p, cudaStream_t s) { k<<<CFG, 0, s>>>(p, 1); }\n",
        "#define CFG(n) dim3(n), dim3(32)\nvoid f(int* p) { k<<<CFG(2), 0>>>(p, 1); }\n",
        "#define RUN(p, ...) k<<<__VA_ARGS__>>>(p, 1)\nvoid f(int* p) { RUN(p, 1, 32); }\n",
        "#define RUN(p, ...) k<<<__VA_ARGS__, 0, 0>>>(p, 1)\nvoid f(int* p) { RUN(p, 1, 32); }\n",
        "template <class... C> void f(int* p, C... c) { k<<<c...>>>(p, 1); }\n",
    ],
)
def test_several_numbers_at_once_keep_the_chevrons(text: str) -> None:
    result = hipify.translate_source(HEAD + text, "t.cu")
    assert "hipLaunchKernelGGL" not in result.output.decode()
    assert "<<<" in result.output.decode()
    assert [f.id for f in result.findings] == ["HPY202"]


def test_macros_for_one_number_each_are_rewritten() -> None:
    text = "#define GRID (1)\n#define BLOCK(x) dim3(x, 2)\nvoid f(int* p) { k<<<GRID, BLOCK(4)>>>(p, 1); }\n"
    output = hipify.translate_source(HEAD + text, "t.cu").output.decode()
    assert "hipLaunchKernelGGL(k, dim3(GRID), dim3(BLOCK(4)), 0, 0, p, 1);" in output

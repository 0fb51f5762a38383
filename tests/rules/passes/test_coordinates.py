"""A coordinate as a whole becomes a uint3 only when its three numbers are spelled out."""

import pytest

import hipify

HEAD = "__device__ int take(int n, uint3 at);\n__device__ int other(dim3 at);\n"
SPELLED = "make_uint3(threadIdx.x, threadIdx.y, threadIdx.z)"


def translate(text: str, clang: bool) -> str:
    result = hipify.translate_source(HEAD + text, "t.cu", hipify.Options(clang=clang))
    assert result.findings == ()
    return result.output.decode()


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    "body",
    [
        "uint3 at = threadIdx;",
        "const uint3 at = threadIdx; use(at);",
        "uint3 at; at = threadIdx;",
        "uint3 at(threadIdx);",
        "uint3 at{threadIdx};",
        "use(uint3(threadIdx));",
        "take(3, threadIdx);",
    ],
)
def test_a_uint3_is_made_from_three_numbers(body: str, clang: bool) -> None:
    text = f"__global__ void k() {{ {body} }}\n"
    assert translate(text, clang).endswith(text.replace("threadIdx", SPELLED))


@pytest.mark.parametrize("clang", [True, False])
def test_a_function_that_returns_one_is_too(clang: bool) -> None:
    text = "__device__ uint3 where() { return threadIdx; }\n"
    assert f"return {SPELLED};" in translate(text, clang)


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    "body",
    [
        "dim3 at = threadIdx; uint3 q;",
        "other(threadIdx); uint3 q;",
        "int n = threadIdx.x; uint3 q;",
        "auto at = threadIdx; uint3 q;",
    ],
)
def test_what_takes_a_dim3_stays(body: str, clang: bool) -> None:
    text = f"__global__ void k() {{ {body} }}\n"
    assert translate(text, clang).endswith(text)

"""Attributes that `#ifdef __CUDA_ARCH__` gives functions in one of nvcc's passes: HIP's passes both need them."""

import pytest

import hipify
from hipify.model import Severity

USES = "HD int f(int a) { return a; }\n__global__ void k(int* p) { *p = f(1); }\nint host() { return f(2); }\n"


def translate(text: str) -> hipify.Translation:
    return hipify.translate_source(text, "t.cu", hipify.Options(clang=False))


@pytest.mark.parametrize(
    ("guard", "expected"),
    [
        (
            "#ifdef __CUDA_ARCH__\n#define HD __device__\n#else\n#define HD\n#endif\n",
            "#if defined(__CUDA_ARCH__) || defined(__HIPCC__)\n#define HD __host__ __device__\n#else\n#define HD\n",
        ),
        (
            "#if defined(__CUDACC__) && defined(__CUDA_ARCH__)\n#define HD __device__\n#else\n#define HD inline\n#endif\n",
            "(defined(__CUDA_ARCH__) || defined(__HIPCC__))\n#define HD __host__ __device__\n#else\n#define HD inline\n",
        ),
        (
            "#ifndef __CUDA_ARCH__\n#define HD\n#else\n#define HD __device__ __forceinline__ // GPU\n#endif\n",
            "#if !defined(__CUDA_ARCH__) && !defined(__HIPCC__)\n#define HD\n#else\n"
            "#define HD __host__ __device__ __forceinline__ // GPU\n",
        ),
        (
            "#ifdef __CUDA_ARCH__\n#define HD __host__ __device__\n#else\n#define HD\n#endif\n",
            "#if defined(__CUDA_ARCH__) || defined(__HIPCC__)\n#define HD __host__ __device__\n#else\n#define HD\n",
        ),
        (
            "#ifdef __CUDA_ARCH__\n#define HD __device__\n#else\n#define HD __host__\n#endif\n",
            "#if defined(__CUDA_ARCH__) || defined(__HIPCC__)\n#define HD __host__ __device__\n#else\n#define HD __host__\n",
        ),
    ],
)
def test_both_passes_take_the_device_attributes(guard: str, expected: str) -> None:
    result = translate(guard + USES)
    assert expected in result.output.decode()
    assert [f.severity for f in result.findings if f.id == "HPY604"] == [Severity.NOTE]
    assert not [f for f in result.findings if f.severity is Severity.ERROR]


def test_bare_attributes() -> None:
    result = translate("#ifdef __CUDA_ARCH__\n__device__\n#endif\ninline int f() { return 2; }\n")
    assert "#if defined(__CUDA_ARCH__) || defined(__HIPCC__)\n__host__ __device__\n#endif\n" in result.output.decode()


def test_beside_other_macros_it_is_an_error() -> None:
    guard = "#ifdef __CUDA_ARCH__\n#define HD __device__\n#define N 1\n#else\n#define HD\n#define N 2\n#endif\n"
    found = [f for f in translate(guard + USES).findings if f.id == "HPY614"]
    assert [(f.line, f.severity) for f in found] == [(1, Severity.ERROR)]
    assert "HD marks functions for one side" in found[0].message


@pytest.mark.parametrize(
    "guard",
    [
        "#ifdef __CUDA_ARCH__\n#define N 1\n#else\n#define N 2\n#endif\n",
        "#ifdef __CUDA_ARCH__\n__device__ int g() { return 1; }\n#endif\n",
        "#ifdef __CUDA_ARCH__\n#define TABLE __constant__\n#else\n#define TABLE\n#endif\n",
        "#ifdef __CUDA_ARCH__\n#define HD __host__ __device__ inline\n#else\n#define HD __host__ __device__\n#endif\n",
    ],
)
def test_other_guards_ask_for_the_device_pass(guard: str) -> None:
    result = translate(guard)
    assert "#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)\n" in result.output.decode()
    assert not [f for f in result.findings if f.id == "HPY614"]

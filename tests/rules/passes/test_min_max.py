"""min and max: a helper header where HIP would convert the arguments without a word, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify import Options, Translation, translate_source
from tests.support.hip import HELPERS, compile_hip

HEADER = "hipify_minmax.h"
HEAD = "#include <cuda_runtime.h>\n"


def translated(code: str, clang: bool = True, head: str = HEAD) -> Translation:
    text = f"{head}{code}\nvoid last(void* p) {{ cudaFree(p); }}\n"
    return translate_source(text, "t.cu", Options(clang=clang))


@pytest.mark.parametrize(
    "code",
    [
        "size_t f(size_t a, size_t b) { return min(a, b); }",
        "double f(double a) { return max(a, 0.5); }",
        "float f(float a, float b) { return ::max(a, b); }",
        "long f(long a, int b) { return max(a, (long)b); }",
        "unsigned f(int a, unsigned b) { return min(a, b); }",
        "template <class T> T f(T a, T b) { return min(a, b); }\ndouble g() { return f(0.5, 1.5); }",
        "__global__ void f(int* p, int a, unsigned b) { p[0] = p[min(a, b)]; }",
        "__global__ void f(int* p, int a) { p[0] = p[min(a, blockDim.x * 2)]; }",
        "__device__ unsigned long f(long a, unsigned long b) { return max(b, a); }",
        "__host__ __device__ float f(float a) { return min(1.f, max(0.f, a)); }",
        "#define CLAMPED(x) min((x), 1e-3)\ndouble f(double x) { return CLAMPED(x); }",
    ],
)
def test_the_header_comes_where_it_is_needed(code: str, tmp_path: Path) -> None:
    made = translated(code)
    assert list(made.helper_headers) == [HEADER]
    assert made.output.count(b'#include "hipify_minmax.h"') == 1
    assert made.findings == ()
    (tmp_path / "t.hip").write_bytes(made.output)
    assert compile_hip(tmp_path / "t.hip", flags=["-nogpulib"]) == []


@pytest.mark.parametrize(
    "code",
    [
        "int f(int a, short b) { return min(a, b) + max(3, a); }",
        "__global__ void f(size_t* p) { p[0] = min(p[1], p[2]); }",
        "__global__ void f(float* p, int a, int b) { p[min(a, b)] = max(p[0], 0.0f); }",
        "#include <algorithm>\nlong f(long a, long b) { return std::min(a, b); }",
        "#include <algorithm>\nusing namespace std;\nsize_t f(size_t a, size_t b) { return min(a, b); }",
        "struct S { long min(long, long); };\nlong f(S s) { return s.min(1, 2); }",
        "long min(long a, long b);\nlong f(long a) { return min(a, 2l); }",
        "#define max(a, b) ((a) > (b) ? (a) : (b))\nlong f(long a) { return max(a, 2l); }",
        "namespace mine { long max(long, long); }\nlong f(long a) { return mine::max(a, 2l); }",
    ],
)
def test_the_header_stays_away_where_nothing_is_converted(code: str) -> None:
    assert not translated(code).helper_headers


def test_without_clang_host_calls_of_unknown_types_get_it() -> None:
    assert HEADER in translated("size_t f(size_t a, size_t b) { return min(a, b); }", clang=False).helper_headers
    assert not translated("__global__ void f(int* p, int a) { p[0] = min(a, 3); }", clang=False).helper_headers
    assert not translated("int f() { return min(4, 3); }", clang=False).helper_headers


def test_a_file_without_cuda_is_left_alone() -> None:
    made = translate_source("size_t f(size_t a, size_t b) { return min(a, b); }\n", "t.h", Options())
    assert not made.changed


CHECKED = r"""
#include <hip/hip_runtime.h>
#include <algorithm>
#include "hipify_minmax.h"
template <class A, class B> constexpr bool same = false;
template <class A> constexpr bool same<A, A> = true;
#define GIVES(T, call) static_assert(same<decltype(call), T>, #call)
typedef unsigned long ul; typedef long long ll; typedef unsigned long long ull;
#define EVERY_TYPE \
  GIVES(int, min(a, a)); GIVES(int, max(a, 7)); GIVES(unsigned, min(b, b)); GIVES(unsigned, min(a, b)); \
  GIVES(unsigned, max(b, 5)); GIVES(long, min(c, c)); GIVES(ul, max(d, d)); GIVES(ul, min(c, d)); GIVES(ul, max(d, c)); \
  GIVES(ll, min(e, e)); GIVES(ull, max(f, f)); GIVES(ull, min(e, f)); GIVES(float, min(g, g)); GIVES(double, max(h, h)); \
  GIVES(double, min(g, h)); GIVES(double, max(h, g)); both(a, a); both(c, c); both(d, d); both(g, g); both(h, h);
template <class T> __host__ __device__ T both(T a, T b) { return max(min(a, b), b); }
__global__ void device(int a, unsigned b, long c, ul d, ll e, ull f, float g, double h) { EVERY_TYPE }
void host(int a, unsigned b, long c, ul d, ll e, ull f, float g, double h) { EVERY_TYPE }
namespace with_std { using namespace std;
void host(int a, unsigned b, long c, ul d, ll e, ull f, float g, double h) {
  min(a, b); max(d, d); min(c, d); max(h, 0.5); min(g, g); max(g, h); min(e, e);
} }
void values() { static_assert(max(5000000000l, 1l) == 5000000000l && max(-1, 1u) == 0xffffffffu && min(-1l, 1ul) == 1ul); }
"""


@pytest.mark.parametrize("release", ["5.7", "6.4", "7.2"])
@pytest.mark.parametrize("extended", [False, True])
def test_the_header_gives_the_types_and_values_that_cuda_gives(tmp_path: Path, release: str, extended: bool) -> None:
    path = tmp_path / "t.hip"
    path.write_text(CHECKED)
    more = ["-D__HIP_DEFINE_EXTENDED_HOST_MIN_MAX__=1", "-D__HIP_DEFINE_MIXED_HOST_MIN_MAX__=1"] if extended else []
    code = CHECKED.partition("void values()")[0] if extended else CHECKED  # HIP's own are not constexpr
    path.write_text(code)
    assert compile_hip(path, release, "gfx90a", flags=["-nogpulib", f"-I{HELPERS}", *more]) == []

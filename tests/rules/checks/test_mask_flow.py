"""HPY302 and HPY303 where a lane mask goes through parameters, results and members; --warp native keeps all lanes."""

from __future__ import annotations

import pytest

from hipify.model import Options
from hipify.parser.source import Source
from hipify.rules.engine import analyse


def found(text: str) -> list[tuple[int, str]]:
    options = Options(clang=False, warp="native")
    findings = analyse(Source(text.encode(), "t.cu"), options).findings
    return sorted((f.line, f.id) for f in findings if f.id in ("HPY302", "HPY303"))


BALLOT = "__ballot_sync(~0ull, d[threadIdx.x])"


@pytest.mark.parametrize(
    ("functions", "body", "lines"),
    [
        ("__device__ int first(unsigned long long m) { return __ffs(m); }", f"o[0] = first({BALLOT});", [1]),
        (
            "__device__ int first(unsigned long long m) { return __ffs(m); }",
            f"unsigned long long b = {BALLOT}; o[0] = first(b);",
            [1],
        ),
        (
            "__device__ int in(long long m) { return __popc(m & 7); } __device__ int out(long long n) { return in(n); }",
            f"o[0] = out({BALLOT});",
            [1],
        ),
        (
            f"__device__ unsigned long long vote(const int* d) {{ return {BALLOT}; }}",
            "o[0] = __popc(vote(d)); auto v = vote(d); o[1] = __popc(v);",
            [2, 2],
        ),
        ("", f"auto vote = [&](int p) {{ return {BALLOT}; }}; o[0] = __popc(vote(1));", [2]),
        ("", f"struct S {{ unsigned long long mask; }} s; s.mask = {BALLOT}; o[0] = __popc(s.mask);", [2]),
        (
            f"struct W {{ unsigned long long m_; __device__ W(const int* d) : m_({BALLOT}) {{}}"
            " __device__ int n() const { return __popc(m_); } };",
            "",
            [1],
        ),
        ("__device__ int count(int x) { return __popc(x); }", f"o[0] = count(d[0]); o[1] = __popcll({BALLOT});", []),
        ("struct S { int m_; __device__ int n() { return __popc(m_); } };", f"o[0] = __popcll({BALLOT});", []),
        ("__device__ int both(int n, long long m) { return __popc(n); }", f"o[0] = both(3, {BALLOT});", []),
        (f"__device__ bool any(const int* d) {{ return {BALLOT}; }}", "o[0] = __popc(any(d));", []),
    ],
)
def test_counts_of_masks_from_elsewhere(functions: str, body: str, lines: list[int]) -> None:
    text = f"{functions}\n__global__ void k(int* o, const int* d) {{ {body} }}\n"
    assert [line for line, kind in found(text) if kind == "HPY303"] == lines


def test_a_lambdas_result_kept_in_32_bits() -> None:
    kernel = "__global__ void k(unsigned* o, const int* d) {{ auto vote = [&](int p){} {{ return {}; }}; {} }}\n"
    assert found(kernel.format("", BALLOT, "unsigned v = vote(1); o[0] = v;")) == [(1, "HPY302")]
    assert found(kernel.format("", BALLOT, "unsigned long long v = vote(1); o[0] = v > 0;")) == []
    assert found(kernel.format(" -> unsigned", BALLOT, "unsigned v = vote(1); o[0] = v;")) == [(1, "HPY302")]


def lane_counts(text: str) -> list[str]:
    findings = analyse(Source(text.encode(), "t.cu"), Options(clang=False, warp="native")).findings
    return [f.message.partition(" ")[0] + f" {f.line}" for f in findings if f.id == "HPY304" and f.line > 1]


KERNEL = (
    "__global__ void k(int* o, const int* r) {{ int lane = threadIdx.x % 32, s = 0; o[1] = __any_sync(~0ull, lane);\n"
    "{} }}\n"
)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("for (int j = r[0] + lane; j < r[1]; j += 32) s += r[j];", ["`j 2"]),
        ("for (int j = lane + r[lane]; j < r[1]; j += 32) s += r[j];", ["`j 2"]),
        ("for (int j = r[0] + r[lane + 1]; j < r[1]; j += 32) s += r[j];", []),
        ("for (int j = r[0]; j < r[1]; j += 32) s += r[j];", []),
        ("int w = 16; while (w) { s += __shfl_down_sync(~0ull, s, w); w >>= 1; }", ["the 2"]),
        ("int w = 8; while (w) { s += __shfl_down_sync(~0ull, s, w); w >>= 1; }", []),
        ("int w = 16; s += __shfl_down_sync(~0ull, s, w);", []),
    ],
)
def test_strides_and_loops_of_32_lanes(body: str, told: list[str]) -> None:
    assert lane_counts(KERNEL.format(body)) == told


@pytest.mark.parametrize(("width", "told"), [("", ["W 2"]), (", W", [])])
def test_a_template_whose_default_is_32_lanes(width: str, told: list[str]) -> None:
    text = (
        "\ntemplate <typename T, int W = 32> __device__ T sum(T v) {\n"
        f"  for (int m = W / 2; m; m /= 2) v += __shfl_xor_sync(~0ull, v, m{width});\n  return v;\n}}\n"
        "template <int N = 32> __device__ void fill(int* p) { for (int i = 0; i < N; i++) p[i] = 0; }\n"
    )
    assert lane_counts(text) == told

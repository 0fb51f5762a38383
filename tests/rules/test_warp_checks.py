"""The 3xx findings: which lines get which ids, how bad they are on which GPU, and which code gets none."""

from __future__ import annotations

from typing import Any

import pytest

from hipify.model import Finding, Options, Severity
from hipify.parser.source import Source
from hipify.rules.engine import analyse

CASE_19 = """\
#define FULL_MASK 0xffffffff
__device__ float bcast(float v, int lane, unsigned mask) {
    v += __shfl_xor_sync(0xffffffffu, v, 1);
    v += __shfl_down_sync(FULL_MASK, v, 2, 8);
    return __shfl_sync(mask, v, lane);
}
__global__ void vote(const float* x, unsigned* out, int n) {
    unsigned active = __activemask();
    unsigned m = __ballot_sync(active, threadIdx.x < n);
    int leader = __ffs(m) - 1;
    int cnt = __popc(m);
    if ((int)(threadIdx.x & 31) == leader) out[threadIdx.x >> 5] = (unsigned)bcast(x[0], leader, m) + cnt;
    __syncwarp(m);
}
"""
CASE_19_FOUND = {
    (3, "HPY301"),
    (4, "HPY301"),
    (5, "HPY301"),
    (8, "HPY302"),
    (9, "HPY301"),
    (9, "HPY302"),
    (10, "HPY303"),
    (11, "HPY303"),
    (12, "HPY304"),
    (13, "HPY301"),
}


def warp_findings(text: str, **options: object) -> list[Finding]:
    """The 3xx findings of a source, warps left as they are unless the test says otherwise."""
    given = {"clang": False, "warp": "report", **options}
    found = analyse(Source(text.encode(), "w.cu"), Options(**given)).findings  # type: ignore[arg-type]
    return [f for f in found if f.id.startswith("HPY3")]


def lines(text: str, **options: object) -> set[tuple[int, str]]:
    return {(f.line, f.id) for f in warp_findings(text, **options)}


def in_kernel(body: str, parameters: str = "unsigned* x, unsigned m") -> str:
    return f"__global__ void k({parameters}) {{\n{body}\n}}\n"


@pytest.mark.parametrize("warp", ["report", "preserve", "native"])
@pytest.mark.parametrize("clang", [False, True])
def test_the_handed_case_has_its_lines(warp: str, clang: bool) -> None:
    assert lines(CASE_19, warp=warp, clang=clang) == CASE_19_FOUND


def test_what_is_preserved_needs_nothing_more() -> None:
    assert {f.severity for f in warp_findings(CASE_19, warp="preserve")} == {Severity.NOTE}


@pytest.mark.parametrize(
    ("archs", "expected"),
    [
        ((), {"HPY301": 3, "HPY302": 3, "HPY303": 3, "HPY304": 2}),
        (("gfx942",), {"HPY301": 3, "HPY302": 3, "HPY303": 3, "HPY304": 3}),
        (("gfx1100",), {"HPY301": 3, "HPY302": 1, "HPY303": 1, "HPY304": 1}),
        (("gfx1030", "gfx1201"), {"HPY301": 3, "HPY302": 1, "HPY303": 1, "HPY304": 1}),
        (("gfx1100", "gfx90a:xnack-"), {"HPY301": 3, "HPY302": 3, "HPY303": 3, "HPY304": 3}),
    ],
)
def test_severity_follows_the_wavefront(archs: tuple[str, ...], expected: dict[str, int]) -> None:
    """A 32-bit mask is refused at compile time everywhere; the rest is right on 32 lanes."""
    found = warp_findings(CASE_19, offload_arch=archs)
    assert {f.id: int(f.severity) for f in found} == expected


@pytest.mark.parametrize(
    "mask",
    [
        "0xffffffff",
        "0xFFFFFFFFu",
        "~0u",
        "~0",
        "-1",
        "(unsigned)-1",
        "1u << 3",
        "FULL",
        "kAll",
        "C_ALL",
        "m",
        "eM",
        "0x1",
    ],
)
def test_narrow_masks(mask: str) -> None:
    head = "#define FULL 0xffffffff\nconstexpr unsigned kAll = ~0u;\nconst unsigned int C_ALL = 4294967295U;\n"
    head += "enum { eM = 7 };\n"
    assert lines(head + in_kernel(f"x[0] = __shfl_sync({mask}, x[1], 0);")) == {(6, "HPY301")}


@pytest.mark.parametrize(
    "mask", ["0xffffffffffffffffull", "~0ull", "wide", "WIDE", "(uint64_t)-1", "static_cast<unsigned long long>(-1)"]
)
def test_wide_masks(mask: str) -> None:
    head = "#define WIDE 0xffffffffffffffffULL\n"
    body = f"unsigned long long wide = 1; x[0] = __shfl_sync({mask}, x[1], 0);"
    assert lines(head + in_kernel(body)) == set()


def test_a_mask_from_the_built_in_itself_is_wide_on_hip() -> None:
    assert lines(in_kernel("x[0] = __shfl_sync(__activemask(), x[1], 0);")) == set()


def test_masks_by_clang(tmp_path: object) -> None:
    """Types and constants that only another header spells out."""
    from pathlib import Path

    folder = Path(str(tmp_path))
    (folder / "c.h").write_text(
        "#pragma once\n#define ALL 0xffffffff\nconstexpr int kLanes = 32;\n"
        "typedef unsigned mask_t;\ntypedef unsigned long long wide_t;\n"
    )
    text = (
        '#include "c.h"\n__global__ void k(int* x, wide_t w, mask_t m) {\n  int t = threadIdx.x;\n'
        "  int lane = t % kLanes;\n  mask_t b = __ballot_sync(ALL, lane);\n  wide_t v = __ballot_sync(w, lane);\n"
        "  x[0] = __shfl_sync(m, x[1], (int)(b + v));\n}\n"
    )
    path = folder / "a.cu"
    found = analyse(Source(text.encode(), str(path)), Options(warp="report")).findings
    assert {(f.line, f.id) for f in found if f.id[:4] == "HPY3"} == {
        (4, "HPY304"),
        (5, "HPY301"),
        (5, "HPY302"),
        (7, "HPY301"),
    }


@pytest.mark.parametrize(
    ("body", "id_"),
    [
        ("unsigned b = __ballot(m);", "HPY302"),
        ("int b = 0; b = __ballot(m);", "HPY302"),
        ("unsigned b = (unsigned)__ballot(m);", "HPY302"),
        ("unsigned b[2]; b[0] = __ballot(m);", "HPY302"),
        ("mine_t b = __ballot(m);", "HPY302"),
        ("if (__ballot(m) == 0xffffffff) x[0] = 1;", "HPY302"),
        ("unsigned a, b; b = __ballot(m);", "HPY302"),
        ("x[0] = __popc(__ballot(m));", "HPY303"),
        ("auto b = __ballot(m); x[0] = __ffs(b & 7);", "HPY303"),
        ("auto b = __ballot(m); auto c = b & ~1; x[0] = __clz(c);", "HPY303"),
    ],
)
def test_results_kept_in_32_bits(body: str, id_: str) -> None:
    text = "typedef unsigned int mine_t;\n" + in_kernel(body, "float* x, int m")
    assert lines(text) == {(3, id_)}


@pytest.mark.parametrize(
    "body",
    [
        "unsigned long long b = __ballot(m);",
        "auto b = __ballot(m);",
        "uint64_t b = __ballot(m); x[0] = __popcll(b);",
        "if (__ballot(m) != 0) x[0] = 1;",
        "bool b = __ballot(m);",
        "unsigned b = __popcll(__ballot(m));",
        "x[0] = __popc(m) + __any(m);",
    ],
)
def test_results_that_are_right(body: str) -> None:
    assert lines(in_kernel(body, "float* x, int m")) == set()


def test_a_function_that_returns_32_bits() -> None:
    text = "__device__ unsigned f(int p) { return __ballot(p); }\n__device__ bool g(int p) { return __ballot(p); }\n"
    assert lines(text) == {(1, "HPY302")}


@pytest.mark.parametrize(
    "body",
    [
        "int lane = threadIdx.x % 32; x[0] = __any(lane);",
        "int lane = threadIdx.x & 0x1f; x[0] = __any(lane);",
        "int w = threadIdx.x >> 5; x[0] = __any(w);",
        "unsigned t(threadIdx.x); int w = t / 32; x[0] = __any(w);",
        "int t = threadIdx.x + blockDim.x * threadIdx.y; x[0] = __any(t % W);",
        "int t = threadIdx.x; x[0] = __any(t & (W - 1));",
        "int lane = threadIdx.x & (warpSize - 1); if (lane == 31) x[0] = __any(1);",
        "for (int i = 16; i > 0; i >>= 1) x[0] += __shfl_down(x[0], i);",
        "for (int i = 1; i < 32; i <<= 1) x[0] += __shfl_up(x[0], i);",
        "for (int i = 1; i <= 16; i *= 2) x[0] += __shfl_xor(x[0], i);",
        "x[0] += __shfl_xor(x[0], 16);",
        "x[0] = __shfl(x[0], 31);",
        "__shared__ unsigned s[1024 / 32]; s[0] = x[0]; x[0] = __any(s[0]);",
        "if (threadIdx.x < 32) x[0] = __any(1);",
    ],
)
def test_32_as_the_number_of_lanes(body: str) -> None:
    text = "enum { W = 32 };\n" + in_kernel(body, "int* x")
    assert {found for found in lines(text) if found[0] == 3} == {(3, "HPY304")}


@pytest.mark.parametrize(
    "body",
    [
        "int lane = threadIdx.x % 64; x[0] = __any(lane);",
        "x[threadIdx.x] = x[threadIdx.x * 32] + __any(1);",
        "int bit = x[0] % 32; x[1] = x[2] / 32 + __any(bit);",
        "int v = x[threadIdx.x]; x[0] = (v & 31) + __any(v >> 5);",
        "for (int i = 0; i < 32; ++i) x[i] = __any(i);",
        "int lane = threadIdx.x % W64; x[0] = __any(lane);",
        "int lane = threadIdx.x & 31; x[0] = __shfl_down(x[lane], 1, 32);",
        "x[0] += __shfl_xor(x[0], 16, 32);",
        "int lane = threadIdx.x & 31; x[lane] = 0;",
        "x[0] = threadIdx.x / 32;",
    ],
)
def test_a_plain_32_is_no_lane_count(body: str) -> None:
    assert lines("#define W64 64\n" + in_kernel(body, "int* x")) == set()


def test_definitions_by_value_not_by_name() -> None:
    text = (
        "#define WARP_SIZE 32\n#define THREADS_PER_WARP 64\nconstexpr int kWarpSize = 32;\n"
        "#define N 32\n#define M 32\n" + in_kernel("x[0] = __any(threadIdx.x % N) + M;", "int* x")
    )
    assert lines(text) == {(1, "HPY304"), (3, "HPY304"), (4, "HPY304"), (7, "HPY304")}


def test_no_warp_finding_without_warp_level_code() -> None:
    text = (
        "#define WARP_SIZE 32\n#define TILE 32\n"
        + in_kernel(
            "int lane = threadIdx.x % 32;\n__shared__ float s[TILE][TILE / 32];\ns[0][0] = x[lane];", "float* x"
        )
        + "int host(int n) { return (n + 31) / 32; }\n"
    )
    assert lines(text) == set()


@pytest.mark.parametrize(
    "body",
    [
        "__shared__ float s[warpSize]; s[0] = x[0];",
        "constexpr int n = warpSize; x[0] = n;",
        'static_assert(warpSize == 32, "");',
        "x[0] = f<warpSize>();",
        "switch (n) { case warpSize: x[0] = 1; }",
    ],
)
def test_warp_size_as_a_constant(body: str) -> None:
    text = in_kernel(body, "float* x, int n")
    assert lines(text) == {(2, "HPY305")}
    assert {f.severity for f in warp_findings(text)} == {Severity.ERROR}
    assert {f.severity for f in warp_findings(text, target="6.4")} == {Severity.WARNING}
    assert {f.severity for f in warp_findings(text, warp="preserve")} == {Severity.NOTE}


def test_warp_size_as_a_number() -> None:
    body = "for (int i = threadIdx.x % warpSize; i < n; i += warpSize) x[i] = s[warpSize - 1];"
    assert lines(in_kernel(body, "float* x, float* s, int n")) == set()


REDUCTION = """\
__device__ void tail({0} float* s, int t) {{
  s[t] += s[t + 32];{1}
  s[t] += s[t + 16];{1}
  s[t] += s[t + 8];{1}
}}
"""


@pytest.mark.parametrize("kind", ["volatile", ""])
def test_implicit_warp_synchronisation(kind: str) -> None:
    assert lines(REDUCTION.format(kind, "")) == {(2, "HPY306")}
    assert lines(REDUCTION.format(kind, " __syncwarp();")) == set()
    assert lines(REDUCTION.format(kind, " __syncthreads();")) == set()


def test_steps_of_other_kinds_are_no_exchange() -> None:
    text = "__device__ void f(volatile float* s, int t) { s[t] += 1; s[t] = s[t] * 2; s[t + 1] = 0; s[t] += s[0]; }\n"
    assert lines(text) == set()


@pytest.mark.parametrize(
    ("parameters", "before", "loop"),
    [
        ("float* s", "", "for (int t = 1; t < 9; t++)"),
        ("float* s", "", "for (int t = 1; t < 9; ++t)"),
        ("float* s", "", "for (int t = 9; --t;)"),
        ("float* s", "int t;", "for (t = 2; t < 9; t += 2)"),
        ("int t", "float s[64];", ""),
    ],
)
def test_arrays_of_one_thread_are_no_exchange(parameters: str, before: str, loop: str) -> None:
    steps = "s[t] = s[t - 1] + 1; s[t] = 2 * s[t - 2]; s[t] += s[t - 4];"
    text = f"__device__ void f({parameters}, int n) {{ {before} {loop} {{ {steps} }} }}\n"
    assert lines(text) == set()


@pytest.mark.parametrize(
    ("parameters", "before"),
    [("int t", "__shared__ float s[64];"), ("float* s, int t", "int i = 0; i++;"), ("float* s, int t", "t += t / 32;")],
)
def test_lanes_exchange_all_the_same(parameters: str, before: str) -> None:
    steps = "s[t] = s[t - 1] + 1; s[t] = 2 * s[t - 2]; s[t] += s[t - 4];"
    assert lines(f"__device__ void f({parameters}) {{ {before} {steps} }}\n") == {(1, "HPY306")}


def test_coalesced_groups_and_the_hosts_warp_size() -> None:
    text = (
        "#include <cooperative_groups.h>\n"
        "__global__ void k(int* x) { auto g = cooperative_groups::coalesced_threads(); x[0] = g.size(); }\n"
        "int blocks(cudaDeviceProp p) { return 1024 / p.warpSize; }\n"
    )
    assert lines(text, warp="preserve") == {(2, "HPY308"), (3, "HPY309")}
    assert {f.severity for f in warp_findings(text, offload_arch=("gfx1100",))} == {Severity.NOTE}


def test_tiles_of_32_are_right_as_they_are() -> None:
    text = (
        "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
        "__global__ void k(int* x) {\n  auto tile = cg::tiled_partition<32>(cg::this_thread_block());\n"
        "  int warp = threadIdx.x / 32;\n  x[warp] = tile.shfl_down(x[0], 16);\n}\n"
    )
    assert lines(text) == set()


def test_the_users_own_functions_are_left_alone() -> None:
    text = "__device__ int __shfl_sync(unsigned m, float2 v, int l) { return 0; }\n" + in_kernel(
        "x[0] = __shfl_sync(0xffffffff, make_float2(1, 2), 0);"
    )
    assert lines(text) == set()


def test_hip_sources_are_checked_too() -> None:
    text = "#include <hip/hip_runtime.h>\n" + in_kernel(
        "unsigned b = __ballot(m);\nunsigned long long w = __ballot(m);\nx[0] = __shfl_down(x[1], 16, 32);"
    )
    assert lines(text, language="hip", warp="preserve") == {(3, "HPY302")}


def test_where_the_code_is_right_the_advice_is_to_do_nothing() -> None:
    text = b"__global__ void k(int* x) {\n  unsigned m = __ballot_sync(0xffffffff, x[0]);\n  x[1] = __popc(m);\n  x[threadIdx.x & 31] = 1;\n}\n"
    kept, judged = (
        {f.id: f.fix for f in analyse(Source(text), Options(clang=False, warp=warp)).findings if f.id < "HPY305"}
        for warp in ("preserve", "report")
    )
    assert set(kept) == set(judged) == {"HPY301", "HPY302", "HPY303", "HPY304"}
    assert set(kept.values()) == {"Nothing needs to be done."}
    assert "Nothing needs to be done." not in judged.values()


OTHER_SIZES = """#if defined(__HIP_PLATFORM_AMD__) || defined(USE_ROCM)
static constexpr int lanes() { return 64; }
#define WARP_SIZE (lanes())
constexpr int kWarpSize{64};
#define WARP_THREADS 32
#else
#define WARP_SIZE 32
constexpr int kWarpSize = 32;
#define WARP_THREADS 32
#endif
"""


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [(3, "warning"), (4, "warning")]),
        ({"offload_arch": ("gfx942",)}, [(3, "error"), (4, "error")]),
        ({"offload_arch": ("gfx1100",)}, [(3, "note"), (4, "note")]),
        ({"warp": "native"}, []),
        ({"language": "hip"}, []),
    ],
)
def test_another_warp_size_for_hip(options: dict[str, Any], expected: list[tuple[int, str]], clang: bool) -> None:
    found = analyse(Source(OTHER_SIZES.encode(), "t.cu"), Options(clang=clang, **options)).findings
    assert [(f.line, f.severity.label) for f in found if f.id == "HPY304"] == expected


@pytest.mark.parametrize(
    "text",
    [
        "#ifdef USE_ROCM\n#define WARP_SIZE 64\n#endif\n",
        "#ifdef USE_ROCM\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE size()\n#endif\n",
        "#ifdef USE_ROCM\n#define WARP_SIZE 32\n#else\n#define WARP_SIZE 32\n#endif\n",
        "#ifdef FAST\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n",
    ],
)
def test_one_warp_size_is_no_other(text: str) -> None:
    found = analyse(Source(text.encode(), "t.cu"), Options(clang=False)).findings
    assert [f.message for f in found if "another number" in f.message] == []


MASKS_ON_THEIR_WAY = [
    ("x[1] = __ballot(m);", 2),
    ("x[1] |= __ballot(m);", 2),
    ("atomicOr(&x[1], __ballot(m));", 2),
    ("x[0] = first_lane(__ballot(m));", 2),
    ("auto f = [=](int p) -> unsigned { return __ballot(p); };", 2),
]


@pytest.mark.parametrize(("body", "line"), MASKS_ON_THEIR_WAY)
@pytest.mark.parametrize("warp", ["report", "preserve", "native"])
def test_a_mask_narrowed_without_a_variable_is_reported(body: str, line: int, warp: str) -> None:
    text = in_kernel(body) + "__device__ int first_lane(unsigned mask) { return mask & 1; }\n"
    assert (line, "HPY302") in lines(text, warp=warp)


@pytest.mark.parametrize(
    "body",
    [
        "y[1] = __ballot(m);",
        "atomicOr(&y[1], __ballot(m));",
        "y[0] = wide(__ballot(m));",
        "auto f = [=](int p) -> unsigned long long { return __ballot(p); };",
        "auto f = [=](int p) -> bool { return __ballot(p); };",
    ],
)
def test_a_mask_kept_in_64_bits_is_not_reported(body: str) -> None:
    wide = "__device__ unsigned long long wide(unsigned long long mask) { return mask; }\n"
    found = lines(in_kernel(body, "unsigned long long* y, unsigned m") + wide)
    assert not any(kind == "HPY302" for _, kind in found)


def test_masks_in_members_and_arrays_are_reported() -> None:
    text = (
        "class Warp { unsigned mask_;\n"
        " public: __device__ Warp() : mask_(__activemask()) {} };\n"
        "__global__ void k(int* x, int p) { __shared__ unsigned votes[8];\n"
        "votes[x[0]] = __ballot(p);\n"
        "x[1] = __popc(votes[1]); }\n"
    )
    assert {(2, "HPY302"), (4, "HPY302"), (5, "HPY303")} <= lines(text)


@pytest.mark.parametrize(
    ("mask", "narrow"),
    [
        ("(1ull << n) - 1", False),
        ("1ull << n", False),
        ("(unsigned long long)m", False),
        ("static_cast<uint64_t>(m)", False),
        ("0xffffffffffffffffull >> (64 - n)", False),
        ("w | m", False),
        ("m << 1ull", True),
        ("(unsigned)w", True),
        ("(m + 1)", True),
        ("m | 1u", True),
    ],
)
@pytest.mark.parametrize("clang", [True, False])
def test_what_makes_a_mask_wide_is_read_from_its_words(mask: str, narrow: bool, clang: bool) -> None:
    body = f"x[0] = __shfl_xor_sync({mask}, x[1], 1);"
    text = "#include <cstdint>\n" + in_kernel(body, "unsigned* x, unsigned m, int n, unsigned long long w")
    assert ((3, "HPY301") in lines(text, warp="native", clang=clang)) is narrow


def test_the_warp_size_of_a_struct_of_the_programs_own_is_no_devices() -> None:
    text = "__global__ void k(int* x) { x[0] = __any(x[1]); }\nstruct W { int warpSize; };\n"
    text += "int f(W w) { return w.warpSize; }\nint g(cudaDeviceProp w) { return w.warpSize; }\n"
    assert (3, "HPY309") not in lines(text, warp="preserve")
    assert (4, "HPY309") in lines(text, warp="preserve")

"""`--warp preserve|native|report`: what the built-ins become, where the header goes, and what is left alone."""

from __future__ import annotations

import re

import pytest

from hipify.emit import rewriter
from hipify.model import Options
from hipify.parser.source import Source
from hipify.rules.checks.warp_code import OPERATIONS
from hipify.rules.context import Analysis
from hipify.rules.engine import analyse
from hipify.rules.passes.builtins import header_text
from hipify.rules.passes.warp import HEADER


def translate(text: str, **options: object) -> tuple[str, Analysis]:
    given = {"clang": False, "warp": "preserve", **options}
    data = text.encode()
    analysis = analyse(Source(data, "w.cu"), Options(**given))  # type: ignore[arg-type]
    return rewriter.apply(data, rewriter.in_order(analysis.edits, len(data))).decode(), analysis


def kernel(body: str) -> str:
    return f"#include <hip/hip_runtime.h>\n__global__ void k(int* x, unsigned m) {{ {body} }}\n"


def preserved(body: str, **options: object) -> str:
    """The body of a kernel after translation, the header's include checked and taken off."""
    out, analysis = translate(kernel(body), **options)
    assert out.startswith('#include <hip/hip_runtime.h>\n#include "hipify_warp.h"\n__global__ void k(')
    assert analysis.helper_headers == {HEADER: header_text(HEADER)}
    return out[out.index("{ ") + 2 : out.rindex(" }")]


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("x[0] = __shfl_down_sync(FULL, x[1], 4);", "x[0] = hipify::shfl_down_sync(FULL, x[1], 4);"),
        ("x[0] = __shfl(x[1], 0, 8);", "x[0] = hipify::shfl(x[1], 0, 8);"),
        ("x[0] = __popc(__ballot_sync(m, 1));", "x[0] = __popc(hipify::ballot_sync(m, 1));"),
        (
            "x[0] = __shfl_sync(__activemask(), __shfl_up_sync(m, x[0], 1), 0);",
            "x[0] = hipify::shfl_sync(hipify::activemask(), hipify::shfl_up_sync(m, x[0], 1), 0);",
        ),
        ("__syncwarp(); __syncwarp(m);", "hipify::syncwarp(); hipify::syncwarp(m);"),
        ("x[0] = threadIdx.x / warpSize;", "x[0] = threadIdx.x / hipify::warp_size;"),
        ("__shared__ int s[warpSize];", "__shared__ int s[hipify::warp_size];"),
        ("x[0] = __reduce_add_sync (m, x[1]);", "x[0] = hipify::reduce_add_sync (m, x[1]);"),
        ("x[0] = ::__any_sync(m, 1);", "x[0] = ::hipify::any_sync(m, 1);"),
        ("x[0] = __match_all_sync(m, x[1], &x[2]);", "x[0] = hipify::match_all_sync(m, x[1], &x[2]);"),
        ("// __shfl_sync(a, b, c)\n__syncwarp();", "// __shfl_sync(a, b, c)\nhipify::syncwarp();"),
    ],
)
def test_preserve(cuda: str, hip: str) -> None:
    assert preserved(cuda) == hip


def test_every_built_in_has_its_function_in_the_header() -> None:
    text = header_text(HEADER).decode()
    amd = text[text.index("#else  // AMD") :]
    for operation in OPERATIONS.values():
        name = operation.name.decode().lstrip("_")
        count = operation.least
        arguments = ", ".join("m" for _ in range(count))
        assert preserved(f"__{name}({arguments});") == f"hipify::{name}({arguments});"
        assert re.search(rf"\b{name}\(", amd), name


def test_a_source_without_warp_code_gets_no_header() -> None:
    out, analysis = translate(kernel("x[threadIdx.x] = 1;"))
    assert out == kernel("x[threadIdx.x] = 1;")
    assert analysis.helper_headers == {}


@pytest.mark.parametrize("warp", ["report", "preserve", "native"])
def test_hip_sources_are_not_rewritten(warp: str) -> None:
    text = kernel("x[0] = __shfl_down(x[1], 4) + __ballot(1) + warpSize;")
    assert translate(text, warp=warp, language="hip")[0] == text


def test_report_changes_nothing() -> None:
    text = kernel("x[0] = __shfl_down_sync(0xffffffff, x[1], 4) + warpSize;")
    out, analysis = translate(text, warp="report")
    assert (out, analysis.helper_headers) == (text, {})


def test_macros_that_stand_for_built_ins() -> None:
    text = (
        "#include <hip/hip_runtime.h>\n#define SHFL __shfl_sync\n#define DOWN(v, d) __shfl_down_sync(~0u, v, d)\n"
        "#define LANE (threadIdx.x % warpSize)\n__global__ void k(int* x) { x[0] = SHFL(~0u, DOWN(x[1], 2), LANE); }\n"
    )
    out, _ = translate(text)
    assert "#define SHFL hipify::shfl_sync\n" in out
    assert "#define DOWN(v, d) hipify::shfl_down_sync(~0u, v, d)\n" in out
    assert "#define LANE (threadIdx.x % hipify::warp_size)\n" in out
    assert "SHFL(~0u, DOWN(x[1], 2), LANE)" in out


def test_the_users_own_names_stay() -> None:
    text = (
        "#include <hip/hip_runtime.h>\n#define __shfl_sync(m, v, l) __shfl(v, l)\n"
        "struct P { int warpSize; };\n__device__ int warp(P p, P* q) { return p.warpSize + q->warpSize; }\n"
        "int host() { int warpSize = 32; return warpSize; }\n"
        "__global__ void k(int* x) { x[0] = __shfl_sync(1u, x[1], 0) + warpSize; }\n"
        "__global__ void l(int* x, int warpSize) { x[0] = warpSize; }\n"
    )
    out, _ = translate(text)
    assert "#define __shfl_sync(m, v, l) hipify::shfl(v, l)\n" in out
    assert "return p.warpSize + q->warpSize;" in out
    assert "int warpSize = 32; return warpSize;" in out
    assert "x[0] = __shfl_sync(1u, x[1], 0) + hipify::warp_size;" in out
    assert "int warpSize) { x[0] = warpSize; }" in out


@pytest.mark.parametrize("clang", [False, True])
def test_another_function_of_the_name(clang: bool) -> None:
    text = (
        "namespace mine { __device__ int __any_sync(unsigned long long m, float p) { return p > m; } }\n"
        "__global__ void k(int* x) { x[0] = mine::__any_sync(1, 2.f); }\n"
    )
    assert "mine::__any_sync(1, 2.f)" in translate(text, clang=clang)[0]


@pytest.mark.parametrize("target", ["5.7", "6.4", "7.2"])
def test_old_releases_need_nothing_else(target: str) -> None:
    out, analysis = translate(
        kernel("__syncwarp(); x[0] = __reduce_add_sync(m, x[1]) + __activemask();"), target=target
    )
    assert "hipify::syncwarp(); x[0] = hipify::reduce_add_sync(m, x[1]) + hipify::activemask();" in out
    assert {f.id for f in analysis.findings} <= {"HPY301"}


def test_fns_where_the_release_lacks_it() -> None:
    body = "x[0] = __fns(m, 0, 3);"
    assert preserved(body, target="5.7") == "x[0] = hipify::fns(m, 0, 3);"
    assert body in translate(kernel(body), target="7.2")[0]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("", '#include "hipify_warp.h"\n'),
        ("#pragma once\n", '#pragma once\n#include "hipify_warp.h"\n'),
        ("#ifndef X\n#define X\n", '#ifndef X\n#define X\n#include "hipify_warp.h"\n'),
        ("#include <vector>\n\n", '#include <vector>\n#include "hipify_warp.h"\n\n'),
        (
            "#include <vector>\n#ifdef A\n#include <a>\n#endif\n",
            '#include <vector>\n#include "hipify_warp.h"\n#ifdef A\n#include <a>\n#endif\n',
        ),
        ("#include <a>\r\n", '#include <a>\r\n#include "hipify_warp.h"\r\n'),
        ("// A file.\n", '// A file.\n#include "hipify_warp.h"\n'),
        ('#include "hipify_warp.h"\n', '#include "hipify_warp.h"\n'),
        ("\ufeff#include <a>\n", '\ufeff#include <a>\n#include "hipify_warp.h"\n'),
    ],
)
def test_where_the_include_goes(head: str, expected: str) -> None:
    out, _ = translate(head + "__device__ int f(int v) { return __any(v); }\n")
    text = re.sub(r"#include <hip/hip_runtime\.h>\r?\n", "", out)
    assert text[: text.index("__device__")] == expected


def test_native_widens_masks_of_all_lanes() -> None:
    text = (
        "#define FULL 0xffffffff // all\n#define BITS 0xffffffffu\nconst unsigned kAll = ~0u;\n"
        "__global__ void k(int* x, unsigned m) {\n  x[0] = __shfl_sync(FULL, x[1], 0) + __any_sync(FULL, 1);\n"
        "  x[1] = __shfl_sync(BITS, x[0], 1) + BITS;\n  x[2] = __all_sync(kAll, 1) + __any_sync(0xffff, 1);\n"
        "  x[3] = __any_sync(m, 1) + __any_sync(0xffffffffffffffffull, 1);\n}\n"
    )
    out, analysis = translate(text, warp="native")
    wide = "0xffffffffffffffffull"
    assert f"#define FULL {wide} // all\n" in out
    assert "#define BITS 0xffffffffu\n" in out
    assert "__shfl_sync(FULL, x[1], 0) + __any_sync(FULL, 1)" in out
    assert f"__shfl_sync({wide}, x[0], 1) + BITS" in out
    assert f"__all_sync({wide}, 1) + __any_sync(0xffff, 1)" in out
    assert f"__any_sync(m, 1) + __any_sync({wide}, 1)" in out
    assert analysis.helper_headers == {}
    severity = sorted((f.line, f.severity.label) for f in analysis.findings if f.id == "HPY301")
    assert severity == [(5, "warning"), (5, "warning"), (6, "warning"), (7, "error"), (7, "warning"), (8, "error")]


def test_a_comment_chooses_for_one_kernel() -> None:
    text = (
        "// hipify: warp=native\n__global__ void a(int* x) { x[0] = __any_sync(0xffffffff, 1); }\n"
        "__global__ void b(int* x) { x[0] = __any_sync(0xffffffff, 1); }\n"
        "__global__ void c(int* x) {\n  /* hipify: warp=report */\n  x[0] = __any_sync(0xffffffff, 1) + warpSize;\n}\n"
    )
    out, analysis = translate(text)
    assert "a(int* x) { x[0] = __any_sync(0xffffffffffffffffull, 1); }" in out
    assert "b(int* x) { x[0] = hipify::any_sync(0xffffffff, 1); }" in out
    assert "  x[0] = __any_sync(0xffffffff, 1) + warpSize;\n" in out
    found = {(f.line, f.severity.label) for f in analysis.findings if f.id == "HPY301"}
    assert found == {(2, "warning"), (3, "note"), (6, "error")}


def test_dead_branches_are_translated_too() -> None:
    body = "\n#if CUDART_VERSION >= 9000\n x[0] = __any_sync(m, 1);\n#else\n x[0] = __any(1);\n#endif\n"
    out = preserved(body)
    assert "hipify::any_sync(m, 1)" in out
    assert "hipify::any(1)" in out


def test_kernels_with_fragments_count_in_wavefronts() -> None:
    text = (
        "#include <mma.h>\nusing namespace nvcuda;\n__global__ void a(half* x) {\n"
        "  int w = threadIdx.x / warpSize;\n  wmma::fragment<wmma::accumulator, 16, 16, 16, half> f;\n"
        "  wmma::store_matrix_sync(x + w, f, 16, wmma::mem_row_major);\n}\n"
        "__global__ void b(int* x) { x[0] = threadIdx.x / warpSize; }\n"
    )
    out, analysis = translate(text)
    assert "int w = threadIdx.x / warpSize;" in out
    assert "x[0] = threadIdx.x / hipify::warp_size;" in out
    assert "HPY404" in {f.id for f in analysis.findings}


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("auto f = &__ballot_sync;", "auto f = &hipify::ballot_sync;"),
        ("int (*f)(unsigned, int, int, int) = __shfl_sync;", "int (*f)(unsigned, int, int, int) = hipify::shfl_sync;"),
        ("apply(__any_sync, x);", "apply(hipify::any_sync, x);"),
        ("x[0] = (__ballot_sync)(m, 1);", "x[0] = (hipify::ballot_sync)(m, 1);"),
        ("OP(__shfl_down_sync, x);", "OP(hipify::shfl_down_sync, x);"),
        ("x[0] = __shfl_sync(ARGUMENTS);", "x[0] = hipify::shfl_sync(ARGUMENTS);"),
        ("using T = decltype(&__activemask);", "using T = decltype(&hipify::activemask);"),
        ("Ops o{__shfl_xor_sync, __syncwarp};", "Ops o{hipify::shfl_xor_sync, hipify::syncwarp};"),
    ],
)
def test_built_ins_without_a_call(cuda: str, hip: str) -> None:
    assert hip in preserved(cuda)
    (finding, *_) = translate(kernel(cuda), warp="native")[1].findings
    assert (finding.id, finding.severity.name, finding.line) == ("HPY112", "WARNING", 2)


def test_names_in_conditions_and_pasted_ones_are_no_uses() -> None:
    text = "#ifdef __shfl_sync\n#undef __shfl_sync\n#endif\n#define S(x) __shfl##x\n#define R(x) x##__ballot_sync\n"
    assert translate(text + kernel("x[0] = 1;"))[0] == text + kernel("x[0] = 1;")


@pytest.mark.parametrize(
    ("opening", "built_in"),
    [
        ("#ifdef USE_ROCM", "__shfl(x[0], 3)"),
        ("#ifdef MMCV_WITH_HIP", "__popcll(__ballot(x[0]))"),
        ("#if defined(__CUDACC__) && defined(__HIP_PLATFORM_AMD__)", "__shfl_down(x[0], warpSize / 2)"),
        ("#if !defined(__CUDA_ARCH__) && defined(__HIPCC__)", "__any(x[0])"),
        ("#ifndef USE_HIP\nint a;\n#else", "__shfl(x[0], 3)"),
        ("#ifdef MINE\nint a;\n#elif defined(__gfx90a__)", "__shfl(x[0], 3)"),
        ("#if USE_AMD\n#ifdef DEEPER", "__shfl(x[0], 3)\n#endif"),
    ],
)
def test_code_for_hip_alone_keeps_its_wavefronts(opening: str, built_in: str) -> None:
    text = f"#include <hip/hip_runtime.h>\n__global__ void k(int* x) {{ x[0] =\n{opening}\n{built_in};\n#endif\n}}\n"
    text += "#ifdef USE_ROCM\n#define WARP 64\n#endif\n"
    out, analysis = translate(text)
    assert out == text
    assert HEADER not in analysis.helper_headers


@pytest.mark.parametrize("word", ["64", "unsigned long", "__popcll(0)", "uint64_t", "0xffffffffffffffff"])
def test_without_a_word_of_64_lanes_code_for_hip_counts_in_32(word: str) -> None:
    text = "#ifdef USE_HIP\n__global__ void k(int* x) {{ x[0] = __shfl(x[0], 3); }}\n#define W {}\n#endif\n"
    assert "hipify::shfl(x[0], 3)" in translate(text.format("32"))[0]
    assert " __shfl(x[0], 3)" in translate(text.format(word))[0]


@pytest.mark.parametrize(
    "opening",
    [
        "#ifdef __CUDACC__",
        "#if defined(__CUDACC__) || defined(__HIPCC__)",
        "#ifndef USE_ROCM",
        "#ifdef __HIP_PLATFORM_NVIDIA__",
        "#ifdef SHIPPING",
        "#ifdef USE_ROCM\nint a;\n#else",
        "#if 0 && defined(USE_ROCM)",
    ],
)
def test_other_branches_keep_warps_of_32_lanes(opening: str) -> None:
    out, _ = translate(f"{opening}\n__global__ void k(int* x) {{ x[0] = __shfl(x[0], 3); }}\n#endif\n")
    assert "hipify::shfl(x[0], 3)" in out


@pytest.mark.parametrize(
    "macros",
    [
        "#define SIZE(f) (p->f)",
        "#define AT(o, f) (o).f\n#define SIZE(f) AT(*p, f)",
        "#define SIZE(f) decltype(cudaDeviceProp::f)(32)",
    ],
)
def test_warp_size_as_a_member_that_a_macro_reads_is_left(macros: str) -> None:
    text = f"{macros}\n" + kernel("x[0] = SIZE(warpSize) + warpSize; ")
    out, _ = translate(text)
    assert "x[0] = SIZE(warpSize) + hipify::warp_size; " in out


def test_warp_size_that_a_macro_uses_as_it_is_becomes_the_constant() -> None:
    out, _ = translate("#define LANE(w) (threadIdx.x % w)\n" + kernel("x[0] = LANE(warpSize); "))
    assert "LANE(hipify::warp_size)" in out

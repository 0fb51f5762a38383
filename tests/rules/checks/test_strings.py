"""CUDA source in strings: found by where it flows, reported at its own lines, translated in place when asked for."""

import pytest

from hipify.emit import rewriter
from hipify.model import Options
from hipify.parser.source import Source
from hipify.rules.engine import analyse

RAW = """\
#include <nvrtc.h>
static const char* source = R"(
#include <cuda_fp16.h>
extern "C" __global__ void f(float* y) {
    y[0] = __ldg(y) + __shfl_xor_sync(0xffffffff, y[0], 1);
}
)";
void build(nvrtcProgram* p) { nvrtcCreateProgram(p, source, "f.cu", 0, 0, 0); }
"""
PIECES = r"""
#define SOURCE "#include <curand_kernel.h>\n" \
    "extern \"C\" __global__ void f(float* p, curand" "State* s) {\n" \
    "\tp[0] = curand_uniform(s);\n}\n"
void build(nvrtcProgram* p) { nvrtcCreateProgram(p, SOURCE, "f.cu", 0, 0, 0); }
"""


def found(text: str, **options: bool) -> list[tuple[int, str]]:
    """(line, id) of every finding."""
    analysis = analyse(Source(text.encode(), "rtc.cpp"), Options(clang=False, translate_strings=bool(options)))
    return sorted((f.line, f.id) for f in analysis.findings)


def translated(text: str) -> str:
    """The text with its strings translated."""
    data = text.encode()
    edits = analyse(Source(data, "rtc.cpp"), Options(clang=False, translate_strings=True)).edits
    return rewriter.apply(data, edits).decode()


def test_a_raw_string_has_its_findings_at_its_own_lines() -> None:
    assert found(RAW) == [(2, "HPY710"), (3, "HPY711"), (5, "HPY301")]


def test_a_raw_string_is_translated_in_place() -> None:
    out = translated(RAW)
    assert "#include <hip/hip_fp16.h>\nextern" in out and "#include <hip/hip_runtime.h>" not in out
    assert out.count("\n") == RAW.count("\n")


def test_literals_put_together_are_one_source() -> None:
    assert found(PIECES) == [(2, "HPY710"), (2, "HPY711"), (3, "HPY711"), (4, "HPY711")]
    out = translated(PIECES)
    assert r'"#include <hiprand/hiprand_kernel.h>\n" \ '.rstrip() in out
    assert r'void f(float* p, hiprandState" "* s) {\n"' in out
    assert r'"\tp[0] = hiprand_uniform(s);\n}\n"' in out


@pytest.mark.parametrize(
    "argument",
    ["source", "source.c_str()", "&source[0]", "(source)", '"__global__ void f(curandState* s) {}"'],
)
def test_sources_reach_the_compiler_in_many_ways(argument: str) -> None:
    text = 'std::string source("__global__ void f(curandState* s) {}");\n'
    text += f"void build(nvrtcProgram* p) {{ nvrtcCreateProgram(p, {argument}, 0, 0, 0, 0); }}\n"
    assert "HPY711" in {i for _, i in found(text)}


def test_other_strings_are_nobodys_business() -> None:
    text = 'const char* help = "cudaMalloc and __global__ are CUDA words";\n'
    assert found(text) == []
    assert translated(text) == text


def test_a_source_without_anything_to_change_is_only_noted() -> None:
    text = 'void f(nvrtcProgram* p) { nvrtcCreateProgram(p, "__global__ void f() {}", 0, 0, 0, 0); }\n'
    assert found(text) == [(1, "HPY710")]


@pytest.mark.parametrize(
    ("option", "reported"),
    [
        ("--gpu-architecture=compute_70", True),
        ("-arch=sm_80", True),
        ("--use_fast_math", True),
        ("--maxrregcount=32", True),
        ("--std=c++17", False),
        ("-DN=3", False),
        ("--verbose", False),
    ],
)
def test_options_of_the_compiler(option: str, reported: bool) -> None:
    text = f'void f(nvrtcProgram p) {{ const char* o[] = {{"{option}"}}; nvrtcCompileProgram(p, 1, o); }}\n'
    assert found(text) == ([(1, "HPY712")] if reported else [])

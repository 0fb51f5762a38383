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


STRINGISED = """\
#include <nvrtc.h>
#define STRINGIFY(...) #__VA_ARGS__
static const char* source = STRINGIFY(
    extern "C" __global__ void f(float* y, curandState* s) {
        y[0] = __shfl_xor_sync(0xffffffff, y[0], 1) + __ldcs(y); // cudaFree
    });
__global__ void g(int* x) { x[0] = __ballot_sync(~0u, 1); }
"""


def test_source_that_a_macro_makes_a_string_of_is_left_and_reported():
    analysis = analyse(Source(STRINGISED.encode(), "rtc.cu"), Options(clang=False))
    out = rewriter.apply(STRINGISED.encode(), analysis.edits).decode()
    assert STRINGISED[STRINGISED.index("static") : STRINGISED.index("__global__ void g")] in out
    assert "x[0] = hipify::ballot_sync(~0u, 1);" in out
    severities = {(f.line, f.id): f.severity.label for f in analysis.findings if f.line < 7}
    assert severities == {
        (3, "HPY710"): "note",
        (4, "HPY711"): "error",
        (5, "HPY301"): "error",
        (5, "HPY407"): "error",
    }


def test_source_that_a_macro_makes_a_string_of_is_translated_without_lines_of_the_preprocessor():
    out = translated(STRINGISED)
    inside = out[out.index("STRINGIFY(\n") : out.index("__global__ void g")]
    assert "hiprandState* s" in inside
    assert "#" not in inside


@pytest.mark.parametrize(
    ("macros", "use", "strings"),
    [
        ("#define S(x) #x", "S(KERNEL)", True),
        ("#define S(x) S_(x)\n#define S_(x) #x", "S(KERNEL)", True),
        ('#define S(n, ...) const char* n = "// n\\n" #__VA_ARGS__', "S(k, KERNEL)", True),
        ("#define S(n, ...) \\\n  const char* n = \\\n  #__VA_ARGS__", "S(k, int a, KERNEL)", True),
        ("#define S(x) x", "S(KERNEL)", False),
        ("#define S(x) x const char* s = #x;", "S(KERNEL)", False),
        ("#define S(n, x) const char* n##_ = #n; x", "S(k, KERNEL)", False),
    ],
)
def test_which_macros_make_strings_of_source(macros, use, strings):
    kernel = "__global__ void f(float* p, curandState* s) { p[0] = 1; }"
    text = f"{macros}\n{use.replace('KERNEL', kernel)};\n"
    data = text.encode()
    out = rewriter.apply(data, analyse(Source(data, "rtc.cu"), Options(clang=False)).edits).decode()
    assert ("hiprandState" in out) is not strings
    assert any(i == "HPY710" for _, i in found(text)) is strings


def test_what_a_helper_header_provides_is_missing_in_a_string():
    text = RAW.replace("__ldg(y)", "__vadd4(1, 2)")
    for options, severity in (({}, "error"), ({"translate_strings": True}, "warning")):
        analysis = analyse(Source(text.encode(), "rtc.cpp"), Options(clang=False, **options))
        told = [f for f in analysis.findings if f.id == "HPY407"]
        assert [f.severity.label for f in told] == [severity]
        assert "if hiprtc is given that header" in told[0].message
        assert bool(analysis.helper_headers) is bool(options)
    options = Options(clang=False, translate_strings=True, inline_headers=True)
    analysis = analyse(Source(text.encode(), "rtc.cpp"), options)
    assert [f.severity.label for f in analysis.findings if f.id == "HPY407"] == ["note"]
    assert b"__vadd4(" in b"".join(e.text for e in analysis.edits)


KERNEL = 'R"(__global__ void f(cudaStream_t s) { }\n)"'


def test_kernels_in_strings_of_files_that_call_no_compiler():
    assert found(f"// jitify\nconst char* k = {KERNEL};\n") == [(2, "HPY710"), (2, "HPY711")]
    assert found(f"const char* k = {KERNEL};\n") == [(1, "HPY710")]
    assert found('const char* k = "extern \\"C\\" __global__ void f()\\n" "{ cudaFree(0); }";\n') == [(1, "HPY710")]
    text = f"const char* k = {KERNEL};\n"
    assert translated(text) == text.replace("cudaStream_t", "hipStream_t")


@pytest.mark.parametrize(
    "text",
    [
        'const char* k = "a __global__ function";\n',
        'extern "C" __global__ void f() { g("x"); }\n',
        '#define K "__global__"\n__global__ void f() { }\nconst char* r = R"(x)";\n',
        'const char* k = R"(write __global__ void f(); first)";\n',
    ],
)
def test_texts_about_kernels_are_no_source(text):
    assert not {"HPY710", "HPY711"} & {i for _, i in found(text)}

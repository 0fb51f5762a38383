"""Guards: what HIP takes at each `#if` that asks for CUDA, which are widened, and that widening is done once."""

from pathlib import Path

import pytest

import hipify
from hipify.emit import rewriter
from hipify.model import Finding, Options, Severity
from hipify.parser.source import Source
from hipify.rules.engine import analyse

ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE


def guard_findings(text: str, guards: str = "report") -> list[Finding]:
    """The findings of the 6xx family, by line."""
    analysis = analyse(Source(text.encode(), "guards.cu"), Options(clang=False, guards=guards))
    return sorted((f for f in analysis.findings if f.id.startswith("HPY6")), key=lambda f: f.line)


def widened(text: str) -> str:
    """The text after `--guards widen`."""
    data = text.encode()
    return rewriter.apply(data, analyse(Source(data, "g.cu"), Options(clang=False, guards="widen")).edits).decode()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#if CUDA_VERSION < 9000\nint a;\n#else\nint b;\n#endif\n", [("HPY601", WARNING, "takes this branch")]),
        ("#if CUDART_VERSION >= 11020\nint a;\n#endif\n", [("HPY601", ERROR, "leaves out 1 line of code")]),
        ("#if CUDART_VERSION >= 11020\n#define A\n#endif\n", [("HPY601", WARNING, "leaves out directives")]),
        ("#if CUDART_VERSION >= 11020\n// no more\n#endif\n", [("HPY601", NOTE, "leaves out no code")]),
        (
            "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700\nint a;\n#endif\n",
            [("HPY602", NOTE, "for older versions")],
        ),
        ("#if CUDA_VERSION >= 9000\nint a;\n#else\n#error old\n#endif\n", [("HPY601", ERROR, "#error")]),
        ("#if __CUDA_ARCH__ >= 350\nint a;\n#else\nint b;\n#endif\n", [("HPY602", WARNING, "line 3")]),
        ("#if __CUDA_ARCH__ >= 350 || OTHER\nint a;\n#endif\n", [("HPY602", WARNING, "other macros")]),
        ("#ifdef __CUDACC__\nint a;\n#endif\n", [("HPY603", ERROR, "no branch")]),
        ("#ifdef __CUDACC__\nint a;\n#else\nint b;\n#endif\n", [("HPY603", WARNING, "line 3")]),
        ("#ifndef __NVCC__\nint a;\n#endif\n", [("HPY603", WARNING, "this branch")]),
        ("#if defined(CUDNN_VERSION) && CUDNN_VERSION >= 8000\nint a;\n#endif\n", [("HPY601", ERROR, "no branch")]),
    ],
)
def test_what_hip_takes(text: str, expected: list[tuple[str, Severity, str]]) -> None:
    found = guard_findings(text)
    assert [(f.id, f.severity) for f in found] == [(i, s) for i, s, _ in expected]
    assert all(part in f.message for f, (_, _, part) in zip(found, expected, strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "#if defined(__CUDACC__) || defined(__HIPCC__)\nint a;\n#endif\n",
        "#if CUDA_VERSION >= 12080\nint a;\n#elif __HIPCC__\nint b;\n#else\nint c;\n#endif\n",
        "#ifdef __HIP_PLATFORM_AMD__\nint a;\n#else\n#if CUDA_VERSION >= 9000\nint b;\n#endif\n#endif\n",
        "#ifdef __NVCC__\n#include <cuda.h>\n#else\n#include <hip/hip_runtime.h>\n#endif\n",
        "#ifdef USE_GPU\nint a;\n#endif\n",
    ],
)
def test_code_that_knows_hip_is_left_in_peace(text: str) -> None:
    assert guard_findings(text) == []
    assert [line for line in widened(text).splitlines() if line.startswith("#if")] == [
        line for line in text.splitlines() if line.startswith("#if")
    ]


OWN_ATOMIC = "__device__ double atomicAdd(double* a, double v) { return v; }\n"


def test_an_own_atomic_for_old_gpus() -> None:
    taken = guard_findings(f"#if __CUDA_ARCH__ >= 600\n#else\n{OWN_ATOMIC}#endif\n")
    assert [(f.id, f.severity) for f in taken] == [("HPY602", ERROR)] and "atomicAdd again" in taken[0].message
    safe = guard_findings(f"#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600\n#else\n{OWN_ATOMIC}#endif\n")
    assert [f.severity for f in safe] == [NOTE]
    kept_out = "#if (__CUDA_ARCH__ < 600) && !defined(__HIPCC__)\n"
    assert kept_out in widened(f"#if __CUDA_ARCH__ < 600\n{OWN_ATOMIC}#endif\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#ifdef __CUDACC__", "#if defined(__CUDACC__) || defined(__HIPCC__)"),
        ("#  ifdef /* x */ __NVCC__ // why", "#  if /* x */ defined(__NVCC__) || defined(__HIPCC__) // why"),
        ("#ifndef __CUDACC__", "#if !defined(__CUDACC__) && !defined(__HIPCC__)"),
        ("#ifdef __CUDA_ARCH__", "#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)"),
        ("#ifdef __CUDACC_RTC__", "#if defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)"),
        ("#if defined(__CUDACC__)", "#if defined(__CUDACC__) || defined(__HIPCC__)"),
        ("#if defined __CUDACC__", "#if defined(__CUDACC__) || defined(__HIPCC__)"),
        ("#if !defined(__CUDACC__)", "#if !(defined(__CUDACC__) || defined(__HIPCC__))"),
        ("#if defined(A) && defined(__NVCC__)", "#if defined(A) && (defined(__NVCC__) || defined(__HIPCC__))"),
        ("#if __CUDACC__", "#if defined(__CUDACC__) || defined(__HIPCC__)"),
        ("#if A || __CUDA_ARCH__", "#if A || (defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__))"),
        (
            "#if defined(A) && \\\n    defined( __CUDACC__ )",
            "#if defined(A) && \\\n    (defined(__CUDACC__) || defined(__HIPCC__))",
        ),
    ],
)
def test_existence_tests_are_widened_once(before: str, after: str) -> None:
    text = before + "\nint a;\n#endif\n"
    once = widened(text)
    assert once == after + "\nint a;\n#endif\n"
    assert widened(once) == once
    assert [(f.id, f.severity) for f in guard_findings(text, "widen")] == [("HPY604", NOTE)]
    assert guard_findings(once, "widen") == []


def test_elif_forms_are_widened() -> None:
    text = "#ifdef A\nint a;\n#elifdef __CUDACC__\nint b;\n#elif defined(__CUDA_ARCH__)\nint c;\n#endif\n"
    assert "#elif defined(__CUDACC__) || defined(__HIPCC__)\n" in widened(text)
    assert "#elif defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)\n" in widened(text)


@pytest.mark.parametrize(
    "text",
    [
        "#if __CUDA_ARCH__ >= 700\nint a;\n#endif\n",
        "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800\nint a;\n#endif\n",
        "#ifdef CUDA_VERSION\nint a;\n#endif\n",
        '#ifdef __CUDA_ARCH__\nasm("trap;");\n#else\nint portable;\n#endif\n',
    ],
)
def test_numbers_versions_and_ptx_with_another_way_are_not_widened(text: str) -> None:
    assert widened(text) == text
    assert {f.id for f in guard_findings(text, "widen")} <= {"HPY601", "HPY602"}


def test_what_hip_leaves_out_gives_notes_only() -> None:
    text = "#ifndef __HIP_PLATFORM_AMD__\nvoid f() { cudaLimit l = cudaLimitDevRuntimeSyncDepth; }\n#endif\n"
    findings = analyse(Source(text.encode()), Options(clang=False)).findings
    assert [(f.id, f.severity) for f in findings] == [("HPY101", NOTE)]
    assert "leaves out" in findings[0].message


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("int a = __CUDA_ARCH__;\n", ERROR),
        ("int a = CUDART_VERSION;\n", ERROR),
        ("#define TOOLKIT CUDART_VERSION\n", WARNING),
    ],
)
def test_macros_in_code_are_reported(text: str, severity: Severity) -> None:
    assert [f.severity for f in guard_findings(text)] == [severity]


def test_macros_of_the_files_own_are_not() -> None:
    assert guard_findings("#define CUDA_VERSION 12000\nint a = CUDA_VERSION;\n") == []


def test_code_behind_a_macro_that_hip_never_gets_is_left_out_too() -> None:
    fast = "#if CUDA_VERSION >= 11000\n#define FAST\n#endif\n"
    use = '__global__ void k() {\n#ifdef FAST\n    asm("ret;");\n#endif\n}\n'

    def ptx(text: str) -> list[Severity]:
        findings = analyse(Source(text.encode()), Options(clang=False)).findings
        return [f.severity for f in findings if f.id == "HPY401"]

    assert ptx(fast + use) == [NOTE]
    assert ptx("#define FAST\n" + use) == [ERROR]
    assert ptx(use) == [ERROR]
    assert ptx(fast + "#ifdef OTHER\n#define FAST\n#endif\n" + use) == [ERROR]


ASM = '__device__ int f() {{\n{}  int x; asm("mov.u32 %0, %nsmid;" : "=r"(x)); return x;\n{}}}\n'


@pytest.mark.parametrize(
    ("head", "before", "behind", "severity"),
    [
        ("", "", "", Severity.ERROR),
        ("", "#ifdef USE_ASM\n", "#endif\n", Severity.WARNING),
        ("", "#if !defined(USE_ASM)\n  return 1;\n#else\n", "#endif\n", Severity.WARNING),
        ("#define USE_ASM\n", "#ifdef USE_ASM\n", "#endif\n", Severity.ERROR),
        ('#include "gone.h"\n', "#ifdef USE_ASM\n", "#endif\n", Severity.ERROR),
        ("", "#if defined(__PTX__)\n", "#endif\n", Severity.NOTE),
        ("", "#ifdef __HIP_DEVICE_COMPILE__\n", "#endif\n", Severity.ERROR),
    ],
)
def test_code_that_only_a_users_macro_brings_in(head: str, before: str, behind: str, severity: Severity) -> None:
    text = "#include <cuda_runtime.h>\n" + head + ASM.format(before, behind) + "void g(void* p) { cudaFree(p); }\n"
    found = hipify.translate_source(text, "t.cu", hipify.Options()).findings
    assert [f.severity for f in found if f.id == "HPY401"] == [severity]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("#ifdef __DRIVER_TYPES_H__", "#if defined(__DRIVER_TYPES_H__) || defined(HIP_INCLUDE_HIP_DRIVER_TYPES_H)"),
        ("#ifdef CUBLAS_API_H_", "#if defined(CUBLAS_API_H_) || defined(HIPBLAS_H)"),
        ("#ifndef _CUFFT_H_", "#if !defined(_CUFFT_H_) && !defined(HIPFFT_H_)"),
    ],
)
def test_guards_of_cudas_headers_know_hips(line: str, expected: str) -> None:
    assert widened(f"{line}\nint a;\n#endif\n") == f"{expected}\nint a;\n#endif\n"


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("__global__ void k(int* p) { *p = __CUDA_ARCH__; }\n", "HPY602"),
        ("int v() { return CUDART_VERSION / 1000; }\n", "HPY601"),
        ("template <int A> struct T {};\nT<CUDA_VERSION> t;\n", "HPY601"),
        ("int v() { return CUDNN_VERSION; }\n", "HPY601"),
        ("#define S(x) #x\nconst char* s = S(CUDA_VERSION);\n", "HPY601"),
    ],
)
def test_a_number_that_hip_lacks_is_one_error_where_code_uses_it(text: str, id: str, clang: bool) -> None:
    findings = hipify.translate_source(text, "g.cu", Options(clang=clang)).findings
    assert [(f.id, f.severity) for f in findings] == [(id, ERROR)]
    assert "is undefined on HIP" in findings[0].message


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("#define A __CUDA_ARCH__\n__device__ int f() { return A; }\n", [1, 2]),
        ("#define A(x) (x + __CUDA_ARCH__)\n#define B A(2)\n__device__ int f() {\nreturn A(1) + B; }\n", [1, 4, 4]),
        ("#define V (CUDART_VERSION / 1000)\nint v = V;\n#if V > 10\nint w;\n#endif\n", [1, 2, 3]),
        ("#define A __CUDA_ARCH__\nint v;\n", [1]),
        ("#define A(x) __CUDA_ARCH__\nstruct A;\n", [1]),
    ],
)
def test_a_macro_that_holds_a_guard_is_reported_where_it_stands(text: str, lines: list[int]) -> None:
    assert [f.line for f in guard_findings(text)] == lines


TWO_DEFINITIONS = (
    "#ifdef __CUDA_ARCH__\n#define A __CUDA_ARCH__\n#else\n#define A 0\n#endif\n__device__ int f() { return A; }\n"
)


@pytest.mark.parametrize(("guards", "lines"), [("widen", [1, 2, 6]), ("report", [1, 2])])
def test_of_two_definitions_the_one_that_hip_takes_counts(guards: str, lines: list[int]) -> None:
    options = Options(clang=False, guards=guards)
    findings = hipify.translate_source(TWO_DEFINITIONS, "g.cu", options).findings
    assert [f.line for f in findings] == lines
    assert [f.line for f in findings if f.severity is ERROR] == [line for line in lines if line == 6]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "#if __CUDA_ARCH__ >= 700\nint a;\n#elif __CUDA_ARCH__ >= 600\nint b;\n#else\nint c;\n#endif\n",
            [(1, "WARNING")],
        ),
        ("#if __CUDA_ARCH__ >= 700\n#pragma once\n#elif __CUDA_ARCH__ >= 600\nint b;\n#endif\n", [(1, "ERROR")]),
        (
            "#if defined(X) && __CUDA_ARCH__ >= 700\nint a;\n#elif __CUDA_ARCH__ < 600\nint b;\n#endif\n",
            [(1, "WARNING")],
        ),
        ("#ifndef __HIPCC__\nint a;\n#elif __CUDA_ARCH__ >= 600\nint b;\n#endif\n", []),
    ],
)
def test_a_chain_of_tests_is_one_finding(text: str, expected: list[tuple[int, str]]) -> None:
    result = hipify.translate_source("__device__ int d;\n" + text, "t.cu", hipify.Options(clang=False))
    found = [(f.line - 1, f.severity.name) for f in result.findings if f.id == "HPY602"]
    assert found == expected


def test_a_chain_that_asks_for_versions_and_architectures_is_told_once_for_each() -> None:
    text = "#if CUDA_VERSION >= 12000\nint a;\n#elif __CUDA_ARCH__ >= 700\nint b;\n#elif CUDART_VERSION < 9\nint c;\n#endif\n"
    result = hipify.translate_source(text, "t.cu", hipify.Options(clang=False))
    assert sorted((f.id, f.line) for f in result.findings) == [("HPY601", 1), ("HPY602", 3)]


@pytest.mark.parametrize(
    "condition", ["0 && __CUDA_ARCH__ >= 800", "CUDA_VERSION > 9000 && 0", "1 || CUDA_VERSION < 9000"]
)
def test_a_guard_that_decides_nothing_is_no_matter(condition: str) -> None:
    assert guard_findings(f"#if {condition}\nint a;\n#else\nint b;\n#endif\n") == []


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("__VECTOR_TYPES_H__", "HIP_INCLUDE_HIP_AMD_DETAIL_HIP_VECTOR_TYPES_H"),
        ("__VECTOR_FUNCTIONS_H__", "HIP_INCLUDE_HIP_AMD_DETAIL_HIP_VECTOR_TYPES_H"),
        ("__VECTOR_FUNCTIONS_HPP__", "HIP_INCLUDE_HIP_AMD_DETAIL_HIP_VECTOR_TYPES_H"),
        ("__TEXTURE_TYPES_H__", "HIP_INCLUDE_HIP_TEXTURE_TYPES_H"),
        ("__SURFACE_TYPES_H__", "HIP_INCLUDE_HIP_SURFACE_TYPES_H"),
        ("__LIBRARY_TYPES_H__", "HIP_INCLUDE_HIP_LIBRARY_TYPES_H"),
        ("CU_COMPLEX_H_", "HIP_INCLUDE_HIP_HIP_COMPLEX_H"),
        ("CURAND_KERNEL_H_", "HIPRAND_KERNEL_H_"),
    ],
)
def test_what_a_header_of_cuda_brings_is_known_from_hips(cuda: str, hip: str) -> None:
    assert widened(f"#ifndef {cuda}\nint a;\n#endif\n") == (
        f"#if !defined({cuda}) && !defined({hip})\nint a;\n#endif\n"
    )


def test_a_copy_of_a_header_of_cuda_asks_for_hips_too() -> None:
    text = "#if !defined(__VECTOR_TYPES_H__)\n#define __VECTOR_TYPES_H__\nstruct float4 { float x; };\n#endif\n"
    assert "defined(HIP_INCLUDE_HIP_AMD_DETAIL_HIP_VECTOR_TYPES_H)" in widened(text).splitlines()[0]


@pytest.mark.parametrize("macro", ["__CUDACC_EXTENDED_LAMBDA__", "__CUDACC_RELAXED_CONSTEXPR__"])
def test_what_nvcc_must_be_asked_for_hip_has_always(macro: str) -> None:
    made = hipify.translate_source(f"#include <cuda_runtime.h>\n#ifdef {macro}\nint a;\n#endif\n", "t.cu")
    assert f"#if defined({macro}) || defined(__HIPCC__)\n".encode() in made.output
    assert [f.id for f in made.findings] == ["HPY604"]


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("#ifndef CUDART_VERSION", "#if !defined(CUDART_VERSION) && !defined(HIP_VERSION)"),
        ("#  ifndef CUDA_VERSION  // none", "#  if !defined(CUDA_VERSION) && !defined(HIP_VERSION)  // none"),
        ("#if !defined(CUDA_VERSION) /* none */", "#if !defined(CUDA_VERSION) && !defined(HIP_VERSION) /* none */"),
        ("#if ! defined CUDART_VERSION", "#if !defined(CUDART_VERSION) && !defined(HIP_VERSION)"),
    ],
)
def test_a_demand_for_the_version_is_met_by_that_of_hip(line: str, expected: str, clang: bool) -> None:
    rest = "\n#error no CUDA\n#elif CUDART_VERSION > 11000\nint a;\n#else\nint b;\n#endif\n"
    made = hipify.translate_source(line + rest, "g.h", Options(clang=clang))
    assert made.output.decode().startswith(expected + rest)
    assert [(f.id, f.line) for f in made.findings] == [("HPY604", 1), ("HPY601", 3)]


@pytest.mark.parametrize(
    "text",
    [
        "#if !defined(CUDART_VERSION) || X\n#error no\n#endif\n",
        "#ifndef CUDART_VERSION\nint a;\n#endif\n",
        "#ifdef CUDART_VERSION\n#error no\n#endif\n",
        "#ifndef CUDNN_VERSION\n#error no\n#endif\n",
        "#if !defined(CUDART_VERSION) && !defined(__HIP__)\n#error no\n#endif\n",
    ],
)
def test_other_demands_stay(text: str) -> None:
    assert b"HIP_VERSION" not in hipify.translate_source(text, "g.h", Options(clang=False)).output


@pytest.mark.parametrize(
    ("body", "widened_body"),
    [
        ("defined(__CUDA_ARCH__)", "(defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__))"),
        ("(!defined __CUDACC__)", "(!(defined(__CUDACC__) || defined(__HIPCC__)))"),
        ("(defined(__CUDA_ARCH__) && N)", "((defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)) && N)"),
    ],
)
def test_macros_that_ask_for_nvidias_compiler_learn_of_hip(body: str, widened_body: str) -> None:
    text = f"#define ASKS {body}\n__device__ void f() {{\n#if ASKS\n  g();\n#endif\n}}\n"
    result = hipify.translate_source(text, "t.cu", hipify.Options(clang=False))
    assert f"#define ASKS {widened_body}\n" in result.output.decode()
    assert [(f.id, f.line) for f in result.findings] == [("HPY604", 1)]
    kept = hipify.translate_source(text, "t.cu", hipify.Options(clang=False, guards="report"))
    assert f"#define ASKS {body}\n" in kept.output.decode()
    assert [f.line for f in kept.findings if f.id in ("HPY602", "HPY603") and f.severity is not NOTE] == [3]


@pytest.mark.parametrize(
    "text",
    [
        "#if defined(__HIPCC__)\n#define ASKS 1\n#else\n#define ASKS defined(__CUDA_ARCH__)\n#endif\n",
        "#define ASKS (defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__))\n",
        "#define ASKS(x) x\n",
    ],
)
def test_macros_whose_author_thought_of_hip_stay(text: str) -> None:
    assert text in hipify.translate_source(text, "t.cu", hipify.Options(clang=False)).output.decode()


def test_a_condition_on_a_macro_that_holds_a_guard_is_reported_as_one_on_the_guard() -> None:
    text = "#define NEW (__CUDA_ARCH__ >= 700)\n__device__ int f() {\n#if NEW\n  return 1;\n#endif\n}\n"
    _, finding = sorted(guard_findings(text), key=lambda f: f.line)
    assert (finding.severity, finding.line) == (ERROR, 3)
    assert finding.message == (
        "NEW holds __CUDA_ARCH__, undefined on HIP: it takes no branch, and leaves out 1 line of code"
    )


def test_macros_of_headers_that_hold_a_guard_are_reported_where_they_are_used(tmp_path: Path) -> None:
    (tmp_path / "arch.h").write_text(
        "#pragma once\n#define NUMBER __CUDA_ARCH__\n#define NEW (NUMBER >= 700)\n#define ON_DEVICE defined(__CUDA_ARCH__)\n"
        "#define AT_LEAST(x) (__CUDA_ARCH__ >= x)\n#ifdef __CUDA_ARCH__\n#define EITHER __CUDA_ARCH__\n#else\n"
        "#define EITHER 0\n#endif\n"
    )
    (tmp_path / "all.h").write_text('#include "arch.h"\n')
    source = tmp_path / "k.cu"
    source.write_text(
        '#include "all.h"\n__device__ int f() {\n  int n = NUMBER + EITHER;\n#if NEW\n  n = 2;\n#endif\n#if ON_DEVICE\n'
        "  n = 3;\n#endif\n#if AT_LEAST(600)\n  n = 4;\n#endif\n  return n;\n}\n"
    )
    result = hipify.translate_source(source.read_bytes(), str(source), hipify.Options(clang=False))
    said = sorted((f.line, f.severity.label, f.message) for f in result.findings)
    assert said == [
        (3, "error", "NUMBER, a header's, holds __CUDA_ARCH__, which is undefined on HIP"),
        (4, "error", "NEW holds __CUDA_ARCH__, undefined on HIP: it takes no branch, and leaves out 1 line of code"),
        (
            10,
            "warning",
            "AT_LEAST holds __CUDA_ARCH__, undefined on HIP: which branch it takes depends on other macros",
        ),
    ]


@pytest.mark.parametrize(
    "condition",
    [
        "defined(__CUDA_ARCH__) and __CUDA_ARCH__ >= 600",
        "not (__CUDA_ARCH__ < 600 or CUDART_VERSION bitand 1)",
        "CUDART_VERSION not_eq 0",
    ],
)
def test_operators_that_are_spelled_as_words_are_read(condition: str) -> None:
    found = guard_findings(f"#if {condition}\nint a;\n#endif\n")
    assert [(f.severity, "no branch, and leaves out 1 line" in f.message) for f in found] == [(ERROR, True)]


def test_a_test_behind_not_is_widened() -> None:
    text = "#if not defined(__CUDACC__) and defined(B)\nint a;\n#endif\n"
    assert widened(text) == text.replace("defined(__CUDACC__)", "(defined(__CUDACC__) || defined(__HIPCC__))")

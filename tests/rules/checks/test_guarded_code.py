"""What guards keep from HIP and let in: code of one side, assembly, numbers."""

import pytest

import hipify
from hipify.model import Options, Severity

ERROR, NOTE = Severity.ERROR, Severity.NOTE


_ASM = 'asm("mov.u32 %0, %%laneid;" : "=r"(r));'
_OWN_ATOMIC = (
    "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600\n#else\n"
    "__device__ double atomicAdd(double* a, double b) { return *a; }\n#endif\n"
)


@pytest.mark.parametrize(
    ("front", "statement", "expected"),
    [
        ("", _ASM, [("HPY413", NOTE)]),
        ("", 'asm("prmt.b32.f4e %0, %0, %0, %0;" : "+r"(r));', [("HPY401", ERROR)]),
        (_OWN_ATOMIC, "r = __CUDA_ARCH__;", [("HPY602", ERROR)]),
        ("bool operator==(float2 a, float2 b);\n", "r = __CUDA_ARCH__;", [("HPY602", ERROR)]),
        ("#define P(n) n##mem\n", "r = __CUDA_ARCH__;", [("HPY602", ERROR)]),
    ],
)
def test_what_a_widened_guard_lets_in_is_seen_by_hips_compiler(
    front: str, statement: str, expected: list[tuple[str, Severity]]
) -> None:
    text = f"{front}__device__ int f(int r) {{\n#ifdef __CUDA_ARCH__\n{statement}\n#endif\nreturn r; }}\n"
    found = hipify.translate_source(text, "g.cu", Options(clang=False)).findings
    line = text[: text.index(statement)].count("\n") + 1
    assert [(f.id, f.severity) for f in found if f.line == line] == expected
    assert not any("leaves out)" in f.message for f in found)


@pytest.mark.parametrize(
    ("condition", "statement", "otherwise", "takes_it"),
    [
        ("#ifdef __CUDA_ARCH__", 'asm("mov.u32 %0, %%laneid;" : "=r"(r));', "r = 0;", True),
        ("#ifdef __CUDA_ARCH__", 'asm("prmt.b32.f4e %0, %0, %0, %0;" : "+r"(r));', "r = 0;", False),
        ("#ifndef __CUDA_ARCH__", 'asm volatile("pause" ::: "memory");', "r = clock();", True),
        ("#ifndef __CUDA_ARCH__", "r = 0;", 'asm("prmt.b32.f4e %0, %0, %0, %0;" : "+r"(r));', False),
    ],
)
def test_assembly_that_becomes_cpp_or_is_the_hosts_lets_hip_in(
    condition: str, statement: str, otherwise: str, takes_it: bool
) -> None:
    text = f"__host__ __device__ int f(int r) {{\n{condition}\n{statement}\n#else\n{otherwise}\n#endif\nreturn r; }}\n"
    made = hipify.translate_source(text, "g.cu", Options(clang=False))
    assert (b"__HIP_DEVICE_COMPILE__" in made.output) is takes_it
    assert not any(f.severity is ERROR for f in made.findings)


def test_what_the_host_alone_compiles_is_no_device_code() -> None:
    lines = [
        "#include <cuda_runtime.h>",
        "__global__ void k(int* p) {}",
        "__host__ __device__ void f(int* p) {",
        "#ifdef __CUDA_ARCH__",
        "k<<<1, 1>>>(p); cudaDeviceSynchronize();",
        "#else",
        'k<<<2, 1>>>(p); cudaDeviceSynchronize(); asm volatile("pause");',
        "#endif",
        "}",
    ]
    for guards in ("widen", "report"):
        made = hipify.translate_source("\n".join(lines), "g.cu", Options(clang=False, guards=guards))
        told = [(f.id, f.line) for f in made.findings if f.severity is ERROR]
        # What HIP's device code does not know as CUDA's takes the second branch.
        assert told == ([("HPY201", 5)] * 2 if guards == "widen" else [("HPY201", 7), ("HPY401", 7)])
        assert (b"hipLaunchKernelGGL(k, dim3(2), dim3(1), 0, 0, p);" in made.output) is (guards == "widen")


def test_a_number_that_is_given_where_it_is_missing_is_given_to_hip() -> None:
    text = "#ifndef __CUDA_ARCH__\n#define __CUDA_ARCH__ 0\n#endif\ntemplate <int A = __CUDA_ARCH__> struct S {};\n"
    made = hipify.translate_source(text, "g.cu", Options(clang=False))
    assert made.output.decode() == text
    assert not any(f.severity is ERROR for f in made.findings)


def test_code_for_npps_headers_is_left_out_by_hip() -> None:
    text = '#ifdef NV_NPPIDEFS_H\nconst char* f(NppStatus e) { return e == NPP_RANGE_ERROR ? "range" : ""; }\n#endif\n'
    result = hipify.translate_source(text, "t.cu", hipify.Options(clang=False))
    assert [(f.id, f.severity.label) for f in result.findings] == [("HPY105", "note")] * 2


@pytest.mark.parametrize("text", ["#ifndef __CUDA_ARCH__\n#define", "#ifdef __CUDA_ARCH__\nint a;\n#else\n#define"])
def test_a_definition_without_a_name_ends_a_file(text: str) -> None:
    assert hipify.translate_source(text, "g.cu", Options(clang=False)).output.endswith(b"#define")

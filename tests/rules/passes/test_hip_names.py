"""A program's own declarations of names that HIP's headers have and CUDA's do not."""

from __future__ import annotations

from pathlib import Path

import pytest

import hipify

CUDA, RUNTIME = "#include <cuda_runtime.h>\n", "#include <hip/hip_runtime.h>\n"


def translate(text: str, path: str = "t.cu") -> tuple[str, list[str]]:
    done = hipify.translate_source(CUDA + text, path, hipify.Options(clang=False))
    told = [f"{f.severity.name} {f.line}: {f.message}" for f in done.findings if f.id == "HPY126"]
    return done.output.decode().removeprefix(RUNTIME), told


@pytest.mark.parametrize(
    ("text", "made"),
    [
        (
            "__device__ unsigned __smid() { return 0; }\n__global__ void k(unsigned* p) { *p = ::__smid(); }\n",
            "__device__ unsigned own_smid() { return 0; }\n__global__ void k(unsigned* p) { *p = ::own_smid(); }\n",
        ),
        (
            "static __device__ float safeAtomicAdd(float *p, const float v) { return v; }\n#define ADD safeAtomicAdd\n",
            "static __device__ float own_safeAtomicAdd(float *p, const float v) { return v; }\n#define ADD own_safeAtomicAdd\n",
        ),
        (
            "struct texture { texture* next; };\nint f(texture* texture) { return texture != 0; }\n",
            "struct own_texture { own_texture* next; };\nint f(own_texture* texture) { return texture != 0; }\n",
        ),
        (
            "namespace {\n__device__ unsigned __lane_id(void) { return 1; }\n}\nint own_lane_id;\n",
            "namespace {\n__device__ unsigned own_lane_id_(void) { return 1; }\n}\nint own_lane_id;\n",
        ),
        ("typedef long long ullong;\nullong n;\n", "typedef long long own_ullong;\nown_ullong n;\n"),
        ("using ullong = int;\nullong n;\n", "using own_ullong = int;\nown_ullong n;\n"),
    ],
)
def test_a_name_in_one_source_changes(text: str, made: str) -> None:
    output, told = translate(text)
    assert output == made
    assert [t.startswith("NOTE ") for t in told] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "__device__ unsigned __lane_id(int dimension) { return dimension; }\n",
        "__device__ int safeAtomicAdd(int* p, int v) { return v; }\n",
        "typedef unsigned long long ullong;\nusing uchar = unsigned char;\n",
        "struct S { int __smid; void wall_clock64(); };\n",
        "namespace mine {\nstruct texture { int a; };\n}\n",
        "#define MASK1 3\nint n = MASK1;\n",
        "#ifndef __HIP_PLATFORM_AMD__\n__device__ unsigned __smid() { return 0; }\n#endif\n",
        "__device__ unsigned long long t() { return __smid(); }\n",
        "texture<float, 1> tex;\n",
    ],
)
def test_what_does_not_clash_stays(text: str) -> None:
    assert translate(text)[1] == []


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("enum { MASK1 = 3 };\nint n = MASK1;\n", "#undef MASK1\nenum { MASK1 = 3 };\nint n = MASK1;\n"),
        ("int m; int f(int HW_ID) { return HW_ID; }\n", "int m; \n#undef HW_ID\nint f(int HW_ID) { return HW_ID; }\n"),
        (
            "namespace n {\nstruct S { int a; int ICMP_NE; };\n}\n",
            "#undef ICMP_NE\nnamespace n {\nstruct S { int a; int ICMP_NE; };\n}\n",
        ),
    ],
)
def test_a_macro_of_hips_is_undefined(text: str, made: str) -> None:
    output, told = translate(text)
    assert output == made
    assert len(told) == 1 and "is a macro of HIP's headers" in told[0]


def test_a_header_is_named_at_its_line() -> None:
    text = "\n__device__ inline unsigned __smid() { return 0; }\n"
    assert translate(text, "t.cuh") == (text, ["ERROR 3: __smid is declared by HIP's headers, too: not by CUDA's"])


def test_names_that_headers_know(tmp_path: Path) -> None:
    source = str(tmp_path / "t.cu")
    (tmp_path / "a.h").write_text("unsigned __smid();\n")
    text = '#include "a.h"\n__device__ unsigned __smid() { return 0; }\nint n = MASK1;\n'
    assert translate(text, source) == (text, ["ERROR 3: __smid is declared by HIP's headers, too: not by CUDA's"])
    (tmp_path / "a.h").write_text("enum { MASK1 };\n")
    text = '#include "a.h"\nint n = MASK1;\n'
    assert translate(text, source)[0] == text.replace("int n", "#undef MASK1\nint n")
    (tmp_path / "a.h").write_text("#define MASK1 7\n")
    assert translate(text, source) == (text, [])


def test_plain_code_keeps_its_names() -> None:
    text = "struct texture { int x; };\nenum { MASK1 };\n"
    done = hipify.translate_source(text, "t.cpp", hipify.Options(clang=False))
    assert (done.output.decode(), list(done.findings)) == (text, [])

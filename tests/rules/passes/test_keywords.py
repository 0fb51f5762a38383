"""C string functions in a project's headers of plain C++, which nvcc's own includes let pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify import Options, Translation, translate_file, translate_source
from tests.support.hip import compile_hip

HEADER = "inline void clear(int* p) { memset(p, 0, 4); }\n"
SOURCE = '// A program.\n#include <cuda_runtime.h>\n#include "util.h"\nvoid f(int* p) { clear(p); cudaFree(p); }\n'


def translated(folder: Path, header: str, source: str = SOURCE, clang: bool = True) -> Translation:
    (folder / "util.h").write_text(header)
    (folder / "t.cu").write_text(source)
    return translate_file(folder / "t.cu", Options(clang=clang))


@pytest.mark.parametrize("clang", [True, False])
def test_their_header_comes_in_front_of_the_projects(tmp_path: Path, clang: bool) -> None:
    made = translated(tmp_path, HEADER, clang=clang)
    assert [(f.id, f.line, f.message) for f in made.findings] == [("HPY608", 3, "util.h calls memset: <cstring> added")]
    lines = made.output.decode().splitlines()
    assert lines.index("#include <cstring>") < lines.index('#include "util.h"')
    (tmp_path / "t.hip").write_bytes(made.output)
    assert compile_hip(tmp_path / "t.hip", flags=["-nogpulib"]) == []


@pytest.mark.parametrize(
    ("header", "source"),
    [
        ("#include <string.h>\n" + HEADER, SOURCE),
        (HEADER.replace("memset(", "std::memset("), SOURCE),
        (HEADER.replace("memset(p", "pool.memset(p"), SOURCE),
        (HEADER, SOURCE.replace("#include <cuda", "#include <cstring>\n#include <cuda")),
        ("#include <cuda_runtime.h>\n" + HEADER, SOURCE),  # it is translated itself
        (HEADER, "void f();\n"),
    ],
)
def test_nothing_is_added_where_it_is_there_or_none_of_ours(tmp_path: Path, header: str, source: str) -> None:
    made = translated(tmp_path, header, source)
    assert made.output.count(b"<cstring>") == source.count("<cstring>")
    assert not [f for f in made.findings if f.id == "HPY608"]


def test_a_pragma_in_a_macro_becomes_the_operator(tmp_path: Path) -> None:
    source = (
        "#define UNROLL #pragma unroll\n#define UNROLL4   # pragma unroll 4 // by four\n#define NAME(x) #x\n"
        "__global__ void k(float* p) {\n  UNROLL\n  for (int i = 0; i < 9; ++i) p[i] = 0;\n"
        "  UNROLL4\n  for (int i = 0; i < 9; ++i) p[i] = 0;\n}\n"
    )
    made = translate_source(source, "t.cu", Options())
    assert (
        '#define UNROLL _Pragma("unroll")\n#define UNROLL4   _Pragma("unroll 4") // by four\n#define NAME(x) #x\n'
        in (made.output.decode())
    )
    (tmp_path / "t.hip").write_bytes(made.output)
    assert compile_hip(tmp_path / "t.hip", flags=["-nogpulib"]) == []


def test_small_types_come_for_headers_behind_the_one_of_cublas(tmp_path: Path) -> None:
    (tmp_path / "gemm.h").write_text("void gemm(half* a, const half* b, __nv_bfloat16 c);\n")
    source = '#include <cublas_v2.h>\n#include "gemm.h"\nvoid f(cublasHandle_t* h) { cublasCreate(h); }\n'
    (tmp_path / "t.cu").write_text(source)
    lines = translate_file(tmp_path / "t.cu", Options()).output.decode().splitlines()
    at = lines.index("#include <hipblas/hipblas.h>")
    assert lines[at : at + 4] == [
        "#include <hipblas/hipblas.h>", "#include <hip/hip_fp16.h>", "#include <hip/hip_bf16.h>", '#include "gemm.h"',
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("header", "use", "expected"),
    [
        ("torch/extension.h", "__nv_bfloat16* p;", ["hip/hip_bf16.h"]),
        ("ATen/cuda/CUDAContext.h", "nv_bfloat16* p; half* q;", ["hip/hip_bf16.h"]),
        ("thrust/device_vector.h", "thrust::device_vector<__nv_bfloat162> v;", ["hip/hip_bf16.h"]),
        ("cusolverDn.h", "half* p; __nv_bfloat16* q;", ["hip/hip_fp16.h", "hip/hip_bf16.h"]),
        ("cusparse.h", "half* p;", ["hip/hip_fp16.h"]),
        ("torch/extension.h", "half* p;", []),
        ("torch/extension.h", "using nv_bfloat16 = at::BFloat16; nv_bfloat16* p;", []),
        ("vector", "__nv_bfloat16* p;", []),
    ],
)
def test_small_types_come_behind_other_headers_that_have_them_in_cuda(
    header: str, use: str, expected: list[str]
) -> None:
    made = translate_source(f"#include <{header}>\n{use}\n", "t.cu", Options(clang=False)).output.decode()
    assert [
        line[10:-1] for line in made.splitlines() if line.startswith("#include <hip/hip_") and "16" in line
    ] == expected


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("extern __device__ __device_builtin__ void f();", "extern __device__ void f();"),
        ("struct __device_builtin__ __builtin_align__(8) S { int a; };", "struct __align__(8) S { int a; };"),
        ("__device__ __cudart_builtin__ int f();", "__device__ int f();"),
        ("struct __device_builtin_texture_type__ T;", "struct T;"),
        ("__no_return__ void f();", "__attribute__((noreturn)) void f();"),
        ("#define API extern __device_builtin__ int\nAPI a;", "#define API extern int\nAPI a;"),
    ],
)
def test_attributes_of_cudas_own_headers_go(cuda: str, hip: str) -> None:
    made = translate_source(cuda + "\n", "t.cu", Options(clang=False))
    assert made.output.decode().endswith(hip + "\n")
    assert [f.id for f in made.findings] == ["HPY617"]


def test_a_macro_of_the_programs_stays() -> None:
    text = "#ifndef __device_builtin__\n#define __device_builtin__\n#endif\n__device_builtin__ int a;\n"
    assert translate_source(text, "t.h", Options(clang=False)).output.decode() == text


@pytest.mark.parametrize("call", ["strrchr(p, 47)", "strdup(p)", "strcasecmp(p, p)", "memchr(p, 1, 2)", "bzero(p, 1)"])
def test_all_that_string_h_declares_brings_the_header(call: str) -> None:
    text = f"#include <cuda_runtime.h>\n#define CALL(p) {call}\nvoid f(char* p) {{ CALL(p); cudaFree(p); }}\n"
    made = translate_source(text, "t.cu", Options(clang=False))
    assert b"#include <cstring>\n" in made.output
    assert [f.id for f in made.findings] == ["HPY608"]


@pytest.mark.parametrize("call", ["strdup(p)", "strcasecmp(p, p)", "memchr(p, 1, 2)", "stpcpy(p, p)", "bzero(p, 1)"])
def test_headers_of_plain_cpp_may_call_all_that_string_h_declares(tmp_path: Path, call: str) -> None:
    (tmp_path / "u.h").write_text(f"inline void u(char* p) {{ {call}; }}\n")
    (tmp_path / "t.cu").write_text('#include "u.h"\n__global__ void k() {}\n')
    made = translate_file(tmp_path / "t.cu", Options(clang=False))
    assert made.output.decode().splitlines()[:3] == [
        "#include <hip/hip_runtime.h>", "#include <cstring>", '#include "u.h"',
    ]  # fmt: skip
    assert [f.id for f in made.findings] == ["HPY608"]

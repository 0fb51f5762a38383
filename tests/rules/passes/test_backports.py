"""ROCm 5's hipBLAS and hipSPARSE: headers supply what came with ROCm 6, and only for targets before it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hipify import Options, Translation, translate_source
from hipify.rules.library import Library
from hipify.rules.passes.backports import _HEADERS, _names
from tests.support.hip import HELPERS, rocm_folder

BLAS, SPARSE = "hipify_hipblas.h", "hipify_hipsparse.h"
INCLUDES = "#include <cublas_v2.h>\n#include <cusparse.h>\n"
EX = (
    "cublasStatus_t f(cublasHandle_t h, void* a, cudaDataType_t t) {\n"
    "    return cublasNrm2Ex(h, 1, a, t, 1, a, t, CUDA_R_32F);\n}\n"
)
CALLS = """
void blas(cublasHandle_t h, void* a, float* s, const void* const* pa, void* const* pc, cudaDataType_t t) {
    cublasMath_t mode;
    cublasGetMathMode(h, &mode);
    cublasSetMathMode(h, CUBLAS_TENSOR_OP_MATH);
    cublasComputeType_t c = CUBLAS_COMPUTE_32F_FAST_16F;
    cublasOperation_t n = CUBLAS_OP_N;
    cublasGemmAlgo_t algo = CUBLAS_GEMM_DEFAULT;
    cublasGemmEx(h, n, n, 1, 1, 1, s, a, t, 1, a, CUDA_R_16BF, 1, s, a, CUDA_R_32F, 1, c, algo);
    cublasGemmEx(h, n, n, 1, 1, 1, s, a, t, 1, a, t, 1, s, a, CUDA_R_32F, 1, CUDA_R_32F, algo);
    cublasGemmBatchedEx(h, n, n, 1, 1, 1, s, pa, t, 1, pa, t, 1, s, pc, t, 1, 3, c, algo);
    cublasGemmStridedBatchedEx(h, n, n, 1, 1, 1, s, a, t, 1, 5, a, t, 1, 5, s, a, t, 1, 5, 3, c, algo);
    cublasAxpyEx(h, 1, s, CUDA_R_32F, a, t, 1, a, t, 1, CUDA_R_32F);
    cublasDotEx(h, 1, a, t, 1, a, t, 1, s, t, CUDA_R_32F);
    cublasDotcEx(h, 1, a, t, 1, a, t, 1, s, t, CUDA_R_32F);
    cublasNrm2Ex(h, 1, a, t, 1, s, t, CUDA_R_32F);
    cublasRotEx(h, 1, a, t, 1, a, t, 1, s, s, t, CUDA_R_32F);
    cublasScalEx(h, 1, s, CUDA_R_32F, a, t, 1, CUDA_R_32F);
}
const char* sparse(const int* i, const float* v) {
    cusparseConstSpMatDescr_t m;
    cusparseConstDnVecDescr_t x;
    cusparseIndexType_t index = CUSPARSE_INDEX_32I;
    cusparseCreateConstCsr(&m, 1, 1, 1, i, i, v, index, index, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    cusparseCreateConstDnVec(&x, 1, v, CUDA_R_32F);
    const void* values;
    cusparseConstDnVecGetValues(x, &values);
    return cusparseGetErrorName(cusparseDestroySpMat(m)) + *cusparseGetErrorString(cusparseDestroyDnVec(x));
}
"""


def translated(code: str, target: str = "5.7", **options: bool) -> Translation:
    return translate_source(INCLUDES + code, "t.cu", Options(target=target, clang=False, **options))


def ids(made: Translation) -> set[str]:
    return {finding.id for finding in made.findings}


@pytest.mark.parametrize(
    ("code", "headers"),
    [
        ("cublasComputeType_t c = CUBLAS_COMPUTE_32F;\n", [BLAS]),
        ("void f(cublasHandle_t h) { cublasSetMathMode(h, CUBLAS_TENSOR_OP_MATH); }\n", [BLAS]),
        ("#define SAY(s) puts(cusparseGetErrorString(s))\n", [SPARSE]),
        ("cusparseConstSpMatDescr_t m;\n" + EX, [BLAS, SPARSE]),
        ("enum cublasComputeType_t* p;\n", [BLAS]),
    ],
)
def test_names_of_rocm_6_come_from_headers(code: str, headers: list[str]) -> None:
    made = translated(code)
    assert sorted(made.helper_headers) == headers
    assert ids(made) == {"HPY123"}
    assert [line.decode() for line in made.output.splitlines() if b"hipify_" in line] == [
        f'#include "{header}"' for header in headers
    ]
    later = translated(code, "6.4")
    assert later.helper_headers == {}
    own = made.output.decode()
    for header in headers:
        own = own.replace(f'#include "{header}"\n', "")
    assert own.replace("Nrm2Ex(", "Nrm2Ex_v2(") == later.output.decode()


def test_functions_with_other_types_need_the_header_and_no_finding() -> None:
    made = translated(EX)
    assert list(made.helper_headers) == [BLAS]
    assert made.findings == ()


@pytest.mark.parametrize(
    "code",
    [
        "void f(cublasHandle_t h, float* x) { cublasSnrm2(h, 1, x, 1, x); }\n",
        "// cublasGemmEx, CUBLAS_COMPUTE_32F\n",
        'const char* s = "cusparseGetErrorString";\n',
        "cublasStatus_t s = CUBLAS_STATUS_SUCCESS; const char* t = cublasGetStatusString(s);\n",
    ],
)
def test_no_header_where_nothing_of_it_is_used(code: str) -> None:
    made = translated(code)
    assert made.helper_headers == {}
    assert made.findings == ()


def test_a_declaration_of_the_file_is_its_own() -> None:
    code = 'const char* cusparseGetErrorString(int s) { return s ? "bad" : "good"; }\n'
    made = translate_source(code, "t.cu", Options(target="5.7"))
    assert made.helper_headers == {}
    assert made.output.decode() == code


def test_roc_names_need_no_header_of_hip_libraries() -> None:
    assert translated("rocblas_computetype f();\ncublasComputeType_t c;\n", roc=True).helper_headers == {}


def test_what_no_header_supplies_stays_an_error() -> None:
    made = translated("void f(cusparseSpMatDescr_t m) { cusparseCscGet(m, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0); }\n")
    assert ids(made) == {"HPY102"}
    assert made.helper_headers == {}


@pytest.mark.parametrize("library", _HEADERS)
def test_headers_define_only_what_the_release_lacks(library: str) -> None:
    new, overloads = _names(_HEADERS[library])
    rows = [api for name in Library.default().library(library) if (api := Library.default().get(name))]
    lacking = {api.hip_in("6.4") for api in rows if not api.hip_in("5.7")}
    there = {api.hip_in("5.7") for api in rows}
    assert new and new <= lacking
    assert overloads <= there


COMPUTE_TYPES = """
struct Traits { static const cudaDataType_t compute = CUDA_R_32F; };
void g(cublasHandle_t h, void* a, float* s, const void* const* pa, void* const* pc, cudaDataType_t t) {
    cublasOperation_t n = CUBLAS_OP_N;
    cublasGemmAlgo_t algo = CUBLAS_GEMM_DEFAULT_TENSOR_OP;
    cublasGemmEx(h, n, n, 1, 1, 1, s, a, t, 1, a, t, 1, s, a, t, 1, Traits::compute, algo);
    cublasGemmBatchedEx(h, n, n, 1, 1, 1, s, pa, t, 1, pa, t, 1, s, pc, t, 1, 3, t, algo);
    cublasGemmStridedBatchedEx(h, n, n, 1, 1, 1, s, a, t, 1, 5, a, t, 1, 5, s, a, t, 1, 5, 3, t, algo);
}
"""


@pytest.mark.parametrize("release", ["5.7", "6.4", "7.2"])
def test_data_types_become_compute_types(release: str, tmp_path: Path) -> None:
    made = translate_source((INCLUDES + COMPUTE_TYPES).encode(), "t.cu", Options(target=release))
    text = made.output.decode()
    assert text.count('#include "hipify_hipblas.h"') == 1
    assert text.count("hipify_compute_type(t), algo") == 2
    assert "hipify_compute_type(Traits::compute), algo" in text
    assert ids(made) == {"HPY703"}
    compiles(made, release, tmp_path)


def test_roc_blas_takes_data_types_to_compute_in() -> None:
    options = Options(target="7.2", roc=True)
    made = translate_source((INCLUDES + COMPUTE_TYPES).encode(), "t.cu", options)
    text = made.output.decode()
    assert made.helper_headers == {}
    assert "algo = rocblas_gemm_algo_standard;" in text
    assert "s, a, t, 1, a, t, 1, Traits::compute, algo, 0, 0);" in text


@pytest.mark.parametrize("release", ["5.7", "6.4", "7.2"])
def test_all_of_it_compiles(release: str, tmp_path: Path) -> None:
    made = translated(CALLS, release)
    assert {finding.severity.label for finding in made.findings} <= {"note"}
    compiles(made, release, tmp_path)


def compiles(made: Translation, release: str, tmp_path: Path) -> None:
    path = tmp_path / "t.hip"
    path.write_bytes(made.output)
    usr = rocm_folder(release)
    line = ["clang++-22", "-x", "hip", "--cuda-host-only", "--offload-arch=gfx90a", f"--rocm-path={usr}"]
    line += ["-D__HIP_PLATFORM_AMD__=1", "-D__AMDGCN_WAVEFRONT_SIZE=64", "-std=c++17", "-nogpulib", "-fsyntax-only"]
    line += ["-Wno-unused-result", "-Wno-deprecated-declarations", "-Wno-unused-variable", "-Wall", "-Werror"]
    done = subprocess.run(
        [*line, "-I", str(HELPERS), "-isystem", str(usr / "include"), str(path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""


FAKE = """#include <stdio.h>
#include "hipify_hipblas.h"
hipblasStatus_t hipblasGemmEx(hipblasHandle_t h, hipblasOperation_t a, hipblasOperation_t b, int m, int n, int k,
    const void* alpha, const void* A, hipblasDatatype_t at, int lda, const void* B, hipblasDatatype_t bt, int ldb,
    const void* beta, void* C, hipblasDatatype_t ct, int ldc, hipblasDatatype_t compute, hipblasGemmAlgo_t algo) {
    printf("%d %d %d %d\\n", at, bt, ct, compute);
    return HIPBLAS_STATUS_SUCCESS;
}
static void call(hipDataType t, hipblasComputeType_t c) {
    hipblasGemmEx(nullptr, HIPBLAS_OP_N, HIPBLAS_OP_N, 1, 1, 1, nullptr, nullptr, t, 1, nullptr, t, 1, nullptr,
                  nullptr, t, 1, c, HIPBLAS_GEMM_DEFAULT);
}
int main() {
    call(HIP_R_16F, HIPBLAS_COMPUTE_32F_FAST_16F);
    call(HIP_C_32F, HIPBLAS_COMPUTE_32F);
    call(HIP_R_8I, HIPBLAS_COMPUTE_32I);
    call(HIP_C_64F, HIPBLAS_COMPUTE_64F_PEDANTIC);
    call(HIP_R_16BF, HIPBLAS_COMPUTE_16F);
    hipblasMath_t mode;
    hipblasHandle_t h = &mode, other = &h;
    hipblasSetMathMode(h, HIPBLAS_TENSOR_OP_MATH);
    hipblasGetMathMode(h, &mode);
    printf("%d\\n", mode);
    hipblasGetMathMode(other, &mode);
    printf("%d %d\\n", mode, hipblasSetMathMode(nullptr, mode));
}
"""


def test_types_reach_the_older_library_as_its_own(tmp_path: Path) -> None:
    compiler = shutil.which("g++")
    assert compiler, "no g++ here; make test-deps installs it"
    (tmp_path / "fake.cpp").write_text(FAKE)
    usr = rocm_folder("5.7")
    flags = ["-w", "-D__HIP_PLATFORM_AMD__=1", "-I", str(HELPERS), "-I", str(usr / "include")]
    program = tmp_path / "fake"
    subprocess.run([compiler, *flags, str(tmp_path / "fake.cpp"), "-o", str(program)], check=True)
    ran = subprocess.run([str(program)], capture_output=True, text=True, check=True)
    header = (usr / "include/hipblas/hipblas.h").read_text()
    value = {name: int(number) for name, number in re.findall(r"\b(HIPBLAS_[RC]_\w+)\s*= (\d+)", header)}
    f16, c32, i8, c64 = (value[f"HIPBLAS_{name}"] for name in ("R_16F", "C_32F", "R_8I", "C_64F"))
    b16, r32, i32 = (value[f"HIPBLAS_{name}"] for name in ("R_16B", "R_32F", "R_32I"))
    assert ran.stdout.splitlines() == [
        f"{f16} {f16} {f16} {r32}",
        f"{c32} {c32} {c32} {c32}",
        f"{i8} {i8} {i8} {i32}",
        f"{c64} {c64} {c64} {c64}",
        f"{b16} {b16} {b16} {f16}",
        "5",
        "0 1",
    ]

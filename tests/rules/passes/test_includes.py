"""Headers of HIP's that compile only behind the runtime's get it in front of them."""

from pathlib import Path

import pytest

import hipify

RUNTIME = "#include <hip/hip_runtime.h>\n"
KERNEL = "__global__ void k() {}\n"


def translate(text: str, target: str = "7.2") -> str:
    return hipify.translate_source(text, "t.cu", hipify.Options(clang=False, target=target)).output.decode()


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("cuda_gl_interop.h", "hip/hip_gl_interop.h"),
        ("driver_types.h", "hip/driver_types.h"),
        ("channel_descriptor.h", "hip/channel_descriptor.h"),
        ("texture_types.h", "hip/texture_types.h"),
        ("surface_types.h", "hip/surface_types.h"),
    ],
)
@pytest.mark.parametrize("target", ["5.7", "6.4", "7.2"])
def test_the_runtime_stands_in_front(cuda: str, hip: str, target: str) -> None:
    lone, runtime = f"#include <{cuda}>\n", "#include <cuda_runtime.h>\n"
    wanted = f"{RUNTIME}#include <{hip}>\n"
    assert translate(lone + KERNEL, target) == wanted + KERNEL
    assert translate(lone + runtime + KERNEL, target) == wanted + KERNEL
    assert translate(runtime + lone + KERNEL, target) == wanted + KERNEL


def test_the_runtimes_api_does_as_well() -> None:
    text = "#include <cuda_runtime_api.h>\n#include <driver_types.h>\ncudaStream_t s;\n"
    assert translate(text) == "#include <hip/hip_runtime_api.h>\n#include <hip/driver_types.h>\nhipStream_t s;\n"


def test_in_one_branch_it_stands_there() -> None:
    text = "#ifdef GL\n#include <cuda_gl_interop.h>\n#endif\n#include <cuda_runtime.h>\n" + KERNEL
    assert translate(text) == (
        f"#ifdef GL\n{RUNTIME}#include <hip/hip_gl_interop.h>\n#endif\n#include <hip/hip_runtime.h>\n{KERNEL}"
    )


@pytest.mark.parametrize("angled", [True, False])
@pytest.mark.parametrize("name", ["cuco/map.cuh", "rmm/x.hpp", "optix.h", "helper_cuda.h"])
def test_a_header_that_hip_lacks_may_be_the_projects_own(tmp_path: Path, name: str, angled: bool) -> None:
    source = tmp_path / "src/t.cu"
    source.parent.mkdir()
    source.write_text(f"#include <{name}>\n" if angled else f'#include "{name}"\n')
    options = hipify.Options(clang=False, include_dirs=(str(tmp_path / "include"),))

    def ids() -> set[str]:
        found = hipify.translate_source(source.read_text(), str(source), options).findings
        return {f.id for f in found if f.severity.label == "error" or f.id == "HPY107"}

    wanted = {"HPY107" if name == "helper_cuda.h" else "HPY106"}
    assert ids() == wanted
    header = tmp_path / "include" / name
    header.parent.mkdir(parents=True)
    header.write_text("")
    assert ids() == set()
    (tmp_path / "include/cuda_runtime_api.h").write_text("")  # a toolkit's folder
    assert ids() == wanted


def test_a_header_of_cub_is_replaced_wherever_a_copy_lies(tmp_path: Path) -> None:
    (tmp_path / "cub").mkdir()
    (tmp_path / "cub/cub.cuh").write_text("")
    options = hipify.Options(clang=False, include_dirs=(str(tmp_path),))
    out = hipify.translate_source("#include <cub/cub.cuh>\n", str(tmp_path / "t.cu"), options).output
    assert b"#include <hipcub/hipcub.hpp>\n" in out


def test_quotes_make_the_c_librarys_headers_no_projects(tmp_path: Path) -> None:
    text = '#include "math.h"\n#include "sys/time.h"\n#include "mine.h"\n__global__ void k() {}\n'
    result = hipify.translate_source(text, str(tmp_path / "t.cu"), hipify.Options(clang=False))
    assert [(f.id, f.line) for f in result.findings] == [("HPY902", 3)]


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        (
            'extern "C" {\n#include <cuda_runtime.h>\n#include <cublas_v2.h>\n#include <math.h>\n}\n',
            'extern "C" {\nextern "C++" {\n#include <hip/hip_runtime.h>\n#include <hipblas/hipblas.h>\n}\n'
            "#include <math.h>\n}\n",
        ),
        (
            'extern "C" {\n#include <cuda_runtime.h>\n#include <math.h>\n#include <cuComplex.h>\n}\n',
            'extern "C" {\nextern "C++" {\n#include <hip/hip_runtime.h>\n}\n#include <math.h>\nextern "C++" {\n'
            "#include <hip/hip_complex.h>\n}\n}\n",
        ),
        (
            '#include <cuda_runtime.h>\nextern "C" {\n#include <cuda_runtime.h>\n}\n',
            '#include <hip/hip_runtime.h>\nextern "C" {\n}\n',
        ),
        (
            'extern "C" {\nextern "C++" {\n#include <cuda_runtime.h>\n}\n}\n',
            'extern "C" {\nextern "C++" {\n#include <hip/hip_runtime.h>\n}\n}\n',
        ),
    ],
)
def test_templates_do_not_get_c_linkage(cuda: str, hip: str) -> None:
    assert translate(cuda) == hip
    assert translate(hip) == hip


def test_a_header_that_c_includes_asks_for_the_language() -> None:
    start, end = '#ifdef __cplusplus\nextern "C" {\n#endif\n', "#ifdef __cplusplus\n}\n#endif\n"
    text = start + "#include <cuda_runtime_api.h>\ncudaStream_t f(void);\n" + end
    made = hipify.translate_source(text, "t.h", hipify.Options(clang=False)).output.decode()
    opened = '#ifdef __cplusplus\nextern "C++" {\n#endif\n'
    assert made == start + opened + "#include <hip/hip_runtime_api.h>\n" + end + "hipStream_t f(void);\n" + end


def test_a_macro_may_hold_the_name_of_a_header() -> None:
    cuda = (
        '#define RUNTIME <cuda_runtime.h>  // or CUDA\'s\n#include RUNTIME\n#define HALF "cuda_fp16.h"\n#include HALF\n'
    )
    hip = cuda.replace("cuda_runtime.h", "hip/hip_runtime.h").replace("cuda_fp16.h", "hip/hip_fp16.h")
    assert translate(cuda) == hip
    assert translate('#define SHOWN "cuda_fp16.h"\n') == '#define SHOWN "cuda_fp16.h"\n'
    (finding,) = hipify.translate_source("#define TYPES <cudaTypedefs.h>\n#include TYPES\n", "t.cu").findings
    assert (finding.id, finding.line) == ("HPY106", 1)


def test_a_header_that_is_asked_for_is_hips() -> None:
    cuda = "#if __has_include(<cuda_fp16.h>)\n#include <cuda_fp16.h>\n#endif\n"
    assert translate(cuda) == cuda.replace("cuda_fp16.h", "hip/hip_fp16.h")
    known = cuda.replace("#endif", "#elif __has_include(<hip/hip_fp16.h>)\n#include <hip/hip_fp16.h>\n#endif")
    assert "__has_include(<cuda_fp16.h>)" in translate(known)


def test_in_a_copy_of_a_header_of_cudas_the_runtime_stands_in_front_of_the_guard() -> None:
    head = "/* A copy. */\n\n"
    rest = "#define __VECTOR_FUNCTIONS_H__\n__host__ __device__ float4 make_float4(float x);\n#endif\n"
    macros = "defined(__VECTOR_FUNCTIONS_H__) || defined(HIP_INCLUDE_HIP_AMD_DETAIL_HIP_VECTOR_TYPES_H)"
    assert translate(f"{head}#if !defined(__VECTOR_FUNCTIONS_H__)\n{rest}") == f"{head}{RUNTIME}#if !({macros})\n{rest}"
    assert translate(f"{head}#ifndef MINE_H\n#define MINE_H\n{KERNEL}#endif\n") == (
        f"{head}#ifndef MINE_H\n#define MINE_H\n{RUNTIME}{KERNEL}#endif\n"
    )


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("#include <cuda_\\\nruntime.h>\n", "#include <hip/hip_runtime.h>\n"),
        ("#include <cuda_\\\r\nfp16.h>\n", "#include <hip/hip_fp16.h>\n"),
        ('#include "cu\\\nrand.h"\n', '#include "hiprand/hiprand.h"\n'),
        ("#define H(x) <x>\n#include H(cufft.h)\n", "#define H(x) <x>\n#include H(hipfft/hipfft.h)\n"),
        ("#define H(x) <x>\n#include H(curand.h)\n", "#define H(x) <x>\n#include H(hiprand/hiprand.h)\n"),
        ("#if __has_include(<curand.h>)\n#endif\n", "#if __has_include(<hiprand/hiprand.h>)\n#endif\n"),
        ("#define H <curand.h>\n#include H\n", "#define H <hiprand/hiprand.h>\n#include H\n"),
        ("import <curand.h>;\n", "import <hiprand/hiprand.h>;\n"),
        (
            "#define S(x) #x\n#define H(x) S(x.h)\n#include H(cublas_v2)\n",
            "#define S(x) #x\n#define H(x) S(x.h)\n#include H(hipblas/hipblas)\n",
        ),
        ("import <cufft.h>;\n", "import <hipfft/hipfft.h>;\n"),
    ],
)
def test_header_names_in_other_forms(cuda: str, hip: str, clang: bool) -> None:
    made = hipify.translate_source(cuda, "t.cu", hipify.Options(clang=clang))
    assert (made.output.decode(), made.findings) == (hip, ())


def test_a_header_without_counterpart_is_named_behind_a_macro() -> None:
    text = "#define H(x) <x>\n#include H(cudaTypedefs.h)\n#include H(own.h)\n"
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=False))
    assert made.output.decode() == text
    assert [(f.id, f.line) for f in made.findings] == [("HPY106", 2)]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["#include <cuda_fp4.h>", "#include <cuda_fp6.h>"], [("HPY106", 2)]),
        (["#include <cuda_fp6.h>", "#include <cuda_fp8.h>", "#include <hip/hip_fp4.h>"], [("HPY106", 3)]),
        (["#include <cuda_fp4.h>", "#include <cuda_fp8.h>"], []),
        (["#include <cufftw.h>"], []),
        (["#include <cudaD3D11.h>"], [("HPY106", 1)]),
    ],
)
def test_headers_that_rocm_has_since_lately(lines: list[str], found: list[tuple[str, int]]) -> None:
    made = hipify.translate_source("\n".join(lines) + "\n", "t.cpp", hipify.Options(clang=False))
    assert [(f.id, f.line) for f in made.findings] == found
    assert "cu" not in made.output.decode() or "D3D11" in lines[0]


def test_the_runtime_comes_in_front_of_helpers_of_the_samples_once() -> None:
    text = "#include <helper_cuda.h>\n#include <cuda_gl_interop.h>\n#include <cuda_runtime.h>\n__global__ void k() {}\n"
    options = hipify.Options(clang=False)
    made = hipify.translate_source(text, "t.cu", options).output
    assert made.startswith(b"#include <hip/hip_runtime.h>\n#include <helper_cuda.h>\n")
    assert hipify.translate_source(made, "t.cu", options).output == made

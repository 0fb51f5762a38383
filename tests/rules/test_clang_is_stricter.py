"""What nvcc's headers and parser let pass: <math.h>, `template`, calling conventions, descriptors on the stack."""

from __future__ import annotations

import pytest

import hipify


def translated(text: str, clang: bool = False, **options: object) -> tuple[str, list[str]]:
    """The output and the ids of the findings."""
    result = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang, **options))  # type: ignore[arg-type]
    return result.output.decode(), [f.id for f in result.findings]


HEAD = "#include <cuda_runtime.h>\n#include <cmath>\n"


def test_classifying_functions_of_the_host_bring_math_h() -> None:
    out, ids = translated(HEAD + "template <class T> bool f(T x) { return isfinite(x); }\n")
    assert "#include <math.h>\n" in out
    assert ids == ["HPY609"]


@pytest.mark.parametrize(
    "code",
    [
        "bool f(float x) { return std::isfinite(x); }\n",
        "using namespace std;\nbool f(float x) { return isfinite(x); }\n",
        "__device__ bool f(float x) { return isfinite(x); }\n",
        "#include <math.h>\nbool f(float x) { return isnan(x); }\n",
        "bool isnan(float x);\nbool f(float x) { return isnan(x); }\n",
    ],
)
def test_no_math_h_where_the_name_is_found(code: str) -> None:
    out, ids = translated(HEAD + code)
    assert ids == []
    assert out.count("math.h") == code.count("math.h")


def test_template_in_front_of_dependent_names() -> None:
    code = (
        "template <class A, class B> struct C { template <int n> static void go(A*); };\n"
        "template <class T, int n> void f(T* p) { C<T, float>::go<n>(p); C<int, float>::go<4>(nullptr); }\n"
        "template <class T> bool g(T a) { return C<T, int>::size < a > (0); }\n"
    )
    out, ids = translated(HEAD + code)
    assert "C<T, float>::template go<n>(p); C<int, float>::go<4>(nullptr);" in out
    assert ids.count("HPY610") >= 1


@pytest.mark.parametrize("clang", [True, False])
def test_template_behind_parameters_and_names_for_types_that_depend_on_them(clang: bool) -> None:
    code = (
        "struct D { template <int n> static __device__ void go(); };\n"
        "template <class A> struct C { typedef C<A> Self; template <class B> static __device__ A go(A a) { return a; } };\n"
        "template <class T, class U> __global__ void k(T* p) {\n"
        "    typedef C<T> Scan;\n    using Other = typename Scan::Self;\n    typedef C<int> Plain;\n"
        "    T a = Scan::go<T>(p[0]), b = Other::go<int>(a);\n    p[0] = Plain::go<T>(b);\n    U::go<4>();\n    D::go<4>();\n"
        "}\ntemplate __global__ void k<int, D>(int*);\n"
    )
    made = hipify.translate_source(HEAD + code, "t.cu", hipify.Options(clang=clang)).output.decode()
    after = code.replace("Scan::go<T>(p", "Scan::template go<T>(p").replace("Other::go<int>", "Other::template go<int>")
    assert made.endswith(after.replace("U::go<4>()", "U::template go<4>()"))


@pytest.mark.parametrize("word", ["CUDART_CB", "CUDA_CB", "CUDAAPI", "CUBLASWINAPI"])
def test_calling_conventions_go(word: str) -> None:
    out, ids = translated(f"#include <cuda_runtime.h>\nvoid {word} f(void*);\ntypedef void ({word} *g)(void*);\n")
    assert "void f(void*);\ntypedef void (*g)(void*);\n" in out
    assert ids == ["HPY611", "HPY611"]


def test_a_conventions_guard_and_own_macro_stay() -> None:
    code = "#ifndef CUDART_CB\n#define CUDART_CB\n#endif\nvoid CUDART_CB f(void*);\n"
    out, ids = translated("#include <cuda_runtime.h>\n" + code)
    assert code in out
    assert ids == []


LT = "#include <cublasLt.h>\nvoid f(cublasLtHandle_t h) {\n"


def test_descriptors_on_the_stack_become_handles() -> None:
    code = (
        "  cublasLtMatrixLayoutOpaque_t a = {}, b{};\n  cublasLtMatrixLayoutInit(&a, CUDA_R_32F, 1, 2, 3);\n"
        "  cublasLtMatrixLayoutInit(&b, CUDA_R_32F, 1, 2, 3);\n  use(h, &a, &b);\n}\n"
    )
    out, ids = translated(LT + code)
    assert "  hipblasLtMatrixLayout_t a = {}, b{};\n" in out
    assert "hipblasLtMatrixLayoutCreate(&a, HIP_R_32F, 1, 2, 3);" in out
    assert "use(h, a, b);" in out
    assert ids == ["HPY708", "HPY708"]


@pytest.mark.parametrize(
    "code",
    [
        "  cublasLtMatrixLayoutOpaque_t a;\n  cublasLtMatrixLayoutInit(&a, CUDA_R_32F, 1, 2, 3);\n  auto b = a;\n}\n",
        "  cublasLtMatrixLayoutOpaque_t a[2];\n  cublasLtMatrixLayoutInit(&a[0], CUDA_R_32F, 1, 2, 3);\n}\n",
        "  int x = sizeof(cublasLtMatrixLayoutOpaque_t);\n  cublasLtMatrixLayoutInit(p, CUDA_R_32F, 1, 2, 3);\n}\n",
    ],
)
def test_other_uses_of_descriptors_are_reported(code: str) -> None:
    out, ids = translated(LT + code)
    assert "cublasLtMatrixLayoutInit" in out
    assert ids == ["HPY101"]


HALF = "#include <cuda_fp16.h>\n"


@pytest.mark.parametrize("clang", [False, True])
def test_atomic_additions_of_half_types_get_the_header(clang: bool) -> None:
    code = "__global__ void k(half* h, float* f) {{ atomicAdd({}); }}\n"
    for argument in ("(half2*)&h[2], __half2()", "h, h[1]", "&h[3], h[0]") if clang else ("(half2*)h, x", "h, h[1]"):
        out, ids = translated(HALF + code.format(argument), clang)
        assert '#include "hipify_half.h"\n' in out, argument
        assert ids == ["HPY407"]
    out, ids = translated(HALF + code.format("f, 1.0f"), clang)
    assert "hipify_half.h" not in out
    assert ids == []


def test_a_type_that_a_template_leaves_open_gets_the_header() -> None:
    code = "template <class T> __global__ void k(T* p, half h) { atomicAdd(p, p[1]); if (isnan(p[0])) p[0] = 1; }\n"
    out, ids = translated(HALF + code, clang=True)
    assert '#include "hipify_half.h"\n' in out
    assert ids == ["HPY407", "HPY407"]


def test_locations_of_cuda_13_with_four_arguments() -> None:
    code = "#include <cuda_runtime.h>\nvoid f(float* p, cudaMemLocation w) { cudaMemPrefetchAsync(p, 4, w, 0); }\n"
    assert "hipMemPrefetchAsync_v2(p, 4, w, 0, 0);" in translated(code, clang=True)[0]
    old = translated(code, clang=True, target="6.4")[0]
    assert "hipMemPrefetchAsync(p, 4, (w).type == hipMemLocationTypeDevice ? (w).id : hipCpuDeviceId);" in old


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("#include <cuda/std/atomic>", [("HPY106", "warning")]),
        ("#include <cuda/barrier>", [("HPY106", "error")]),
        ("__device__ void f(cuda::std::byte*, cuda::atomic<int>*);", [("HPY702", "warning"), ("HPY702", "warning")]),
        ("__device__ void f(cuda::pipeline<1>*);", [("HPY702", "error")]),
    ],
)
def test_what_libhipcxx_has_stays_with_a_warning(line: str, expected: list[tuple[str, str]]) -> None:
    result = hipify.translate_source(line + "\n", "t.cu", hipify.Options(clang=False))
    assert line in result.output.decode()
    assert [(f.id, f.severity.label) for f in result.findings] == expected


def test_thrust_headers_of_old_releases() -> None:
    code = "#include <thrust/device_vector.h>\n#include <thrust/scan.h>\nvoid f(thrust::device_vector<int>& v) {\n"
    code += "  thrust::sequence(v.begin(), v.end());\n  thrust::inclusive_scan(v.begin(), v.end(), v.begin());\n}\n"
    out, ids = translated(code, target="6.4")
    assert out.count("#include <thrust/sequence.h>\n") == 1
    assert out.count("thrust/scan.h") == 1
    assert ids == ["HPY709"]
    assert "thrust/sequence.h" not in translated(code, target="7.2")[0]


def test_functions_of_nvidias_device_library() -> None:
    code = "__device__ float f(float a, int b) { return __nv_sinf(a) + __nv_fast_expf(a) + __nv_popc(b); }\n"
    out, ids = translated("#include <cuda_runtime.h>\n" + code)
    assert "return sinf(a) + __expf(a) + __popc(b);" in out
    assert ids == []
    own = 'extern "C" __device__ float __nv_sinf(float);\n' + code
    assert "__nv_sinf(a)" in translated("#include <cuda_runtime.h>\n" + own)[0]
    assert translated("#include <cuda_runtime.h>\n__device__ float f() { return __nv_other(1); }\n")[1] == ["HPY105"]


def test_sizes_of_groups_and_memory_of_large_tiles() -> None:
    head = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void k(int* p) {\n"
    code = head + "  auto g = cg::this_thread_block();\n  p[0] = g.num_threads();\n"
    code += "  __shared__ cg::block_tile_memory<256> m;\n}\n"
    for target, member in (("6.4", "g.size()"), ("7.2", "g.num_threads()")):
        out, ids = translated(code, target=target)
        assert f"p[0] = {member};" in out
        assert ids == ["HPY412"]


def test_overloads_that_become_one() -> None:
    code = (
        "#include <cuda.h>\n#include <cuda_runtime.h>\nconst char* name(cudaError_t e) { return 0; }\n"
        "const char* name(CUresult e) { return 0; }\nint alone(CUresult e) { return 0; }\n"
    )
    out, ids = translated(code)
    assert out.count("#ifndef __HIP_PLATFORM_AMD__\nconst char* name(hipError_t e) { return 0; }\n#endif\n") == 1
    assert out.count("__HIP_PLATFORM_AMD__") == 1
    assert ids == ["HPY120"]


def test_a_samples_header_comes_behind_the_runtime() -> None:
    code = "#include <helper_cuda.h>\n#include <cuda_runtime.h>\n__global__ void k() {}\n"
    assert translated(code)[0].startswith("#include <hip/hip_runtime.h>\n#include <helper_cuda.h>\n")
    api = "#include <cuda_runtime_api.h>\n"
    assert "hip_runtime.h" in translated(api + "__global__ void k() { int i = threadIdx.x; }\n")[0]
    assert "hip_runtime.h" not in translated(api + "void f(void* p) { cudaFree(p); }\n")[0]


def test_enumerators_of_the_files_own() -> None:
    code = "enum own { CU_CTX_SCHED_AUTO = 0, CU_CTX_FLAGS_MASK = 0x1f };\n"
    assert translated(code) == (code, [])
    assert translated("int a[] = { CU_CTX_FLAGS_MASK, 2 };\n")[1] == ["HPY101"]


def test_flags_of_mapped_graphics_resources() -> None:
    code = "#include <cuda_gl_interop.h>\nvoid f(cudaGraphicsResource_t* r) {\n"
    out, ids = translated(code + "  cudaGraphicsGLRegisterBuffer(r, 1, cudaGraphicsMapFlagsWriteDiscard);\n}\n")
    assert "hipGraphicsGLRegisterBuffer(r, 1, hipGraphicsRegisterFlagsWriteDiscard);" in out
    assert ids == []


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize("name", ["a.h", "a.hpp", "a.cpp"])
def test_a_file_that_asks_for_nvcc_gets_the_runtime_for_hipcc_alone(clang: bool, name: str) -> None:
    code = "#ifdef __CUDACC__\ninline void check(cudaError_t e) {}\n#endif\n"
    guarded = "#ifdef __HIPCC__\n#include <hip/hip_runtime.h>\n#endif\n"
    made = hipify.translate_source(code, name, hipify.Options(clang=clang)).output.decode()
    assert made.startswith(guarded), "nvcc includes the runtime before every .cu file"
    assert hipify.translate_source(made, name, hipify.Options(clang=clang)).output.decode() == made
    own = code.replace("inline", "#include <cuda_runtime.h>\ninline")
    made_of_own = hipify.translate_source(own, name, hipify.Options(clang=clang)).output.decode()
    assert made_of_own.count("hip_runtime.h") == 1


@pytest.mark.parametrize("name", ["a.h", "a.cpp"])
def test_behind_a_switch_of_the_programs_own_nothing_is_included(name: str) -> None:
    code = "#pragma once\n#ifdef WITH_CUDA\ninline void check(cudaError_t e) {}\n#endif\n"
    made = hipify.translate_source(code, name, hipify.Options(clang=False)).output.decode()
    assert made == code.replace("cudaError_t", "hipError_t"), "a host compiler may read it, and it behind a macro T"

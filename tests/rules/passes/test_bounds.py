"""`__launch_bounds__` with a third argument, and other numbers that HIP has no name for."""

import pytest

import hipify


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("text", "new", "ids"),
    [
        ("__global__ void __launch_bounds__(256, 1, 2) k() {}\n", "__launch_bounds__(256, 1) k", ["HPY512"]),
        ("__global__ void __launch_bounds__(N, 4 , 2 ) k() {}\n", "__launch_bounds__(N, 4) k", ["HPY511", "HPY512"]),
        ("__global__ void __launch_bounds__(256, 2) k() {}\n", "__launch_bounds__(256, 2) k", ["HPY511"]),
        ("#define B(t) __launch_bounds__(t, 1, 1)\nB(64) __global__ void k() {}\n", "bounds__(t, 1)\n", ["HPY512"]),
    ],
)
def test_a_third_argument_of_launch_bounds_goes(text: str, new: str, ids: list[str], clang: bool) -> None:
    made = hipify.translate_source("#define N 256\n" + text, "t.cu", hipify.Options(clang=clang))
    assert new.encode() in made.output
    assert sorted(f.id for f in made.findings) == ids
    assert all(f.severity is hipify.Severity.NOTE for f in made.findings)


@pytest.mark.parametrize("clang", [True, False])
def test_carve_outs_are_the_numbers_that_they_stand_for(clang: bool) -> None:
    text = (
        "#include <cuda_runtime.h>\n__global__ void k() {}\nint a = cudaSharedmemCarveoutMaxShared;\n"
        "int b[] = {cudaSharedmemCarveoutDefault, cudaSharedmemCarveoutMaxL1};\n"
    )
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert b"int a = 100;\nint b[] = {-1, 0};\n" in made.output
    assert made.findings == ()


@pytest.mark.parametrize("clang", [True, False])
def test_assumptions_of_device_code_are_clangs(clang: bool) -> None:
    text = (
        "#include <cuda_runtime.h>\n#ifdef _MSC_VER\nvoid h(int n) { __assume(n); }\n#endif\n"
        "__device__ void f(int n) { __assume(n > 1); }\n"
    )
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert b"void h(int n) { __assume(n); }" in made.output
    assert b"__builtin_assume(n > 1)" in made.output
    assert made.findings == ()


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("int w; if (g.thread_rank() == 0) w = atomicAdd(p, g.size()); *p = g.thread_rank() + g.shfl(w, 0);", "note"),
        ("p[g.thread_rank()] = 1;", "warning"),
        ("unsigned m = g.ballot(1); *p = m;", "warning"),
        ("*p = g.shfl(*p, g.size() - 1);", "warning"),
        ("other(g);", "warning"),
    ],
)
def test_coalesced_groups_of_any_width_are_but_noted(body: str, severity: str, clang: bool) -> None:
    text = (
        "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__device__ void other(cg::coalesced_group);\n"
        "__global__ void k(int* p) { auto g = cg::coalesced_threads(); " + body + " }\n"
    )
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert [f.severity.label for f in made.findings if f.id == "HPY308"] == [severity]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('#define X _Pragma("nv_exec_check_disable")\n', 1),
        ("#define X __pragma(hd_warning_disable)\n", 1),
        ('#define X _Pragma("unroll 4")\n', 0),
    ],
)
def test_pragma_operators_of_nvidias_compiler_are_named(text: str, found: int) -> None:
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=False))
    assert [f.id for f in made.findings] == ["HPY705"] * found


@pytest.mark.parametrize(
    ("name", "severity"), [("CUBLAS_GEMM_DEFAULT_TENSOR_OP", "note"), ("CUBLAS_GEMM_ALGO3", "warning")]
)
def test_the_default_algorithm_is_but_noted(name: str, severity: str) -> None:
    text = f"#include <cublas_v2.h>\ncublasGemmAlgo_t a = {name};\n"
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=False))
    assert [(f.id, f.severity.label) for f in made.findings] == [("HPY703", severity)]


@pytest.mark.parametrize("clang", [True, False])
def test_hints_about_a_persisting_cache_are_left_out(clang: bool) -> None:
    text = (
        "#include <cuda_runtime.h>\n#include <cuda.h>\nvoid f() {\n"
        "  cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 100);\n  cudaCtxResetPersistingL2Cache();\n"
        "  cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 3);\n  cuCtxResetPersistingL2Cache();\n"
        "  cudaDeviceSetLimit(cudaLimitStackSize, 100);\n}\n"
    )
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    lines = made.output.decode().splitlines()
    assert lines[-6:-2] == ["  static_cast<hipError_t>(hipSuccess);"] * 4
    assert lines[-2] == "  hipDeviceSetLimit(hipLimitStackSize, 100);"
    assert [(f.id, f.severity.label) for f in made.findings] == [("HPY510", "note")] * 4

"""Prefixes of CUDA's names that reach `##` by way of another macro."""

import pytest

import hipify

JOIN = "#include <cuda_runtime.h>\n#define JOIN(a, b) a##b\n"


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "#define API(name) JOIN(cuda, name)\nint f() { return API(DeviceSynchronize)(); }\n",
        "int f() { return JOIN(cuda, DeviceSynchronize)(); }\n",
    ],
)
def test_a_prefix_that_is_handed_on_is_named(text: str, clang: bool) -> None:
    (finding,) = hipify.translate_source(JOIN + text, "t.cu", hipify.Options(clang=clang)).findings
    assert (finding.id, finding.line) == ("HPY111", 3)
    assert "JOIN" in finding.message


def test_other_words_are_nobodys_business() -> None:
    text = JOIN + "int JOIN(my, cuda) = 1;\nint f() { return JOIN(my, cuda); }\n"
    assert hipify.translate_source(text, "t.cu").findings == ()


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("uses", "says"),
    [
        ("void f() { CALL(StreamSynchronize(0)); CALL( DeviceReset ()); }\n", "cudaDeviceReset, cudaStreamSynchronize"),
        ("void f() { CALL(StreamSynchronize(0)); CALL(NoSuchThing(0)); }\n", "no such names for cudaNoSuchThing"),
        ("", "the names that other files give it"),
    ],
)
def test_what_is_pasted_to_may_be_a_whole_call_or_stand_in_another_file(uses: str, says: str, clang: bool) -> None:
    text = "#include <cuda_runtime.h>\n#define CALL(call) (void)cuda##call\n" + uses
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert b"#define CALL(call) (void)hip##call" in made.output
    (finding,) = [f for f in made.findings if f.id == "HPY111"]
    assert says in finding.message
    assert finding.severity is hipify.Severity.WARNING


@pytest.mark.parametrize("clang", [True, False])
def test_a_prefix_without_one_counterpart_stays_with_definitions_of_what_it_builds(clang: bool) -> None:
    text = "#include <cuda.h>\n#define CALL(call) (void)cu##call\nvoid f() { CALL(Init(0)); CALL(MemAlloc(0, 4)); }\n"
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    defined = b"#define cuInit hipInit\n#define cuMemAlloc hipMalloc\n#define CALL(call) (void)cu##call\n"
    assert defined in made.output
    (finding,) = made.findings
    assert (finding.id, "cuInit, cuMemAlloc" in finding.message) == ("HPY111", True)
    again = hipify.translate_source(made.output, "t.cu", hipify.Options(clang=clang))
    assert (again.output, again.findings) == (made.output, ())


@pytest.mark.parametrize("clang", [True, False])
def test_a_name_without_counterpart_is_told_by_name(clang: bool) -> None:
    text = "#include <cuda.h>\n#define LIMIT(l) CU_LIMIT_##l\nint f() { return LIMIT(DEV_RUNTIME_SYNC_DEPTH); }\n"
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert b"CU_LIMIT_##l" in made.output
    assert "CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH" in next(f.message for f in made.findings if f.id == "HPY111")


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("macros", "use", "hip_macros", "hip_use"),
    [
        ("#define G(t, f) cublas##t##f\n", "G(S, gemm)(h);", "#define G(t, f) hipblas##t##f\n", "G(S, gemm)(h);"),
        (
            "#define G(f) cuda##f##Async\n",
            "G(Memcpy)(p, q, 4, cudaMemcpyDefault);",
            "#define G(f) hip##f##Async\n",
            "G(Memcpy)(p, q, 4, hipMemcpyDefault);",
        ),
        ("#define OP(x) CUBLAS_OP_##x\n", "f(OP(N));", "#define OP(x) HIPBLAS_OP_##x\n", "f(OP(N));"),
        ("#define A(x) cudaDevAttr##x\n", "f(A(WarpSize));", "#define A(x) hipDeviceAttribute##x\n", "f(A(WarpSize));"),
        ("#define J(a, b) a##b\n", "J(cuda, Free)(p);", "#define J(a, b) a##b\n", "J(hip, Free)(p);"),
        (
            "#define J(a, b) a##b\n#define X(a, b) J(a, b)\n",
            "X(cuda, Free)(p);",
            "#define J(a, b) a##b\n#define X(a, b) J(a, b)\n",
            "X(hip, Free)(p);",
        ),
        (
            "#define J(a, b) a##b\n#define X(a, b) J(a, b)\n#define PRE cuda\n#define FN(n) X(PRE, n)\n",
            "FN(Free)(p);",
            "#define J(a, b) a##b\n#define X(a, b) J(a, b)\n#define PRE hip\n#define FN(n) X(PRE, n)\n",
            "FN(Free)(p);",
        ),
        (
            "#define G(t) cublas##t##gemm_v2\n",
            "G(S)(h); G(D)(h);",
            "#define G(t) hipblas##t##gemm\n",
            "G(S)(h); G(D)(h);",
        ),
        (
            "#define J_(a, b) a##b\n#define J(a, b) J_(a, b)\n#define J3(a, b, c) J(J(a, b), c)\n",
            "J3(cuda, Device, Synchronize)();",
            "#define J_(a, b) a##b\n#define J(a, b) J_(a, b)\n#define J3(a, b, c) J(J(a, b), c)\n",
            "J3(hip, Device, Synchronize)();",
        ),
        (
            "#define TYPES(_) _(S) _(D)\n#define DOT(t) p = cublas##t##dot_v2;\n",
            "TYPES(DOT)",
            "#define TYPES(_) _(S) _(D)\n#define DOT(t) p = hipblas##t##dot;\n",
            "TYPES(DOT)",
        ),
        (
            "#define C(...) cuda##__VA_ARGS__\n",
            "C(DeviceReset());",
            "#define C(...) hip##__VA_ARGS__\n",
            "C(DeviceReset());",
        ),
        ("", "BOOST_PP_CAT(cuda, DeviceReset)();", "", "BOOST_PP_CAT(hip, DeviceReset)();"),
        (
            "#define E(x) case cudaError##x: return #x\n",
            "E(MemoryAllocation); E(InvalidValue);",
            "#define E(x) case hipError##x: return #x\n",
            "E(MemoryAllocation); E(InvalidValue);",
        ),
    ],
)
def test_prefixes_are_rewritten_wherever_they_stand(
    macros: str, use: str, hip_macros: str, hip_use: str, clang: bool
) -> None:
    text = "#include <cuda_runtime.h>\n" + macros + "void g() { " + use + " }\n"
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert made.output.decode() == "#include <hip/hip_runtime.h>\n" + hip_macros + "void g() { " + hip_use + " }\n"
    (finding,) = made.findings
    assert finding.id == "HPY111"
    assert "no such names" not in finding.message


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "#define V(x) CUDA_##x\n#define CUDA_LOG 1\nint v = V(LOG);\n",
        "#define K(n) cuda##n##Kernel\nvoid cudaSumKernel();\nvoid f() { K(Sum)(); }\n",
        "#define K(n) cublas_##n\nint cublas_ok = 0;\nint v = K(ok);\n",
    ],
)
def test_names_of_the_programs_own_may_begin_like_cudas(text: str, clang: bool) -> None:
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert (made.output.decode(), made.findings) == (text, ())


def test_definitions_of_a_macro_are_no_uses_of_it() -> None:
    # Taken for uses of each other, forty would be followed 40 to the power of the depth of chains.
    text = "#undef CALL\n#define CALL(name) cuda ## name\n" * 40 + "int main() { return CALL(Free)(0); }\n"
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=False))
    assert made.output.count(b"hip ## name") == 40


def test_a_prefix_in_code_that_hip_leaves_out_stays_where_no_use_is_seen() -> None:
    source = (
        b"#include <hip/hip_runtime.h>\n#ifdef __HIP_PLATFORM_AMD__\n#define P(x) hip##x\n#else\n#define P(x) cuda##x\n"
        b"#endif\nint main() { return hipDeviceSynchronize(); }\n"
    )
    found = hipify.translate_source(source, "a.cu", hipify.Options(clang=False))
    assert found.output == source
    assert [(f.id, f.line, f.severity.label) for f in found.findings] == [("HPY111", 5, "note")]


@pytest.mark.parametrize("clang", [True, False])
def test_warp_built_ins_that_are_pasted_keep_32_lanes(clang: bool) -> None:
    text = (
        "#include <cuda_runtime.h>\n#define SHFL(k) __shfl_##k##_sync\n"
        "__global__ void k(int *p) { p[0] = SHFL(down)(0xffffffff, p[1], 1); }\n"
    )
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert b'#include "hipify_warp.h"\n#define SHFL(k) hipify::shfl_##k##_sync\n' in made.output
    assert ("HPY111", 2) in [(f.id, f.line) for f in made.findings]
    wide = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang, warp="native"))
    assert b"__shfl_##k##_sync" in wide.output
    assert "lane masks of 64 bits" in next(f.message for f in wide.findings if f.id == "HPY111")


@pytest.mark.parametrize("clang", [True, False])
def test_device_functions_that_hip_has_too_are_no_finding(clang: bool) -> None:
    text = (
        "#include <cuda_runtime.h>\n#define OP(n) atomic##n\n#define FAST(f) __##f\n"
        "__global__ void k(int *p, float *q) { OP(Add)(p, 1); q[0] = FAST(sinf)(q[1]); }\n"
    )
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert (made.output.decode(), made.findings) == (text.replace("cuda_runtime", "hip/hip_runtime"), ())


@pytest.mark.parametrize("clang", [True, False])
def test_names_of_the_programs_own_that_are_built_from_cudas_follow(clang: bool) -> None:
    text = (
        "#include <cuda_runtime.h>\ntypedef cudaError_t (*cudaFree_t)(void *);\nvoid *sym(const char *);\n"
        "#define LOAD(f) f##_t p_##f = (f##_t)sym(#f)\nvoid g() { LOAD(cudaFree); p_cudaFree(nullptr); }\n"
    )
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert b"(*hipFree_t)(void *)" in made.output
    assert b"LOAD(hipFree); p_hipFree(nullptr);" in made.output
    assert [(f.id, f.severity.label) for f in made.findings if f.line == 5] == [("HPY111", "note")] * 2


@pytest.mark.parametrize("clang", [True, False])
def test_calls_whose_arguments_would_change_are_told(clang: bool) -> None:
    text = (
        "#include <cuda_runtime.h>\n#define C(f) cuda##f\nvoid g(void **p) { C(MallocHost)(p, 4); C(FreeHost)(*p); }\n"
    )
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang))
    assert "other arguments, which are not written here: cudaMallocHost" in made.findings[0].message


@pytest.mark.parametrize(
    ("macro", "expected"),
    [
        ("#define GEMM(T) cublas##T##gemm_v2\n", "#define GEMM(T) hipblas##T##gemm\n"),
        ("#define AXPY(T) cublas##T##axpy\n", "#define AXPY(T) hipblas##T##axpy\n"),
        ("#define ATTR(x) cudaDevAttr##x\n", "#define ATTR(x) hipDeviceAttribute##x\n"),
    ],
)
def test_macros_whose_uses_are_in_other_files_build_what_cuda_has(macro: str, expected: str) -> None:
    made = hipify.translate_source("#include <hip/hip_runtime.h>\n" + macro, "t.h", hipify.Options(clang=False))
    assert made.output.decode() == "#include <hip/hip_runtime.h>\n" + expected
    (finding,) = made.findings
    assert "the names that other files give it" in finding.message

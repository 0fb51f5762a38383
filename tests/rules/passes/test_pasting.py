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


def test_a_prefix_without_one_counterpart_stays() -> None:
    text = "#include <cuda.h>\n#define CALL(call) (void)cu##call\nvoid f() { CALL(MemAlloc(0, 4)); }\n"
    made = hipify.translate_source(text, "t.cu")
    assert b"(void)cu##call" in made.output
    assert "HPY111" in [f.id for f in made.findings]


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

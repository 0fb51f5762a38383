"""The driver's linker and just-in-time options, and what else CUDA's C++ functions take that HIP's C functions do not."""

import pytest

import hipify

LINK = """#include <cuda.h>
CUresult f(void* p, size_t n) {
  CUlinkState s;
  CUjit_option o[] = {CU_JIT_MAX_REGISTERS};
  CUresult r = cuLinkCreate(1, o, &p, &s);
  r = cuLinkAddData(s, CU_JIT_INPUT_OBJECT, p, n, "a", 0, 0, 0);
  r = cuLinkComplete(s, &p, &n);
  return cuLinkDestroy(s);
}
"""


def translate(text: str, target: str = "7.2", clang: bool = False) -> str:
    return hipify.translate_source(text, "t.cu", hipify.Options(clang=clang, target=target)).output.decode()


@pytest.mark.parametrize("target", ["6.4", "7.2"])
def test_newer_releases_have_the_drivers_linker(target: str) -> None:
    assert (
        translate(LINK, target)
        == """#include <hip/hip_runtime.h>
hipError_t f(void* p, size_t n) {
  hipLinkState_t s;
  hipJitOption o[] = {hipJitOptionMaxRegisters};
  hipError_t r = hipLinkCreate(1, o, &p, &s);
  r = hipLinkAddData(s, hipJitInputObject, p, n, "a", 0, 0, 0);
  r = hipLinkComplete(s, &p, &n);
  return hipLinkDestroy(s);
}
"""
    )


def test_the_oldest_has_hiprtcs_whose_results_are_others() -> None:
    made = translate(LINK, "5.7")
    assert "#include <hip/hiprtc.h>\n" in made
    assert "hiprtcLinkState s;" in made
    assert "{hipJitOptionMaxRegisters}" in made
    assert "r = static_cast<hipError_t>(hiprtcLinkCreate(1, reinterpret_cast<hiprtcJIT_option*>(o), &p, &s));" in made
    assert "HIPRTC_JIT_INPUT_OBJECT" in made
    assert "return static_cast<hipError_t>(hiprtcLinkDestroy(s));" in made


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("out", "cast"),
    [
        ("&d", "reinterpret_cast<void**>(&d)"),
        ("&s.m", "reinterpret_cast<void**>(&s.m)"),
        ("pp", "reinterpret_cast<void**>(pp)"),
        ("&v", "&v"),
        ("(void**)&d", "(void**)&d"),
        ("reinterpret_cast<void**>(&d)", "reinterpret_cast<void**>(&d)"),
    ],
)
def test_the_device_pointer_of_any_type_is_cast(out: str, cast: str, clang: bool) -> None:
    head = "void f(float* d, float** pp, void* h) { void* v; struct { float* m; } s; "
    made = translate(f"#include <cuda_runtime.h>\n{head}cudaHostGetDevicePointer({out}, h, 0); }}\n", clang=clang)
    assert made == f"#include <hip/hip_runtime.h>\n{head}hipHostGetDevicePointer({cast}, h, 0); }}\n"


def test_a_symbol_made_a_string_by_a_macro_is_the_variable() -> None:
    text = "#include <cuda_runtime.h>\n#define COPY(s, p) cudaMemcpyToSymbol(#s, p, 4)\n"
    made = hipify.translate_source(text, "t.cu")
    assert b"hipMemcpyToSymbol(HIP_SYMBOL(s), p, 4)" in made.output
    assert [f.id for f in made.findings] == ["HPY113"]


def test_an_object_for_a_graph_brings_its_destructor() -> None:
    text = "#include <cuda_runtime.h>\nvoid f(cudaUserObject_t u) { cudaUserObjectCreate(&u, new int(3), 1, 0); }\n"
    deleter = "[](void* object) { delete static_cast<int *>(object); }"
    assert f"hipUserObjectCreate(&u, new int(3), {deleter}, 1, 0)" in translate(text, clang=True)

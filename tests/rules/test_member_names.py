"""Names like CUDA's that are handed to macros, which put them behind a dot."""

from __future__ import annotations

import pytest

import hipify

STRUCT = "struct Api {\n  cudaError_t (*cudaMalloc)(void**, size_t);\n  cudaError_t (*cudaFree)(void*);\n} api;\n"
LOAD = "#define LOAD(f) api.f = (decltype(api.f))dlsym(h, #f)\n"


def translate(source: str, *, clang: bool = False) -> tuple[str, list[tuple[int, str]]]:
    """The HIP text, and line and message of what is said about names that are looked up."""
    result = hipify.translate_source(source, "t.cu", hipify.Options(clang=clang))
    return result.output.decode(), [(f.line, f.message) for f in result.findings if f.id == "HPY716"]


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("macros", "use"),
    [
        (LOAD, "LOAD(cudaMalloc); LOAD(cudaFree);"),
        (LOAD + "#define BOTH(f) LOAD(f);\n", "BOTH(cudaMalloc) BOTH(cudaFree)"),
        (LOAD + "#define ALL(X) X(cudaMalloc); X(cudaFree)\n", "ALL(LOAD);"),
        (
            "#define LOAD(a, f) (a)->f = (decltype((a)->f))dlsym(h, #f)\n",
            "LOAD(&api, cudaMalloc); LOAD(&api, cudaFree);",
        ),
    ],
)
def test_members_keep_the_names_that_macros_look_up(macros: str, use: str, clang: bool) -> None:
    source = f"void* dlsym(void*, const char*);\n{STRUCT}{macros}void f(void* h) {{ {use} }}\n"
    text, said = translate(source, clang=clang)
    for name in ("cudaMalloc", "cudaFree"):
        assert text.count(name) == source.count(name)
    assert [message for _, message in said] == [
        '"cudaMalloc" is looked up; HIP\'s is hipMalloc',
        '"cudaFree" is looked up; HIP\'s is hipFree',
    ]


def test_names_that_a_macro_looks_up_and_calls_become_hips() -> None:
    source = "#define LOAD(m, f) api.m = (decltype(api.m))dlsym(h, #f)\nvoid f(void* h) { LOAD(free_, cudaFree); }\n"
    text, said = translate(source)
    assert "LOAD(free_, hipFree)" in text
    assert said == []


def test_arguments_of_macros_that_are_no_members_become_hips() -> None:
    source = "#define CALL(o, f, ...) o.check(f(__VA_ARGS__))\nvoid f(int* p) { CALL(log, cudaFree, p); }\n"
    assert "CALL(log, hipFree, p)" in translate(source)[0]

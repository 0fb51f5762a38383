"""Lists in braces for structs whose members HIP has in another order."""

from __future__ import annotations

import pytest

import hipify


def translate(source: str, *, clang: bool = False) -> tuple[str, list[tuple[str, int]]]:
    """The HIP text, and severity and line of what is said about lists."""
    result = hipify.translate_source(source, "t.cu", hipify.Options(clang=clang))
    return result.output.decode(), [(f.severity.label, f.line) for f in result.findings if f.id == "HPY129"]


SET = ".dst = d, .pitch = 0, .value = 1, .elementSize = 4, .width = 16, .height = 1"


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("cudaMemsetParams p = {d, 0, 1, 4, 16, 1};", f"hipMemsetParams p = {{{SET}}};"),
        ("cudaMemsetParams p{d, 0, 1, 4, 16, 1};", f"hipMemsetParams p{{{SET}}};"),
        ("auto p = cudaMemsetParams{d, 0, 1, 4, 16, 1};", f"auto p = hipMemsetParams{{{SET}}};"),
        ("auto p = (cudaMemsetParams){d, 0, 1, 4, 16, 1};", f"auto p = (hipMemsetParams){{{SET}}};"),
        ("auto p = new cudaMemsetParams{d, 0, 1, 4, 16, 1};", f"auto p = new hipMemsetParams{{{SET}}};"),
        ("CUDA_MEMSET_NODE_PARAMS p = {d, 0, 1, 4, 16, 1};", f"hipMemsetParams p = {{{SET}}};"),
        ("cudaMemsetParams p = {d}, q = {d, 2,};", "hipMemsetParams p = {.dst = d}, q = {.dst = d, .pitch = 2,};"),
        ("cudaMemsetParams p[2] = {{d, 3}, {e}};", "hipMemsetParams p[2] = {{.dst = d, .pitch = 3}, {.dst = e}};"),
        (
            "cudaKernelNodeParams p = {(void*)k, {1, 2}, dim3(f(3, 4)), 0, a /* all */, nullptr};",
            "hipKernelNodeParams p = {.func = (void*)k, .gridDim = {1, 2}, .blockDim = dim3(f(3, 4)), "
            ".sharedMemBytes = 0, .kernelParams = a /* all */, .extra = nullptr};",
        ),
        (
            "CUDA_KERNEL_NODE_PARAMS p = {k, 1, 2, 3, 4, 5, 6, 0, a};",
            "hipKernelNodeParams p = {.func = k, .gridDim = {1, 2, 3}, .blockDim = {4, 5, 6}, .sharedMemBytes = 0, "
            ".kernelParams = a};",
        ),
        ("CUDA_KERNEL_NODE_PARAMS p = {k, 1};", "hipKernelNodeParams p = {.func = k, .gridDim = {1}};"),
    ],
)
@pytest.mark.parametrize("clang", [True, False])
def test_members_are_named(cuda: str, hip: str, clang: bool) -> None:
    text, said = translate(f"#include <cuda.h>\n#include <cuda_runtime.h>\nvoid g() {{ {cuda} }}\n", clang=clang)
    assert hip in text
    assert {severity for severity, _ in said} == {"note"}
    assert translate(text)[0] == text


@pytest.mark.parametrize(
    "code",
    [
        "cudaMemsetParams p = {0};",
        "cudaMemsetParams p = {};",
        "cudaMemsetParams p = {nullptr}, *q = &p;",
        "cudaMemsetParams p = {.dst = d, .value = 1};",
        "cudaMemsetParams f(int a, int b);",
        "mine p = {d, 0, 1, 4, 16, 1};",
        "cudaExtent p = {1, 2, 3};",
        "struct cudaMemsetParams* p; int a[] = {1, 2};",
    ],
)
def test_other_lists_are_left(code: str) -> None:
    text, said = translate(f"void g() {{ {code} }}\n")
    assert said == []
    assert code.replace("cuda", "hip") in text


def test_second_names_of_a_struct_count() -> None:
    source = "using P = cudaMemsetParams;\ntypedef cudaMemsetParams Q;\nP p = {d, 1};\nQ q{d, 1};\n"
    text, said = translate(source)
    assert "P p = {.dst = d, .pitch = 1};\nQ q{.dst = d, .pitch = 1};" in text
    assert said == [("note", 3), ("note", 4)]


@pytest.mark.parametrize(
    "code",
    [
        "cudaMemsetParams f(int* d) { return {d, 1}; }\n",
        "auto f = [](int* d) -> cudaMemsetParams { return {d, 1}; };\n",
        "void f(int* d) { cudaMemsetParams p; p = {d, 1}; }\n",
        "void f(int* d) { std::vector<cudaMemsetParams> p = {{d, 1}}; }\n",
        "void f(int* d) { std::array<cudaMemsetParams, 1> p{{{d, 1}}}; }\n",
        "void f(int* d) { cudaMemsetParams p = {}, q; q = {d, 1}; }\n",
    ],
)
def test_lists_that_are_returned_and_assigned_count(code: str) -> None:
    text, said = translate(code)
    assert "{.dst = d, .pitch = 1}" in text
    assert said == [("note", 1)]


def test_lists_of_other_functions_and_variables_are_left() -> None:
    code = "void f(int* d) { cudaMemsetParams p; s.p = {d, 1}; mine q; q = {d, 1}; }\nmine g() { return {d, 1}; }\n"
    text, said = translate(f"{code}cudaMemsetParams h(); mine i() {{ return {{d, 1}}; }}\n")
    assert text.count("{d, 1}") == 4
    assert said == []


def test_what_hips_struct_has_no_members_for_is_an_error() -> None:
    source = "void g() { CUDA_MEMSET_NODE_PARAMS p = {d, 0, 1, 4, 16, 1, ctx}; }\n"
    text, said = translate(source)
    assert "hipMemsetParams p = {d, 0, 1, 4, 16, 1, ctx};" in text
    assert said == [("error", 1)]


def test_an_enumerator_in_braces_is_not_taken_for_narrowed() -> None:
    source = "#include <cuda_runtime.h>\ncudaMemPoolProps p = {cudaMemAllocationTypePinned, cudaMemHandleTypeNone};\n"
    text, _ = translate(source, clang=True)
    assert "{hipMemAllocationTypePinned, hipMemHandleTypeNone}" in text

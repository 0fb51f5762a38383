"""Launches whose configuration only the preprocessor or a template can count."""

import pytest

import hipify

HEAD = "#include <cuda_runtime.h>\n__global__ void k(int* p, int v) { *p = v; }\n"


@pytest.mark.parametrize(
    "text",
    [
        "#define CFG 1, 32\nvoid f(int* p) { k<<<CFG>>>(p, 1); }\n",
        "#define CFG 1, 32\nvoid f(int* p, cudaStream_t s) { k<<<CFG, 0, s>>>(p, 1); }\n",
        "#define CFG(n) dim3(n), dim3(32)\nvoid f(int* p) { k<<<CFG(2), 0>>>(p, 1); }\n",
        "#define RUN(p, ...) k<<<__VA_ARGS__>>>(p, 1)\nvoid f(int* p) { RUN(p, 1, 32); }\n",
        "#define RUN(p, ...) k<<<__VA_ARGS__, 0, 0>>>(p, 1)\nvoid f(int* p) { RUN(p, 1, 32); }\n",
        "template <class... C> void f(int* p, C... c) { k<<<c...>>>(p, 1); }\n",
    ],
)
def test_several_numbers_at_once_keep_the_chevrons(text: str) -> None:
    result = hipify.translate_source(HEAD + text, "t.cu")
    assert "hipLaunchKernelGGL" not in result.output.decode()
    assert "<<<" in result.output.decode()
    assert [f.id for f in result.findings] == ["HPY202"]


def test_macros_for_one_number_each_are_rewritten() -> None:
    text = "#define GRID (1)\n#define BLOCK(x) dim3(x, 2)\nvoid f(int* p) { k<<<GRID, BLOCK(4)>>>(p, 1); }\n"
    output = hipify.translate_source(HEAD + text, "t.cu").output.decode()
    assert "hipLaunchKernelGGL(k, dim3(GRID), dim3(BLOCK(4)), 0, 0, p, 1);" in output


@pytest.mark.parametrize(
    ("launch", "expected"),
    [
        ("k<< <g, b>> >(p);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, p);"),
        ("k << < g, b, 0, s >>\t>(p);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, s, p);"),
        (
            "t<int, V<V<V<int>> >> << <g, b>> > (p);",
            "hipLaunchKernelGGL(HIP_KERNEL_NAME(t<int, V<V<V<int>> >>), dim3(g), dim3(b), 0, 0, p);",
        ),
        ("k<<<g, b>> >(p);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, p);"),
        ("n = (k<< <g, b>> >(p), 3);", "n = (k<<<g, b>>>(p), 3);"),
        ("k<< /*a*/ <g, b>> /*b*/ >(p);", "hipLaunchKernelGGL(k, /*a*/ dim3(g), dim3(b), 0, 0 /*b*/ , p);"),
        ("k<<<g, b>> // c\n>(p);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0 // c\n, p);"),
        ("k<<<g, b>>\n>(p);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, p);"),
        ("k<<\\\n<g, b>\\\n>>(p);", "hipLaunchKernelGGL(k,\\\ndim3(g), dim3(b), 0, 0\\\n, p);"),
        ("n = (k<< /*a*/ <g, b>> // c\n >(p), 3);", "n = (k<<< /*a*/ g, b // c\n >>>(p), 3);"),
        (
            "k /*n*/ <<< /*a*/ g /*b*/, /*c*/ b // d\n>>> /*e*/ (/*f*/ p /*g*/);",
            "hipLaunchKernelGGL(k, /*n*/   /*a*/ dim3(g) /*b*/, /*c*/ dim3(b), 0, 0 // d\n /*e*/ , /*f*/ p /*g*/);",
        ),
        ("k<<<g, b /* >>>( */>>>(p);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0 /* >>>( */, p);"),
    ],
)
def test_chevrons_with_blanks_inside_are_those_of_a_launch(launch: str, expected: str) -> None:
    for clang in (True, False):
        text = f"void f(int g, int b, int n, cudaStream_t s, int* p) {{ {launch} }}\n"
        output = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang)).output.decode()
        assert expected in output


@pytest.mark.parametrize("clang", [True, False])
def test_blanks_go_from_chevrons_that_stay(clang: bool) -> None:
    options = hipify.Options(clang=clang, launch_syntax="cuda")
    result = hipify.translate_source("void f() { k<< <1, 2>> >(3); }\n", "t.cu", options)
    assert "void f() { k<<<1, 2>>>(3); }" in result.output.decode()


@pytest.mark.parametrize("clang", [True, False])
def test_shifts_and_template_ends_are_no_chevrons(clang: bool) -> None:
    body = "int x = 1 << 2; x = x >> 3 > 2; std::vector<std::vector<V<int>> > v(3); w.operator<< <int>(3);"
    body += " x = x << /*a*/ 2 /*b*/ >> /*c*/ 1; std::vector<std::vector<V<int>> /*d*/ > u(3);"
    text = f"#include <vector>\nvoid f(W w) {{ {body} }}\n"
    assert hipify.translate_source(text, "t.cu", hipify.Options(clang=clang)).output.decode() == text


@pytest.mark.parametrize("clang", [True, False])
def test_a_macro_that_launches_is_reported_in_device_code_alone(clang: bool) -> None:
    text = (
        "#define RUN(k) k<<<1, 1>>>()\n__global__ void child() {}\n__global__ void parent() { RUN(child); }\n"
        "void host() { RUN(child); }\n"
    )
    found = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang)).findings
    assert [(f.id, f.line, f.column) for f in found] == [("HPY201", 3, 28)]


@pytest.mark.parametrize("clang", [True, False])
def test_a_kernel_cast_to_the_type_of_another_is_one_callee(clang: bool) -> None:
    text = "#include <cuda_runtime.h>\n__global__ void k(int*);\nvoid f(int* p) { decltype(&k)(k)<<<1, 2>>>(p); }\n"
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang)).output.decode()
    assert "{ hipLaunchKernelGGL(decltype(&k)(k), dim3(1), dim3(2), 0, 0, p); }" in made


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("callee", "front"),
    [
        ("[](int i) { return k; }(3)", ""),
        ("[&]() mutable -> K { return k; }()", "n[0] = 1; "),
        ("(*t[0])", "if (n[0]) {} "),
        ("(k)", "for (int i : n) { } "),
    ],
)
def test_a_kernel_that_a_lambda_gives_is_one_callee(callee: str, front: str, clang: bool) -> None:
    text = "#include <cuda_runtime.h>\n__global__ void k(int*);\ntypedef void (*K)(int*);\n"
    text += f"void f(int* p, K* t) {{ int n[2]; {front}{callee}<<<1, 2>>>(p); }}\n"
    made = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang)).output.decode()
    assert f"{front}hipLaunchKernelGGL({callee}, dim3(1), dim3(2), 0, 0, p); }}" in made

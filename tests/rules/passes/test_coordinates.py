"""A coordinate as a whole becomes a uint3 only when its three numbers are spelled out."""

from pathlib import Path

import pytest

import hipify

HEAD = "__device__ int take(int n, uint3 at);\n__device__ int other(dim3 at);\n"
SPELLED = "make_uint3(threadIdx.x, threadIdx.y, threadIdx.z)"


def translate(text: str, clang: bool) -> str:
    result = hipify.translate_source(HEAD + text, "t.cu", hipify.Options(clang=clang))
    assert result.findings == ()
    return result.output.decode()


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    "body",
    [
        "uint3 at = threadIdx;",
        "const uint3 at = threadIdx; use(at);",
        "uint3 at; at = threadIdx;",
        "uint3 at(threadIdx);",
        "uint3 at{threadIdx};",
        "use(uint3(threadIdx));",
        "take(3, threadIdx);",
    ],
)
def test_a_uint3_is_made_from_three_numbers(body: str, clang: bool) -> None:
    text = f"__global__ void k() {{ {body} }}\n"
    assert translate(text, clang).endswith(text.replace("threadIdx", SPELLED))


@pytest.mark.parametrize("clang", [True, False])
def test_a_function_that_returns_one_is_too(clang: bool) -> None:
    text = "__device__ uint3 where() { return threadIdx; }\n"
    assert f"return {SPELLED};" in translate(text, clang)


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    "body",
    [
        "dim3 at = threadIdx; uint3 q;",
        "other(threadIdx); uint3 q;",
        "int n = threadIdx.x; uint3 q;",
        "auto at = threadIdx; uint3 q;",
    ],
)
def test_what_takes_a_dim3_stays(body: str, clang: bool) -> None:
    text = f"__global__ void k() {{ {body} }}\n"
    assert translate(text, clang).endswith(text)


DIM, VECTOR = "dim3({0}.x, {0}.y, {0}.z)", "make_uint3({0}.x, {0}.y, {0}.z)"


@pytest.mark.parametrize("clang", [True, False])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("dim3 d = u;", f"dim3 d = {DIM.format('u')};"),
        ("dim3 d(u), e{v};", f"dim3 d({DIM.format('u')}), e{{{DIM.format('v')}}};"),
        ("dim3 d; d = p->grid;", f"dim3 d; d = {DIM.format('p->grid')};"),
        ("other(q.grid);", f"other({DIM.format('q.grid')});"),
        ("uint3 w = g; take(1, g);", f"uint3 w = {VECTOR.format('g')}; take(1, {VECTOR.format('g')});"),
        ("dim3 d(u.x, v.y); dim3 e(g); other(g); take(2, u);", ""),
    ],
)
def test_dim3_and_uint3_are_made_of_each_other_by_number(before: str, after: str, clang: bool) -> None:
    head = "struct P { uint3 grid; };\nvoid f(uint3 u, uint3 v, dim3 g, P q, P* p) { "
    assert f"{head}{after or before} }}\n" in translate(f"{head}{before} }}\n", clang)


@pytest.mark.parametrize("clang", [True, False])
def test_a_function_that_returns_the_other_type_makes_it(clang: bool) -> None:
    text = "dim3 a(uint3 v) { if (v.x) { return v; } return v; }\nuint3 b(dim3 v) { return v; }\n"
    wanted = text.replace("return v; }\nuint3", "return dim3(v.x, v.y, v.z); }\nuint3").replace(
        "{ return v; } r", "{ return dim3(v.x, v.y, v.z); } r"
    )
    assert translate(text, clang).endswith(wanted.replace("{ return v; }\n", "{ return make_uint3(v.x, v.y, v.z); }\n"))


@pytest.mark.parametrize("clang", [True, False])
def test_launches_get_dim3(clang: bool) -> None:
    text = (
        "struct P { uint3 grid; };\n__global__ void k();\n"
        "void f(P q) { uint3 g = make_uint3(1, 2, 3), b = g; dim3 d; int n = 3;\n"
        "k<<<g, b>>>(); k<<<q.grid, make_uint3(4, 5, 6)>>>(); k<<<d, n>>>(); }\n"
    )
    output = translate(text, clang)
    assert "(k, dim3(g.x, g.y, g.z), dim3(b.x, b.y, b.z), 0, 0);" in output
    assert "(k, dim3(q.grid.x, q.grid.y, q.grid.z), dim3(dim3(4, 5, 6)), 0, 0);" in output
    assert "(k, dim3(d), dim3(n), 0, 0);" in output


def test_clang_knows_the_type_of_what_a_header_declares(tmp_path: Path) -> None:
    (tmp_path / "grid.h").write_text("struct P { uint3 grid; };\n")
    text = '#include "grid.h"\n__global__ void k();\nvoid f(P q) { k<<<q.grid, 1>>>(); }\n'
    result = hipify.translate_source(text, str(tmp_path / "t.cu"), hipify.Options())
    assert "dim3(q.grid.x, q.grid.y, q.grid.z)" in result.output.decode()

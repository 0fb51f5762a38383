"""Structure from tokens: brackets through branches, calls, includes, macros, launches, functions, asm."""

from __future__ import annotations

import pytest

from hipify.parser.functions import Functions, find_asm
from hipify.parser.launches import find_launches
from hipify.parser.source import Source
from hipify.parser.structure import Structure


def structure(text: str) -> Structure:
    return Structure(Source(text.encode()))


def call_arguments(text: str, name: str) -> list[str]:
    s = structure(text)
    call = s.call_at(s.index[name.encode()][0])
    assert call is not None
    return [s.bytes_of(a).decode() for a in call.args]


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("f()", []),
        ("f(a, b)", ["a", "b"]),
        ("f(g(a, b), c)", ["g(a, b)", "c"]),
        ("f(pair<int, int>(1, 2), c)", ["pair<int, int>(1, 2)", "c"]),
        ("f(a < b, c > d)", ["a < b", "c > d"]),
        ("f([=](int i) { return i, 2; }, {1, 2})", ["[=](int i) { return i, 2; }", "{1, 2}"]),
        ("f(a /* x, y */, // z, w\n b)", ["a", "b"]),
        ("f<int, 3>(a)", ["a"]),
        ("f(\"a,b\", ',')", ['"a,b"', "','"]),
    ],
)
def test_call_arguments(text: str, arguments: list[str]) -> None:
    assert call_arguments(text, "f") == arguments


def test_brackets_start_afresh_in_each_branch() -> None:
    s = structure("#if A\nvoid f(int a) {\n#else\nvoid f(long a) {\n#endif\n g(1);\n}\nvoid h() {}\n")
    braces = s.index[b"{"]
    closers = s.index[b"}"]
    assert s.partner[braces[0]] == closers[0]
    assert s.partner[braces[2]] == closers[1]


def test_dead_branches_do_not_unbalance_the_rest() -> None:
    s = structure("#if 0\n ( { [ ' \n#endif\nvoid f() { g(1); }\n")
    call = s.call_at(s.index[b"g"][0])
    assert call is not None
    assert len(call.args) == 1


def test_includes_in_all_spellings() -> None:
    s = structure('#include <a.h>\n # include  "b/c.h" // x\n#include /* y */ <d//e.h>\n#include MACRO\n')
    assert [(i.name, i.angled) for i in s.includes] == [(b"a.h", True), (b"b/c.h", False), (b"d//e.h", True)]


def test_macros_with_and_without_parameters() -> None:
    s = structure("#define A 1\n#define F(x, y) x \\\n  + y\n#define G (x)\n")
    assert [m.parameters for m in s.macros] == [None, (b"x", b"y"), None]
    assert s.tokens.text[s.macros[1].first] == b"x"


LAUNCHES = [
    ("void f() { k<<<1, 2>>>(a); }", "k", ["1", "2"], ["a"], True),
    ("void f() { k<<<1, 2, 3, s>>>(); }", "k", ["1", "2", "3", "s"], [], True),
    ("void f() { k<<<1>>>(a, b); }", "k", ["1"], ["a", "b"], True),
    ("void f() { ns::k<int, A<B<C>>><<<g, b>>>(x); }", "ns::k<int, A<B<C>>>", ["g", "b"], ["x"], True),
    ("void f() { ::k<<<g, b>>>(x); }", "::k", ["g", "b"], ["x"], True),
    ("void f() { this->template k<T><<<g, b>>>(x); }", "this->template k<T>", ["g", "b"], ["x"], True),
    ("void f() { t[1][i]<<<g, b>>>(x); }", "t[1][i]", ["g", "b"], ["x"], True),
    ("void f() { (*t[0])<<<g, b>>>(x); }", "(*t[0])", ["g", "b"], ["x"], True),
    ("void f() { pick<T>(3)<<<g, b>>>(x); }", "pick<T>(3)", ["g", "b"], ["x"], True),
    ("void f() { T::template k<1><<<g, b>>>(x); }", "T::template k<1>", ["g", "b"], ["x"], True),
    ("void f() { if (a) k<<<g, b>>>(x); }", "k", ["g", "b"], ["x"], True),
    ("void f() { k<<<dim3{1, 2}, dim3(3, 4)>>>(x); }", "k", ["dim3{1, 2}", "dim3(3, 4)"], ["x"], True),
    ("void f() { k<<<N<int, 3>::v, b>>>(x); }", "k", ["N<int, 3>::v", "b"], ["x"], True),
    ("void f() { k<<<(n + 1) >> 2, b>>>(x); }", "k", ["(n + 1) >> 2", "b"], ["x"], True),
    ("void f() { RUN((k<<<g, b>>>(x))); }", "k", ["g", "b"], ["x"], False),
    ("void f() { int c = a ? (k<<<g, b>>>(x), 1) : 0; }", "k", ["g", "b"], ["x"], False),
    ("#define L(k, ...) k<<<g, b>>>(__VA_ARGS__)\n", "k", ["g", "b"], ["__VA_ARGS__"], True),
    ("#define L(t) k_##t<<<g, b>>>(x); \\\n done()\n", "k_##t", ["g", "b"], ["x"], True),
    ("#define L(f) (f)<<<g, b>>>(x)\n", "(f)", ["g", "b"], ["x"], True),
]


@pytest.mark.parametrize(("text", "callee", "config", "args", "statement"), LAUNCHES)
def test_launch_forms(text: str, callee: str, config: list[str], args: list[str], statement: bool) -> None:
    s = structure(text)
    (launch,) = find_launches(s)
    assert s.bytes_of(launch.callee).decode() == callee
    assert [s.bytes_of(a).decode() for a in launch.config] == config
    assert [s.bytes_of(a).decode() for a in launch.args] == args
    assert launch.statement is statement


def test_launches_nest_in_lambda_arguments() -> None:
    s = structure("void f() { run(1, [&] { k<<<1, 2>>>(a, [] { j<<<3, 4>>>(); }); }); }")
    assert [s.bytes_of(launch.callee) for launch in find_launches(s)] == [b"k", b"j"]


def test_device_functions_and_what_is_none() -> None:
    s = structure(
        "#define DEV __device__ inline\n__global__ void k(int a) { x; }\nDEV int d() { y; }\n__device__ int v = 3;\n"
        "void h() { z; f([] __device__(int i) { w; }); }\n__device__ void p(int);\n"
        "struct S { __host__ __device__ S() : a(1), b{2} { u; } };\n"
    )
    functions = Functions(s)
    inside = {name for name in "xyzwu" if functions.in_device(s.index[name.encode()][0])}
    assert inside == set("xywu")
    kernel = functions.function_at(s.index[b"x"][0])
    assert kernel is not None
    assert kernel.is_kernel


def test_asm_statements_with_their_template_strings() -> None:
    s = structure('__device__ void f() { asm volatile("mov.u32 %0, " "%%smid;" : "=r"(r)); int asmx; }')
    (statement,) = find_asm(s)
    assert [s.tokens.text[i] for i in statement.strings] == [b'"mov.u32 %0, "', b'"%%smid;"']

"""Chevrons in pieces and digraphs are read as the compiler reads them; every byte keeps its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hipify
from hipify.parser.odd_tokens import joined
from hipify.parser.tokens import is_blank, tokenize

PIECES = [
    b"<",
    b"<<",
    b"<<<",
    b">",
    b">>",
    b":",
    b"::",
    b"%",
    b"%:",
    b" ",
    b"\n",
    b"\\\n",
    b"/*c*/",
    b"//c\n",
    b"x",
    b";",
]


def words(text: bytes) -> list[bytes]:
    return [t for t in joined(tokenize(text)).text if not is_blank(t)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"k<< /*a*/ <1, 2>> /*b*/ >(p)", [b"k", b"<<<", b"1", b",", b"2", b">", b">", b">", b"(", b"p", b")"]),
        (b"a<:1:> = <%2%>", [b"a", b"[", b"1", b"]", b"=", b"{", b"2", b"}"]),
        (b"a<::>", [b"a", b"[", b"]"]),
        (b"v<::T> x", [b"v", b"<", b"::", b"T", b">", b"x"]),
        (b"%:define C(a) %:a %:%: b", [b"#", b"define", b"C", b"(", b"a", b")", b"#", b"a", b"##", b"b"]),
        (b"k<<\n<1>>>()", [b"k", b"<<", b"<", b"1", b">", b">", b">", b"(", b")"]),
        (b"'<%' \"<:\" /*%:*/ 5 % 2 > 1", [b"'<%'", b'"<:"', b"5", b"%", b"2", b">", b"1"]),
    ],
)
def test_words_as_the_compiler_reads_them(text: bytes, expected: list[bytes]) -> None:
    assert words(text) == expected


@given(st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join))
def test_every_token_starts_behind_the_one_before(data: bytes) -> None:
    tokens = joined(tokenize(data))
    starts = list(tokens.start)
    assert starts == sorted(set(starts))
    assert starts[0] == 0 and starts[-1] == len(data)
    assert len(starts) == len(tokens.text) + 1


@pytest.mark.parametrize("clang", [True, False])
def test_a_file_in_digraphs_is_translated(clang: bool) -> None:
    text = (
        "%:include <cuda_runtime.h>\n%: include <cublas_v2.h>\n#/*x*/include/*y*/<curand.h>\n"
        "%:define CHECK(x) do <% if ((x) != cudaSuccess) throw 1; %> while (0)\n"
        "__global__ void k(int *p) <% p<:threadIdx.x:> = 1; %>\n"
        "void f(int *p) <% int a<:2:> = <%1, 2%>; CHECK(cudaMalloc(&p, 4)); k<<<a<:0:>, a<:1:>>>>(p); %>\n"
    )
    output = hipify.translate_source(text, "t.cu", hipify.Options(clang=clang)).output.decode()
    assert output == (
        "%:include <hip/hip_runtime.h>\n%: include <hipblas/hipblas.h>\n#/*x*/include/*y*/<hiprand/hiprand.h>\n"
        "%:define CHECK(x) do <% if ((x) != hipSuccess) throw 1; %> while (0)\n"
        "__global__ void k(int *p) <% p<:threadIdx.x:> = 1; %>\n"
        "void f(int *p) <% int a<:2:> = <%1, 2%>; CHECK(hipMalloc(&p, 4)); "
        "hipLaunchKernelGGL(k, dim3(a<:0:>), dim3(a<:1:>), 0, 0, p); %>\n"
    )

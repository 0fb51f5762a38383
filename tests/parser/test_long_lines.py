"""Very long lines are cut for clang, with every byte at its place."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import hipify
from hipify.parser.long_lines import break_lines
from hipify.parser.tokens import tokenize

PIECES = [
    b"word ",
    b"f( x );",
    b'" a string " ',
    b"/* a comment */ ",
    b"\n",
    b"\\\n",
    b"#",
    b"// c \n",
    b"y" * 90 + b" ",
]


def longest(data: bytes) -> int:
    return max(map(len, data.split(b"\n")))


def test_lines_are_cut_at_blanks() -> None:
    data = b"cudaFree( p ); " * 1000
    cut = break_lines(data, tokenize(data))
    assert longest(cut) < 300
    assert cut.replace(b"\n", b" ") == data


def test_directives_and_literals_stay_whole() -> None:
    text = b"a b " * 200
    data = b"#define X " + text + b"\\\n" + text + b'\n"' + text + b'";\n// ' + text + b"\n/* " + text + b"*/\n"
    assert break_lines(data, tokenize(data)) == data


@given(st.lists(st.sampled_from(PIECES), max_size=300).map(b"".join))
def test_only_blanks_change_and_no_directive_begins(data: bytes) -> None:
    cut = break_lines(data, tokenize(data))
    assert len(cut) == len(data)
    assert all(a == b or (a in b" \t" and b == 0x0A) for a, b in zip(data, cut, strict=True))
    assert [t for t in tokenize(cut).text if not t.isspace()] == [t for t in tokenize(data).text if not t.isspace()]
    assert cut.count(b"\n#") == data.count(b"\n#")


def test_what_clang_says_is_the_same() -> None:
    code = (
        "int cudaFree(int); namespace n { int cudaMalloc(int a) { return ::cudaMalloc(&a, 4) + n::cudaMalloc(a); } } "
    )
    short = "#include <cuda_runtime.h>\n" + "\n".join(
        code.replace("n::", f"n{i}::").replace("n {", f"n{i} {{") for i in range(90)
    )
    long = "#include <cuda_runtime.h>\n" + short.split("\n", 1)[1].replace("\n", " ")
    expected = hipify.translate_source(short, "t.cu").output.replace(b"\n", b" ")
    assert hipify.translate_source(long, "t.cu").output.replace(b"\n", b" ") == expected

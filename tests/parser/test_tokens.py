"""Tokens: every byte is kept, and each has the kind that a C++ compiler gives it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify.parser.source import Source
from hipify.parser.tokens import _PLAIN_TOKEN, _TOKEN, Kind, is_blank, is_ident, kind_of, spelling, tokenize

PIECES = [
    b'"',
    b"'",
    b"\\",
    b"\n",
    b"\r\n",
    b"/*",
    b"*/",
    b"//",
    b'R"(',
    b')"',
    b"#",
    b"<<<",
    b">>>",
    b"cudaMalloc",
    b" ",
]


@given(st.lists(st.sampled_from(PIECES) | st.binary(max_size=5), max_size=40).map(b"".join))
def test_joined_tokens_give_the_bytes_back(data: bytes) -> None:
    tokens = tokenize(data)
    assert b"".join(tokens.text) == data
    assert tokens.start[-1] == len(data)
    assert all(data[s : s + len(t)] == t for s, t in zip(tokens.start, tokens.text, strict=False))


@given(st.binary(max_size=60).filter(bool))
def test_every_token_has_one_kind(data: bytes) -> None:
    for text in tokenize(data).text:
        kind = kind_of(text)
        blank = kind in (Kind.SPACE, Kind.NEWLINE, Kind.COMMENT, Kind.SPLICE)
        assert is_blank(text) == blank
        assert is_ident(text) == (kind is Kind.IDENT) or text == b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (b"cudaMalloc", Kind.IDENT),
        (b"cuda\\\nMalloc", Kind.IDENT),
        (b'u8R"x(a)" )x"', Kind.STRING),
        (b'R"(a // b /* c)"', Kind.STRING),
        (b'L"wide \\" still"', Kind.STRING),
        (b"'\"'", Kind.CHAR),
        (b"u'\\''", Kind.CHAR),
        (b"1'000'000u", Kind.NUMBER),
        (b"0x1.8p-3f", Kind.NUMBER),
        (b".5e+3", Kind.NUMBER),
        (b"// a \\\n b", Kind.COMMENT),
        (b"/* a\n b */", Kind.COMMENT),
        (b"\\\r\n", Kind.SPLICE),
        (b"<<<", Kind.PUNCT),
        (b"->", Kind.PUNCT),
    ],
)
def test_whole_token(text: bytes, kind: Kind) -> None:
    assert tokenize(text).text == [text]
    assert kind_of(text) is kind


def test_unfinished_literals_end_with_their_line() -> None:
    tokens = tokenize(b"x = ' unbalanced\ny = \"open\nz")
    assert [tokens.text[i] for i in range(len(tokens)) if tokens.kind(i) is Kind.IDENT] == [b"x", b"y", b"z"]


def test_text_behind_a_raw_string_is_code_again() -> None:
    tokens = tokenize(b'R"d(a )" b)d"; cudaFree(p); // cudaMalloc\n')
    assert b"cudaFree" in tokens.text
    assert b"cudaMalloc" not in tokens.text


def test_splices_inside_a_name_are_no_part_of_its_spelling() -> None:
    assert spelling(b"cuda\\\r\nMal\\\nloc") == b"cudaMalloc"


def test_closing_angles_stay_single() -> None:
    assert tokenize(b"a<b<c>>").text[-2:] == [b">", b">"]


def test_positions_count_bytes_from_one() -> None:
    source = Source("é\nab".encode())
    assert source.position(0) == (1, 1)
    assert source.position(3) == (2, 1)
    assert source.position(4) == (2, 2)
    assert source.line_text(1) == "é".encode()
    assert source.line_text(9) == b""


def test_newline_style_and_byte_order_mark() -> None:
    assert Source(b"a\r\nb\n").newline == b"\r\n"
    assert Source(b"a").newline == b"\n"
    assert Source(b"\xef\xbb\xbfa").bom_length == 3
    assert tokenize(Source(b"\xef\xbb\xbfint")).text == [b"\xef\xbb\xbf", b"int"]
    assert Source(b"a\0b").looks_binary


@given(st.text(alphabet="aL8uR_1.'\"\\\n\r \t/*<>=-#(){};:&|+éx", max_size=60).map(str.encode))
def test_text_without_raw_strings_is_split_alike_by_both_patterns(data: bytes) -> None:
    if b'R"' not in data:
        assert _PLAIN_TOKEN.findall(data) == [match[0] for match in _TOKEN.finditer(data)]

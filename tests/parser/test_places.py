"""Where words stand: the same whether each is searched for or all tokens are looked at."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from hipify.parser import places
from hipify.parser.places import Places
from hipify.parser.source import Source
from hipify.parser.structure import Structure
from hipify.parser.tokens import tokenize

ROOT = Path(__file__).resolve().parents[2]
TEXTS = {
    "overlapping": b'a.b == c; "a"; /* a */ !===a ::: a aa aaa a$ a::b::c <<<<a>>>> {}{}[a]\n#define a a##a\n',
    "with a byte order mark": b"\xef\xbb\xbfint a; // int\nint b;",
    "with a raw string": b'auto a = R"(int a)"; int a;',
    "with splices": b"int fo\\\no = foo; cuda\\\r\nMalloc(cudaMalloc);",
    "with digraphs": b"<%int a<:1:> = <%1%>; %> k<< <1, 2>> >(); <::>",
    "empty": b"",
    **{f"corpus/{path.parent.name}": path.read_bytes() for path in sorted((ROOT / "corpus").glob("*/*.cu"))},
}


def expected(structure: Structure) -> dict[bytes, list[int]]:
    found: defaultdict[bytes, list[int]] = defaultdict(list)
    for index, text in enumerate(structure.tokens.text):
        if text not in places._NOT_INDEXED:
            found[text].append(index)
    return found


@pytest.mark.parametrize("searches", [0, 3, 1 << 30])
@pytest.mark.parametrize("data", TEXTS.values(), ids=TEXTS)
def test_the_same_places(data: bytes, searches: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "_SEARCHES", searches)
    wanted = expected(Structure(Source(data, "a.cu")))
    index = Structure(Source(data, "a.cu")).index
    assert set(index) == set(wanted)
    assert {word: index[word] for word in wanted} == wanted
    assert all(index.get(word) is index[word] for word in wanted)
    assert dict(index.items()) == wanted
    assert sorted(index.values()) == sorted(wanted.values())


def test_all_places_at_once_after_some_were_searched_for() -> None:
    data = b"a b a c b a"
    index = Places(tokenize(data), data)
    assert index[b"b"] == [2, 8]
    assert dict(index.items()) == {b"a": [0, 4, 10], b"b": [2, 8], b"c": [6]}
    assert index[b"a"] == [0, 4, 10]


def test_a_word_that_the_file_lacks() -> None:
    index = Places(tokenize(b"int a;"), b"int a;")
    assert b"b" not in index
    assert index.get(b"b") is None
    assert index.get(b"b", ()) == ()
    assert b" " not in index
    with pytest.raises(KeyError):
        index[b"b"]

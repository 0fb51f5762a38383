"""Places of outputs in their inputs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hipify.build.locate import Locator, Place
from hipify.emit import rewriter
from hipify.model import Edit

INPUT = b"one\ntwo cudaFree(a,\n  b);\nfour\nfive\n"


def locator(*edits: Edit, data: bytes = INPUT, actual: bytes | None = None) -> Locator:
    ordered = rewriter.in_order(edits, len(data))
    return Locator(data, rewriter.apply(data, ordered), ordered, actual)


def at(found: Locator, text: bytes) -> tuple[int, int]:
    """The place that the input has for the first place of a text in the output."""
    place = found.output.place(found.output.data.index(text))
    home = found.find(place.line, place.column)
    return home.line, home.column


def test_lines_that_were_inserted_and_deleted_shift_what_follows() -> None:
    found = locator(Edit(0, 0, b"#include <x>\n#include <y>\n"), Edit(INPUT.index(b"four"), INPUT.index(b"five"), b""))
    assert at(found, b"one") == (1, 1)
    assert at(found, b"b)") == (3, 3)
    assert at(found, b"five") == (5, 1)
    assert at(found, b"<y>") == (1, 1)


def test_words_of_a_replaced_text_are_found_in_the_old_one() -> None:
    start, end = INPUT.index(b"cudaFree"), INPUT.index(b";")
    found = locator(Edit(start, end, b"hipFree(\n\n  (void*)b, 0, a)"))
    assert at(found, b"b, 0") == (3, 3)
    assert at(found, b"a)") == (2, 14)
    assert at(found, b"hipFree") == (2, 5)


def test_a_carriage_return_alone_ends_a_line_for_the_compiler_only() -> None:
    found = Locator(b"// a\r// b\r\nint x;\n", b"// a\r// b\r\nint x;\n", ())
    assert found.find(3, 5) == Place(2, 5)
    assert (found.output.text(3), found.input.text(2)) == ("int x;", "int x;")


def test_lines_of_a_person_lead_to_the_line_before_them() -> None:
    found = locator(
        Edit(0, 3, b"uno"), actual=INPUT.replace(b"one", b"uno").replace(b"four\n", b"mine\nmine too\nfour\n")
    )
    assert found.find(4, 1).line == 3
    assert not found.find(5, 2).exact
    assert at(found, b"four") == (4, 1)
    assert at(found, b"five") == (5, 1)


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 5), st.binary(max_size=6)), max_size=6),
    st.binary(max_size=40),
)
def test_every_byte_that_was_kept_comes_back_to_itself(pieces: list[tuple[int, int, bytes]], data: bytes) -> None:
    edits: list[Edit] = []
    last = 0
    for start, size, text in sorted(pieces):
        if last <= start and start + size <= len(data):
            edits.append(Edit(start, start + size, text))
            last = start + size + 1
    found = locator(*edits, data=data)
    moved = 0
    for offset in range(len(data)):
        moved += sum(len(e.text) - (e.end - e.start) for e in edits if e.end == offset and e.start < e.end)
        moved += sum(len(e.text) for e in edits if e.start == e.end == offset)
        if any(e.start <= offset < e.end for e in edits):
            continue
        place = found.output.place(offset + moved)
        assert found.find(place.line, place.column) == found.input.place(offset)

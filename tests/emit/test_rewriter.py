"""Edits: order, overlap, and every other byte kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify.emit.rewriter import EditConflict, apply
from hipify.model import Edit


def test_edits_are_applied_whatever_their_order() -> None:
    edits = [Edit(8, 10, b""), Edit(0, 4, b"hip"), Edit(4, 4, b"_")]
    assert apply(b"cudaFree(1)", edits) == b"hip_Free)"


def test_insertions_at_one_place_keep_their_order_and_precede_a_replacement_there() -> None:
    edits = [Edit(1, 2, b"X"), Edit(1, 1, b"1"), Edit(1, 1, b"2")]
    assert apply(b"abc", edits) == b"a12Xc"


def test_no_edit_gives_the_same_bytes() -> None:
    data = b"\xef\xbb\xbf\xff\r\n\x80"
    assert apply(data, []) == data


@pytest.mark.parametrize(
    "edits",
    [
        [Edit(0, 2, b""), Edit(1, 3, b"")],
        [Edit(0, 2, b""), Edit(0, 2, b"")],
        [Edit(0, 3, b""), Edit(1, 1, b"x")],
        [Edit(2, 1, b"")],
        [Edit(3, 5, b"")],
        [Edit(-1, 0, b"")],
    ],
)
def test_overlapping_or_outlying_edits_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(EditConflict):
        apply(b"abcd", edits)


@given(st.lists(st.tuples(st.binary(max_size=5), st.binary(max_size=5), st.binary(max_size=5)), max_size=20))
def test_any_alternation_of_kept_and_replaced_parts(parts: list[tuple[bytes, bytes, bytes]]) -> None:
    data, expected, edits = b"", b"", []
    for kept, removed, text in parts:
        data += kept
        edits.append(Edit(len(data), len(data) + len(removed), text))
        data += removed
        expected += kept + text
    assert apply(data, edits) == expected

"""Moves carry pieces of the input with every edit inside them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hipify.emit.rewriter import apply
from hipify.model import Edit
from hipify.rules.moves import Move, compose


def run(data: bytes, edits: list[Edit], moves: list[Move]) -> bytes:
    """The bytes after edits and moves."""
    return apply(data, compose(data, edits, moves))


def test_a_moved_span_takes_its_edits_along():
    edits = [Edit(2, 3, b"X"), Edit(4, 5, b"Y")]
    moves = [Move(2, 3, ((4, 5),), 0), Move(4, 5, ((2, 3),), 0)]
    assert run(b"f(a,b)", edits, moves) == b"f(Y,X)"


def test_a_deleted_span_swallows_its_edits_and_insertions():
    edits = [Edit(2, 2, b"in"), Edit(2, 3, b"X"), Edit(3, 3, b"out"), Edit(5, 5, b"!")]
    assert run(b"f(a,b)", edits, [Move(2, 3, (), 0)]) == b"f(,b!)"


def test_what_others_put_around_an_outer_move_stays():
    edits = [Edit(2, 2, b"W("), Edit(6, 6, b")")]
    assert run(b"f(g(x))", edits, [Move(2, 6, (b"h<", (4, 5), b">"), 0, True)]) == b"f(W(h<x>))"


def test_moves_nest():
    data = b"s(s(1,2),s(3,4))"
    inner = [
        Move(4, 5, ((6, 7),), 1),
        Move(6, 7, ((4, 5),), 1),
        Move(11, 12, ((13, 14),), 2),
        Move(13, 14, ((11, 12),), 2),
    ]
    outer = [Move(2, 8, ((9, 15),), 0), Move(9, 15, ((2, 8),), 0)]
    assert run(data, [], inner + outer) == b"s(s(4,3),s(2,1))"


def test_the_deepest_nesting_does_not_exhaust_the_stack():
    depth = 1000
    data = b"f(" * depth + b"1" + b",2)" * depth
    moves = []
    for level in range(depth):
        first, last = 2 * (level + 1), len(data) - 3 * level - 2
        moves += [Move(first, last - 1, ((last, last + 1),), level), Move(last, last + 1, ((first, last - 1),), level)]
    output = run(data, [], moves)
    assert sorted(output) == sorted(data)
    assert output.startswith(b"f(2,f(2,f(2,")


def test_a_slot_may_wrap_itself():
    assert run(b"f(a)", [Edit(2, 3, b"b")], [Move(2, 3, (b"g(", (2, 3), b")"), 0)]) == b"f(g(b))"


@given(st.binary(min_size=1, max_size=40), st.data())
def test_a_move_to_its_own_place_changes_nothing(data, draw):
    start = draw.draw(st.integers(0, len(data) - 1))
    end = draw.draw(st.integers(start + 1, len(data)))
    at = draw.draw(st.integers(0, len(data) - 1))
    edits = [Edit(at, at + 1, b"#")]
    moves = [Move(start, end, ((start, end),), 0)]
    assert run(data, edits, moves) == run(data, edits, [])

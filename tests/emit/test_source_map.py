"""Lines of the input and of the output find each other."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from hipify.emit.rewriter import apply
from hipify.emit.source_map import SourceMap
from hipify.model import Edit


def mapped(data: bytes, edits: list[Edit]) -> tuple[list[int], list[int]]:
    """For each input line its output line, and for each output line its input line."""
    output = apply(data, edits)
    lines = SourceMap.of(data, output, edits)
    return (
        [lines.output_line(line) for line in range(1, data.count(b"\n") + 2)],
        [lines.input_line(line) for line in range(1, output.count(b"\n") + 2)],
    )


def test_without_line_changes_lines_are_themselves() -> None:
    assert mapped(b"ab\ncd\nef", [Edit(0, 1, b"xyz"), Edit(3, 5, b"")]) == ([1, 2, 3], [1, 2, 3])


def test_a_line_added_at_the_top_moves_all() -> None:
    assert mapped(b"a\nb\n", [Edit(0, 0, b"#include <x>\n")]) == ([2, 3, 4], [1, 1, 2, 3])


def test_a_line_added_in_the_middle_moves_what_follows() -> None:
    assert mapped(b"a\nb\nc", [Edit(2, 2, b"new\nnew\n")]) == ([1, 4, 5], [1, 2, 2, 2, 3])


def test_a_line_added_at_the_end_of_another() -> None:
    assert mapped(b"a\nb\nc", [Edit(1, 1, b"\nnew")]) == ([1, 3, 4], [1, 1, 2, 3])


def test_a_removed_line_leads_to_what_stands_there_now() -> None:
    assert mapped(b"a\nb\nc\nd", [Edit(2, 4, b"")]) == ([1, 2, 2, 3], [1, 3, 4])


def test_a_launch_over_four_lines_joined_into_two() -> None:
    data = b"x\nk<<<a,\n b,\n c\n>>>(d);\ny"
    edit = Edit(2, data.index(b"(d)"), b"launch(k,\n a)")
    assert apply(data, [edit]) == b"x\nlaunch(k,\n a)(d);\ny"
    assert mapped(data, [edit]) == ([1, 2, 3, 3, 3, 4], [1, 2, 3, 6])


def test_several_edits_in_one_line() -> None:
    data = b"p\nab\nq"
    edits = [Edit(2, 3, b"A\n1"), Edit(3, 4, b"B\n2")]
    assert apply(data, edits) == b"p\nA\n1B\n2\nq"
    assert mapped(data, edits) == ([1, 2, 5], [1, 2, 2, 2, 3])


def test_json_round_trip() -> None:
    data = b"a\nb\nc\nd"
    edits = [Edit(0, 0, b"1\n2\n"), Edit(2, 5, b"")]
    lines = SourceMap.of(data, apply(data, edits), edits)
    again = SourceMap.from_dict(json.loads(json.dumps(lines.as_dict())))
    assert again.as_dict() == lines.as_dict()
    assert [again.output_line(line) for line in (1, 2, 4)] == [lines.output_line(line) for line in (1, 2, 4)]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=15))
def test_kept_lines_find_each_other_exactly(blocks: list[tuple[int, int]]) -> None:
    """Whole lines are replaced by whole lines between kept ones: each kept line must be found in both directions."""
    data, output, edits, kept = b"", b"", [], []
    for removed, added in blocks:
        kept.append((data.count(b"\n") + 1, output.count(b"\n") + 1))
        data, output = data + b"kept\n", output + b"kept\n"
        edits.append(Edit(len(data), len(data) + 4 * removed, b"new\n" * added))
        data, output = data + b"old\n" * removed, output + b"new\n" * added
    assert apply(data, edits) == output
    lines = SourceMap.of(data, output, edits)
    assert [lines.output_line(line) for line, _ in kept] == [line for _, line in kept]
    assert [lines.input_line(line) for _, line in kept] == [line for line, _ in kept]

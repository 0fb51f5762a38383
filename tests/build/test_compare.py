"""What counts as the same output."""

from __future__ import annotations

import re

import pytest

from hipify.build.compare import differences


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("sum 1.0", "sum 1.0000001", True),
        ("sum 1.0", "sum 1.001", False),
        ("sum 1e10", "sum 10000000001.0", True),
        ("count 3", "count 4", False),
        ("count 3", "count 3.0", True),
        ("x = nan", "x = nan", True),
        ("x = nan", "x = 1.0", False),
        ("x = inf", "x = inf", True),
        ("PASS  1.5", "PASS 1.5", True),
        ("PASS", "FAIL", False),
        ("a\nb", "a", False),
        ("0.0", "1e-9", True),
        ("-0", "0", True),
        ("-nan", "nan", True),
        ("inf", "-inf", False),
        ("inf", "1e400", False),
        ("1e400", "2e400", False),
        ("1.0e400", "1.0000001e400", True),
        ("1e999999999999", "1e999999999998", False),
        ("9" * 5000, "9" * 4999 + "8", False),
        ("+007", "7", True),
    ],
)
def test_numbers_have_a_tolerance_and_texts_have_none(one: str, other: str, same: bool) -> None:
    assert (list(differences(one.encode(), other.encode())) == []) is same


def test_bytes_that_are_no_text_are_compared_too() -> None:
    assert [d.line for d in differences(b"a\n\xff\n", b"a\n\xfe\n")] == [2]


def test_lines_can_be_left_out_and_keep_their_numbers() -> None:
    found = differences(b"time 3\nx 1\n", b"time 9\nx 2\n", ignored=[re.compile("^time")])
    assert [(d.line, d.expected, d.got, d.why) for d in found] == [(2, "x 1", "x 2", "1 and 2")]

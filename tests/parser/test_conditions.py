"""Conditionals: chains of branches, and conditions over macros that are undefined, defined or not known."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify.parser.conditions import (
    DEFINED,
    UNDEFINED,
    UNKNOWN,
    MacroValue,
    condition_value,
    evaluate,
    find_chains,
)
from hipify.parser.source import Source
from hipify.parser.structure import Structure
from hipify.parser.tokens import Kind, kind_of, tokenize


def environment(name: bytes) -> MacroValue:
    """NO… are undefined, YES… are 1, V7 is 7; nothing is known of others."""
    if name.startswith(b"NO"):
        return UNDEFINED
    if name == b"V7":
        return MacroValue(True, 7)
    return DEFINED if name.startswith(b"YES") else UNKNOWN


def words(text: str) -> list[bytes]:
    """The tokens of an expression."""
    return [t for t in tokenize(text.encode()).text if kind_of(t) not in (Kind.SPACE, Kind.NEWLINE)]


def value(text: str) -> int | None:
    """What an expression comes to."""
    return evaluate(words(text), environment)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("V7 >= 7 && V7 < 8", 1),
        ("V7 >> 1 == 3", 1),
        ("NO >= 700", 0),
        ("!defined(NO) || X", 1),
        ("defined NO && X", 0),
        ("X || 1", 1),
        ("X || 0", None),
        ("X && YES", None),
        ("defined(YES)", 1),
        ("defined X", None),
        ("0x10 == 16 && 010 == 8 && 1'000L == 1000", 1),
        ("-7 / 2 == -3 && -7 % 2 == -1", 1),
        ("1 / NO", None),
        ("YES ? 3 : X", 3),
        ("X ? 2 : 2", 2),
        ("X ? 2 : 3", None),
        ("__has_include(<x.h>)", None),
        ("MACRO(1, 2) > 3 && NO", 0),
        ("true && !false", 1),
        ("~0 == -1 && !0", 1),
        ("1 +", None),
        ("1 2", None),
        ("", None),
        ("1 << 70", None),
    ],
)
def test_an_expression_comes_to(text: str, expected: int | None) -> None:
    assert value(text) == expected


def test_brackets_without_end_are_not_known() -> None:
    assert value("(" * 20000 + "1") is None


@given(st.integers(-50, 50), st.integers(-50, 50), st.integers(1, 50))
def test_arithmetic_is_that_of_c(a: int, b: int, c: int) -> None:
    assert value(f"({a}) * ({b}) - ({a}) + {c}") == a * b - a + c
    quotient = value(f"({a}) / {c}")
    remainder = value(f"({a}) % {c}")
    assert quotient is not None and remainder is not None
    assert quotient * c + remainder == a and abs(remainder) < c and (remainder == 0 or (remainder < 0) == (a < 0))


SAMPLE = b"""\
#if NO
a
# ifdef YES
b
# endif
#elif YES
c
#else
d
#endif
#ifndef NO
e
"""


def test_chains_hold_their_branches_and_parents() -> None:
    structure = Structure(Source(SAMPLE))
    outer, inner, last = find_chains(structure)
    assert [b.directive.name for b in outer.branches] == [b"if", b"elif", b"else"]
    assert inner.parent == (0, 0) and outer.parent is None and last.parent is None
    text = structure.tokens.text
    assert b"c" in text[outer.branches[1].first : outer.branches[1].stop]
    assert last.branches[0].stop == len(text)


def test_the_conditions_of_branches() -> None:
    structure = Structure(Source(SAMPLE))
    outer, inner, last = find_chains(structure)
    values = [[condition_value(structure, b.directive, environment) for b in c.branches] for c in (outer, inner, last)]
    assert values == [[False, True, True], [True], [True]]
    assert condition_value(structure, outer.branches[0].directive, lambda name: UNKNOWN) is None
    assert condition_value(structure, inner.branches[0].directive, lambda name: UNDEFINED) is False


def test_stray_directives_make_no_chain() -> None:
    assert find_chains(Structure(Source(b"#else\n#endif\n#elif 1\n"))) == []

"""Compare what two programs print: word by word, numbers with a tolerance."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|inf(?:inity)?\b|nan\b)", re.IGNORECASE)
_INFINITE = re.compile(r"inf", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Difference:
    """A line that is not the same: its number, and both texts ('' where one output has ended)."""

    line: int
    expected: str
    got: str
    why: str


def differences(
    expected: bytes, got: bytes, tolerance: float = 1e-5, ignored: Sequence[re.Pattern[str]] = ()
) -> Iterator[Difference]:
    """The lines that differ by more than the tolerance; lines that match an ignored pattern are left out of both."""
    left, right = (_lines(data, ignored) for data in (expected, got))
    for number in range(max(len(left), len(right))):
        at, text = left[number] if number < len(left) else (number + 1, "")
        _, other = right[number] if number < len(right) else (number + 1, "")
        if number >= len(left) or number >= len(right):
            yield Difference(at, text, other, "one output has no such line")
        elif why := line_differs(text, other, tolerance):
            yield Difference(at, text, other, why)


def _lines(data: bytes, ignored: Sequence[re.Pattern[str]]) -> list[tuple[int, str]]:
    lines = enumerate(data.decode("utf-8", "surrogateescape").splitlines(), 1)
    return [(number, line.rstrip()) for number, line in lines if not any(p.search(line) for p in ignored)]


def line_differs(expected: str, got: str, tolerance: float) -> str:
    """Why two lines are not the same; nothing where they are."""
    if expected == got:
        return ""
    one, other = _NUMBER.split(expected), _NUMBER.split(got)
    if [" ".join(text.split()) for text in one] != [" ".join(text.split()) for text in other]:
        return "the texts differ"
    for a, b in zip(_NUMBER.findall(expected), _NUMBER.findall(got), strict=True):
        if a != b and not _close(a, b, tolerance):
            return f"{a} and {b}"
    return ""


def _close(a: str, b: str, tolerance: float) -> bool:
    """Integers must be equal; where either number has a point or an exponent, the tolerance holds for both."""
    if not re.search(r"[.eEnN]", a + b):
        return _whole(a) == _whole(b)
    x, y = float(a), float(b)
    if math.isnan(x) or math.isnan(y):
        return math.isnan(x) and math.isnan(y)
    if math.isinf(x) and math.isinf(y) and not (_INFINITE.search(a) and _INFINITE.search(b)):
        return _same_beyond_floats(a, b, tolerance)
    return math.isclose(x, y, rel_tol=tolerance, abs_tol=tolerance)


def _whole(text: str) -> tuple[bool, str]:
    """An integer's sign and digits: it may have more of them than int() reads."""
    digits = text.lstrip("+-").lstrip("0")
    return bool(digits) and text.startswith("-"), digits


def _same_beyond_floats(a: str, b: str, tolerance: float) -> bool:
    """Whether two numbers are close that float() takes for infinite, one of which is not."""
    from decimal import MAX_EMAX, Context, Decimal, localcontext

    if _INFINITE.search(a) or _INFINITE.search(b):
        return False
    with localcontext(Context(traps=[], Emax=MAX_EMAX)):
        x, y = Decimal(a), Decimal(b)
        return bool(abs(x - y) <= Decimal(tolerance) * max(abs(x), abs(y)))

"""How much work a person has left with a file: a grade by rules, and the reasons for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from hipify.model import Finding, Severity
from hipify.records import NamedTuple

GRADES = ("none", "low", "medium", "high")

# Points of the first finding of an id in a file, by family: renaming by hand is quick, another algorithm is not.
_FIRST = {"1": 2.0, "2": 3.0, "3": 4.0, "4": 6.0, "5": 4.0, "6": 1.0, "7": 4.0, "8": 2.0, "9": 1.0}
_OTHER = 2.0
# Who has solved one spot needs less time for the next of the same id.
_AGAIN = 0.25
_SHARE = {Severity.ERROR: 1.0, Severity.WARNING: 0.4, Severity.NOTE: 0.0}
# Up to so many points a file is of that grade; more is high.
_LIMITS = ((0.0, "none"), (4.0, "low"), (16.0, "medium"))
_SHOWN = 6

RULES = (
    "Points by file. The first error of an id counts by its family: 1 guards and the input itself, 2 API names and "
    "build files, 3 launches, 4 warps, memory and libraries, 6 PTX and tensor cores. A warning counts 0.4 of that, "
    "each further finding of the same id a quarter, a note nothing. "
    "None is 0 points, low up to 4, medium up to 16, high above, or when the file could not be read."
)


class Effort(NamedTuple):
    """The grade of one file, its points, and what they are made of, the most expensive first."""

    grade: str
    points: float
    reasons: tuple[str, ...]


def of(findings: Iterable[Finding], failure: str = "") -> Effort:
    """The effort that findings stand for; `failure` says why a file could not be dealt with at all."""
    if failure:
        return Effort("high", 0.0, (f"not translated: {failure}",))
    numbers = Counter((finding.id, finding.severity) for finding in findings)
    parts = [(_points(identity, severity, n), identity, severity, n) for (identity, severity), n in numbers.items()]
    parts = sorted((part for part in parts if part[0]), key=lambda part: (-part[0], part[1], part[2]))
    total = sum(part[0] for part in parts)
    grade = next((name for limit, name in _LIMITS if total <= limit), "high")
    reasons = [_reason(*part) for part in parts[:_SHOWN]]
    if len(parts) > _SHOWN:
        reasons.append(f"{len(parts) - _SHOWN} more: {sum(part[0] for part in parts[_SHOWN:]):.1f} points")
    return Effort(grade, total, tuple(reasons))


def _points(identity: str, severity: Severity, number: int) -> float:
    return _FIRST.get(identity[3:4], _OTHER) * _SHARE[severity] * (1 + _AGAIN * (number - 1))


def _reason(points: float, identity: str, severity: Severity, number: int) -> str:
    return f"{number} × {identity} ({severity.label}): {points:.1f} points"

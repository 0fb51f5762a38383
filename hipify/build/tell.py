"""How a build's messages are printed: grouped by cause, each with the CUDA line and the HIP line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hipify.build.homing import Arrival
from hipify.model import Severity

_MOST_ERRORS, _MOST_WARNINGS = 50, 3


def causes(arrivals: Iterable[Arrival]) -> list[list[Arrival]]:
    """The messages with the same text together, errors first, the most frequent first."""
    groups: dict[tuple[Severity, str], list[Arrival]] = {}
    for arrival in arrivals:
        groups.setdefault((arrival.severity, arrival.diagnostic.text), []).append(arrival)
    return [group for _, group in sorted(groups.items(), key=lambda item: (-item[0][0], -len(item[1]), item[0][1]))]


def lines(arrivals: Sequence[Arrival]) -> Iterator[str]:
    """All messages: each as a finding's line, with both texts below it."""
    for group in causes(arrivals):
        most = _MOST_ERRORS if group[0].severity is Severity.ERROR else _MOST_WARNINGS
        if len(group) > 1:
            yield f"{len(group)} times: {group[0].severity.label}: {group[0].diagnostic.text}"
        for arrival in group[:most]:
            yield from place_lines(arrival)
        if len(group) > most:
            yield f"  ... and {len(group) - most} more places of the same cause, which the reports list"


def place_lines(arrival: Arrival) -> Iterator[str]:
    """One message."""
    place = arrival.place
    yield f"{arrival.home.path}:{place.line}:{place.column}: {arrival.severity.label}: HPY901 {arrival.message()}"
    if not arrival.diagnostic.spot.line and not arrival.diagnostic.symbol:
        return  # it is about no line
    cuda, hip = arrival.texts
    yield f"    CUDA {place.line}: {cuda}"
    yield f"    HIP {arrival.output.line}: {hip}"


def summary(arrivals: Sequence[Arrival]) -> str:
    """`3 errors of 2 causes (1 foretold, 2 not), 4 warnings`; nothing where there is nothing to tell."""
    errors = [a for a in arrivals if a.severity is Severity.ERROR]
    warnings = len(arrivals) - len(errors)
    parts = []
    if errors:
        foretold = sum(1 for arrival in errors if arrival.foretold is not None)
        number = len(causes(errors))
        parts.append(
            f"{_count(len(errors), 'error')} of {_count(number, 'cause')} "
            f"({foretold} foretold by findings, {len(errors) - foretold} not)"
        )
    if warnings:
        parts.append(_count(warnings, "warning"))
    return ", ".join(parts)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"

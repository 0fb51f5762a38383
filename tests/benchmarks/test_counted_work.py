"""The guard against becoming slow: work is counted and compared with what was recorded, never timed.

A count that rises on purpose is recorded anew with `python -m benchmarks.counted`.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

import hipify
from benchmarks import counted
from benchmarks.counted import Counts, totals

MARGIN = 1.02
SLACK = 2
COUNTS = (
    "files parsed by clang",
    "calls of libclang",
    "cursors asked for",
    "tokens",
    "rows looked up",
    "calls of our functions",
    "edits",
)


@pytest.fixture(scope="module")
def now() -> dict[str, Any]:
    return counted.in_new_process()


@pytest.fixture(scope="module")
def recorded() -> dict[str, Any]:
    record: dict[str, Any] = json.loads(counted.RECORD.read_text())
    return record


def too_many(known: Counts, found: Counts) -> list[str]:
    """The counts that rose by more than the margin, each with its figures."""
    return [
        f"{name}: {found[name]:,}, was {known[name]:,}"
        for name in known
        if found.get(name, 0) > known[name] * MARGIN + SLACK
    ]


def risen(known: dict[str, Counts], found: dict[str, Counts], name: str) -> str:
    """The programs in which a count rose the most."""
    rises = {program: found[program].get(name, 0) - known[program].get(name, 0) for program in known}
    most = sorted(rises.items(), key=lambda item: -item[1])[:5]
    return ", ".join(f"{program} +{rise:,}" for program, rise in most if rise > 0)


def test_every_program_is_recorded(now: dict[str, Any], recorded: dict[str, Any]) -> None:
    assert sorted(now["programs"]) == sorted(recorded["programs"]), "record them: python -m benchmarks.counted"


@pytest.mark.parametrize("name", COUNTS)
def test_work_over_the_corpus(now: dict[str, Any], recorded: dict[str, Any], name: str) -> None:
    known, found = totals(recorded["programs"]), totals(now["programs"])
    assert found[name] > 0, "nothing was counted"
    problem = too_many({name: known[name]}, found)
    assert not problem, f"{problem[0]}; most in {risen(recorded['programs'], now['programs'], name)}"


def test_twice_the_lines_are_twice_the_work(now: dict[str, Any]) -> None:
    growth: Counts = now["growth"]
    assert {"calls of our functions", "calls of libclang", "tokens"} <= set(growth)
    assert {name: value / 1000 for name, value in growth.items() if value > 2050} == {}


def test_modules_that_start_up_loads(now: dict[str, Any], recorded: dict[str, Any]) -> None:
    assert sorted(now["modules"]) == sorted(recorded["modules"])
    assert too_many(recorded["modules"], now["modules"]) == []


def test_counts_see_the_work() -> None:
    """A translation that asks clang twice as much, and reads twice the tokens, counts so."""
    one, two = (b"void f%d(void* p) { cudaFree(p); }\n" % i for i in range(2))
    counts: Counter[str] = Counter()
    with counted.counting(counts):
        hipify.translate_source(one)
        first = dict(counts)
        hipify.translate_source(one + two)
    assert counts["files parsed by clang"] == 2
    assert counts["cursors asked for"] > 2 * first["cursors asked for"] > 0
    assert counts["tokens"] == 3 * first["tokens"] > 0
    assert counts["rows looked up"] > first["rows looked up"] > 0
    assert counts["calls of our functions"] > first["calls of our functions"] > 0


def test_counting_ends() -> None:
    counts: Counter[str] = Counter()
    with counted.counting(counts):
        hipify.translate_source(b"void f(void* p) { cudaFree(p); }\n")
    before = dict(counts)
    hipify.translate_source(b"void f(void* p) { cudaFree(p); }\n")
    assert dict(counts) == before


def test_a_rise_is_told() -> None:
    known = {"a": {"tokens": 1000}, "b": {"tokens": 1000}}
    found = {"a": {"tokens": 1000}, "b": {"tokens": 1100}}
    assert too_many(totals(known), totals(found)) == ["tokens: 2,100, was 2,000"]
    assert risen(known, found, "tokens") == "b +100"
    assert too_many(totals(known), {"tokens": 2039}) == []

"""Patterns that wait for their first use behave as compiled ones, and every one in the package compiles."""

from __future__ import annotations

import importlib
import pkgutil
import re

import pytest

import hipify
from hipify.patterns import _Lazy, lazy


def test_a_lazy_pattern_answers_as_a_compiled_one() -> None:
    waiting, compiled = lazy(r"(\d+)-(\w)", re.ASCII), re.compile(r"(\d+)-(\w)", re.ASCII)
    match = waiting.fullmatch("12-x")
    assert match is not None and match.groups() == ("12", "x")
    assert waiting.sub(r"\2", "1-a 2-b") == compiled.sub(r"\2", "1-a 2-b") == "a b"
    assert (waiting.pattern, waiting.flags, waiting.groups) == (compiled.pattern, compiled.flags, compiled.groups)


def test_a_wrong_pattern_is_an_error_at_its_first_use() -> None:
    wrong = lazy(b"(")
    with pytest.raises(re.error):
        wrong.search(b"x")


def test_every_pattern_of_the_package_compiles() -> None:
    found = 0
    for info in pkgutil.walk_packages(hipify.__path__, "hipify."):
        if info.name.endswith("__main__"):
            continue
        for value in vars(importlib.import_module(info.name)).values():
            if isinstance(value, _Lazy):
                assert isinstance(value.pattern, str | bytes)
                found += 1
    assert found > 50

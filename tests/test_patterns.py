"""Patterns that wait for their first use behave as compiled ones, and every one in the package compiles."""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hipify
from hipify import patterns, user_cache
from hipify.patterns import _compiled, _Lazy, _parts, keep, lazy


@pytest.fixture
def nothing_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache, and a process that has compiled nothing yet; gives where patterns are kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(patterns, "_new", set())
    patterns._kept.cache_clear()
    yield Path(patterns._place())
    patterns._kept.cache_clear()


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


def _all() -> list[tuple[str | bytes, int]]:
    modules = [info.name for info in pkgutil.walk_packages(hipify.__path__, "hipify.") if "__main__" not in info.name]
    values = [value for name in modules for value in vars(importlib.import_module(name)).values()]
    return sorted({value._made_from for value in values if isinstance(value, _Lazy)}, key=repr)


def test_kept_patterns_are_those_that_python_compiles(nothing_known: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = {key: _compiled(key) for key in _all()}
    keep()
    patterns._kept.cache_clear()

    def refuse(*key: object) -> None:
        raise AssertionError(f"compiled again: {key}")

    with monkeypatch.context() as patched:
        patched.setattr(re, "compile", refuse)
        made = {key: _compiled(key) for key in compiled}
    for key, pattern in compiled.items():
        again = made[key]
        assert again is not pattern
        assert again == pattern  # Python compares the code that the matcher runs
        assert again.groupindex == pattern.groupindex


def test_what_is_kept_grows_with_what_is_used(nothing_known: Path) -> None:
    for text in ("a+", "b+"):
        assert lazy(text).match(text)
        keep()
    patterns._kept.cache_clear()
    assert {("a+", 0), ("b+", 0)} == set(patterns._kept())
    before = nothing_known.stat().st_mtime_ns
    assert lazy("a+").match("a")
    keep()
    assert nothing_known.stat().st_mtime_ns == before


@pytest.mark.parametrize("damage", ["no file", "other bytes", "other code", "other Python", "no tuple"])
def test_what_is_damaged_is_compiled(nothing_known: Path, damage: str) -> None:
    import marshal

    key = (r"(?P<one>\d)x*", 0)
    parts = _parts(key)
    assert parts is not None
    broken: dict[str, Any] = {"other code": {key: (parts[0], b"\1\2\3\4", *parts[2:])}, "no tuple": {key: 5}}
    body = marshal.dumps(broken.get(damage, {key: parts}))
    user_cache.seal(str(nothing_known), "2.7" if damage == "other Python" else sys.version, body)
    if damage == "no file":
        nothing_known.unlink()
    elif damage == "other bytes":
        nothing_known.write_bytes(nothing_known.read_bytes()[:-1] + b"\1")
    match = _compiled(key).match("7xx")
    assert match is not None and match["one"] == "7"


def test_a_python_with_another_compiler_keeps_nothing(nothing_known: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from re import _compiler  # type: ignore[attr-defined]

    with monkeypatch.context() as patched:
        patched.delattr(_compiler, "_code")
        assert _parts(("a", 0)) is None
    monkeypatch.setattr(patterns, "_parts", lambda key: None)
    assert lazy("a").match("a")
    keep()
    patterns._kept.cache_clear()
    assert patterns._kept() == {}

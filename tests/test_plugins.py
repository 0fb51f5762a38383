"""Modules found in a package's folder are those that pkgutil finds."""

from __future__ import annotations

from pathlib import Path
from pkgutil import iter_modules

from hipify import plugins
from hipify.cli import commands
from hipify.rules import checks, passes


def test_names_are_those_that_pkgutil_finds() -> None:
    for package in (commands, checks, passes):
        expected = sorted(m.name for m in iter_modules(package.__path__) if not m.name.startswith("_"))
        assert plugins.names(package.__path__) == expected
        assert expected


def test_only_public_modules_count(tmp_path: Path) -> None:
    for name in ("one.py", "_two.py", "three.txt", "__init__.py", "four.py.swp"):
        (tmp_path / name).touch()
    assert plugins.names([str(tmp_path)]) == ["one"]

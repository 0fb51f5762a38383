"""Modules that are found by lying in a package's folder: nothing registers them."""

from __future__ import annotations

from collections.abc import Iterable
from os import listdir


def names(folders: Iterable[str]) -> list[str]:
    """The modules of a package, given its `__path__`, in order; those whose names start with `_` are left out."""
    # pkgutil does the same after importing inspect, which takes longer than reading a source file takes.
    found = {
        stem
        for folder in folders
        for stem, dot, ending in (entry.partition(".") for entry in _entries(folder))
        if dot and ending in ("py", "pyc") and not stem.startswith("_")
    }
    return sorted(found)


def _entries(folder: str) -> list[str]:
    """What lies in a folder; nothing where it cannot be read, as for an import."""
    try:
        return listdir(folder)  # noqa: PTH208
    except OSError:
        return []

"""Name the outputs: names kept or given a suffix, `cuda` in paths replaced on request, no two at one place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from hipify.patterns import lazy
from hipify.project.discover import Entry, Kind

HEADER_SUFFIX = ".hip.hpp"
_CUDA = lazy(r"cuda", re.IGNORECASE)
_SPELLINGS = {"cuda": "hip", "CUDA": "HIP", "Cuda": "Hip"}


def name_outputs(
    entries: Iterable[Entry], suffix: str = "same", rename_paths: bool = False, fold_case: bool = False
) -> dict[str, str]:
    """The output's path of each entry's path.

    No two are equal; a name that is new is not even equal to another in all but case. With `fold_case`, for file
    systems that cannot tell cases apart, no name is.
    """
    wanted = [(entry.path, _wanted(entry, suffix, rename_paths)) for entry in entries]
    taken: set[str] = set()
    folded: set[str] = set()
    names: dict[str, str] = {}
    # What keeps its name comes first, so that nothing else can take it.
    for path, name in sorted(wanted, key=lambda pair: (pair[0] != pair[1], pair[0])):
        kept = path == name and not fold_case
        if name in taken or (not kept and name.casefold() in folded):
            name = _free(path, name, folded)
        taken.add(name)
        folded.add(name.casefold())
        names[path] = name
    return names


def _wanted(entry: Entry, suffix: str, rename_paths: bool) -> str:
    path = rename(entry.path) if rename_paths else entry.path
    if suffix == "same" or entry.kind is not Kind.CUDA:
        return path
    stem, template = (path.removesuffix(".in"), ".in") if path.endswith(".in") else (path, "")
    if stem.endswith(".cu"):
        return stem.removesuffix(".cu") + suffix + template
    if stem.endswith(".cuh"):
        return stem.removesuffix(".cuh") + HEADER_SUFFIX + template
    return path


def rename(path: str) -> str:
    """The path with `cuda` replaced by `hip`, in the case it is written in."""
    return _CUDA.sub(lambda m: _SPELLINGS.get(m[0], "hip"), path)


def _free(path: str, name: str, folded: set[str]) -> str:
    """A name near the wanted one that nobody has: with the input's whole name in it, then with numbers."""
    old, new = PurePosixPath(path), PurePosixPath(name)
    stem = new.name.partition(".")[0]
    rest = new.name[len(stem) :]
    candidates = [f"{old.name}{rest}" if rest != old.suffix else ""]
    number = 2
    while True:
        for candidate in filter(None, candidates):
            free = str(new.with_name(candidate))
            if free.casefold() not in folded:
                return free
        candidates = [f"{stem}-{number}{rest}"]
        number += 1

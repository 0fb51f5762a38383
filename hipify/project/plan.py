"""Name the outputs: names kept or given a suffix, `cuda` in paths replaced on request, no two at one place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from hipify.patterns import lazy
from hipify.project.tree import Entry, Kind, walk_parents

if TYPE_CHECKING:
    from hipify.project.state import Row

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
    listed = list(entries)
    folders = _folders(listed) if rename_paths else {}
    wanted = [(entry.path, _wanted(entry, suffix, folders)) for entry in listed]
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


def _folders(entries: Iterable[Entry]) -> dict[str, str]:
    """The new names of folders. One whose new name is another folder's keeps its own: trees do not run together."""
    found = {"": ""}
    old = {folder for entry in entries for folder in walk_parents(entry.path)}
    for folder in sorted(old):
        parent, _, name = folder.rpartition("/")
        new = f"{found[parent]}/{rename(name)}".lstrip("/")
        taken = new != folder and (new in old or new in found.values())
        found[folder] = f"{found[parent]}/{name}".lstrip("/") if taken else new
    return found


def _wanted(entry: Entry, suffix: str, folders: Mapping[str, str]) -> str:
    path = entry.path
    if folders:
        folder, _, name = path.rpartition("/")
        path = f"{folders[folder]}/{rename(name)}".lstrip("/")
    if suffix == "same" or entry.kind is not Kind.CUDA:
        return path
    stem, template = (path.removesuffix(".in"), ".in") if path.endswith(".in") else (path, "")
    if stem.endswith(".cu"):
        return stem.removesuffix(".cu") + suffix + template
    if stem.endswith(".cuh"):
        return stem.removesuffix(".cuh") + HEADER_SUFFIX + template
    return path


def obstacles(rows: Iterable[Row], names: Mapping[str, str]) -> list[Row]:
    """The rows of vanished inputs whose outputs lie where a folder must be now, or in what must be a file now."""
    gone = [row for row in rows if row.input not in names and not row.input.startswith("helper:")]
    if not gone:
        return []
    outputs = set(names.values())
    folders = {folder for name in outputs for folder in walk_parents(name)}
    return [row for row in gone if row.output in folders or any(p in outputs for p in walk_parents(row.output))]


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

"""What a source tree holds: its files and links, each with what is done with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

UNTOLD = True, b""
"""Among a file's includes: one that a macro names."""


class Kind(Enum):
    """What is done with a file."""

    CUDA = "translate"
    PLAIN = "source without CUDA"
    BUILD = "build file"
    COPY = "copy"
    LINK = "link"


@dataclass(slots=True)
class Entry:
    """One file (or link) of the tree. Paths are relative to its root, with slashes."""

    path: str
    kind: Kind
    size: int = 0
    digest: str = ""
    includes: tuple[tuple[bool, bytes], ...] = ()
    """(angled, name) of each include, as written."""
    build: str = ""
    executable: bool = False
    warps: bool = False
    """Whether a source names CUDA's warp built-ins with masks, or cooperative groups."""
    target: str = ""
    """Where a link leads: relative to the root when it leads to a place inside, else as it is."""
    inside: bool = False


@dataclass
class Tree:
    """What was found, in order of path."""

    root: Path
    entries: list[Entry] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    third_party: list[str] = field(default_factory=list)
    partial: bool = False
    """Whether includes may lead to files below the root that are no entries: left out, or behind links to folders."""


def by_path(tree: Tree) -> dict[str, Entry]:
    """The entries by their paths."""
    return {entry.path: entry for entry in tree.entries}


def walk_parents(path: str) -> Iterator[str]:
    """The folders above a path, the nearest first, the root ('') last."""
    while path:
        path = path.rpartition("/")[0]
        yield path

"""What earlier runs over a tree have made without clang, in the user's cache: for output folders that are new.

A translation with clang is kept by itself (hipify.kept). Without clang, looking for each file's would take a good part
of making it, so that all of a tree's are in one file, by what decides each: the hash that its state row has.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from hipify import user_cache
from hipify.fingerprints import fingerprint
from hipify.project.kept import Kept

_FOLDER = "trees"
_LIMIT = 256 << 20
_LARGEST = 16 << 20
"""Bytes of the outputs of one tree: those of a larger one are not held in memory to be kept."""


class Known:
    """The outcomes by file and by the hash of what each depends on; `maker` names the tool that made them."""

    def __init__(self, source: Path, maker: str) -> None:
        self._place = f"{user_cache.folder()}/{_FOLDER}/{fingerprint(os.fsencode(os.path.realpath(source)))}"
        self._maker = f"1 {maker}"
        self._made: dict[str, tuple[str, Kept]] = {}
        self._size = 0
        self._more = False
        with suppress(ValueError, EOFError, TypeError):
            found = marshal.loads(user_cache.sealed(self._place, self._maker))
            self._made = {path: (key, Kept(*values)) for path, (key, *values) in found.items()}

    def __len__(self) -> int:
        return len(self._made)

    def get(self, path: str, key: str) -> Kept | None:
        """What was made of a file; None where it was made of something else."""
        found = self._made.get(path)
        return found[1] if found is not None and found[0] == key else None

    def put(self, path: str, key: str, made: Kept) -> None:
        """Note what was made of a file now; failures are tried again."""
        self._size += len(made.output)
        if self._size > _LARGEST:
            self._made.clear()
        elif not made.failed and not made.hurried:
            self._made[path] = key, made
            self._more = True

    def write(self, present: Collection[str]) -> None:
        """Keep those of the files that are there for later runs; where that cannot be, nothing is kept."""
        there = {path: (key, *made) for path, (key, made) in self._made.items() if path in present}
        size = sum(len(made.output) for _, made in self._made.values())
        if not self._more or max(size, self._size) > _LARGEST:
            return
        with suppress(OSError):
            user_cache.seal(self._place, self._maker, marshal.dumps(there))
            user_cache.forget_below(_FOLDER, _LIMIT)

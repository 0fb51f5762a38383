"""What the files of a tree include from outside of it: these are read by clang, too, and a change there counts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from hipify.included import TOOLKIT, Headers, searched
from hipify.model import Options

_SYSTEM = ("/usr/include", "/usr/lib", "/usr/share", "/usr/local/include")


class Beyond:
    """The files outside of a tree that includes may lead to, each read once a run.

    `options` are those of all sources: their include folders outside of the tree count for every file, so that what
    is redone may be more than what must be. The system's and CUDA's own folders do not count.
    """

    def __init__(self, root: str, options: Iterable[Options]) -> None:
        self._root = root
        self._headers = Headers()
        self._known: dict[tuple[str, str], str] = {}
        found: dict[str, None] = {}
        forced: dict[str, None] = {}
        for given in options:
            folders, files = searched(given) or (list(given.include_dirs), [])
            found.update(dict.fromkeys(folders))
            forced.update(dict.fromkeys(files))
        self._all = tuple(folder for folder in found if _is_somebodys(folder))
        self._folders = tuple(folder for folder in self._all if not _is_below(folder, self._root))
        self._forced = "".join(self._of(".", name) for name in forced)

    def state(self, path: str, includes: Sequence[tuple[bool, bytes]]) -> str:
        """What the includes of a file lead to out there; nothing where they lead nowhere."""
        parts = [self._forced] if self._forced else []
        own = os.path.join(self._root, os.path.dirname(path))  # noqa: PTH118, PTH120
        for _, raw in includes:
            name = raw.decode("utf-8", "surrogateescape")
            if not name:
                continue
            leaves = ".." in name or name.startswith("/")
            for place in (own, *self._all) if leaves else self._folders:
                if found := self._of(place, name):
                    parts.append(found)
        return "\0".join(parts)

    def _of(self, folder: str, name: str) -> str:
        found = self._known.get((folder, name))
        if found is None:
            path = os.path.join(folder, name)  # noqa: PTH118
            found = self._headers.of_header(path, self._all) if os.path.isfile(path) else ""  # noqa: PTH113
            self._known[folder, name] = found
        return found


def _is_somebodys(folder: str) -> bool:
    """Whether a folder is neither the system's nor one of a CUDA toolkit."""
    return not any(_is_below(folder, place) for place in _SYSTEM) and not Path(folder, TOOLKIT).is_file()


def _is_below(folder: str, place: str) -> bool:
    return f"{os.path.realpath(folder)}/".startswith(f"{place}/")

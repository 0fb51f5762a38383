"""What the files of a tree include from outside of it, or of what it leaves out: a change there counts, too."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Sequence
from pathlib import Path

from hipify.included import TOOLKIT, Headers, searched
from hipify.model import Options

_SYSTEM = ("/usr/include", "/usr/lib", "/usr/share", "/usr/local/include")


class Beyond:
    """The files outside of a tree that includes may lead to, each read once a run.

    `options` are those of all sources: their include folders outside of the tree count for every file, so that what
    is redone may be more than what must be. The system's and CUDA's own folders do not count. `entries`, where some of
    the tree is left out, are the files that are not: what else lies below the root is as good as outside.
    """

    def __init__(self, root: str, options: Iterable[Options], entries: Container[str] | None = None) -> None:
        self._root = root
        self._entries = entries
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
        if entries is not None:  # so that each file has one name
            self._all = tuple(map(os.path.realpath, self._all))

    @property
    def is_within(self) -> bool:
        """Whether some of the tree is left out."""
        return self._entries is not None

    def state(self, path: str, includes: Sequence[tuple[bool, bytes]], guessed: Iterable[str] = ()) -> str:
        """What the includes of a file lead to out there; nothing where they lead nowhere.

        `guessed` are further include folders within the tree; they count where some of it is left out.
        """
        parts = [self._forced] if self._forced else []
        own = os.path.join(self._root, os.path.dirname(path))  # noqa: PTH118, PTH120
        more = [os.path.join(self._root, folder) for folder in guessed]  # noqa: PTH118
        for _, raw in includes:
            name = raw.decode("utf-8", "surrogateescape")
            if not name:
                continue
            leaves = self.is_within or ".." in name or name.startswith("/")
            for place in (own, *self._all, *more) if leaves else self._folders:
                if found := self._of(place, name):
                    parts.append(found)
        return "\0".join(parts)

    def _of(self, folder: str, name: str) -> str:
        found = self._known.get((folder, name))
        if found is None:
            path = os.path.join(folder, name)  # noqa: PTH118
            counts = not self._is_entry(path) and os.path.isfile(path)  # noqa: PTH113
            found = self._headers.of_header(path, self._all) if counts else ""
            self._known[folder, name] = found
        return found

    def _is_entry(self, path: str) -> bool:
        """Whether a file is one of the tree, which counts by itself."""
        return self._entries is not None and os.path.normpath(path).removeprefix(f"{self._root}/") in self._entries


def _is_somebodys(folder: str) -> bool:
    """Whether a folder is neither the system's nor one of a CUDA toolkit."""
    return not any(_is_below(folder, place) for place in _SYSTEM) and not Path(folder, TOOLKIT).is_file()


def _is_below(folder: str, place: str) -> bool:
    return f"{os.path.realpath(folder)}/".startswith(f"{place}/")

"""Names that are safe on a command line: hipcc and nvcc make a text for a shell of their words, and not with care."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from threading import Lock

_PLAIN = re.compile(r"[\w\-+=./ @%~]+")  # nvcc splits many a word at a comma
_PLAIN_LIBRARY = re.compile(r"[\w\-+=./@%~,]+")
_LIBRARIES = (".a", ".lo")


def is_plain(text: str) -> bool:
    """Whether no letter of a text means anything to a shell, or to nvcc."""
    return _PLAIN.fullmatch(text) is not None


class PlainNames:
    """Links in a private folder that stand for the files and folders whose own names are not safe."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "links"
        self._made: dict[str, str] = {}
        self._lock = Lock()

    def folder(self, path: str) -> str:
        """A folder's path, or a link to it."""
        return path if is_plain(path) else self._link(path)

    def linked(self, word: str) -> str:
        """A word for the linker: hipcc unpacks archives with a shell, and takes the true names of links."""
        if word.endswith(_LIBRARIES) and not word.startswith("-"):
            return word if _PLAIN_LIBRARY.fullmatch(word) else self._copy(word)
        if word.startswith("-L"):
            return f"-L{self.folder(word[2:])}"
        return word if word.startswith("-") or is_plain(word) or not os.path.isfile(word) else self._link(word)  # noqa: PTH113

    def _link(self, path: str) -> str:
        with self._lock:
            if path not in self._made:
                place = self._place(path)
                place.symlink_to(path)
                self._made[path] = str(place)
            return self._made[path]

    def _copy(self, path: str) -> str:
        with self._lock:
            if path not in self._made:
                place = self._place(path)
                shutil.copyfile(path, place)
                self._made[path] = str(place)
            return self._made[path]

    def _place(self, path: str) -> Path:
        self._folder.mkdir(exist_ok=True)
        ending = Path(path).suffix
        return self._folder / f"{len(self._made)}{ending if is_plain(ending) else ''}"

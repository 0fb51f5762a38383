"""What a file includes of its project, by content: the part of a result's key that is not the file itself."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from hipify.fingerprints import fingerprint
from hipify.model import Options
from hipify.patterns import lazy

_INCLUDE = lazy(
    rb"(?:^[ \t]*#[ \t]*(?:include(?:_next)?|import)|\b__has_include[ \t]*\()[ \t]*(?:\"([^\"\n]+)\"|<([^>\n]+)>|(\w))",
    re.MULTILINE,
)
_JOINED = ("-isystem", "-iquote", "-idirafter", "-I")
_MOST = 5000
TOOLKIT = "cuda_runtime_api.h"
"""A folder with this header is one of a CUDA toolkit, and none of the project's."""

Names = tuple[tuple[bool, str], ...]
"""What a file includes: whether in quotes, and the name."""


class Headers:
    """The includes of many files, each header read once."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[str, Names | None]] = {}
        self._found: dict[tuple[str, str], str] = {}

    def digest(self, path: str, data: bytes, options: Options) -> str | None:
        """A fingerprint of what a file includes from its own folder and the include folders, and of what is not there.

        None when that cannot be told without a preprocessor (`#include MACRO`).
        """
        folders, forced = _folders(options)
        names = _includes(data)
        if names is None:
            return None
        state = [place for place in folders if os.path.isfile(os.path.join(place, TOOLKIT))]
        queue = [(os.path.dirname(path) or ".", (*names, *((True, name) for name in forced)))]
        seen: set[str] = set()
        while queue:
            folder, included = queue.pop()
            for quoted, name in included:
                header = self._resolve(folder if quoted else "", folders, name)
                # Rules ask whether `<name>` is the project's own, clang does not.
                beside = "" if quoted else self._resolve(folder, (), name)
                state += (name, header, beside)
                if not header or header in seen:
                    continue
                seen.add(header)
                content, inner = self._header(header)
                if inner is None or len(seen) > _MOST:
                    return None
                state.append(content)
                queue.append((os.path.dirname(header), inner))
        return fingerprint("\0".join(state).encode("utf-8", "surrogateescape"))

    def _resolve(self, folder: str, folders: Sequence[str], name: str) -> str:
        """The file that an include means; '' for one that is none of the project's."""
        for place in (folder, *folders) if folder else folders:
            known = self._found.get((place, name))
            if known is None:
                path = os.path.join(place, name)
                known = self._found[place, name] = path if os.path.isfile(path) else ""
            if known:
                return known
        return ""

    def _header(self, path: str) -> tuple[str, Names | None]:
        if path not in self._read:
            try:
                with open(path, "rb") as stream:
                    data = stream.read()
            except OSError:
                self._read[path] = "", None
            else:
                self._read[path] = fingerprint(data), _includes(data)
        return self._read[path]


def _includes(data: bytes) -> Names | None:
    """What the directives of a file name, in all branches; None when a macro names it."""
    found: list[tuple[bool, str]] = []
    for match in _INCLUDE.finditer(data):
        if match[3] is not None:
            return None
        name = match[1] if match[1] is not None else match[2]
        found.append((match[1] is not None, name.decode("utf-8", "surrogateescape")))
    return tuple(found)


def _folders(options: Options) -> tuple[list[str], list[str]]:
    """The include folders of the options and of clang's own, and the files that these include."""
    folders, forced = list(options.include_dirs), []
    words: Iterator[str] = iter(options.clang_args)
    for word in words:
        if word == "-include":
            forced.append(next(words, ""))
            continue
        for option in _JOINED:
            if word.startswith(option):
                folders.append(word[len(option) :] or next(words, ""))
                break
    return folders, forced

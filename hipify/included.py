"""What a file includes of its project, by content: the part of a result's key that is not the file itself."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import chain

from hipify.fingerprints import fingerprint
from hipify.model import Options
from hipify.patterns import lazy

# A comment may stand wherever a blank may. One that is long, and a macro, need a preprocessor: the last group.
_GAP = rb"(?:[ \t\f\v]|/\*[^*]{0,200}\*/)*"
_TARGET = _GAP + rb"(?:\"([^\"\r\n]+)\"|<([^>\r\n]+)>|([\w/]))"
_DIRECTIVE = lazy(rb"#" + _GAP + rb"(?:include(_next)?\b|import\b|(?=/))" + _TARGET)
_QUESTION = lazy(rb"\b__has_include(_next)?" + _GAP + rb"\(" + _TARGET)
_SPLICE = lazy(rb"\\[ \t\f\v]*(?:\r\n?|\n)")
_BLANKS = b" \t\f\v"
_FOLDER = ("-isystem", "-iquote", "-idirafter", "--include-directory=", "--include-directory", "-I")
_FILE = ("-include", "-imacros", "--include=", "--imacros=", "--include", "--imacros")
_HANDED_ON = ("-Xclang", "-Xpreprocessor")
_UNTOLD = ("@", "-iwith", "-iprefix", "-ivfs", "-fmodule", "-include-pch", "--config")
# Clang looks into these as it looks into -I.
SEARCHED = ("CPATH", "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH")
_MOST = 5000
TOOLKIT = "cuda_runtime_api.h"
"""A folder with this header is one of a CUDA toolkit, and none of the project's."""

Names = tuple[tuple[str, str], ...]
"""What a file includes: `"`, `<` or `next` (any file of that name), and the name."""


def _copies(path: str, names: Names) -> Iterator[str]:
    """What includes of copies of NVIDIA's libraries are taken for: other files of the copy tell."""
    for form, name in names:
        if form == '"' and ("cub/" in name or "thrust/" in name):
            from hipify.rules.vendored import path_in_library

            yield path_in_library(path, name)


class Headers:
    """The includes of many files, each header read once."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[str, Names, bool]] = {}
        self._found: dict[tuple[str, str], str] = {}

    def digest(self, path: str, data: bytes, options: Options) -> str | None:
        """A fingerprint of what a file includes from its own folder and the include folders, and of what is not there.

        None when that cannot be told without a preprocessor (`#include MACRO`).
        """
        settings = searched(options)
        names, told = _includes(data)
        if not told or settings is None:
            return None
        folders, forced = settings
        state = [place for place in folders if os.path.isfile(os.path.join(place, TOOLKIT))]
        state += _copies(path, names)
        queue = [(os.path.dirname(path) or ".", names), (".", tuple(('"', name) for name in forced))]
        return _fingerprint(state) if self._follow(queue, folders, state) else None

    def of_header(self, path: str, folders: Sequence[str]) -> str:
        """A fingerprint of a header with what it includes, as far as that can be told without a preprocessor."""
        content, inner, _ = self._header(path)
        state = [path, content]
        self._follow([(os.path.dirname(path), inner)], folders, state, whole=False)
        return _fingerprint(state)

    def _follow(
        self, queue: list[tuple[str, Names]], folders: Sequence[str], state: list[str], *, whole: bool = True
    ) -> bool:
        """Add what is included from folders to a state, directly or not; gives whether all could be told.

        `whole`: it ends where something cannot.
        """
        seen: set[str] = set()
        while queue:
            folder, included = queue.pop()
            for form, name in included:
                headers = self._meant(form, name, folder, folders)
                state += (name, *headers)
                for header in headers:
                    if not header or header in seen:
                        continue
                    seen.add(header)
                    content, inner, told = self._header(header)
                    state.append(content)
                    if (whole and not told) or len(seen) > _MOST:
                        return False
                    queue.append((os.path.dirname(header), inner))
        return True

    def _meant(self, form: str, name: str, folder: str, folders: Sequence[str]) -> list[str]:
        """The files that an include in a folder may mean."""
        if form == "next":
            return [self._resolve(place, (), name) for place in (folder, *folders)]
        if form == '"':
            return [self._resolve(folder, folders, name)]
        # Rules ask whether `<name>` is the project's own, clang does not: its own folder counts, too.
        return [self._resolve("", folders, name), self._resolve(folder, (), name)]

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

    def _header(self, path: str) -> tuple[str, Names, bool]:
        """The fingerprint of a header, what it includes, and whether that is all."""
        if path not in self._read:
            try:
                with open(path, "rb") as stream:
                    data = stream.read()
            except OSError:
                self._read[path] = "", (), False
            else:
                self._read[path] = fingerprint(data), *_includes(data)
        return self._read[path]


def _fingerprint(state: list[str]) -> str:
    return fingerprint("\0".join(state).encode("utf-8", "surrogateescape"))


def _includes(data: bytes) -> tuple[Names, bool]:
    """What the directives of a file name, in all branches, and whether that is all: a macro may name more."""
    if b"\\" in data or b"??/" in data:
        data = _SPLICE.sub(b"", data.replace(b"??/", b"\\"))
    if b"%:" in data or b"??=" in data:
        data = data.replace(b"%:", b"#").replace(b"??=", b"#")
    found: list[tuple[str, str]] = []
    all_told = True
    asked = _QUESTION.finditer(data) if b"__has_include" in data else ()
    for match in chain(_DIRECTIVE.finditer(data), asked):
        is_next, quoted, angled, untold = match.groups()
        if untold is None:
            form = "next" if is_next else '"' if quoted else "<"
            found.append((form, (quoted or angled).decode("utf-8", "surrogateescape")))
        elif data[match.start()] != 0x23 or _starts_line(data, match.start()):
            all_told = False
    return tuple(found), all_told


def _starts_line(data: bytes, at: int) -> bool:
    """Whether a line starts with byte `at`, comments and blanks left out."""
    before = data[max(0, at - 80) : at].rstrip(_BLANKS)
    return not before or before.endswith((b"\n", b"\r", b"*/", b"\xef\xbb\xbf"))


def searched(options: Options) -> tuple[list[str], list[str]] | None:
    """The include folders of the options and of clang's own, and the files that these include; None when untold."""
    folders: list[str] = list(options.include_dirs)
    forced: list[str] = []
    words: Iterator[str] = iter([part for word in options.clang_args for part in _parts(word)])
    for word in words:
        if word.startswith(_UNTOLD):
            return None
        for options_of_kind, values in ((_FOLDER, folders), (_FILE, forced)):
            option = next((option for option in options_of_kind if word.startswith(option)), "")
            if option:
                values.append(word[len(option) :] or next(words, ""))
                break
    for name in SEARCHED:
        value = os.environ.get(name)
        folders += [place or "." for place in value.split(os.pathsep)] if value else []
    return folders, forced


def _parts(word: str) -> list[str]:
    """The options in a word that may only hand them on to another program."""
    return word.split(",")[1:] if word.startswith("-Wp,") else [] if word in _HANDED_ON else [word]

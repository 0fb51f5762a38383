"""Which targets of a CMake file hold sources that a host compiler compiles and that read HIP's headers."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cached_property

from hipify.patterns import lazy
from hipify.project.build_files import cmake_names as known
from hipify.project.build_files.cmake_syntax import Command

_REFERENCE = lazy(r"\$\{(\w+)\}")
_HERE = lazy(r"\A\$\{(?:CMAKE_CURRENT_(?:SOURCE|LIST)_DIR)\}/")
_ROOT = lazy(r"\A\$\{\w+\}/")
_TARGET_COMMANDS = frozenset(("add_executable", "add_library", "cuda_add_executable", "cuda_add_library",
                              "target_sources"))  # fmt: skip
_NOT_BUILT = frozenset(("ALIAS", "IMPORTED", "INTERFACE"))
_SCOPES = frozenset(("PUBLIC", "PRIVATE", "INTERFACE", "LINK_PUBLIC", "LINK_PRIVATE", "LINK_INTERFACE_LIBRARIES"))
_HOST_LIBRARIES = frozenset(
    [f"CUDA::{name}" for name, (target, _) in known.TARGETS.items() if target == "hip::host"]
    + [f"${{{name}}}" for name, target in known.LIBRARY_VARIABLES.items() if known.TARGETS[target][0] == "hip::host"]
)
_GLOBS = ("GLOB", "GLOB_RECURSE")
_DEPTH = 8


class Hosts:
    """The targets of a file, by the sources that the file gives them."""

    def __init__(self, commands: Sequence[Command], folder: str, hosts: Sequence[str]) -> None:
        self._commands = commands
        self._folder = folder
        self._hosts = hosts

    def needs(self, command: Command) -> bool:
        """Whether a command makes a target that needs HIP for its host sources and is not given it elsewhere."""
        if not self._hosts or command.name not in _TARGET_COMMANDS or len(command.arguments) < 2:
            return False
        target, *sources = [argument.text for argument in command.arguments]
        if sources[0] in _NOT_BUILT or "IMPORTED" in sources or target in self._linked:
            return False
        first = next(c for c in self._commands if c.name in _TARGET_COMMANDS and self._is_for(c, target))
        if command is not first and (command.name == "target_sources" and self._reaches(first)):
            return False
        return self._reaches(command)

    def signature(self, target: str) -> str | None:
        """How a target's libraries are named in this file: `PRIVATE`, '' without such a word, or None for nowhere."""
        for command in self._commands:
            if command.name == "target_link_libraries" and self._is_for(command, target):
                return "PRIVATE" if any(argument.text in _SCOPES for argument in command.arguments) else ""
            if command.name in known.LINKING_COMMANDS and self._is_for(command, target):
                return ""
        return None

    @staticmethod
    def _is_for(command: Command, target: str) -> bool:
        return bool(command.arguments) and command.arguments[0].text == target

    @cached_property
    def _linked(self) -> frozenset[str]:
        """The targets that link CUDA's runtime, whose counterpart brings HIP's headers."""
        return frozenset(
            command.arguments[0].text
            for command in self._commands
            if command.name == "target_link_libraries"
            and any(argument.text in _HOST_LIBRARIES for argument in command.arguments[1:])
        )

    def _reaches(self, command: Command) -> bool:
        return any(self._is_host(word) for argument in command.arguments[1:] for word in self._words(argument.text))

    def _words(self, text: str, depth: int = 0) -> Iterator[str]:
        """The names and patterns of sources that an argument stands for, as far as this file says."""
        for word in text.split(";"):
            reference = _REFERENCE.fullmatch(word)
            values = self._values.get(reference[1]) if reference is not None else None
            if values is None or depth > _DEPTH:
                yield word
            else:
                for value in values:
                    yield from self._words(value, depth + 1)

    @cached_property
    def _values(self) -> dict[str, list[str]]:
        """All that the file ever gives its variables."""
        found: dict[str, list[str]] = {}
        for command in self._commands:
            texts = [argument.text for argument in command.arguments]
            if command.name in ("set", "cuda_wrap_srcs") and texts:
                found.setdefault(texts[0], []).extend(texts[1:])
            elif command.name == "list" and len(texts) > 1 and texts[0] in ("APPEND", "PREPEND"):
                found.setdefault(texts[1], []).extend(texts[2:])
            elif command.name == "file" and len(texts) > 1 and texts[0] in _GLOBS:
                deep = texts[0] == "GLOB_RECURSE"
                found.setdefault(texts[1], []).extend(_recursive(text) if deep else text for text in texts[2:])
            elif command.name == "aux_source_directory" and len(texts) == 2:
                found.setdefault(texts[1], []).append(f"{texts[0]}/*")
        return found

    def _is_host(self, word: str) -> bool:
        """Whether a name, a pattern or a variable from elsewhere may stand for one of the sources."""
        if _REFERENCE.fullmatch(word):
            return True  # the caller's, the parent's: it may hold any source of this folder
        word = _HERE.sub("", word)
        rooted = _ROOT.match(word)
        if rooted is not None:
            word = word[rooted.end() :]
            return "$" not in word and any(_fits(f"/{host}", f"*/{word}", word) for host in self._hosts)
        if "$" in word or not word:
            return False
        full = posixpath.normpath(posixpath.join(self._folder, word))
        return any(_fits(host, full, word) for host in self._hosts)


def _recursive(pattern: str) -> str:
    folder, _, name = pattern.rpartition("/")
    return f"{folder}/**{name}" if folder else f"**{name}"


def _fits(path: str, pattern: str, written: str) -> bool:
    """Whether a path is what a name or a pattern says; a star stays in its folder unless it is doubled."""
    if not re.search(r"[*?\[]", pattern):
        return path == pattern
    if not fnmatchcase(path, pattern):
        return False
    return "**" in written or pattern.startswith("*/") or path.count("/") == pattern.count("/")

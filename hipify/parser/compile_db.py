"""Compile flags from a `compile_commands.json`: what of a build's command lines matters to the meaning of a file."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hipify.parser.clang import ParseFlags

_FILE_NAME = "compile_commands.json"
_VALUE_FLAGS = {
    "-I": "-I",
    "--include-path": "-I",
    "-isystem": "-isystem",
    "--system-include": "-isystem",
    "-iquote": "-iquote",
    "-idirafter": "-idirafter",
    "-D": "-D",
    "--define-macro": "-D",
    "-U": "-U",
    "--undefine-macro": "-U",
    "-include": "-include",
    "--pre-include": "-include",
    "-std": "-std",
    "--std": "-std",
    "--options-file": "@",
    "-optf": "@",
    "-Xcompiler": "-Xcompiler",
    "--compiler-options": "-Xcompiler",
}
_JOINED = ("-isystem", "-iquote", "-idirafter", "-I", "-D", "-U")
_PATH_FLAGS = frozenset(("-I", "-isystem", "-iquote", "-idirafter", "-include"))


class CompileDatabase:
    """The entries of one database, by the absolute path of their file."""

    def __init__(self, entries: dict[str, tuple[str, list[str]]]) -> None:
        self._entries = entries

    @staticmethod
    def load(path: str | os.PathLike[str]) -> CompileDatabase:
        """Read a database: its folder, or the file itself. Raises ValueError with one line when it is unusable."""
        file = Path(path)
        if file.is_dir():
            file = file / _FILE_NAME
        try:
            content = json.loads(file.read_bytes())
        except OSError as error:
            raise ValueError(f"{file}: cannot be read: {error.strerror or error}") from error
        except ValueError as error:
            raise ValueError(f"{file}: is not JSON: {error}") from error
        if not isinstance(content, list):
            raise ValueError(f"{file}: is not a list of compile commands")
        entries: dict[str, tuple[str, list[str]]] = {}
        for number, entry in enumerate(content, 1):
            name, value = _entry(entry, file, number)
            entries.setdefault(name, value)
        return CompileDatabase(entries)

    def flags(self, path: str | os.PathLike[str]) -> ParseFlags | None:
        """The flags of a file. A file without an entry (a header) takes those of the nearest file that has one."""
        wanted = os.path.abspath(path)  # noqa: PTH100
        entry = self._entries.get(wanted)
        if entry is None:
            near = self._nearest(wanted)
            if near is None:
                return None
            entry = self._entries[near]
        return parse_flags(entry[1], entry[0])

    def _nearest(self, wanted: str) -> str | None:
        """The entry of the same folder, else the one that shares the longest leading path below the root."""
        folder = wanted.split(os.sep)[:-1]

        def shared(name: str) -> int:
            parts = name.split(os.sep)[:-1]
            same = 0
            while same < min(len(parts), len(folder)) and parts[same] == folder[same]:
                same += 1
            return same * 2 + (parts == folder)

        best = max(self._entries, key=shared, default=None)
        return best if best is not None and shared(best) > 2 else None


def _entry(entry: Any, file: Path, number: int) -> tuple[str, tuple[str, list[str]]]:
    if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
        raise ValueError(f"{file}: entry {number} names no file")
    directory = os.path.join(file.parent, str(entry.get("directory", "")))  # noqa: PTH118
    arguments, command = entry.get("arguments"), entry.get("command")
    if isinstance(arguments, list) and all(isinstance(argument, str) for argument in arguments):
        words = list(arguments)
    elif isinstance(command, str):
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"{file}: entry {number}: its command cannot be split: {error}") from error
    else:
        raise ValueError(f"{file}: entry {number} has neither a command nor arguments")
    return _absolute(entry["file"], directory), (directory, words[1:])


def parse_flags(words: list[str], directory: str) -> ParseFlags:
    """The flags that decide a file's meaning out of a compiler's (nvcc's too) command line."""
    include_dirs: list[str] = []
    defines: list[str] = []
    extra: list[str] = []
    std = ""
    for flag, value in _flags(words, directory, 0):
        if flag in _PATH_FLAGS and not (flag == "-include" and not _exists(value, directory)):
            value = _absolute(value, directory)
        if flag == "-I":
            include_dirs.append(value)
        elif flag == "-D":
            defines.append(value)
        elif flag == "-std":
            std = value
        else:
            extra += [flag, value]
    return ParseFlags(tuple(include_dirs), tuple(defines), tuple(extra), std)


def _flags(words: list[str], directory: str, depth: int) -> Iterator[tuple[str, str]]:
    """Pairs of flag and value, the flags in clang's spelling; all other words are left out."""
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if word in _VALUE_FLAGS:
            name, value = word, next(rest, "")
        elif not (equals and name in _VALUE_FLAGS and name not in ("-D", "-I", "-U")):
            name = next((flag for flag in _JOINED if word.startswith(flag)), "")
            value = word[len(name) :].removeprefix("=" if name == "-isystem" else "")
            if word.startswith("@"):
                name, value = "--options-file", word[1:]
        flag = _VALUE_FLAGS.get(name, "")
        if not flag or not value:
            continue
        if flag == "@":
            if depth < 4:
                yield from _flags(_response_file(value, directory), directory, depth + 1)
        elif flag == "-Xcompiler":
            yield from _flags(value.split(","), directory, depth + 1)
        elif flag in ("-I", "-isystem"):
            yield from ((flag, part) for part in value.split(",") if part)
        else:
            yield flag, value


def _response_file(name: str, directory: str) -> list[str]:
    try:
        return shlex.split(Path(_absolute(name, directory)).read_text(errors="replace"))
    except (OSError, ValueError):
        return []


def _exists(name: str, directory: str) -> bool:
    return os.path.exists(_absolute(name, directory))  # noqa: PTH110


def _absolute(name: str, directory: str) -> str:
    return os.path.abspath(os.path.join(directory, name))  # noqa: PTH100, PTH118

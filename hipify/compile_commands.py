"""Read compile_commands.json: which include folders, macros and clang options each file is compiled with."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hipify.errors import InputError, os_reason
from hipify.model import Options

_NAME = "compile_commands.json"
# Options whose meaning clang shares, with the value joined or in the next word.
_WITH_VALUE = ("-isystem", "-iquote", "-include", "-U", "-std")
_LONG = {"--include-path": "-I", "--define-macro": "-D", "--undefine-macro": "-U", "--std": "-std"}
_LONG |= {"--pre-include": "-include", "--system-include": "-isystem"}
_RESPONSE_FILES = ("--options-file", "-optf")
_PATHS = ("-I", "-isystem", "-iquote")


@dataclass(frozen=True, slots=True)
class _Entry:
    file: str
    directory: str
    words: tuple[str, ...]


class CompilationDatabase:
    """The commands of a compile_commands.json."""

    def __init__(self, entries: list[_Entry]) -> None:
        self._entries: dict[str, _Entry] = {}
        for entry in entries:
            self._entries.setdefault(os.path.realpath(entry.file), entry)

    @classmethod
    def load(cls, place: str) -> CompilationDatabase:
        """Read the database of a folder (or the file itself); InputError when that is not possible."""
        path = str(Path(place) / _NAME) if Path(place).is_dir() else place
        try:
            data = json.loads(Path(path).read_bytes())
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {os_reason(error)}") from error
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}: is not valid JSON: {error}") from error
        if not isinstance(data, list):
            raise InputError(f"{path}: is no compilation database: a list of commands is expected")
        return cls([_entry(path, number, item) for number, item in enumerate(data, 1)])

    @classmethod
    def of(cls, commands: Iterable[tuple[str, str, Sequence[str]]]) -> CompilationDatabase:
        """The database of commands as (file, folder, words), the compiler first."""
        return cls([_Entry(file, directory, tuple(words)) for file, directory, words in commands])

    def command(self, path: str) -> tuple[str, list[str]] | None:
        """The folder and the words of a file's command, response files put in their place; None when it has none."""
        entry = self._entries.get(os.path.realpath(path))
        if entry is None:
            return None
        return entry.directory, [*entry.words[:1], *_expand(list(entry.words[1:]), entry.directory, 0)]

    @property
    def files(self) -> list[str]:
        """The files that have a command, in the order of the database."""
        return [entry.file for entry in self._entries.values()]

    def options_for(self, path: str, options: Options) -> Options | None:
        """The options with what the file's command adds, or None when it has no command.

        What the user gave comes first, so that it wins.
        """
        entry = self._entries.get(os.path.realpath(path))
        if entry is None:
            return None
        found: dict[str, list[str]] = {"-I": [], "-D": [], "": []}
        for name, value in _options(entry):
            if name in found:
                found[name].append(value)
            else:
                found[""] += [f"-std={value}"] if name == "-std" else [name, value]
        return options._replace(
            include_dirs=options.include_dirs + tuple(found["-I"]),
            defines=options.defines + tuple(found["-D"]),
            clang_args=tuple(found[""]) + options.clang_args,
        )


def _entry(path: str, number: int, item: object) -> _Entry:
    if isinstance(item, dict):
        file, directory = item.get("file"), item.get("directory", "")
        words = item.get("arguments")
        try:
            if words is None and isinstance(item.get("command"), str):
                words = shlex.split(item["command"])
        except ValueError as error:
            raise InputError(f"{path}: entry {number}: the command cannot be split: {error}") from error
        if isinstance(file, str) and isinstance(directory, str) and isinstance(words, list):
            directory = str(Path(path).absolute().parent / directory)  # a relative one is so to the database
            return _Entry(str(Path(directory) / file), directory, tuple(str(word) for word in words))
    raise InputError(f"{path}: entry {number} lacks a file, a directory or a command")


def _options(entry: _Entry) -> Iterator[tuple[str, str]]:
    """The options of a command that matter, as (name, value), with paths made absolute."""
    words = iter(list(_expand(list(entry.words[1:]), entry.directory, 0)))
    for word in words:
        name, value = _split(word)
        if not name:
            continue
        if value is None:
            value = next(words, "")
        yield name, str(Path(entry.directory) / value) if name in _PATHS else value


def _split(word: str) -> tuple[str, str | None]:
    """The option's short name and the value joined to it; an empty name for what does not matter."""
    long, equals, value = word.partition("=")
    if long in _LONG:
        return _LONG[long], value if equals else None
    for name in ("-I", "-D", *_WITH_VALUE):
        if word == name:
            return name, None
        if word.startswith(name):
            return name, word[len(name) :].removeprefix("=") if name in ("-std", "-isystem") else word[len(name) :]
    return "", None


def _expand(words: list[str], directory: str, depth: int) -> Iterator[str]:
    """The words with response files (@FILE, nvcc's --options-file) put in their place; unreadable ones are left out."""
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if word.startswith("@"):
            listed = word[1:]
        elif name in _RESPONSE_FILES:
            listed = value if equals else next(rest, "")
        else:
            yield word
            continue
        if depth < 8:
            for file in listed.split(",") if name in _RESPONSE_FILES else [listed]:
                try:
                    text = (Path(directory) / file).read_text("utf-8", "surrogateescape")
                    yield from _expand(shlex.split(text), directory, depth + 1)
                except (OSError, ValueError):
                    continue

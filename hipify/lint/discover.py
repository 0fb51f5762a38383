"""The CUDA and HIP sources under a folder: by ending and by content, without what .gitignore leaves out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

from hipify.errors import InputError, UsageError, os_reason
from hipify.ignored import Ignored
from hipify.patterns import lazy
from hipify.project.cuda_words import uses_cuda
from hipify.project.discover import is_c_family
from hipify.project.helpers import is_helper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class _About(Protocol):
        """Patterns that are about some paths."""

        def ignores(self, path: str, is_folder: bool) -> bool | None:
            """True, False (taken back by `!`), or None when no pattern is about the path."""


ALWAYS = (".cu", ".cuh", ".cuinl", ".hip")
"""Endings that only CUDA and HIP sources have; other C and C++ files are looked at for either."""

_SKIPPED = frozenset({".git", ".hg", ".svn", "__pycache__", "node_modules", ".venv", ".cache"})
_USES_HIP = lazy(rb"\bhip[A-Z]|#[ \t]*include[ \t]*[<\"](?:hip|roc)|__HIP")


@dataclass(frozen=True)
class _File:
    """A .gitignore file: its folder, and what it says of what is in there."""

    folder: str
    ignored: Ignored

    def ignores(self, path: str, is_folder: bool) -> bool | None:
        """What the file says of an item of a folder that it does not leave out."""
        return self.ignored.verdict(_below(path, self.folder), is_folder)


@dataclass(frozen=True)
class _Given:
    """Patterns of the user's, which are about what is in the folders that they name, too."""

    folder: str
    spec: GitIgnoreSpec

    def ignores(self, path: str, is_folder: bool) -> bool | None:
        """What the last pattern says that is about a path or a folder above it."""
        return self.spec.check_file(_below(path, self.folder) + "/" * is_folder).include


def _below(path: str, folder: str) -> str:
    return os.path.relpath(path, folder).replace(os.sep, "/")


def repository(start: str | os.PathLike[str] = ".") -> Path:
    """The folder of the git repository around `start`; `start` itself when there is none."""
    here = Path(start).resolve()
    for folder in (here, *here.parents):
        if (folder / ".git").exists():
            return folder
    return here


def discover(
    paths: Sequence[str], exclude: Iterable[str] = (), base: str = ".", *, include: Iterable[str] = ()
) -> list[str]:
    """The sources that files and folders stand for, each once, folders' contents sorted.

    A file that is named is taken as it is. `exclude` holds .gitignore patterns relative to `base`; they are about files
    found in folders, and about named files too when these lie under `base`. With `include`, only files that one of its
    patterns fits are taken from folders.
    """
    excluded, included = _given("exclude", exclude, base), _given("include", include, base)
    found: dict[str, str] = {}
    for path in paths:
        names = _walk(path, excluded) if os.path.isdir(path) else [_named(path)]  # noqa: PTH112
        if included.spec.patterns and os.path.isdir(path):  # noqa: PTH112
            names = [name for name in names if included.ignores(os.path.realpath(name), False)]
        for name in names:
            if os.path.isdir(path) or not excluded.ignores(os.path.realpath(name), False):  # noqa: PTH112
                found.setdefault(os.path.realpath(name), name)
    return list(found.values())


def _given(what: str, patterns: Iterable[str], base: str) -> _Given:
    lines = list(patterns)
    for line in lines:
        if not _is_pattern(line):
            raise UsageError(f"{what}: {line!r} is no pattern")
    return _Given(os.path.realpath(base), GitIgnoreSpec.from_lines(lines))


def _named(path: str) -> str:
    try:
        os.stat(path)  # noqa: PTH116
    except (OSError, ValueError) as error:
        reason = os_reason(error) if isinstance(error, OSError) else str(error)
        raise InputError(f"{path}: cannot be read: {reason}") from error
    return path


def _walk(folder: str, excluded: _Given) -> Iterator[str]:
    root = os.path.realpath(folder)
    top = repository(root)
    above = [Path(root), *Path(root).parents]
    rules: list[_About] = [excluded]
    if top in above:
        rules += _read(str(top), ".git/info/exclude")
        for parent in reversed(above[1 : above.index(top) + 1]):
            rules += _read(str(parent))
    yield from _descend(root, os.path.normpath(folder), rules)


def _descend(folder: str, shown: str, rules: list[_About]) -> Iterator[str]:
    rules = [*rules, *_read(folder)]
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise InputError(f"{shown}: cannot be read: {os_reason(error)}") from error
    for entry in entries:
        name = entry.name if shown == "." else os.path.join(shown, entry.name)  # noqa: PTH118
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in _SKIPPED and not _ignored(entry.path, True, rules):
                yield from _descend(entry.path, name, rules)
        elif entry.is_file() and _is_source(entry.path) and not _ignored(entry.path, False, rules):
            yield name


def _read(folder: str, name: str = ".gitignore") -> list[_About]:
    try:
        text = (Path(folder) / name).read_text("utf-8", "surrogateescape")
    except OSError:
        return []
    return [_File(folder, Ignored(text.splitlines()))]


def _is_pattern(line: str) -> bool:
    """Whether git would take a line of a .gitignore file."""
    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def _ignored(path: str, is_folder: bool, rules: list[_About]) -> bool:
    """What the last pattern that is about the path says, the innermost file's first; `exclude` is always obeyed."""
    if rules[0].ignores(path, is_folder):
        return True
    for rule in reversed(rules[1:]):
        answer = rule.ignores(path, is_folder)
        if answer is not None:
            return answer
    return False


def _is_source(path: str) -> bool:
    name = path.lower()
    may_be_helper = os.path.basename(path).startswith("hipify_")  # noqa: PTH119
    always = name.endswith(ALWAYS)
    if always and not may_be_helper:
        return True
    if not always and not is_c_family(name):
        return False
    try:
        data = Path(path).read_bytes()
    except OSError:
        return True  # reading it again says what is wrong
    if may_be_helper and is_helper(path, data):
        return False
    return always or (b"\0" not in data and (uses_cuda(data) or _USES_HIP.search(data) is not None))

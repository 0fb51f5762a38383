"""The CUDA and HIP sources under a folder, by ending, content and includes, without what .gitignore leaves out."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

from hipify.errors import InputError, UsageError, os_reason
from hipify.ignored import Ignored
from hipify.patterns import lazy
from hipify.project.cuda_words import uses_cuda
from hipify.project.helpers import is_helper
from hipify.project.kinds import CUDA_NAMES, includable, includes_of, is_c_family
from hipify.project.strays import Strays
from hipify.project.tree import UNTOLD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class _About(Protocol):
        """Patterns that are about some paths."""

        def ignores(self, path: str, is_folder: bool) -> bool | None:
            """True, False (taken back by `!`), or None when no pattern is about the path."""


ALWAYS = (*CUDA_NAMES, ".hip")
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


@dataclass(slots=True)
class _Item:
    """A file: where it lies, how the user would name it, and what may leave it out (None when the user named it)."""

    path: str
    shown: str
    rules: Sequence[_About] | None
    counts: bool | None = None
    """Whether it is a source; None while nothing tells, as for names of any ending."""
    includes: tuple[tuple[bool, bytes], ...] | None = None
    """What it includes; None until it is read."""

    def look(self) -> None:
        """Find out what a file is that is one of C's or CUDA's by its name or by what includes it."""
        always = self.path.lower().endswith(ALWAYS)
        may_be_helper = os.path.basename(self.path).startswith("hipify_")  # noqa: PTH119
        self.counts = True
        if always and not may_be_helper:
            return
        try:
            data = self.read()
        except OSError:
            return  # reading it again says what is wrong
        if may_be_helper and is_helper(self.path, data):
            self.counts = False
        elif not always:
            self.counts = b"\0" not in data and (uses_cuda(data) or _USES_HIP.search(data) is not None)

    def read(self) -> bytes:
        """What the file holds, with a note of what it includes."""
        self.includes = ()
        with open(self.path, "rb") as stream:  # noqa: PTH123
            data = stream.read()
        self.includes = includes_of(data)
        if UNTOLD in self.includes:
            self.includes += includable(data)
        return data


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
    items: list[_Item] = []
    for path in paths:
        items += _walk(path, excluded) if os.path.isdir(path) else [_named(path)]  # noqa: PTH112
    _follow_includes(items)
    found: dict[str, str] = {}
    for item in items:
        if item.counts:
            real = os.path.realpath(item.shown)
            if item.rules is None:
                left_out = excluded.ignores(real, False)
            else:
                left_out = bool(included.spec.patterns) and not included.ignores(real, False)
            if not left_out:
                found.setdefault(real, item.shown)
    return list(found.values())


def _follow_includes(items: Sequence[_Item]) -> None:
    """Headers have any name: those that a source includes are looked at as if their names were of C."""
    others = {item.path: item for item in items if item.counts is None}
    if not others:
        return
    strays = Strays({path: path for path in others})
    todo = [item for item in items if item.counts is not None]
    while todo:
        source = todo.pop()
        if source.includes is None:
            with contextlib.suppress(OSError):
                source.read()
        for path in strays.take(source.path, source.includes or ()):
            item = others[path]
            if not _ignored(path, False, item.rules or ()):
                item.look()
                todo.append(item)


def _given(what: str, patterns: Iterable[str], base: str) -> _Given:
    lines = list(patterns)
    for line in lines:
        if not _is_pattern(line):
            raise UsageError(f"{what}: {line!r} is no pattern")
    return _Given(os.path.realpath(base), GitIgnoreSpec.from_lines(lines))


def _named(path: str) -> _Item:
    try:
        os.stat(path)  # noqa: PTH116
    except (OSError, ValueError) as error:
        reason = os_reason(error) if isinstance(error, OSError) else str(error)
        raise InputError(f"{path}: cannot be read: {reason}") from error
    return _Item(os.path.abspath(path), path, None, True)  # noqa: PTH100


def _walk(folder: str, excluded: _Given) -> Iterator[_Item]:
    root = os.path.realpath(folder)
    top = repository(root)
    above = [Path(root), *Path(root).parents]
    rules: list[_About] = [excluded]
    if top in above:
        rules += _read(str(top), ".git/info/exclude")
        for parent in reversed(above[1 : above.index(top) + 1]):
            rules += _read(str(parent))
    yield from _descend(root, os.path.normpath(folder), rules)


def _descend(folder: str, shown: str, rules: list[_About]) -> Iterator[_Item]:
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
        elif entry.is_file():
            item = _Item(entry.path, name, rules)
            if entry.name.lower().endswith(ALWAYS) or is_c_family(entry.name):
                item.look()
            if not (item.counts and _ignored(entry.path, False, rules)):
                yield item


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


def _ignored(path: str, is_folder: bool, rules: Sequence[_About]) -> bool:
    """What the last pattern that is about the path says, the innermost file's first; `exclude` is always obeyed."""
    if rules[0].ignores(path, is_folder):
        return True
    for rule in reversed(rules[1:]):
        answer = rule.ignores(path, is_folder)
        if answer is not None:
            return answer
    return False

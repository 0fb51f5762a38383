"""Which project file each include leads to: for renames, for what must be redone, and for what a far worker needs."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from hipify.model import Options
from hipify.project.beyond import Beyond
from hipify.project.tree import UNTOLD, Entry, Kind, Tree, by_path

_SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".c++", ".c")


@dataclass(frozen=True, slots=True)
class Resolved:
    """An include of a project file."""

    name: bytes
    target: str
    folder: str | None = None
    """The folder (relative to the root) that had to be guessed as an include folder; None when none had to."""


class Includes:
    """The include graph of a tree.

    `folders_of(path)` gives the include folders that a file's compile command or the user names, relative to the root.
    """

    def __init__(self, tree: Tree, folders_of: Callable[[str], Iterable[str]], beyond: Beyond | None = None) -> None:
        self._entries = by_path(tree)
        self._folders_of = folders_of
        self._beyond = beyond
        self._resolved: dict[str, tuple[Resolved, ...]] = {}

    def of(self, path: str) -> tuple[Resolved, ...]:
        """The includes of a file that lead to project files."""
        found = self._resolved.get(path)
        if found is None:
            entry = self._entries[path]
            folders = list(self._folders_of(path)) if entry.includes else []
            resolved = (self._resolve(path, angled, name, folders) for angled, name in entry.includes if name)
            found = self._resolved[path] = tuple(item for item in resolved if item is not None)
        return found

    def _candidates(self, path: str) -> tuple[str, ...]:
        """The project files that a file's includes may lead to: rules look beside the file for `<name>`, too."""
        entry = self._entries[path]
        if not entry.includes:
            return ()
        found = {item.target: None for item in self.of(path)}
        bases = [posixpath.dirname(path), *self._folders_of(path)]
        for _, raw in entry.includes:
            name = raw.decode("utf-8", "surrogateescape")
            for base in bases if name else ():
                here = f"{base}/{name}" if base else name
                if "." in name[:1] or "/" in name:
                    here = posixpath.normpath(here)
                if (target := self._file(here)) is not None:
                    found[target] = None
        return tuple(found)

    def guessed_folders(self, path: str) -> tuple[str, ...]:
        """The folders that must be include folders for a file and what it includes, though nobody says so."""
        seen: dict[str, None] = {}
        for file in (path, *self.closure(path)):
            for item in self.of(file):
                if item.folder is not None:
                    seen[item.folder] = None
        return tuple(sorted(seen))

    def closure(self, path: str) -> list[str]:
        """The project files that a file includes, directly or not, in order of path."""
        seen = {path}
        todo = [path]
        while todo:
            for item in self.of(todo.pop()):
                if item.target not in seen:
                    seen.add(item.target)
                    todo.append(item.target)
        seen.discard(path)
        return sorted(seen)

    def _resolve(self, path: str, angled: bool, raw: bytes, folders: list[str]) -> Resolved | None:
        name = raw.decode("utf-8", "surrogateescape")
        bases = ([] if angled else [posixpath.dirname(path)]) + folders
        plain = "/" not in name and "." not in name[:1]
        for base in bases:
            here = f"{base}/{name}" if base and plain else posixpath.normpath(posixpath.join(base, name))
            target = self._file(here)
            if target is not None:
                return Resolved(raw, target)
        return self._guess(path, name, raw, angled)

    def _file(self, path: str) -> str | None:
        entry = self._entries.get(path)
        if entry is not None and entry.kind is Kind.LINK and entry.inside:
            entry = self._entries.get(entry.target)
        return entry.path if entry is not None and entry.kind is not Kind.LINK else None

    def _guess(self, path: str, name: str, raw: bytes, angled: bool) -> Resolved | None:
        """The one file of the tree whose path ends like the include, the nearest when there are several."""
        tail = posixpath.normpath(name)
        if tail.startswith(("..", "/")) or (angled and _is_known(raw)):
            return None
        found = [c for c in self._by_name.get(posixpath.basename(tail), ()) if f"/{c}".endswith(f"/{tail}")]
        if not found:
            return None
        best = min(found, key=lambda c: (-_common(c, path), c.count("/"), c))
        if len(found) > 1 and _common(best, path) == 0:
            return None
        return Resolved(raw, best, best[: -len(tail)].rstrip("/"))

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        names: dict[str, list[str]] = {}
        for path, entry in self._entries.items():
            if entry.kind in (Kind.CUDA, Kind.PLAIN):
                names.setdefault(posixpath.basename(path), []).append(path)
        return names

    @cached_property
    def _digests(self) -> dict[str, str]:
        """For each file a hash of all that it includes; files that include each other share theirs."""
        digests: dict[str, str] = {}
        guessed = self._every_guessed if self._beyond and self._beyond.is_within else ()
        for group in self._groups():
            state = hashlib.blake2b(digest_size=16)
            members = set(group)
            outside = {target for path in group for target in self._candidates(path)} - members
            for path in sorted(members):
                entry = self._entries[path]
                around = self._beyond.state(path, entry.includes, guessed) if self._beyond else ""
                around += self._every_header if UNTOLD in entry.includes else ""
                state.update(f"{path}\0{entry.digest}\0{around}\0".encode("utf-8", "surrogateescape"))
            for path in sorted(outside):
                state.update(f"{path}\0{digests[path]}\0".encode("utf-8", "surrogateescape"))
            for path in group:
                digests[path] = state.hexdigest()
        return digests

    @cached_property
    def _every_guessed(self) -> tuple[str, ...]:
        """All folders that have to be include folders for some file."""
        folders = (item.folder for path in self._entries for item in self.of(path))
        return tuple(dict.fromkeys(folder for folder in folders if folder is not None))

    @cached_property
    def _every_header(self) -> str:
        """A hash of all files that an include might mean whose name only a preprocessor knows."""
        state = hashlib.blake2b(digest_size=16)
        for path, entry in self._entries.items():
            if entry.kind in (Kind.CUDA, Kind.PLAIN) and not path.lower().endswith(_SOURCES):
                state.update(f"{path}\0{entry.digest}\0".encode("utf-8", "surrogateescape"))
        return state.hexdigest()

    def digest(self, path: str) -> str:
        """A hash of a file with everything that it includes."""
        return self._digests[path]

    def _groups(self) -> Iterator[list[str]]:
        """The strongly connected parts of the graph, what is included before what includes it (Tarjan's way)."""
        index: dict[str, int] = {}
        low: dict[str, int] = {}
        stack: list[str] = []
        on_stack: set[str] = set()
        for root in self._entries:
            if root in index:
                continue
            work: list[tuple[str, Iterator[str]]] = [(root, iter(self._candidates(root)))]
            index[root] = low[root] = len(index)
            stack.append(root)
            on_stack.add(root)
            while work:
                path, rest = work[-1]
                target = next(rest, None)
                if target is None:
                    work.pop()
                    if work:
                        above = work[-1][0]
                        low[above] = min(low[above], low[path])
                    if low[path] == index[path]:
                        at = stack.index(path) if stack[-1] != path else len(stack) - 1
                        group = stack[at:]
                        del stack[at:]
                        on_stack.difference_update(group)
                        yield group
                elif target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(self._candidates(target))))
                elif target in on_stack:
                    low[path] = min(low[path], index[target])

    def includers(self) -> dict[str, list[str]]:
        """The files that include each file directly, in order of path."""
        found: dict[str, list[str]] = {}
        for path in self._entries:
            for item in self.of(path):
                found.setdefault(item.target, []).append(path)
        return found

    def renames(self, path: str, names: dict[str, str]) -> tuple[tuple[bytes, bytes], ...]:
        """The includes of a file whose text must change because the files that they lead to have new names."""
        found: dict[bytes, bytes] = {}
        for item in self.of(path):
            if names[item.target] != item.target:
                old = item.name.decode("utf-8", "surrogateescape")
                new = follow(old, item.target, names[item.target])
                if new != old:
                    found[item.name] = new.encode("utf-8", "surrogateescape")
        return tuple(sorted(found.items()))


def follow(text: str, old: str, new: str) -> str:
    """A path as somebody wrote it, ending like `old`, with the parts of `new` in place of those of `old`."""
    parts, before, after = text.split("/"), old.split("/"), new.split("/")
    for back in range(1, min(len(parts), len(before), len(after)) + 1):
        if parts[-back] != before[-back]:
            break
        parts[-back] = after[-back]
    return "/".join(parts)


def _common(one: str, other: str) -> int:
    """How many folders two paths share from the root on."""
    number = 0
    for a, b in zip(one.split("/")[:-1], other.split("/")[:-1], strict=False):
        if a != b:
            break
        number += 1
    return number


def _is_known(name: bytes) -> bool:
    """Whether an include path is one of CUDA's for which HIP has something: no file of the project takes its place."""
    from hipify.rules.library import Library

    api = Library.default().header(name)
    return api is not None and api.replaced


def spread_commands(
    tree: Tree, includes: Includes, command_of: Callable[[str], Options | None], fallback: Options
) -> dict[str, Options]:
    """Each source's options: its own command's, else those of the nearest file that includes it, else the fallback."""
    own: dict[str, Options] = {}
    for entry in tree.entries:
        if entry.kind in (Kind.CUDA, Kind.PLAIN) and (options := command_of(entry.path)) is not None:
            own[entry.path] = options
    found = dict(own)
    todo = sorted(own)
    while todo:  # breadth first, so that the nearest includer wins, the first by name among equals
        following: list[str] = []
        for path in todo:
            for item in includes.of(path):
                if item.target not in found:
                    found[item.target] = found[path]
                    following.append(item.target)
        todo = following
    return {e.path: found.get(e.path, fallback) for e in tree.entries if e.kind in (Kind.CUDA, Kind.PLAIN)}


def with_folders(options: Options, folders: Iterable[str]) -> Options:
    """The options with further include folders behind those that they have."""
    added = tuple(f for f in folders if f not in options.include_dirs)
    return options._replace(include_dirs=options.include_dirs + added) if added else options


__all__ = ["Entry", "Includes", "Resolved", "follow", "spread_commands", "with_folders"]

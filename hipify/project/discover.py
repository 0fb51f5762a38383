"""Find what a source tree holds: CUDA by content and by name, build files, links, and what is left alone and why."""

from __future__ import annotations

import contextlib
import errno
import os
import posixpath
from pathlib import Path
from typing import TYPE_CHECKING

from hipify.errors import InputError, os_reason
from hipify.fingerprints import file_fingerprint, fingerprint
from hipify.project import kinds
from hipify.project.helpers import is_helper
from hipify.project.seen import Record, Seen
from hipify.project.settings import Selection
from hipify.project.strays import Strays
from hipify.project.tree import UNTOLD, Entry, Kind, Tree, by_path
from hipify.rules.vendored import is_repository, library_in

if TYPE_CHECKING:
    import pathspec

    from hipify.ignored import Ignored

STATE_FOLDER = ".hipify"
_VERSION_CONTROL = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", STATE_FOLDER})
_THIRD_PARTY = frozenset({"third_party", "third-party", "thirdparty", "3rdparty", "3rd_party", "vendor", "vendored",
                          "external", "externals", "extern", "submodules"})  # fmt: skip
_COPIED, _INCLUDED = "copied", "included"
"""Ways to look at a file other than by its name: as one to be copied, as one that sources include."""


def discover(root: Path, selection: Selection, seen: Seen | None = None) -> Tree:
    """Walk a source tree; raises InputError for one that cannot be read, or whose links turn in a circle.

    What `seen` knows of a file is taken from there, and what is read is noted in it.
    """
    return _Walk(root, selection, seen or Seen()).run()


Ignores = tuple[tuple[str, "Ignored"], ...]
"""The .gitignore files that count in a folder: the folder of each, and what it says."""


class _Walk:
    def __init__(self, root: Path, selection: Selection, seen: Seen) -> None:
        self._root = root
        self._place = str(root)
        self._seen = seen
        self._real = os.path.realpath(root)
        self._selection = selection
        self._include = _spec(selection.include, "--include")
        self._exclude = _spec(selection.exclude, "--exclude")
        self._tree = Tree(root)
        self._make_includes: list[tuple[str, bytes]] = []
        self._ignored = 0
        self._strays: list[str] = []
        self._third_party = _THIRD_PARTY | frozenset(selection.third_party_dirs)

    def run(self) -> Tree:
        self._folder("", (), False)
        self._tree.entries.sort(key=lambda entry: entry.path)
        self._follow_make_includes()
        self._follow_includes()
        if self._ignored:
            them = "1 file or folder" if self._ignored == 1 else f"{self._ignored} files and folders"
            self._tree.notes.append(f".gitignore leaves out {them}; --no-gitignore takes them")
        return self._tree

    def _follow_make_includes(self) -> None:
        """Parts of makefiles have any name: they are known by the makefiles that include them."""
        entries = by_path(self._tree)
        todo = self._make_includes
        while todo:
            makefile, words = todo.pop()
            for word in os.fsdecode(words).split():
                path = posixpath.normpath(posixpath.join(posixpath.dirname(makefile), word))
                entry = entries.get(path)
                if entry is None or entry.kind is not Kind.COPY or entry.size > self._selection.max_bytes:
                    continue
                data = (self._root / path).read_bytes()
                if b"\0" not in data:
                    entry.kind, entry.build = Kind.BUILD, "make"
                    todo += [(path, name) for name in kinds.make_includes(data)]

    def _follow_includes(self) -> None:
        """Headers have any name, too: they are known by the sources that include them."""
        entries = self._tree.entries
        places = {path: path for path in self._strays}
        places |= {e.path: e.target for e in entries if e.kind is Kind.LINK and e.inside and e.target in places}
        strays = Strays(places)
        names = {name for entry in entries for _, name in entry.includes}
        if not places or not (UNTOLD[1] in names or strays.may_be(names)):
            return
        at = {entry.path: number for number, entry in enumerate(entries)}
        todo = [entry for entry in entries if entry.includes]
        while todo:
            source = todo.pop()
            for path in strays.take(source.path, self._includes_of(source)):
                entry = entries[at[path]] = self._look(path, self._status(path), _INCLUDED)
                todo.append(entry)

    def _includes_of(self, source: Entry) -> tuple[tuple[bool, bytes], ...]:
        """The includes of a source, with what a macro that one names may be."""
        if UNTOLD not in source.includes:
            return source.includes
        try:
            data = Path(self._full(source.path)).read_bytes()
        except OSError as error:
            raise self._unreadable(source.path, error) from error
        return source.includes + kinds.includable(data)

    def _status(self, path: str) -> os.stat_result:
        try:
            return os.stat(self._full(path))  # noqa: PTH116
        except OSError as error:
            raise self._unreadable(path, error) from error

    def _unreadable(self, path: str, error: OSError) -> InputError:
        return InputError(f"{self._root / path}: cannot be read: {os_reason(error)}")

    def _full(self, path: str) -> str:
        """Where a path of the tree lies, as text: thousands of path objects take their time."""
        return f"{self._place}/{path}" if path else self._place

    def _folder(self, folder: str, ignores: Ignores, copied: bool) -> None:
        try:
            with os.scandir(self._full(folder)) as listing:
                items = sorted(listing, key=lambda item: item.name)
        except OSError as error:
            raise self._unreadable(folder, error) from error
        if self._selection.gitignore and any(item.name == ".gitignore" for item in items):
            ignores = (*ignores, (folder, self._ignore_file(folder)))
        names = {item.name for item in items} if self._selection.vendored else ()
        if library := library_in(self._full(folder), names):
            self._tree.notes.append(f"{folder or self._root}: {library.note(self._selection.in_place)}")
            if library.shadows:
                self._tree.partial = True
                return
            copied = True
        for item in items:
            if item.name.startswith(".hipify-") and item.name.endswith(".tmp"):
                continue  # a run of ours that was killed left it
            path = f"{folder}/{item.name}" if folder else item.name
            if item.is_symlink():
                if not self._left_out(path, False, ignores):
                    self._link(path, copied)
            elif item.is_dir(follow_symlinks=False):
                if item.name not in _VERSION_CONTROL and not self._left_out(path, True, ignores):
                    self._subfolder(path, item.name, ignores, copied)
            elif item.is_file(follow_symlinks=False):
                if not self._left_out(path, False, ignores):
                    self._file(path, item.stat(follow_symlinks=False), copied)
            else:
                self._tree.notes.append(f"{path}: is no regular file (a pipe, socket or device); left out")

    def _subfolder(self, path: str, name: str, ignores: Ignores, copied: bool) -> None:
        submodule = os.path.isfile(f"{self._full(path)}/.git")  # noqa: PTH113 - it says False where it may not look
        third_party = submodule or name.lower() in self._third_party
        if third_party and not copied:
            self._tree.third_party.append(path)
            if self._selection.third_party == "skip":
                self._tree.partial = True
                return
            copied = self._selection.third_party == "copy"
        copied = copied or (self._selection.vendored and is_repository(self._full(path)))
        self._folder(path, ignores, copied)

    def _ignore_file(self, folder: str) -> Ignored:
        from hipify.ignored import Ignored

        path = self._root / folder / ".gitignore"
        try:
            lines = path.read_text("utf-8", "surrogateescape").splitlines()
        except OSError:
            return Ignored([])
        ignored = Ignored(lines)
        for line in ignored.refused:
            self._tree.notes.append(f"{path}: a pattern that git would not take is passed over: {line}")
        return ignored

    def _left_out(self, path: str, folder: bool, ignores: Ignores) -> bool:
        if self._is_left_out(path, folder, ignores):
            self._tree.partial = True
            return True
        return False

    def _is_left_out(self, path: str, folder: bool, ignores: Ignores) -> bool:
        shown = f"{path}/" if folder else path
        if self._exclude is not None and self._exclude.match_file(shown):
            return True
        for base, ignored in reversed(ignores):
            verdict = ignored.verdict(path[len(base) + 1 :] if base else path, folder)
            if verdict:
                self._ignored += 1
                return True
            if verdict is not None:
                break
        return not folder and self._include is not None and not self._include.match_file(path)

    def _link(self, path: str, copied: bool) -> None:
        full = self._root / path
        target = str(full.readlink())
        try:
            full.stat()
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise InputError(f"{full}: the link leads back to itself; leave it out with --exclude") from error
            self._tree.notes.append(f"{path}: the link leads nowhere ({target}); it is made anew as it is")
            self._tree.entries.append(Entry(path, Kind.LINK, digest=fingerprint(os.fsencode(target)), target=target))
            return
        real = os.path.realpath(full)
        inside = real == self._real or real.startswith(self._real + os.sep)
        if full.is_dir():
            self._tree.partial = True
            here = os.path.realpath(full.parent)
            if here == real or here.startswith(real.rstrip(os.sep) + os.sep):
                raise InputError(f"{full}: the link leads to a folder above it, a loop; leave it out with --exclude")
            if not inside:
                self._tree.notes.append(f"{path}: links to a folder outside, {real}; what is in it stays as it is")
        elif not inside:
            self._tree.notes.append(f"{path}: links to a file outside, {real}; its content is taken")
            self._file(path, full.stat(), copied)
            return
        shown = os.path.relpath(real, self._real).replace(os.sep, "/") if inside else real
        known = fingerprint(os.fsencode(target))
        self._tree.entries.append(Entry(path, Kind.LINK, digest=known, target=shown, inside=inside))

    def _file(self, path: str, status: os.stat_result, copied: bool) -> None:
        entry = self._look(path, status, _COPIED if copied else "")
        self._tree.entries.append(entry)
        if not copied and entry.kind in (Kind.COPY, Kind.BUILD) and not kinds.is_c_family(path):
            self._strays.append(path)

    def _look(self, path: str, status: os.stat_result, how: str) -> Entry:
        """What a file is: as an earlier run knows it, else by reading it."""
        place = f"{how}:{path}" if how else path
        record = self._seen.get(place, status)
        if record is not None:
            with contextlib.suppress(
                ValueError, LookupError, TypeError, AttributeError
            ):  # a record of another's making
                return self._recalled(path, record)
        notes, makes = len(self._tree.notes), len(self._make_includes)
        entry = self._read(path, status.st_size, how)
        entry.executable = bool(status.st_mode & 0o100)
        self._seen.put(place, status, _record(entry, self._tree.notes[notes:], self._make_includes[makes:]))
        return entry

    def _recalled(self, path: str, record: Record) -> Entry:
        """The entry that an earlier run made of a file, with all that it said about it."""
        kind, size, known, includes, build, executable, warps, notes, makes = record
        found = tuple((bool(angled), name.encode("latin-1")) for angled, name in includes)
        entry = Entry(path, Kind[kind], size, known, found, build, executable, warps)
        self._make_includes += [(path, name.encode("latin-1")) for name in makes]
        self._tree.notes += notes
        return entry

    def _read(self, path: str, size: int, how: str) -> Entry:
        full = self._full(path)
        source = how == _INCLUDED or (not how and kinds.is_c_family(path))
        build = "" if how else kinds.build_kind(path.rpartition("/")[2])
        try:
            if not (build or source) or size > self._selection.max_bytes:
                if source:
                    self._tree.notes.append(f"{path}: {size >> 20} MB, too large to translate (--max-size); copied")
                return Entry(path, Kind.COPY, size, file_fingerprint(full))
            with open(full, "rb") as stream:  # noqa: PTH123
                data = stream.read()
        except OSError as error:
            raise self._unreadable(path, error) from error
        entry = Entry(path, Kind.COPY, len(data), fingerprint(data))
        if b"\0" in data:
            if source:
                why = "though sources include it" if how else "in spite of its name"
                self._tree.notes.append(f"{path}: a binary file or UTF-16 text {why}; copied")
        elif source:
            self._source(entry, data)
        elif build and kinds.builds(build, data):
            entry.kind, entry.build = Kind.BUILD, build
            if build == "make":
                self._make_includes += [(path, name) for name in kinds.make_includes(data)]
        return entry

    def _source(self, entry: Entry, data: bytes) -> None:
        entry.kind = Kind.PLAIN if is_helper(entry.path, data) else kinds.source_kind(entry.path, data)
        entry.includes = kinds.includes_of(data)
        entry.warps = entry.kind is Kind.CUDA and kinds.uses_warps(data)
        if entry.kind is Kind.CUDA and kinds.is_generated(data):
            self._tree.notes.append(f"{entry.path}: says that it is generated: its generator needs the port too")


def _record(entry: Entry, notes: list[str], makes: list[tuple[str, bytes]]) -> Record:
    """What is to be known of a file without reading it again."""
    includes = [[angled, name.decode("latin-1")] for angled, name in entry.includes]
    names = [name.decode("latin-1") for _, name in makes]
    return [
        entry.kind.name,
        entry.size,
        entry.digest,
        includes,
        entry.build,
        entry.executable,
        entry.warps,
        notes,
        names,
    ]


def _spec(patterns: tuple[str, ...], option: str) -> pathspec.GitIgnoreSpec | None:
    if not patterns:
        return None
    import pathspec

    try:
        return pathspec.GitIgnoreSpec.from_lines(patterns)
    except ValueError as error:
        raise InputError(f"{option}: not a pattern as .gitignore has it: {error}") from error

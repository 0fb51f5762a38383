"""A job with all that it needs from the disk, for a worker that shares none: pack it here, carry it out there.

A parcel holds the file's bytes, those of every header that its parse reads (but the system's), and the text of the
user's rule files. The worker lays the headers out below a folder of its own, under the paths that they have here, and
the paths in what it finds are made those of here again: the result is the one that a local run gives.
"""

from __future__ import annotations

import os
import pickle
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from hipify.errors import InputError, os_reason
from hipify.model import Options, Translation
from hipify.project import work
from hipify.rules import rulebook

_INCLUDE = re.compile(rb'(?:#[ \t]*include(?:_next)?|__has_include[ \t]*\()[ \t]*(["<])([^">\r\n]+)[">]')
_SEARCHED = ("-iquote", "-I", "-isystem")
_MANY = 1 << 17
_WITH_FILE = ("-include", "-imacros")


@dataclass(frozen=True)
class Parcel:
    """A job and the files that it needs, by their absolute paths here."""

    job: work.Job
    folder: str
    """The working folder, from which relative paths go out."""
    files: tuple[tuple[str, bytes], ...]
    folders: tuple[str, ...]
    rules: tuple[tuple[str, str], ...]

    def pack(self) -> bytes:
        """The parcel as bytes."""
        return zlib.compress(pickle.dumps(self, pickle.HIGHEST_PROTOCOL), 1)

    @staticmethod
    def unpack(body: bytes) -> Parcel:
        """The parcel that was packed."""
        parcel = pickle.loads(zlib.decompress(body))
        assert isinstance(parcel, Parcel)
        return parcel


class Packer:
    """Makes the parcels of one run. It takes the tree to stay as it is, and looks at each place once."""

    def __init__(self) -> None:
        self._is_file: dict[str, bool] = {}
        self._includes: dict[str, tuple[tuple[bool, str], ...]] = {}

    def parcel_of(self, job: work.Job) -> Parcel:
        """A job with what it needs; raises InputError when a rule file cannot be read."""
        rules = tuple((path, _rule_text(path)) for path in job.options.rule_files)
        folder = os.getcwd()  # noqa: PTH109
        if job.task not in (work.TRANSLATE, work.EXAMINE):
            return Parcel(job, folder, (), (), rules)
        search = _Search(job.options, self)
        own = os.path.abspath(job.path)  # noqa: PTH100
        files = tuple(_contents(search.closure(own, job.data)))
        return Parcel(job, folder, files, (os.path.dirname(own), *search.folders), rules)  # noqa: PTH120

    def is_file(self, path: str) -> bool:
        """Whether there is a file of that name."""
        known = self._is_file.get(path)
        if known is None:
            if len(self._is_file) > _MANY:
                self._is_file.clear()
            known = self._is_file[path] = os.path.isfile(path)  # noqa: PTH113
        return known

    def includes_of(self, path: str) -> tuple[tuple[bool, str], ...]:
        """The includes of a header."""
        known = self._includes.get(path)
        if known is None:
            known = self._includes[path] = next((_includes(data) for _, data in _contents([path])), ())
        return known


def _rule_text(path: str) -> str:
    try:
        return Path(path).read_text("utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {os_reason(error)}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text") from error


def _contents(paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    for path in paths:
        try:
            yield path, Path(path).read_bytes()
        except OSError:
            continue  # gone since: a local run would miss it, too


class _Search:
    """Where the includes of one job are looked for, in clang's order."""

    def __init__(self, options: Options, packer: Packer) -> None:
        self._packer = packer
        found: dict[str, list[str]] = {name: [] for name in _SEARCHED}
        self.forced: list[str] = []
        for option, value in path_options(options.clang_args):
            (self.forced if option in _WITH_FILE else found[option]).append(value)
        self._quoted = [os.path.abspath(p) for p in found["-iquote"]]  # noqa: PTH100
        angled = (*options.include_dirs, *found["-I"], *found["-isystem"])
        self._angled = [os.path.abspath(p) for p in angled]  # noqa: PTH100
        self.folders = tuple(dict.fromkeys(p for p in (*self._quoted, *self._angled) if Path(p).is_dir()))

    def closure(self, path: str, data: bytes) -> list[str]:
        """The files that a source includes, directly or not, in order of path."""
        found: set[str] = set()
        todo = [(path, _includes(data))]
        for forced in self.forced:
            todo.append((os.path.join(os.getcwd(), "-"), ((False, forced),)))  # noqa: PTH109, PTH118
        while todo:
            includer, names = todo.pop()
            for angled, name in names:
                target = self._resolve(os.path.dirname(includer), angled, name)  # noqa: PTH120
                if target and target not in found and target != path:
                    found.add(target)
                    todo.append((target, self._packer.includes_of(target)))
        return sorted(found)

    def _resolve(self, folder: str, angled: bool, name: str) -> str:
        if name.startswith("/"):
            return ""  # no other place can be had for it on the far side
        folders = self._angled if angled else [folder, *self._quoted, *self._angled]
        for place in folders:
            path = os.path.join(place, name)  # noqa: PTH118
            if self._packer.is_file(path):
                return os.path.normpath(path)
        return ""


def path_options(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The options of clang that hold a path, with it."""
    rest = iter(words)
    for word in rest:
        option = next((o for o in (*_SEARCHED, *_WITH_FILE) if word.startswith(o)), "")
        if option:
            yield option, word[len(option) :] or next(rest, "")


def _includes(data: bytes) -> tuple[tuple[bool, str], ...]:
    found = ((m[1] == b"<", os.fsdecode(m[2].strip())) for m in _INCLUDE.finditer(data))
    return tuple(dict.fromkeys(found))


class Unpacked:
    """The folder in which a worker lays out the files of one parcel after the other."""

    def __init__(self, root: str) -> None:
        self._root = root.rstrip("/")
        self._folder = "/"
        self._present: dict[str, bytes] = {}

    def carry_out(self, parcel: Parcel) -> Translation:
        """Do the job of a parcel, as a local run would."""
        rulebook.provided.clear()
        rulebook.provided.update(parcel.rules)
        job = parcel.job
        if not parcel.folders:
            return work.do(job)
        self._folder = parcel.folder
        self._lay_out(parcel)
        path = self._moved(job.path)
        result = work.do(replace(job, path=path, options=self._options(job.options)))
        return self._at_home(result, path, job.path)

    def _lay_out(self, parcel: Parcel) -> None:
        """Have just the parcel's files below the root: what an earlier one left must not be found."""
        wanted = dict(parcel.files)
        for path in [p for p, data in self._present.items() if wanted.get(p) != data]:
            Path(self._root + path).unlink(missing_ok=True)
            del self._present[path]
        for folder in parcel.folders:
            Path(self._root + folder).mkdir(parents=True, exist_ok=True)
        for path, data in parcel.files:
            if path not in self._present:
                target = Path(self._root + path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
                self._present[path] = data

    def _moved(self, path: str) -> str:
        return self._root + os.path.normpath(os.path.join(self._folder, path))  # noqa: PTH118

    def _options(self, options: Options) -> Options:
        words: list[str] = []
        rest = iter(options.clang_args)
        for word in rest:
            option = next((o for o in (*_SEARCHED, *_WITH_FILE) if word.startswith(o)), "")
            if not option:
                words.append(word)
                continue
            value = word[len(option) :] or next(rest, "")
            moved = self._moved(value)
            words += [option, value if option in _WITH_FILE and not Path(moved).is_file() else moved]
        folders = tuple(self._moved(folder) for folder in options.include_dirs)
        return options._replace(include_dirs=folders, clang_args=tuple(words))

    def _at_home(self, result: Translation, path: str, own: str) -> Translation:
        def text(there: str) -> str:
            return there.replace(path, own).replace(self._root, "") if self._root in there else there

        findings = (
            f._replace(file=text(f.file), message=text(f.message), why=text(f.why), fix=text(f.fix))
            for f in result.findings
        )
        return result._replace(path=own, findings=tuple(findings))

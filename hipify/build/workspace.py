"""The private folder of a build: translations of its sources and of the headers that they include, laid out alike."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hipify.build.homing import Home, Homes
from hipify.build.plain import is_plain
from hipify.errors import HipifyError, OutputError, os_reason
from hipify.model import Options, Translation
from hipify.parser.source import Source
from hipify.parser.structure import Structure
from hipify.project.build_files.flags import is_toolkit
from hipify.rules.computed_includes import header_names

_SYSTEM = ("/usr/include", "/usr/lib", "/usr/share", "/usr/local/include", "/usr/local/cuda", "/opt/rocm", "/opt/cuda")


@dataclass
class Reached:
    """A file that belongs to the build, by its absolute path; what could not be translated is taken as it is."""

    path: str
    data: bytes
    translation: Translation | None = None
    passed: set[str] = field(default_factory=set)


@dataclass
class Workspace:
    """Where everything lies: `folder` is private and goes away with `close`.

    The compilers make texts for a shell of what they are called with, so no path here has letters that mean something
    to one: files and folders with such names lie under other ones, and links have their own for what includes them.
    """

    folder: Path
    root: str
    files: dict[str, Reached] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    _names: dict[str, int] = field(default_factory=dict)

    def place(self, path: str) -> Path:
        """Where a file, or a folder of includes, lies."""
        return Path(self.folder, "src", *map(self._plain, self._parts(path)))

    def renamed(self, path: str) -> bool:
        """Whether a file lies under another name than its own."""
        return not all(map(is_plain, self._parts(path)))

    def links(self, path: str) -> Iterator[tuple[Path, str]]:
        """The links that a path needs to be found by its own name: where each stands, and what it leads to."""
        place = self.folder / "src"
        for part in self._parts(path):
            plain = self._plain(part)
            if plain != part:
                yield place / part, plain
            place /= plain

    def _parts(self, path: str) -> tuple[str, ...]:
        return Path(os.path.relpath(os.path.abspath(path), self.root)).parts  # noqa: PTH100

    def _plain(self, part: str) -> str:
        """A plain name for one of a path; the ending, which tells the language, is kept."""
        if is_plain(part):
            return part
        ending = os.path.splitext(part)[1]  # noqa: PTH122
        number = self._names.setdefault(part, len(self._names))
        return f"hipify-name-{number}{ending if is_plain(ending) else ''}"

    def holds(self, folder: str) -> bool:
        """Whether anything of a folder lies here."""
        absolute = os.path.abspath(folder)  # noqa: PTH100
        return any(path.startswith(absolute.rstrip(os.sep) + os.sep) for path in self.files)

    def homes(self) -> Homes:
        """The files for bringing messages home."""
        return Homes(
            Home(file.translation, str(self.place(path)))
            for path, file in self.files.items()
            if file.translation is not None
        )

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)


def workspace(
    translations: Mapping[str, Translation], options: Mapping[str, Options], include_dirs: Mapping[str, Iterable[str]]
) -> Workspace:
    """Lay out the given translations (by the path that the user gave) with the project's own headers."""
    files: dict[str, Reached] = {}
    for path, translation in translations.items():
        absolute = os.path.abspath(path)  # noqa: PTH100
        files[absolute] = Reached(absolute, translation.input, translation)
    problems: list[str] = []
    for path in translations:
        _reach(path, options[path], list(include_dirs[path]), files, problems)
    parents = {os.path.dirname(path) for path in files}  # noqa: PTH120
    folder = Path(tempfile.mkdtemp(prefix="hipify-build-"))
    made = Workspace(folder, os.path.commonpath(parents), files, problems)
    try:
        _write(made)
    except BaseException:
        made.close()
        raise
    return made


def _reach(path: str, options: Options, folders: list[str], files: dict[str, Reached], problems: list[str]) -> None:
    """Find and translate the project's headers that a source includes, with the source's options."""
    todo = [os.path.abspath(path)]  # noqa: PTH100
    seen = set(todo)
    while todo:
        current = files[todo.pop()]
        for header in _includes(current, folders):
            if header in seen:
                continue
            seen.add(header)
            if header not in files:
                shown = header if os.path.isabs(path) else os.path.relpath(header)  # noqa: PTH117
                files[header] = _translated(header, shown, options, problems)
            todo.append(header)


def _translated(path: str, shown: str, options: Options, problems: list[str]) -> Reached:
    from hipify.pipeline import read, translate

    data = read(path)
    try:
        return Reached(path, data, translate(data, shown, options))
    except HipifyError as error:
        problems.append(f"{error}; taken as it is")
        return Reached(path, data)


def _includes(file: Reached, folders: list[str]) -> list[str]:
    """The own files that a file includes, or names in a macro for an include, as absolute paths."""
    beside = os.path.dirname(file.path)  # noqa: PTH120
    structure = Structure(Source(file.data, file.path))
    names = [(include.name, include.angled) for include in structure.includes]
    names += [(match[1][1:-1], match[1][:1] == b"<") for _, match in header_names(structure)]
    found = []
    for raw, angled in names:
        name = raw.strip().decode("utf-8", "surrogateescape")
        for folder in folders if angled else [beside, *folders]:
            path = os.path.abspath(os.path.join(folder, name))  # noqa: PTH100, PTH118
            if os.path.isfile(path):  # noqa: PTH113
                if not _foreign(path, file.path):
                    found.append(path)
                    file.passed.update(_passed(folder, name))
                break
    return found


def _passed(folder: str, name: str) -> Iterator[str]:
    """The folders that an include goes into and out of again: `util` of `util/../common.h`."""
    parts = name.split("/")
    for at, part in enumerate(parts):
        if part == ".." and at and parts[at - 1] not in ("", ".", ".."):
            yield os.path.abspath(os.path.join(folder, *parts[:at]))  # noqa: PTH100, PTH118


def _foreign(path: str, includer: str) -> bool:
    """Whether a header is the system's, ROCm's or CUDA's, which the compiler takes from where it lies."""
    for folder in _SYSTEM:
        if path.startswith(folder + os.sep):
            return not includer.startswith(folder + os.sep)
    return is_toolkit(path)


def _write(made: Workspace) -> None:
    for path, file in made.files.items():
        place = made.place(path)
        helpers = file.translation.helper_headers if file.translation is not None else {}
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file.translation.output if file.translation is not None else file.data)
            for name, content in helpers.items():
                (place.parent / name).write_bytes(content)
            for link, leads_to in made.links(path):
                if not link.is_symlink():
                    link.symlink_to(leads_to)
            for passed in file.passed:
                if f"{passed}{os.sep}".startswith(f"{made.root.rstrip(os.sep)}{os.sep}"):
                    made.place(passed).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{place}: cannot be written: {os_reason(error)}") from error

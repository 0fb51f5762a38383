"""A converted tree as `verify` sees it: its outputs, with the translations that its state file remembers."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from hipify.build.homing import Home, Homes
from hipify.build.locate import Locator
from hipify.build.process import call
from hipify.emit import rewriter
from hipify.errors import InputError, os_reason
from hipify.model import Finding, Translation
from hipify.parser.source import Source
from hipify.parser.structure import Structure
from hipify.project.helpers import HELPER
from hipify.project.kinds import is_c_family
from hipify.project.records import Figures, from_record
from hipify.project.state import Row, State, state_path, unpack

CUDA_UNITS = (".cu", ".hip", ".hip.cpp")
UNITS = (*CUDA_UNITS, ".cpp", ".cc", ".cxx", ".c++")
_UNTRANSLATED = ("copied", "linked", "build file")
"""What became of files that are none of C's or CUDA's, mostly; the others were translated, whatever their names."""
_HIP = re.compile(rb"\bhip[A-Z]\w+|<hip[\w/]*\.h|__global__|hipLaunchKernelGGL")


@dataclass
class Converted:
    """One file of the tree."""

    output: Path
    shown: str
    row: Row | None = None
    source: Path | None = None

    @property
    def name(self) -> str:
        """The path below the tree."""
        return self.row.output if self.row is not None else self.shown

    @cached_property
    def text(self) -> bytes:
        """What lies there."""
        try:
            return self.output.read_bytes()
        except OSError:
            return b""

    @property
    def is_unit(self) -> bool:
        """Whether it is a source with HIP code."""
        name = self.output.name.lower()
        return name.endswith(UNITS) and (name.endswith(CUDA_UNITS) or _HIP.search(self.text) is not None)


@dataclass
class Tree:
    """The files of a converted folder, those of the state file first; `figures` is what convert counted."""

    root: Path
    files: dict[str, Converted] = field(default_factory=dict)
    source: Path | None = None
    target: str = ""
    figures: Figures = field(default_factory=Figures)
    conflicts: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    @classmethod
    def load(cls, root: Path) -> Tree:
        """Read a folder; InputError where it is none."""
        if not root.is_dir():
            raise InputError(f"{root}: is no folder")
        tree = cls(root)
        if state_path(root).exists():
            with contextlib.closing(State(state_path(root))) as state:
                tree._remember(state)
        for path in _files(root):
            key = os.path.realpath(path)
            tree.files.setdefault(key, Converted(path, _shown(path)))
        return tree

    def _remember(self, state: State) -> None:
        about = state.about()
        self.source = Path(about["source"]) if "source" in about else None
        self.target = about.get("target", "")
        for row in state.rows().values():
            path = self.root / row.output
            if row.conflict:
                self.conflicts.append(row.output)
            if row.action == "failed":
                self.failed.append(row.input)
            self.figures.add(Figures.from_json(row.figures))
            untranslated = row.action in _UNTRANSLATED
            if row.action == HELPER or (untranslated and not is_c_family(row.output)):
                continue
            whole = state.whole(row.input) if row.record is None and not untranslated else row
            source = self.source / row.input if self.source is not None else None
            self.files[os.path.realpath(path)] = Converted(path, _shown(source or path), whole, source)

    def homes(self) -> Homes:
        """All files as places where messages come home to."""
        return Homes(TreeHome(file) for file in self.files.values())

    @property
    def units(self) -> list[Converted]:
        """The sources with HIP code, by path."""
        return sorted((file for file in self.files.values() if file.is_unit), key=lambda file: file.name)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self.files:
            found.setdefault(os.path.basename(path), []).append(path)  # noqa: PTH119
        return found

    def guessed_folders(self, unit: Converted, known: list[str]) -> list[str]:
        """The folders of the tree that must be include folders for a unit, though no flag says so."""
        guessed: dict[str, None] = {}
        todo = [os.path.realpath(unit.output)]
        seen = set(todo)
        while todo:
            path = todo.pop()
            for name, angled in self._included(path):
                folders = [*([] if angled else [os.path.dirname(path)]), *known, *guessed]  # noqa: PTH120
                target = next((t for f in folders if (t := os.path.realpath(Path(f, name))) in self.files), "")
                if not target:
                    target = self._guess(name, path)
                    if target:
                        guessed[target[: -len(name)].rstrip("/")] = None
                if target and target not in seen:
                    seen.add(target)
                    todo.append(target)
        return list(guessed)

    def _included(self, path: str) -> list[tuple[str, bool]]:
        file = self.files.get(path)
        if file is None:
            return []
        includes = Structure(Source(file.text, path)).includes
        return [(i.name.strip().decode("utf-8", "surrogateescape"), i.angled) for i in includes]

    def _guess(self, name: str, includer: str) -> str:
        """The file of the tree whose path ends like an include: the nearest one."""
        tail = os.path.normpath(name)
        if tail.startswith(("..", "/")):
            return ""
        found = [path for path in self._by_name.get(os.path.basename(tail), []) if path.endswith(f"/{tail}")]  # noqa: PTH119
        return min(found, key=lambda path: (-len(os.path.commonpath([path, includer])), path), default="")


class TreeHome(Home):
    """A file of a tree, read when a message arrives."""

    def __init__(self, file: Converted) -> None:
        self.path = file.shown
        self.output = str(file.output)
        self._file = file

    @cached_property
    def _loaded(self) -> Home:
        return _home(self._file)

    @property
    def translation(self) -> Translation:
        """What was made of the input, and the findings."""
        return self._loaded.translation

    @property
    def text(self) -> bytes:
        """What the compiler reads."""
        return self._file.text

    def foretell(self, findings: Iterable[Finding]) -> None:
        """Findings that a build made before it compiled stand among the others."""
        self._loaded.foretell(findings)

    @cached_property
    def locator(self) -> Locator:
        """Finds places of the output in the input."""
        return self._loaded.locator


def _files(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if is_c_family(name):
                yield Path(folder, name)


def _shown(path: Path) -> str:
    """A path as people want to read it: relative where it lies below the current folder."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative


def _home(file: Converted) -> Home:
    """A file with its translation; one that nothing is remembered of is its own input."""
    row = file.row
    if row is None or row.record is None:
        data = file.text
        return Home(Translation(file.shown, data, data, (), (), ()), str(file.output))
    generated = row.base_text if row.base is not None else file.text
    record = from_record(unpack(row.record), file.shown, b"", generated or b"", row.helpers.split())
    given = _input(file, record)
    if given is None:  # converted in place, and the CUDA text is nowhere: the places are those of the HIP text
        shown = record._replace(path=file.shown, input=file.text, output=file.text, edits=(), findings=())
        return Home(shown, str(file.output))
    return Home(record._replace(input=given), str(file.output), file.text)


def _input(file: Converted, record: Translation) -> bytes | None:
    """The text that the output was made of: the one that gives the generated text with the edits."""
    assert file.source is not None
    candidates = [_read(file.source), _read(file.source.with_name(f"{file.source.name}.prehip"))]
    for data in candidates:
        if data is not None and _makes(data, record):
            return data
    committed = call(["git", "show", f"HEAD:./{file.source.name}"], folder=_existing(file.source.parent))
    data = committed.out.encode("utf-8", "surrogateescape")
    return data if committed.status == 0 and _makes(data, record) else None


def _existing(folder: Path) -> Path:
    return folder if folder.is_dir() else Path.cwd()


def _makes(data: bytes, record: Translation) -> bool:
    try:
        return rewriter.apply(data, rewriter.in_order(record.edits, len(data))) == record.output
    except rewriter.EditConflict:
        return False


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {os_reason(error)}") from error

"""The reports of a conversion: every format there is, over all files, loaded one after the other."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast, overload

from hipify.emit import files, report
from hipify.emit.report import FileResult, Report
from hipify.errors import HipifyError
from hipify.project.helpers import HELPER
from hipify.project.records import from_record
from hipify.project.settings import Settings
from hipify.project.state import Row, State, folder, state_path, unpack

if TYPE_CHECKING:
    from hipify.project.executors import WorkerPool
    from hipify.project.here import Here

_KEPT = 48 << 20
_OBJECT = 250
"""About what an edit, a reference or a finding takes, in bytes."""


class StoredResults(Sequence[FileResult]):
    """The results in a state file.

    Each is read when it is asked for, so that a large tree needs no memory; those of a small one are kept (up to
    `room` bytes), because some reports go over them several times.
    """

    def __init__(self, state: State, settings: Settings, room: int = _KEPT) -> None:
        self._state = state
        self._settings = settings
        rows = sorted(state.rows().values(), key=lambda row: row.input)
        self._kept: dict[str, FileResult] = {}
        self._room = room
        self._inputs = [row.input for row in rows if row.action not in (HELPER, "copied", "linked")]

    def __len__(self) -> int:
        return len(self._inputs)

    @overload
    def __getitem__(self, index: int) -> FileResult: ...

    @overload
    def __getitem__(self, index: slice) -> list[FileResult]: ...

    def __getitem__(self, index: int | slice) -> FileResult | list[FileResult]:
        if isinstance(index, slice):
            return [self._load(name) for name in self._inputs[index]]
        return self._load(self._inputs[index])

    def __iter__(self) -> Iterator[FileResult]:
        return map(self._load, self._inputs)

    def _load(self, name: str) -> FileResult:
        found = self._kept.get(name)
        if found is None:
            found = self._read(name)
            if self._room > 0 and (made := found.translation) is not None:
                objects = len(made.edits) + len(made.references) + len(made.findings)
                self._room -= len(made.input) + len(made.output) + _OBJECT * objects
            if self._room > 0:
                self._kept[name] = found
        return found

    def _read(self, name: str) -> FileResult:
        row = self._state.whole(name)
        path = str(self._settings.source / row.input)
        output = str(self._settings.out / row.output)
        if row.record is None:
            return FileResult(path, output=output)
        data = _read(Path(path))
        text = row.base_text
        translation = from_record(
            unpack(row.record), path, data, text if text is not None else _read(Path(output)), row.helpers.split()
        )
        return FileResult(path, translation, output)


def write(state: State, settings: Settings, paths: Sequence[str], format_name: str = "") -> list[str]:
    """Write reports to paths, the ending choosing the format; gives the paths."""
    once = all(path.endswith(".html") for path in paths)  # the page is made in one go over the files
    results = cast("tuple[FileResult, ...]", StoredResults(state, settings, 0 if once else _KEPT))
    made = Report(settings.options, results, target_origin=settings.target_origin, cuda_origin=settings.cuda_origin)
    for path in paths:
        files.write(path, report.writer(path, format_name).render(made))
    return list(paths)


def write_standard(settings: Settings, paths: Sequence[str], pool: WorkerPool | Here | None = None) -> None:
    """Write several reports, the long one in a worker process where there are several of them."""
    with contextlib.closing(State(state_path(settings.out), reading=True)) as state:
        apart = [path for path in paths if path.endswith(".html")] if pool is not None and pool.workers > 1 else []
        futures = [pool.submit(_write_alone, settings, path) for path in apart] if pool is not None else []
        write(state, settings, [path for path in paths if path not in apart])
        if any(future.exception() is not None for future in futures):
            write(state, settings, apart)  # a worker can be lost; the report is written all the same


def _write_alone(settings: Settings, path: str) -> None:
    with contextlib.closing(State(state_path(settings.out), reading=True)) as state:
        write(state, settings, [path])


def standard(settings: Settings) -> list[str]:
    """The reports that every conversion writes beside its state, in the formats that are there."""
    found = []
    for suffix in (".html", ".json", ".sarif"):
        try:
            report.writer(f"report{suffix}")
        except HipifyError:
            continue
        found.append(str(folder(settings.out) / f"report{suffix}"))
    return found


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


__all__ = ["Row", "StoredResults", "standard", "write", "write_standard"]

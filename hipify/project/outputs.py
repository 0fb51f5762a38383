"""Put results where they belong: never half, never over a person's changes, in an order that a kill cannot spoil."""

from __future__ import annotations

import contextlib
import os
import stat
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from hipify.emit import files
from hipify.errors import OutputError, os_reason
from hipify.fingerprints import file_fingerprint, fingerprint
from hipify.project.kept import KEPT_TEXT
from hipify.project.merge import has_conflicts, merge
from hipify.project.state import Row, State, compress

_BESIDE = ".hipify-new"
TEMPORARY = ".hipify-*.tmp"
"""The files that are being written, beside those that they will replace."""
_KEPT_COPY = 256 << 10
"""The longest file that was only copied whose text is kept for merges, in bytes."""
_BATCH = 64
_WRITERS = 16
_TRIED = 4
_LONG_SECONDS = 0.001
_BATCH_BYTES = 16 << 20


@dataclass
class Written:
    """What happened to the outputs of a run. Paths are relative to the output's root."""

    conflicts: list[str] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    written: int = 0


@dataclass(slots=True)
class _Write:
    row: Row
    text: bytes | None
    """What to write; None when the output stays as it is."""
    copy_of: Path | None = None
    beside: bytes | None = None
    mode: int = 0o666
    old_output: str = ""


class Outputs:
    """The outputs of one run, written in batches."""

    def __init__(
        self, out: Path, state: State, claimed: set[str], in_place: bool = False, backup: bool = False
    ) -> None:
        self._out = out
        self._state = state
        self._claimed = claimed
        self._in_place = in_place
        self._backup = backup
        self._batch: list[_Write] = []
        self._bytes = 0
        self._folders: set[str] = set()
        self._is_slow, self._alone, self._seconds = False, 0, 0.0
        """Whether files take long to write, how many were written one after the other, and in which time."""
        self._writers = ThreadPoolExecutor(_WRITERS)
        self.result = Written()
        self.on_written: Callable[[Row], None] = lambda row: None

    def recover(self, rows: dict[str, Row]) -> None:
        """Settle what a killed run had announced: taken over where it was written, forgotten where not."""
        pending = self._state.pending()
        self._sweep({str((self._out / row.output).parent) for row in pending} | {str(self._state.path.parent)})
        done = [row for row in pending if self._hash(row.output) == row.written]
        self._state.finish(done)
        for row in done:
            rows[row.input] = row._replace(base=None, record=None)

    @staticmethod
    def _sweep(folders: set[str]) -> None:
        """Remove the files that a killed run had begun to write."""
        for folder in folders:
            for path in Path(folder).glob(TEMPORARY):
                with contextlib.suppress(OSError):
                    path.unlink()

    def _hash(self, output: str) -> str:
        path = self._out / output
        try:
            if path.is_symlink():
                return fingerprint(os.fsencode(path.readlink()))
            return file_fingerprint(path)
        except OSError:
            return ""

    def put(self, row: Row, text: bytes, last: Row | None, mode: int, old: str = "") -> None:
        """Write a text; a person's changes to the output are merged in. `old` is an output that this one replaces."""
        if not row.generated:
            row = row._replace(generated=fingerprint(text), base=_base(text))
        if self._in_place:
            write = _Write(row._replace(written=row.generated), text, mode=mode)
        else:
            write = self._settle(row, text, last)
            write.mode = mode
        write.old_output = old or (last.output if last is not None and last.output != row.output else "")
        self._add(write, len(text))

    def put_file(self, row: Row, source: Path, last: Row | None, mode: int) -> None:
        """Copy a file of any size."""
        size = source.stat().st_size
        if size <= KEPT_TEXT:
            self.put(row, source.read_bytes(), last, mode)
            return
        row = row._replace(generated=row.source, written=row.source)
        here = self._hash(last.output if last is not None else row.output)
        if here in ("", row.source, last.written if last is not None else ""):
            write = _Write(row, None, source if here != row.source else None, mode=mode)
        else:
            write = self._in_conflict(row, None, here)
            write.copy_of = None
        write.old_output = last.output if last is not None and last.output != row.output else ""
        self._add(write, 0)

    def put_link(self, row: Row, target: str, last: Row | None = None) -> None:
        """Make a symbolic link; a file that a person has changed stays."""
        path = self._out / row.output
        if not (path.is_symlink() or path.exists()):
            self._folder(path)
            path.symlink_to(target)
        elif not (path.is_symlink() and str(path.readlink()) == target):
            self._replace_link(path, target, row, last)
        row = row._replace(generated=row.source, written=self._hash(row.output))
        self._add(_Write(row, None), 0)

    def _replace_link(self, path: Path, target: str, row: Row, last: Row | None) -> None:
        ours = last is not None and self._hash(row.output) == last.written == last.generated
        if not path.is_symlink() and not ours:
            self.result.kept.append(row.output)
            return
        temporary = path.with_name(f".hipify-{os.getpid()}.tmp")
        temporary.symlink_to(target)
        temporary.replace(path)

    def _settle(self, row: Row, text: bytes, last: Row | None) -> _Write:
        """Decide between the new text, what lies there, and both together."""
        if last is None and not os.path.lexists(f"{self._out}/{row.output}"):
            return _Write(row._replace(written=row.generated), text)
        path = self._out / (last.output if last is not None else row.output)
        if not path.exists():
            path = self._out / row.output
        if path.is_symlink():
            self._own_link(path, last)
            return _Write(row._replace(written=row.generated), text)
        try:
            here = path.read_bytes()
        except FileNotFoundError:
            return _Write(row._replace(written=row.generated), text)
        except OSError as error:
            raise OutputError(f"{path}: cannot be read: {os_reason(error)}") from error
        now = fingerprint(here)
        if here == text:
            return _Write(row._replace(written=now), None if last is None or last.output == row.output else text)
        if last is not None and now == last.written == last.generated:
            return _Write(row._replace(written=row.generated), text)
        base = self._state.whole(last.input).base_text if last is not None else None
        merged = merge(here, base, text) if base is not None else None
        if merged is None:
            return self._in_conflict(row, text, now)
        content, conflicts = merged
        if conflicts:
            self.result.conflicts.append(row.output)
        elif content != here:
            self.result.merged.append(row.output)
        same = content == here and (last is None or last.output == row.output)
        return _Write(
            row._replace(written=fingerprint(content), conflict=int(conflicts > 0)), None if same else content
        )

    def _own_link(self, path: Path, last: Row | None) -> None:
        """Refuse to write where a link stands, which could lead anywhere, unless an earlier run made it."""
        if last is None or self._hash(last.output) != last.written:
            raise OutputError(f"{path}: is a link that hipify-py did not make; it is not written through")

    def _in_conflict(self, row: Row, text: bytes | None, now: str) -> _Write:
        """What cannot be merged: the file stays, the new text goes beside it."""
        self.result.conflicts.append(row.output)
        return _Write(row._replace(written=now, conflict=2), None, beside=text)

    def _add(self, write: _Write, size: int) -> None:
        self._batch.append(write)
        self._bytes += size
        if len(self._batch) >= _BATCH or self._bytes >= _BATCH_BYTES:
            self.flush()

    def flush(self) -> None:
        """Announce, write, and take over what has been collected."""
        batch, self._batch, self._bytes = self._batch, [], 0
        if not batch:
            return
        announced = any(write.text is not None or write.copy_of is not None for write in batch)
        if announced:
            self._state.announce(write.row for write in batch)
        for write in batch:
            self._prepare(write)
        self.result.written += self._write_all(batch)
        for write in batch:
            if write.old_output and write.old_output not in self._claimed:
                self._unlink(write.old_output)
        if announced:
            self._state.take_over()
        else:
            self._state.finish(write.row for write in batch)
        for write in batch:
            self.on_written(write.row)

    def _write_all(self, batch: list[_Write]) -> int:
        """Write a batch; gives how many outputs that were.

        A disk takes many files to its platter in about the time of one: where the first few have taken long, the rest
        are written side by side. Elsewhere handing them over would take longer.
        """
        written, rest = 0, iter(batch)
        while not self._is_slow and (write := next(rest, None)) is not None:
            started = time.monotonic()
            written += self._write(write)
            self._alone += 1
            self._seconds += time.monotonic() - started
            self._is_slow = self._alone >= _TRIED and self._seconds > _LONG_SECONDS * self._alone
        return written + sum(self._writers.map(self._write, rest))

    def _prepare(self, write: _Write) -> None:
        """Make the folder, and the way free of a link."""
        path = self._out / write.row.output
        if write.text is not None or write.copy_of is not None or write.beside is not None:
            self._folder(path)
        try:
            mode = os.lstat(path).st_mode
        except OSError:
            return
        if stat.S_ISDIR(mode):
            raise OutputError(f"{path}: cannot be written: is a directory")
        if stat.S_ISLNK(mode) and (write.text is not None or write.copy_of is not None):
            path.unlink()

    def _write(self, write: _Write) -> int:
        """Write what there is to write; gives how many outputs that were. Runs beside others of its kind."""
        path = self._out / write.row.output
        if write.text is not None:
            if self._backup and path.exists():
                files.back_up(str(path), path.read_bytes())
            files.write(path, write.text, write.mode)
        elif write.copy_of is not None:
            _copy(write.copy_of, path)
        elif write.mode & 0o700 and path.is_file() and not path.is_symlink():
            _follow_mode(path, write.mode)
        if write.beside is not None:
            files.write(path.with_name(path.name + _BESIDE), write.beside, write.mode)
        return write.text is not None or write.copy_of is not None

    def _folder(self, path: Path) -> None:
        parent = str(path.parent)
        if parent not in self._folders:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise OutputError(f"{path.parent}: cannot be made: {os_reason(error)}") from error
            real, out = os.path.realpath(parent), os.path.realpath(self._out)
            if real != out and not real.startswith(out.rstrip(os.sep) + os.sep):
                raise OutputError(f"{path}: a folder of it is a link to a place outside the output; not written")
            self._folders.add(parent)

    def is_there(self, row: Row) -> bool:
        """Whether a row's output is a file or a link."""
        try:
            mode = os.lstat(f"{self._out}/{row.output}").st_mode
        except OSError:
            return False
        return stat.S_ISREG(mode) or stat.S_ISLNK(mode)

    def remove(self, row: Row) -> None:
        """Follow a deleted input: its output goes too, unless a person has changed it."""
        if row.output in self._claimed:
            return
        here = self._hash(row.output)
        if here and not (here == row.written == row.generated):
            self.result.kept.append(row.output)
        elif here:
            self._unlink(row.output)
            self.result.removed.append(row.output)

    def _unlink(self, output: str) -> None:
        path = self._out / output
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise OutputError(f"{path}: cannot be removed: {os_reason(error)}") from error
        for parent in path.parents:
            if parent == self._out:
                break
            try:
                parent.rmdir()
            except OSError:
                break
            self._folders.discard(str(parent))

    def open_conflict(self, row: Row) -> bool:
        """Whether a conflict of an earlier run is still there."""
        path = self._out / row.output
        if row.conflict == 2:
            return path.with_name(path.name + _BESIDE).exists()
        try:
            return has_conflicts(path.read_bytes())
        except OSError:
            return False


def _base(text: bytes) -> bytes | None:
    """What is kept of a copied text; of data nobody could merge, nothing."""
    return compress(text) if len(text) <= _KEPT_COPY and b"\0" not in text else None


def _follow_mode(path: Path, mode: int) -> None:
    """A program stays one, and what is one no more does not: the text is what it was."""
    old = stat.S_IMODE(path.stat().st_mode)
    new = old & ~0o111 | (mode & old >> 2 & 0o111)
    if new != old:
        with contextlib.suppress(OSError):
            path.chmod(new)


def _copy(source: Path, target: Path) -> None:
    """Copy a file of any size in one step."""
    import shutil

    temporary = target.with_name(f".hipify-{os.getpid()}-{threading.get_ident()}-copy.tmp")
    try:
        shutil.copyfile(source, temporary)
        temporary.chmod(stat.S_IMODE(source.stat().st_mode) & 0o777 | 0o200)
        temporary.replace(target)
    except OSError as error:
        raise OutputError(f"{target}: cannot be written: {os_reason(error)}") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()

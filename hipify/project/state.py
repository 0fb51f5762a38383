"""The state of a converted tree, kept in OUT/.hipify/state.db: what each output was made from, and its text.

docs/state.md describes the format. A change is announced (`pending`) before files are written and taken over
(`files`) behind, so that a run that is killed anywhere leaves nothing that the next one could misread.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, cast

from hipify.errors import InputError, OutputError
from hipify.project.discover import STATE_FOLDER
from hipify.records import NamedTuple

VERSION = 1
_NAME = "state.db"
_APPLICATION = 0x68697079  # "hipy"
_TEXT = ("input", "output", "action", "key", "source", "generated", "written", "helpers", "figures")


class Row(NamedTuple):
    """What is known of one input and its output.

    `source`, `generated` and `written` are content hashes: of the input, of the text that was made of it, and of what
    was put at the output (not the same where a person's changes were merged in). `base` is the generated text,
    compressed; `record` the findings, edits and references, compressed; `figures` the counts that a summary needs.
    """

    input: str
    output: str
    action: str
    key: str
    source: str
    generated: str
    written: str
    helpers: str = ""
    figures: str = "{}"
    conflict: int = 0
    base: bytes | None = None
    record: bytes | None = None

    @property
    def base_text(self) -> bytes | None:
        """The generated text; None where it was not kept."""
        try:
            return zlib.decompress(self.base) if self.base is not None else None
        except zlib.error as error:
            raise InputError(f"the state file is broken: the text of {self.output} cannot be read: {error}") from error


_COLUMNS = Row._fields
_LIGHT = tuple(name for name in _COLUMNS if name not in ("base", "record"))
_NUMBERS = {"conflict": "INTEGER NOT NULL", "base": "BLOB", "record": "BLOB"}
_DECLARED = ", ".join(f"{name} {_NUMBERS.get(name, 'TEXT NOT NULL')}" for name in _COLUMNS)
_TABLE = "CREATE TABLE IF NOT EXISTS {} (" + _DECLARED + ", PRIMARY KEY (input)) WITHOUT ROWID"


def folder(out: Path) -> Path:
    """Where a converted tree keeps its state and reports."""
    return out / STATE_FOLDER


def state_path(out: Path) -> Path:
    """The state file of a converted tree."""
    return folder(out) / _NAME


class State:
    """An open state file, which no other run can open meanwhile unless all of them only read it."""

    def __init__(self, path: Path, *, reading: bool = False) -> None:
        self.path = path
        with self._errors():
            if reading:
                self._db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
                self._db.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, timeout=0.5, isolation_level=None)
            self._db.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
            self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.execute("BEGIN IMMEDIATE")
            self._prepare()
            self._db.execute("COMMIT")

    def _prepare(self) -> None:
        mark = self._db.execute("PRAGMA application_id").fetchone()[0]
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        empty = not self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if not empty and mark != _APPLICATION:
            raise InputError(
                f"{self.path}: is no state file of hipify-py; move it away or choose another output folder"
            )
        if not empty and version != VERSION:
            raise InputError(
                f"{self.path}: has version {version}, this hipify-py reads {VERSION}; convert into another folder"
            )
        self._db.execute(f"PRAGMA application_id={_APPLICATION}")
        self._db.execute(f"PRAGMA user_version={VERSION}")
        for name in ("files", "pending"):
            self._db.execute(_TABLE.format(name))
        self._db.execute("CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        """sqlite's failures as ours."""
        try:
            yield
        except sqlite3.OperationalError as error:
            text = str(error)
            if "locked" in text:
                raise OutputError(f"{self.path}: another run of hipify-py is converting into this folder") from error
            if "malformed" in text or "no such column" in text:
                raise InputError(self._broken(text)) from error
            raise OutputError(f"{self.path}: cannot be written: {text}") from error
        except (sqlite3.DatabaseError, zlib.error, UnicodeError) as error:
            raise InputError(self._broken(str(error))) from error
        except OSError as error:
            from hipify.errors import os_reason

            raise OutputError(f"{self.path}: cannot be written: {os_reason(error)}") from error

    def _broken(self, reason: str) -> str:
        return (
            f"{self.path}: the state file is broken ({reason}); convert into another folder, or remove it and run "
            "with --force to take this one over"
        )

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def about(self) -> dict[str, str]:
        """What is said of the whole run: the input's root, options, versions."""
        with self._errors():
            return dict(self._db.execute("SELECT name, value FROM about"))

    def set_about(self, values: dict[str, str]) -> None:
        """Say what holds for the whole run."""
        with self._errors():
            pairs = [(_raw(name), _raw(value)) for name, value in values.items()]
            with self._transaction():
                self._db.executemany("INSERT OR REPLACE INTO about VALUES (CAST(? AS TEXT), CAST(? AS TEXT))", pairs)

    def rows(self) -> dict[str, Row]:
        """All rows by their inputs, without texts and records."""
        with self._errors():
            found = self._db.execute(f"SELECT {', '.join(_LIGHT)} FROM files")
            return {row[0]: Row(*row) for row in found}

    def whole(self, input_path: str) -> Row:
        """One row with its text and record."""
        with self._errors():
            query = f"SELECT {', '.join(_COLUMNS)} FROM files WHERE input = CAST(? AS TEXT)"
            return Row(*self._db.execute(query, (_raw(input_path),)).fetchone())

    def announce(self, rows: Iterable[Row]) -> None:
        """Note what is about to be written."""
        self._put("pending", rows)

    def pending(self) -> list[Row]:
        """What a run that was killed was about to write."""
        with self._errors():
            return [Row(*row) for row in self._db.execute(f"SELECT {', '.join(_COLUMNS)} FROM pending")]

    def finish(self, rows: Iterable[Row]) -> None:
        """Take over what has been written."""
        self._put("files", rows, then="DELETE FROM pending")

    def take_over(self) -> None:
        """Take over all that was announced: it has been written."""
        with self._errors(), self._transaction():
            self._db.execute("INSERT OR REPLACE INTO files SELECT * FROM pending")
            self._db.execute("DELETE FROM pending")

    def forget(self, inputs: Iterable[str]) -> None:
        """Drop rows."""
        with self._errors(), self._transaction():
            self._db.executemany("DELETE FROM files WHERE input = CAST(? AS TEXT)", [(_raw(name),) for name in inputs])

    def _put(self, table: str, rows: Iterable[Row], then: str = "") -> None:
        values = ", ".join("CAST(? AS TEXT)" if name in _TEXT else "?" for name in _COLUMNS)
        with self._errors(), self._transaction():
            self._db.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({values})", map(_values, rows))
            if then:
                self._db.execute(then)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """All of it, or nothing."""
        try:
            self._db.execute("BEGIN")
            yield
            self._db.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _values(row: Row) -> list[Any]:
    return [*map(_raw, cast("tuple[str, ...]", row[: len(_TEXT)])), *row[len(_TEXT) :]]


def compress(data: bytes) -> bytes:
    """The form in which texts are kept."""
    return zlib.compress(data, 1)


def pack(record: dict[str, object]) -> bytes:
    """The form in which records are kept."""
    return compress(json.dumps(record, separators=(",", ":")).encode("ascii"))


def unpack(data: bytes) -> dict[str, Any]:
    """A record again."""
    try:
        value = json.loads(zlib.decompress(data))
    except (zlib.error, ValueError) as error:
        raise InputError(f"the state file is broken: a record cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise InputError("the state file is broken: a record is no object")
    return value


__all__ = ["Row", "State", "compress", "folder", "pack", "state_path", "unpack"]

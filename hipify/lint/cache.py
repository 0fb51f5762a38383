"""Results of earlier runs, by content: of the file, of what it includes, of the options, and of the tool itself.

A database in the user's cache folder. What is in it is data only; what is broken in it counts as absent. It stays below
a size, and forgets what nobody asked for in a while.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
import zlib
from pathlib import Path

from hipify import user_cache
from hipify.content_key import Keys
from hipify.model import Options, Translation

_NAME = "lint-1.db"
_DAY = 24 * 3600
_OLD_DAYS = 30
_LIMIT = 64 << 20
_KEPT = 0.75
_SCHEMA = "CREATE TABLE IF NOT EXISTS results (key BLOB PRIMARY KEY, used INTEGER, record BLOB) WITHOUT ROWID"


class Cache:
    """The results that are kept. Use `Cache.open()`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._keys = Keys()
        self._today = int(time.time()) // _DAY
        self._changed = False

    @classmethod
    def open(cls, folder: Path | None = None) -> Cache | None:
        """The user's cache; None when there can be none. A damaged one is made anew."""
        path = (folder or _folder()) / _NAME
        for _ in range(2):
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                connection = sqlite3.connect(path, timeout=5, isolation_level=None)
                connection.execute("PRAGMA synchronous = OFF")
                connection.execute(_SCHEMA)
                connection.execute("BEGIN")
                return cls(connection)
            except sqlite3.OperationalError:
                return None  # read-only, full, or busy for long
            except sqlite3.DatabaseError:
                with contextlib.suppress(OSError):
                    path.unlink()
            except OSError:
                return None
        return None

    def key(self, path: str, data: bytes, options: Options, translated: bool) -> bytes | None:
        """What the result of a file is kept under; None when it cannot be told what it depends on."""
        found = self._keys.of(path, data, options, "translated" if translated else "surveyed")
        return bytes.fromhex(found) if found is not None else None

    def get(self, key: bytes, path: str, data: bytes) -> Translation | None:
        """The result of an earlier run."""
        from hipify.project.records import from_record

        try:
            row = self._connection.execute("SELECT used, record FROM results WHERE key = ?", (key,)).fetchone()
            if row is None:
                return None
            saved = json.loads(zlib.decompress(row[1]))
            output = saved["output"].encode("latin-1") if saved["output"] is not None else data
            found = from_record(saved["record"], path, data, output, saved["helpers"])
            if row[0] != self._today:
                self._write("UPDATE results SET used = ? WHERE key = ?", (self._today, key))
        except (sqlite3.Error, zlib.error, ValueError, KeyError, TypeError, AttributeError):
            return None
        return found

    def put(self, key: bytes, translation: Translation) -> None:
        """Keep a result."""
        from hipify.project.records import as_record

        output = translation.output.decode("latin-1") if translation.changed else None
        saved = {"record": as_record(translation), "output": output, "helpers": sorted(translation.helper_headers)}
        record = zlib.compress(json.dumps(saved, separators=(",", ":")).encode(), 1)
        with contextlib.suppress(sqlite3.Error):
            self._write("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", (key, self._today, record))

    def close(self) -> None:
        """Write what is new, and forget what is old or too much."""
        with contextlib.suppress(sqlite3.Error):
            if self._changed:
                self._forget()
            self._connection.execute("COMMIT")
        self._connection.close()

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        self._changed = True
        self._connection.execute(statement, values)

    def _forget(self) -> None:
        """Drop what was not used for long, then the least used until the database is small enough."""
        run = self._connection.execute
        run("DELETE FROM results WHERE used < ? OR used > ?", (self._today - _OLD_DAYS, self._today + 1))
        size = run("SELECT coalesce(sum(length(record)), 0) FROM results").fetchone()[0]
        if size <= _LIMIT:
            return
        for key, length in run("SELECT key, length(record) FROM results ORDER BY used").fetchall():
            run("DELETE FROM results WHERE key = ?", (key,))
            size -= length
            if size <= _LIMIT * _KEPT:
                return


def _folder() -> Path:
    return Path(user_cache.folder())

"""What an earlier run found in the files of a tree: a file that has not been touched since is not read again.

Git's index goes by the same signs. A file that was changed shortly before it was read is not noted: a later change
could have the same time.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from pathlib import Path
from typing import Any

from hipify.emit import files
from hipify.errors import OutputError

_NAME = "seen.json"
_RECENT = 2_000_000_000
"""Nanoseconds: the coarsest times that file systems keep."""

Record = list[Any]


class Seen:
    """Records about files by their paths; each counts as long as the file's status is what it was."""

    def __init__(self, path: Path | None = None, maker: str = "") -> None:
        self._path = path
        self._maker = maker
        self._old: dict[str, Record] = _read(path, maker) if path is not None else {}
        self._new: dict[str, Record] = {}
        self._more = False
        self._now = time.time_ns()

    @classmethod
    def beside(cls, state: Path, maker: str) -> Seen:
        """Those that are kept beside a state file, if the same maker wrote them."""
        return cls(state.with_name(_NAME), maker)

    def get(self, path: str, status: os.stat_result) -> Record | None:
        """What was found in a file; None where it must be read."""
        known = self._old.get(path)
        if not isinstance(known, list) or len(known) != 2 or known[0] != _signs(status):
            return None
        self._new[path] = known
        record: Record = known[1]
        return record

    def put(self, path: str, status: os.stat_result, record: Record) -> None:
        """Note what was found in a file; `status` is from before it was read."""
        if self._path is not None and max(status.st_mtime_ns, status.st_ctime_ns) < self._now - _RECENT:
            self._new[path] = [_signs(status), record]
            self._more = True

    def write(self) -> None:
        """Keep the records for the next run. That they cannot be kept only makes it slower."""
        if self._path is None or not (self._more or self._new.keys() != self._old.keys()):
            return
        text = json.dumps({"maker": self._maker, "files": self._new}, separators=(",", ":"))
        with contextlib.suppress(OutputError):
            files.write(self._path, text.encode("ascii"))


def _signs(status: os.stat_result) -> list[int]:
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_dev]


def _read(path: Path, maker: str) -> dict[str, Record]:
    try:
        found = json.loads(path.read_bytes())
        return dict(found["files"]) if found["maker"] == maker else {}
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return {}

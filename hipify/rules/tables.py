"""The rows of the tables under `apis/`, from a snapshot in the user's cache: reading them all takes 1 ms instead of 6.

A snapshot holds data only (no code runs from it), belongs to one state of the files, and is made again when it is
missing, of another state or cut short.
"""

from __future__ import annotations

import marshal
import os
import sys
from contextlib import suppress
from typing import NamedTuple

from hipify import user_cache
from hipify.fingerprints import fingerprint

APIS = os.path.join(os.path.dirname(__file__), "apis")
_FIELDS, _HEADERS = "fields", "headers"
_END = b"end of snapshot"


class Tables(NamedTuple):
    """`apis`: name to `library TAB columns`; `fields`: member name to `name TAB columns` rows; `headers`: by path."""

    apis: dict[bytes, bytes]
    fields: dict[bytes, list[bytes]]
    headers: dict[bytes, bytes]


def load(folder: str = APIS) -> Tables:
    """The tables of a folder; only those of the package are kept in a snapshot."""
    if folder != APIS:
        return read(folder)
    state = _state(folder)
    path = f"{user_cache.folder()}/tables-{sys.implementation.cache_tag}.marshal"
    with suppress(OSError, ValueError, EOFError, TypeError), open(path, "rb") as stream:
        data = stream.read()
        if data.startswith(state) and data.endswith(_END):
            return Tables(*marshal.loads(data[len(state) :]))
    tables = read(folder)
    with suppress(OSError):
        user_cache.write(path, state + marshal.dumps(tuple(tables)) + _END)
    return tables


def read(folder: str) -> Tables:
    """The tables from their files."""
    apis: dict[bytes, bytes] = {}
    fields: dict[bytes, list[bytes]] = {}
    headers: dict[bytes, bytes] = {}
    for name in _files(folder):
        library = name.removesuffix(".tsv")
        rows = _rows(f"{folder}/{name}")
        if library == _FIELDS:
            for key, rest in rows:
                fields.setdefault(key.rpartition(b"::")[2], []).append(key + b"\t" + rest)
        elif library == _HEADERS:
            headers.update(rows)
        else:
            label = library.encode() + b"\t"
            apis.update((key, label + rest) for key, rest in rows)
    return Tables(apis, fields, headers)


def _rows(path: str) -> list[tuple[bytes, bytes]]:
    """The first column and the rest of each row."""
    with open(path, "rb") as stream:
        lines = stream.read().splitlines()
    return [(key, rest) for key, _, rest in (line.partition(b"\t") for line in lines[1:])]


def _files(folder: str) -> list[str]:
    return sorted(name for name in os.listdir(folder) if name.endswith(".tsv"))


def _state(folder: str) -> bytes:
    """A key for the sizes and times of the files, and for the shape of a snapshot."""
    found = ["3"]
    for name in _files(folder):
        status = os.stat(f"{folder}/{name}")
        found.append(f"{folder}/{name}:{status.st_size}:{status.st_mtime_ns}")
    return fingerprint(";".join(found).encode()).encode()

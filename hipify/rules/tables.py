"""The rows of the tables under `apis/`, from a snapshot in the user's cache: a run reads the few rows that it asks for.

A snapshot holds data only (no code runs from it), belongs to one state of the files, and is made again when it is
missing, of another state or cut short.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache

from hipify import user_cache
from hipify.fingerprints import fingerprint
from hipify.records import NamedTuple

APIS = os.path.join(os.path.dirname(__file__), "apis")
_FIELDS, _HEADERS = "fields", "headers"
_SHELVES = 1021
"""The parts of a table, each read as a whole: some ten rows. A prime, so that names spread."""
_NUMBER = 8
"""Bytes of a number in a snapshot."""

Rows = dict[bytes, list[bytes]]
Fetch = Callable[[int, int], bytes]


class Tables(NamedTuple):
    """Every row, in the order of the files.

    `apis`: `library TAB columns` by name; `fields`: `name TAB columns` by member name; `headers`: columns by path.
    """

    apis: Rows
    fields: Rows
    headers: Rows


class Table:
    """One table, whose rows are fetched when they are asked for; `names` are its keys."""

    def __init__(self, names: frozenset[bytes], places: tuple[int, ...], fetch: Fetch, origin: tuple[str, int]) -> None:
        self.names = names
        self._places = places
        self._fetch = fetch
        self._origin = origin

    def rows(self, name: bytes) -> list[bytes]:
        """The rows of one name, in order; none for a name that the table lacks."""
        if name not in self.names:
            return []
        shelf = int.from_bytes(name, "big") % _SHELVES
        start, stop = self._places[shelf], self._places[shelf + 1]
        try:
            found: list[bytes] = marshal.loads(self._fetch(start, stop - start))[name]
        except (OSError, ValueError, EOFError, TypeError, KeyError):  # somebody wrote into the snapshot
            folder, index = self._origin
            found = _again(folder)[index][name]
        return found


class Shelves(NamedTuple):
    """All tables, with the keys and rows of `Tables`."""

    apis: Table
    fields: Table
    headers: Table


def load(folder: str = APIS) -> Shelves:
    """The tables of a folder; only those of the package are kept in a snapshot."""
    if folder != APIS:
        return _in_memory(*_packed(read(folder)), folder)
    state = _state(folder)
    # Each installation has a snapshot of its own: two that are used in turn would make theirs anew each time.
    place = fingerprint(os.fsencode(folder))[:8]
    path = f"{user_cache.folder()}/tables-{sys.implementation.cache_tag}-{place}.marshal"
    with suppress(OSError, ValueError, EOFError, TypeError):
        if found := _from_snapshot(path, state):
            return found
    head, body = _packed(read(folder))
    with suppress(OSError):
        user_cache.write(path, state + _bytes(len(head)) + _bytes(len(body)) + head + body)
        user_cache.forget("tables-")
    return _in_memory(head, body, folder)


def read(folder: str) -> Tables:
    """The tables from their files."""
    found = Tables({}, {}, {})
    for name in _files(folder):
        library = name.removesuffix(".tsv")
        for key, rest in _rows(f"{folder}/{name}"):
            if library == _FIELDS:
                found.fields.setdefault(key.rpartition(b"::")[2], []).append(key + b"\t" + rest)
            elif library == _HEADERS:
                found.headers[key] = [rest]
            else:
                found.apis[key] = [b"%s\t%s" % (library.encode(), rest)]
    return found


_again = cache(read)


def _from_snapshot(path: str, state: bytes) -> Shelves | None:
    """What a snapshot holds, its file kept open for the rows; None when it is of another state or not whole."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    start = len(state) + 2 * _NUMBER
    intro = os.read(handle, start)
    sizes = _number(intro, len(state)), _number(intro, len(state) + _NUMBER)
    if intro[: len(state)] != state or os.fstat(handle).st_size != start + sum(sizes):
        os.close(handle)
        return None
    head = os.read(handle, sizes[0])
    if sys.platform == "win32":
        return _in_memory(head, os.read(handle, sizes[1]), APIS)
    return _opened(head, lambda at, size: os.pread(handle, size, start + len(head) + at), APIS)


def _in_memory(head: bytes, body: bytes, folder: str) -> Shelves:
    return _opened(head, lambda start, size: body[start : start + size], folder)


def _opened(head: bytes, fetch: Fetch, folder: str) -> Shelves:
    parts = enumerate(marshal.loads(head))
    apis, fields, headers = (Table(names, places, fetch, (folder, index)) for index, (names, places) in parts)
    return Shelves(apis, fields, headers)


def _packed(tables: Tables) -> tuple[bytes, bytes]:
    """The keys of all tables with the places of their rows, and the rows."""
    head: list[tuple[frozenset[bytes], tuple[int, ...]]] = []
    parts: list[bytes] = []
    size = 0
    for rows in tables:
        shelves: list[Rows] = [{} for _ in range(_SHELVES)]
        for name, found in rows.items():
            shelves[int.from_bytes(name, "big") % _SHELVES][name] = found
        places = [size]
        for shelf in shelves:
            parts.append(marshal.dumps(shelf))
            size += len(parts[-1])
            places.append(size)
        head.append((frozenset(rows), tuple(places)))
    return marshal.dumps(head), b"".join(parts)


def _number(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + _NUMBER], "big")


def _bytes(number: int) -> bytes:
    return number.to_bytes(_NUMBER, "big")


def _rows(path: str) -> Iterable[tuple[bytes, bytes]]:
    """The first column and the rest of each row."""
    with open(path, "rb") as stream:
        lines = stream.read().splitlines()
    return ((key, rest) for key, _, rest in (line.partition(b"\t") for line in lines[1:]))


def _files(folder: str) -> list[str]:
    return sorted(name for name in os.listdir(folder) if name.endswith(".tsv"))


def _state(folder: str) -> bytes:
    """A key for the sizes and times of the files, and for the shape of a snapshot."""
    found = ["4"]
    for name in _files(folder):
        status = os.stat(f"{folder}/{name}")
        found.append(f"{folder}/{name}:{status.st_size}:{status.st_mtime_ns}")
    return fingerprint(";".join(found).encode()).encode()

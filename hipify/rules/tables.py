"""The rows of the tables under `apis/`, from a snapshot in the user's cache: a run reads the few rows that it asks for.

A snapshot holds data only (no code runs from it), belongs to one state of the files, and is made again when it is
missing, of another state or cut short.
"""

from __future__ import annotations

import marshal
import os
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import cache

from hipify import user_cache
from hipify.fingerprints import fingerprint, listed
from hipify.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

APIS = os.path.join(os.path.dirname(__file__), "apis")
_FIELDS, _HEADERS = "fields", "headers"
_SHELVES = 1021
"""The parts of a table, each read as a whole: some ten rows. A prime, so that names spread."""
_NUMBER = 8
"""Bytes of a number in a snapshot."""
_MARKS = 40
"""Bits for each name of a table that tell most other words at once."""
_MANY = 2000
"""Words: who asks about more gets all names in memory, which takes as long as telling so many one by one."""

_BROKEN = (OSError, ValueError, EOFError, TypeError)

Rows = dict[bytes, list[bytes]]
_Packed = tuple[bytes, bytes, tuple[int, int]]
"""Of one table: its marks, the places of its shelves, and where its keys begin and end."""
Fetch = Callable[[int, int], bytes]


class Tables(NamedTuple):
    """Every row, in the order of the files.

    `apis`: `library TAB columns` by name; `fields`: `name TAB columns` by member name; `headers`: columns by path.
    """

    apis: Rows
    fields: Rows
    headers: Rows


class Names(AbstractSet[bytes]):
    """The keys of a table, told one by one: a run asks about the few hundred words of its file."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._told: dict[bytes, bool] = {}
        self._whole: frozenset[bytes] | None = None

    def __contains__(self, name: object) -> bool:
        if self._whole is not None:
            return name in self._whole
        assert isinstance(name, bytes)
        told = self._told.get(name)
        if told is None:
            told = self._told[name] = bool(self._table.rows(name))
        return told

    def __and__(self, other: AbstractSet[object]) -> frozenset[bytes]:
        return frozenset([name for name in other if name in self])  # type: ignore[misc]

    __rand__ = __and__

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.whole)

    def __len__(self) -> int:
        return len(self.whole)

    @classmethod
    def _from_iterable(cls, names: Iterable[bytes]) -> frozenset[bytes]:  # type: ignore[override]
        return frozenset(names)

    @property
    def whole(self) -> frozenset[bytes]:
        """All of them in memory."""
        if self._whole is None:
            self._whole = self._table.read_names()
            self._told.clear()
        return self._whole

    @property
    def best(self) -> AbstractSet[bytes]:
        """All of them in memory, once so many words were asked about that this is quicker."""
        return self.whole if self._whole is not None or len(self._told) > _MANY else self


class Table:
    """One table, whose rows are fetched when they are asked for."""

    def __init__(self, packed: _Packed, fetch: Fetch, origin: tuple[str, int]) -> None:
        self._marks, places, self._keys = packed
        self._places = memoryview(places).cast("I")
        self._fetch = fetch
        self._origin = origin
        self._names = Names(self)
        self._rows: Rows = {}

    @property
    def names(self) -> AbstractSet[bytes]:
        """The keys of the table."""
        return self._names.best

    def rows(self, name: bytes) -> list[bytes]:
        """The rows of one name, in order; none for a name that the table lacks."""
        number = int.from_bytes(name, "big")
        mark = number % (len(self._marks) * 8 - 1)
        if not self._marks[mark >> 3] >> (mark & 7) & 1:
            return []
        found = self._rows.get(name)
        if found is None:
            shelf = number % _SHELVES
            try:
                found = self._unpacked(self._places[shelf], self._places[shelf + 1], dict).get(name, [])
            except _BROKEN:
                found = self._again().get(name, [])
            if found:
                self._rows[name] = found
        return found

    def read_names(self) -> frozenset[bytes]:
        """All keys."""
        try:
            found: frozenset[bytes] = self._unpacked(*self._keys, frozenset)
        except _BROKEN:
            found = frozenset(self._again())
        return found

    def _unpacked(self, start: int, stop: int, wanted: type) -> Any:
        found = marshal.loads(self._fetch(start, stop - start))
        if type(found) is not wanted:
            raise TypeError
        return found

    def _again(self) -> Rows:
        """All rows from the files: somebody wrote into the snapshot."""
        folder, index = self._origin
        return _again(folder)[index]


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
    apis, fields, headers = (Table(part, fetch, (folder, index)) for index, part in parts)
    return Shelves(apis, fields, headers)


def _packed(tables: Tables) -> tuple[bytes, bytes]:
    """The marks of all tables with the places of their rows and keys; and these."""
    head: list[_Packed] = []
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
        parts.append(marshal.dumps(frozenset(rows)))
        head.append((_marked(rows), array("I", places).tobytes(), (size, size + len(parts[-1]))))
        size += len(parts[-1])
    return marshal.dumps(head), b"".join(parts)


def _marked(names: Iterable[bytes]) -> bytes:
    """A bit for each name, at a place that few other words have."""
    numbers = [int.from_bytes(name, "big") for name in names]
    marks = bytearray(len(numbers) * _MARKS // 8 + 1)
    for number in numbers:
        mark = number % (len(marks) * 8 - 1)
        marks[mark >> 3] |= 1 << (mark & 7)
    return bytes(marks)


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
    found = ["5", *(state for name, _, state in listed(folder) if name.endswith(".tsv"))]
    return fingerprint("\0".join(found).encode("utf-8", "surrogateescape")).encode()

"""Files that only includes tell to be sources: `kernel.ch`, `body.cuinc`, headers without an ending."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Mapping

# Headers of C++ itself: a file of such a name somewhere in a tree (VERSION, a list) is none of them.
_STANDARD = frozenset({
    "algorithm", "any", "array", "atomic", "barrier", "bit", "bitset", "cassert", "ccomplex", "cctype", "cerrno",
    "cfenv", "cfloat", "charconv", "chrono", "cinttypes", "ciso646", "climits", "clocale", "cmath", "codecvt",
    "compare", "complex", "concepts", "condition_variable", "coroutine", "csetjmp", "csignal", "cstdalign",
    "cstdarg", "cstdbool", "cstddef", "cstdint", "cstdio", "cstdlib", "cstring", "ctgmath", "ctime", "cuchar",
    "cwchar", "cwctype", "deque", "exception", "execution", "expected", "filesystem", "format", "forward_list",
    "fstream", "functional", "future", "generator", "hash_map", "hash_set", "initializer_list", "iomanip", "ios",
    "iosfwd", "iostream", "istream", "iterator", "latch", "limits", "list", "locale", "map", "mdspan", "memory",
    "memory_resource", "mutex", "new", "numbers", "numeric", "optional", "ostream", "print", "queue", "random",
    "ranges", "ratio", "regex", "scoped_allocator", "semaphore", "set", "shared_mutex", "source_location", "span",
    "spanstream", "sstream", "stack", "stacktrace", "stdexcept", "stdfloat", "stop_token", "streambuf", "string",
    "string_view", "strstream", "syncstream", "system_error", "thread", "tuple", "type_traits", "typeindex",
    "typeinfo", "unordered_map", "unordered_set", "utility", "valarray", "variant", "vector", "version",
})  # fmt: skip


class Strays:
    """Files whose names say nothing, found by what the includes of sources name.

    `places` holds the path of each, with slashes, and what lies there: the file itself, or the one to which a
    link leads.
    """

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places
        self._rest: dict[bytes, dict[str, None]] = {}
        self._asked: set[str] = set()
        for path in places:
            self._rest.setdefault(os.fsencode(path[path.rfind("/") + 1 :]), {})[path] = None

    def may_be(self, names: Iterable[bytes]) -> bool:
        """Whether includes of these names may mean any of the files: in most trees none does."""
        return bool(self._rest) and any(name[name.rfind(b"/") + 1 :] in self._rest for name in names)

    def take(self, includer: str, includes: Iterable[tuple[bool, bytes]]) -> list[str]:
        """The files that a source's includes mean, those left out that an earlier call gave."""
        found: dict[str, None] = {}
        for angled, raw in includes:
            rest = self._rest.get(raw[raw.rfind(b"/") + 1 :])
            if rest:
                for path in self._meant(includer, angled, os.fsdecode(raw), rest):
                    if path in rest:
                        del rest[path]
                        found[self._places[path]] = None
        return list(found)

    def _meant(self, includer: str, angled: bool, name: str, rest: Iterable[str]) -> list[str]:
        """The file beside the includer, else all whose paths end like the include: compilers are told which."""
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(includer), name))
        if not angled and beside in self._places:
            return [beside]
        tail = posixpath.normpath(name)
        while tail.startswith("../"):
            tail = tail[3:]
        if tail in self._asked or tail in _STANDARD:
            return []
        self._asked.add(tail)
        return [path for path in rest if path == tail or path.endswith(f"/{tail}")]

"""Regular expressions that cost nothing until they are used: most runs need few of them, and compiling takes time.

What was compiled once is kept in the user's cache, as the code that Python's own compiler hands to its matcher: making
a pattern of that takes a twentieth of the time.
"""

from __future__ import annotations

import functools
import marshal
import re
import sys
from contextlib import suppress

from hipify import user_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, AnyStr

    _Key = tuple[Any, int]
    _Parts = tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]

_MOST = 2000
"""More patterns than the program has: something else has got into the file."""

_new: set[_Key] = set()


class _Lazy:
    """Stands for `re.compile(pattern, flags)`, which the first look at any of its attributes makes."""

    def __init__(self, pattern: Any, flags: int) -> None:
        self._made_from = pattern, int(flags)

    def __getattr__(self, name: str) -> Any:
        value = getattr(_compiled(self._made_from), name)
        setattr(self, name, value)  # from now on it is found without this function
        return value


def lazy(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A pattern with the interface of `re.Pattern`, compiled when it is first used; re.error is raised only then."""
    made: Any = _Lazy(pattern, flags)
    found: re.Pattern[AnyStr] = made
    return found


def keep() -> None:
    """Keep what this process has compiled for later ones; where that cannot be, nothing is kept."""
    if not _new:
        return
    _kept.cache_clear()  # another process may have added some
    known = {**_kept(), **{key: parts for key in _new if (parts := _parts(key)) is not None}}
    _new.clear()
    if len(known) <= _MOST:
        with suppress(OSError):
            user_cache.seal(_place(), sys.version, marshal.dumps(known))


def _compiled(key: _Key) -> re.Pattern[Any]:
    found = _kept().get(key)
    if found is not None:
        with suppress(Exception):  # the matcher checks the code; whatever it says of it, it is compiled anew
            import _sre  # type: ignore[import-not-found,unused-ignore]

            flags, code, groups, names, indices = found
            words = memoryview(code).cast("I").tolist()
            made: re.Pattern[Any] = _sre.compile(key[0], flags, words, groups, names, indices)
            return made
    _new.add(key)
    return re.compile(*key)


def _parts(key: _Key) -> _Parts | None:
    """What `re.compile` hands to the matcher; None on a Python that goes about it in another way."""
    with suppress(Exception):
        from array import array
        from re import _compiler, _parser  # type: ignore[attr-defined]

        parsed = _parser.parse(*key)
        names = dict(parsed.state.groupdict)
        indices: list[str | None] = [None] * parsed.state.groups
        for name, index in names.items():
            indices[index] = name
        code = array("I", _compiler._code(parsed, key[1])).tobytes()
        return key[1] | parsed.state.flags, code, parsed.state.groups - 1, names, tuple(indices)
    return None


@functools.cache
def _kept() -> dict[_Key, _Parts]:
    with suppress(ValueError, EOFError, TypeError):
        found = marshal.loads(user_cache.sealed(_place(), sys.version) or b"")
        return found if isinstance(found, dict) else {}
    return {}


def _place() -> str:
    return f"{user_cache.folder()}/patterns-{sys.implementation.cache_tag}.marshal"

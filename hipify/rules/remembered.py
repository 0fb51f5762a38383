"""What is read off all modules of the rules, kept in the user's cache: importing them takes its time."""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache

from hipify import user_cache
from hipify.fingerprints import file_states, fingerprint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HERE = os.path.dirname(__file__)


def remembered(name: str, make: Callable[[], list[Any]], key: str = "") -> list[Any]:
    """What `make` gives, which is plain data (for marshal), made anew when the code or a table has changed.

    `key` stands for another state than that of the rules' code and tables.
    """
    place, key = f"{user_cache.folder()}/{name}-{fingerprint(os.fsencode(_HERE))}.marshal", key or state()
    with suppress(ValueError, EOFError, TypeError):
        found = marshal.loads(user_cache.sealed(place, key))
        if isinstance(found, list):
            return found
    made = make()
    with suppress(OSError):
        user_cache.seal(place, key, marshal.dumps(made))
        user_cache.forget(f"{name}-")
    return made


@cache
def state() -> str:
    """What the modules' words may come from: the code and tables of this package, by name, size and time."""
    return fingerprint("\0".join(file_states(_HERE)).encode("utf-8", "surrogateescape"))

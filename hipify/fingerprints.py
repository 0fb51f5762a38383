"""Short keys for cached files, made without hashlib: importing that loads OpenSSL, longer than a small file takes."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator
from functools import cache

try:
    from _blake2 import blake2b  # hashlib's own, without the rest of it
except ImportError:  # a Python that is built in another way
    from hashlib import blake2b

_CHUNK = 1 << 20


def fingerprint(data: bytes) -> str:
    """32 hexadecimal digits for some bytes; two texts share them by chance once in 2**128."""
    return blake2b(data, digest_size=16).hexdigest()


def file_fingerprint(path: str | os.PathLike[str]) -> str:
    """The same for what a file of any size holds. Raises OSError."""
    state = blake2b(digest_size=16)
    with open(path, "rb") as stream:
        while chunk := stream.read(_CHUNK):
            state.update(chunk)
    return state.hexdigest()


def file_states(folder: str, left_out: Container[str] = ("__pycache__",)) -> Iterator[str]:
    """Path, size and time of each file in a folder and those in it, in order, but for folders of some names.

    Of the tool's own folders: as they were when this process first asked.
    """
    for name, path, state in listed(folder):
        if state:
            yield state
        elif name not in left_out:
            yield from file_states(path, left_out)


@cache
def listed(folder: str) -> tuple[tuple[str, str, str], ...]:
    """Name, path and state of what lies in a folder, by names; no state for a folder."""
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    return tuple((entry.name, entry.path, "" if entry.is_dir() else _state(entry)) for entry in entries)


def _state(entry: os.DirEntry[str]) -> str:
    status = entry.stat()
    return f"{entry.path} {status.st_size} {status.st_mtime_ns}"

"""The user's cache folder of hipify-py, and how files get there: whole or not at all."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator

from hipify.fingerprints import fingerprint

_KEPT = 50
_NOWHERE = f"{os.devnull}/hipify-py"
_OLD_SECONDS = 30 * 24 * 3600


def folder() -> str:
    """`$XDG_CACHE_HOME/hipify-py`, or `~/.cache/hipify-py`; it need not exist yet, and cannot where there is no home.

    The path is clang's spelling of it (no `//`, no `/./`): by it clang's answers tell our declarations from the user's.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not base.startswith("/"):  # the standard says to ignore relative paths
        home = os.path.expanduser("~")
        if not os.path.isabs(home):
            return _NOWHERE
        base = f"{home}/.cache"
    return os.path.normpath(f"{os.path.realpath(base) if '/..' in base else base}/hipify-py")


def write(path: str, data: bytes) -> None:
    """Put a file there in one step; raises OSError, and then leaves what was there."""
    import time

    above, _, name = path.rpartition("/")
    os.makedirs(above, exist_ok=True)
    # Not tempfile, whose import takes longer than the rest.
    temporary = f"{above}/.{name[:20]}-{os.getpid()}-{time.monotonic_ns()}"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def seal(path: str, key: str, body: bytes) -> None:
    """Put a file there that tells what it is for and whether it is whole; raises OSError as `write` does."""
    write(path, f"{key} {fingerprint(body)}\n".encode() + body)


def sealed(path: str, key: str) -> bytes:
    """What `seal` put there for a key; nothing when the file is missing, broken or for another key."""
    with contextlib.suppress(OSError, ValueError):
        with open(path, "rb") as stream:
            head, _, body = stream.read().partition(b"\n")
        if head.decode() == f"{key} {fingerprint(body)}":
            return body
    return b""


def forget(prefix: str) -> None:
    """Of the files whose names begin so, keep the newest 50 of the last 30 days. What was half written counts too."""
    _forget((file for file in _files(folder()) if file[1].startswith((prefix, f".{prefix}"))), _KEPT, sys.maxsize)


def forget_below(name: str, limit: int) -> None:
    """Of the files in a folder of the cache, keep the newest of the last 30 days that fit into `limit` bytes."""
    _forget(_files(f"{folder()}/{name}"), sys.maxsize, limit)


def _files(place: str) -> Iterator[tuple[float, str, str, int]]:
    """Time, name, path and size of each file."""
    with contextlib.suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if entry.is_file(follow_symlinks=False):
                status = entry.stat(follow_symlinks=False)
                yield status.st_mtime, entry.name, entry.path, status.st_size


def _forget(files: Iterable[tuple[float, str, str, int]], number: int, limit: int) -> None:
    import time

    oldest = time.time() - _OLD_SECONDS
    size = 0
    for place, (written, _, path, length) in enumerate(sorted(files, reverse=True)):
        size += length
        if place >= number or size > limit or written < oldest:
            with contextlib.suppress(OSError):
                os.unlink(path)

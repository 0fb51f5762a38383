"""The user's cache folder of hipify-py, and how files get there: whole or not at all."""

from __future__ import annotations

import os

_KEPT = 50
_OLD_SECONDS = 30 * 24 * 3600


def folder() -> str:
    """`$XDG_CACHE_HOME/hipify-py`, or `~/.cache/hipify-py`; it need not exist yet."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not base.startswith("/"):  # the standard says to ignore relative paths
        base = os.path.join(os.path.expanduser("~"), ".cache")
    return f"{base}/hipify-py"


def write(path: str, data: bytes) -> None:
    """Put a file there in one step; raises OSError, and then leaves what was there."""
    import tempfile  # only needed when the cache is cold

    above, _, name = path.rpartition("/")
    os.makedirs(above, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=above, prefix=f".{name[:20]}-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def forget(prefix: str) -> None:
    """Of the files whose names begin so, keep the newest 50 of the last 30 days. What was half written counts too."""
    import contextlib
    import time

    found: list[tuple[float, str]] = []
    try:
        with os.scandir(folder()) as entries:
            for entry in entries:
                if entry.name.startswith((prefix, f".{prefix}")) and entry.is_file(follow_symlinks=False):
                    found.append((entry.stat().st_mtime, entry.path))
    except OSError:
        return
    oldest = time.time() - _OLD_SECONDS
    for number, (written, path) in enumerate(sorted(found, reverse=True)):
        if number >= _KEPT or written < oldest:
            with contextlib.suppress(OSError):
                os.unlink(path)

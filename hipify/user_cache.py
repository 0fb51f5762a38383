"""The user's cache folder of hipify-py, and how files get there: whole or not at all."""

from __future__ import annotations

import os


def folder() -> str:
    """`$XDG_CACHE_HOME/hipify-py`, or `~/.cache/hipify-py`; it need not exist yet."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not base.startswith("/"):  # the standard says to ignore relative paths
        base = os.path.join(os.path.expanduser("~"), ".cache")  # noqa: PTH111, PTH118 - pathlib is not imported for this
    return f"{base}/hipify-py"


def write(path: str, data: bytes) -> None:
    """Put a file there in one step; raises OSError, and then leaves what was there."""
    import tempfile  # only needed when the cache is cold

    above, _, name = path.rpartition("/")
    os.makedirs(above, exist_ok=True)  # noqa: PTH103
    handle, temporary = tempfile.mkstemp(dir=above, prefix=f".{name[:20]}-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.replace(temporary, path)  # noqa: PTH105
    except BaseException:
        os.unlink(temporary)  # noqa: PTH108
        raise

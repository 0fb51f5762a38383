"""Memory of a process that works on many files: what was freed goes back to the system before it piles up."""

from __future__ import annotations

import contextlib
import gc
import os
import sys

_HIGH = 64 << 20
"""A process of more resident bytes gives back what it has freed."""
_MORE = 4 << 20


class Freed:
    """What libclang frees of each file, between which small pieces that live on keep the heap from shrinking."""

    def __init__(self) -> None:
        self._limit = _HIGH

    def give_back(self) -> None:
        """Return freed memory once there may be much of it. Nothing where the C library cannot (glibc can)."""
        if _most_so_far() < self._limit or _resident() < self._limit:
            return
        import ctypes

        gc.collect()
        gc.freeze()  # what lives on between files is not looked through again
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
        self._limit = max(_HIGH, _resident() + _MORE)  # what is in use is no reason to try after every file


def _most_so_far() -> int:
    """The most resident bytes there ever were, which are told sooner than those of now; more where nobody tells."""
    try:
        import resource
    except ImportError:
        return sys.maxsize
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def _resident() -> int:
    """Resident bytes of this process; 0 where the system does not say."""
    if sys.platform != "linux":
        return 0
    with contextlib.suppress(OSError, ValueError, IndexError), open("/proc/self/statm", "rb") as status:
        return int(status.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0

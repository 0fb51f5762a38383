"""Where the machine's C and C++ headers are, without asking a compiler."""

from __future__ import annotations

import functools
import os


@functools.cache
def system_include_dirs() -> tuple[str, ...]:
    """The include path of the newest libstdc++ of the machine, the C library behind it; empty when there is none."""
    versions = sorted((p for p in _entries("/usr/include/c++") if _number(p) >= 0), key=_number)
    if not versions:
        return ()
    newest = versions[-1]
    found = [newest]
    for triple in _entries("/usr/include"):
        if triple.count("-") >= 2:
            found += [f"{triple}/c++/{_name(newest)}"]
    found += [f"{newest}/backward"]
    for triple in _entries("/usr/lib/gcc"):
        gcc = sorted((p for p in _entries(triple) if _number(p) >= 0), key=_number)
        found += [f"{gcc[-1]}/include"] if gcc else []
    found += ["/usr/local/include"]
    found += [p for p in _entries("/usr/include") if p.count("-") >= 2]
    found += ["/usr/include"]
    return tuple(dict.fromkeys(path for path in found if os.path.isdir(path)))


def _entries(folder: str) -> list[str]:
    try:
        return [f"{folder}/{name}" for name in sorted(os.listdir(folder))]
    except OSError:
        return []


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def _number(path: str) -> int:
    head = _name(path).split(".")[0]
    return int(head) if head.isdigit() else -1

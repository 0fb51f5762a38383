"""The helper headers that come with the tool, as files of a project."""

from __future__ import annotations

import posixpath
from pathlib import Path

from hipify.errors import InputError, os_reason

_INCLUDE = Path(__file__).parents[1] / "include"

HELPER = "helper"
"""The action of the state's rows for helper headers."""


def text(name: str) -> bytes:
    """What a helper header holds."""
    path = _INCLUDE / name
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {os_reason(error)}") from error


def is_helper(path: str, data: bytes) -> bool:
    """Whether a file is a helper header of ours that an earlier translation has written: HIP, and nobody's to port."""
    name = posixpath.basename(path)
    if not name.startswith("hipify_"):
        return False
    ours = _INCLUDE / name
    return ours.is_file() and ours.read_bytes().partition(b"\n")[0] == data.partition(b"\n")[0]


def is_the_same(path: Path, name: str) -> bool:
    """Whether a project's file is the very helper header, so that its copy serves."""
    try:
        return path.read_bytes() == text(name)
    except OSError:
        return False

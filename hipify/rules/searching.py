"""Searches in whole texts whose patterns begin with what is rare, so that the matcher passes over the rest quickly.

What has to stand in front of a match is looked at where one is found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator


def matches(
    pattern: re.Pattern[bytes], data: bytes, may_start: Callable[[bytes, int], bool]
) -> Iterator[re.Match[bytes]]:
    """The matches of a pattern from left to right that start where they may."""
    at = 0
    while found := pattern.search(data, at):
        if may_start(data, found.start()):
            yield found
            at = found.end()
        else:
            at = found.start() + 1


def starts_line(data: bytes, at: int) -> bool:
    """Whether only blanks stand in front of byte `at` on its line."""
    return not data[data.rfind(b"\n", 0, at) + 1 : at].strip(b" \t")


def starts_word(data: bytes, at: int) -> bool:
    """Whether no letter, digit or underscore stands in front of byte `at`."""
    return at == 0 or not (data[at - 1 : at].isalnum() or data[at - 1] == 0x5F)

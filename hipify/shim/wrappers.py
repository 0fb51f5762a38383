"""The functions that stand in for CUDA's where a macro cannot: written in wrappers.inc, one block a name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("wrappers.inc")
_HEAD = re.compile(r"^//@ (.+)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Wrapper:
    """The text that declares a CUDA function by means of HIP's."""

    name: str
    text: str


@cache
def wrappers() -> dict[str, Wrapper]:
    """All that there are, by name. A block serves each CUDA=HIP pair of its line, as $NAME and $HIP."""
    parts = _HEAD.split(_FILE.read_text("utf-8"))[1:]
    found = {}
    for names, body in zip(parts[::2], parts[1::2], strict=True):
        for name in names.split():
            cuda, _, hip = name.partition("=")
            found[cuda] = Wrapper(cuda, body.strip("\n").replace("$NAME", cuda).replace("$HIP", hip))
    return found

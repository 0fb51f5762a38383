"""Regular expressions that cost nothing until they are used: most runs need few of them, and compiling takes time."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _Lazy:
    """Stands for `re.compile(pattern, flags)`, which the first look at any of its attributes makes."""

    def __init__(self, pattern: Any, flags: int) -> None:
        self._made_from = pattern, flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(*self._made_from), name)
        setattr(self, name, value)  # from now on it is found without this function
        return value


def lazy(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A pattern with the interface of `re.Pattern`, compiled when it is first used; re.error is raised only then."""
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))

"""What .gitignore files leave out, decided as git does: item by item from the root down, the last pattern wins.

pathspec reads the patterns. It judges whole paths, though, for which a pattern about a folder stands behind one about
everything (`*` and `!*/` together leave out all folders); a walk that enters no folder that is left out need not do so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pathspec import GitIgnoreSpec

_FOLDER = "ps_d"  # pathspec's name for the slash behind a folder that a pattern fits


class Ignored:
    """The patterns of one .gitignore file."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.refused: list[str] = []
        """The lines that git would not take."""
        self._patterns: list[tuple[bool, bool, re.Pattern[str]]] = []
        for line in lines:
            try:
                patterns = GitIgnoreSpec.from_lines([line]).patterns
            except ValueError:
                self.refused.append(line)
                continue
            for pattern in patterns:
                if pattern.include is not None and pattern.regex is not None:
                    self._patterns.append((pattern.include, line.rstrip().endswith("/"), pattern.regex))
        self._patterns.reverse()

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """True: left out; False: taken back by a `!`; None: no pattern is about the item.

        `path` is relative to the file's folder, with slashes; no folder above it is left out.
        """
        for include, folders_only, regex in self._patterns:
            if folders_only and not is_folder:
                continue
            if _fits(regex, f"{path}/" if folders_only else path):
                return include
        return None


def _fits(regex: re.Pattern[str], path: str) -> bool:
    """Whether a pattern fits an item itself, not only a folder above it."""
    if _FOLDER not in regex.groupindex:
        return regex.search(path) is not None
    return any(m[_FOLDER] is None or m.end(_FOLDER) == len(path) for m in regex.finditer(path))

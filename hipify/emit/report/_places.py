"""What the formats share: paths as URIs, and columns in characters, which most of their readers count."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from hipify.model import Finding
from hipify.parser.source import Source


def relative(path: str) -> str:
    """A path as readers that start from the current folder know it, with forward slashes; outside of it as it is."""
    normal = os.path.normpath(path)
    if os.path.isabs(normal):  # noqa: PTH117
        inside = os.path.relpath(normal)
        normal = normal if inside.startswith("..") else inside
    return normal.replace(os.sep, "/")


def uri(path: str) -> tuple[str, bool]:
    """A path as a URI, and whether it is relative to the current folder."""
    return _uri(path, str(Path.cwd()))


@lru_cache(maxsize=16)
def _uri(path: str, folder: str) -> tuple[str, bool]:
    """The same, asked again for each finding of a file."""
    name = relative(path)
    if name.startswith(("/", "../")):
        return "file://" + quote(os.fsencode(os.path.realpath(name))), False
    return quote(os.fsencode(name)), True


def folder_uri() -> str:
    """The current folder as a URI."""
    return Path.cwd().as_uri().rstrip("/") + "/"


class Columns:
    """Byte columns of one file as columns of characters."""

    def __init__(self, data: bytes) -> None:
        self._source = Source(data)
        self._ascii = data.isascii()

    def at(self, line: int, column: int) -> int:
        """The 1-based column in characters (code points) of a byte column; what is no UTF-8 counts byte by byte."""
        if self._ascii:
            return column
        text = self._source.line_text(line)[: column - 1]
        return len(text.decode("utf-8", "surrogateescape")) + 1 + max(0, column - 1 - len(text))

    def region(self, finding: Finding) -> tuple[int, int, int, int]:
        """First line and column, last line and column (exclusive) of a finding, in characters."""
        return (
            finding.line,
            self.at(finding.line, finding.column),
            finding.end_line,
            self.at(finding.end_line, finding.end_column),
        )

    def region_of(self, start: int, end: int) -> tuple[int, int, int, int]:
        """The same for a byte range."""
        line, column = self._source.position(start)
        end_line, end_column = self._source.position(end)
        return line, self.at(line, column), end_line, self.at(end_line, end_column)

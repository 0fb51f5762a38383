"""A source file as bytes, with the byte offset / line / column arithmetic that everything else shares."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

UTF8_BOM = b"\xef\xbb\xbf"


class Source:
    """The bytes of one input. Offsets are byte offsets; lines and columns are 1-based, columns count bytes."""

    def __init__(self, data: bytes, path: str = "<stdin>") -> None:
        self.data = data
        self.path = path

    @cached_property
    def line_starts(self) -> list[int]:
        """Byte offset of the first byte of each line."""
        starts = list(accumulate([len(line) + 1 for line in self.data.split(b"\n")], initial=0))
        starts.pop()
        return starts

    def line(self, offset: int) -> int:
        """The line of a byte offset."""
        return bisect_right(self.line_starts, offset)

    def position(self, offset: int) -> tuple[int, int]:
        """The (line, column) of a byte offset."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line_text(self, line: int) -> bytes:
        """The bytes of a 1-based line, without its line end; empty past the end of the file."""
        starts = self.line_starts
        if not 1 <= line <= len(starts):
            return b""
        end = starts[line] if line < len(starts) else len(self.data)
        return self.data[starts[line - 1] : end].rstrip(b"\r\n")

    @property
    def has_cuda_name(self) -> bool:
        """Whether nvcc takes the file for CUDA by its name, and includes CUDA's runtime whatever it says."""
        return self.path.endswith((".cu", ".cuh"))

    @property
    def bom_length(self) -> int:
        """Length in bytes of a UTF-8 byte order mark, 0 when there is none."""
        return len(UTF8_BOM) if self.data.startswith(UTF8_BOM) else 0

    @cached_property
    def newline(self) -> bytes:
        """The file's own line end: that of its first line, `\\n` when it has none."""
        at = self.data.find(b"\n")
        return b"\r\n" if at > 0 and self.data[at - 1 : at] == b"\r" else b"\n"

    @property
    def looks_binary(self) -> bool:
        """Whether the file holds NUL bytes, which no C++ source does (UTF-16 files do too)."""
        return b"\0" in self.data

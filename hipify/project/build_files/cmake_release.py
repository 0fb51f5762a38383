"""The CUDA release that a project's CMake files ask for: its code is written for that one, or for a later one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_WANTED = re.compile(
    r"\bfind_package\s*\(\s*CUDA(?:Toolkit)?\s+(\d+)(?:\.(\d+))?"
    r"|\bif\s*\(\s*(?:\$\{)?(?:CUDA(?:Toolkit)?_VERSION|CMAKE_CUDA_COMPILER_VERSION)\}?\s+VERSION_LESS\s+\"?(\d+)(?:\.(\d+))?"
    r"[\d.]*\"?\s*\)\s*message\s*\(\s*(?:FATAL_ERROR|SEND_ERROR)",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"#(?!\[\[).*")
_LIMIT = 1 << 20


def wanted(source: Path) -> tuple[tuple[int, int], str] | None:
    """The newest release that the project cannot do without, and the file and line that says so."""
    found: list[tuple[tuple[int, int], str]] = []
    for path in _files(source):
        try:
            text = path.read_bytes()[:_LIMIT].decode("utf-8", "replace")
        except OSError:
            continue
        text = _COMMENT.sub("", text)
        for match in _WANTED.finditer(text):
            version = int(match[1] or match[3]), int(match[2] or match[4] or 0)
            line = text.count("\n", 0, match.start()) + 1
            found.append((version, f"{path.relative_to(source)}:{line}"))
    newest = max((version for version, _ in found), default=None)
    return next((item for item in found if item[0] == newest), None)


def _files(source: Path) -> Iterator[Path]:
    """The files that a project looks for its packages in: those near its root."""
    for pattern in ("CMakeLists.txt", "*/CMakeLists.txt", "cmake/*.cmake", "cmake/*/*.cmake"):
        yield from sorted(path for path in source.glob(pattern) if path.is_file())

"""Small source trees, and conversions of them in this process (their workers are processes of their own)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from hipify.model import Options
from hipify.project.convert import Conversion
from hipify.project.progress import Quiet
from hipify.project.result import Result
from hipify.project.settings import Selection, Settings
from tests.cli.runner import CUDA

KERNEL = CUDA


def make(root: Path, files: Mapping[str, bytes | str]) -> Path:
    """Write files below a folder."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def content(root: Path) -> dict[str, bytes]:
    """Every file of an output (its state left out) and what a link says."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if name.split("/")[0] == ".hipify":
            continue
        if path.is_symlink():
            found[name] = b"-> " + str(path.readlink()).encode()
        elif path.is_file():
            found[name] = path.read_bytes()
    return found


class Heard(Quiet):
    """A watcher that keeps what it is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.files: list[str] = []

    def done(self, path: str) -> None:
        """Keep the path."""
        self.files.append(path)

    def say(self, line: str) -> None:
        """Keep the line."""
        self.lines.append(line)


def settings(source: Path, out: Path, **given: Any) -> Settings:
    """Settings for a quick conversion: one worker, no clang."""
    options = given.pop("options", Options(clang=False))
    names = ("include", "exclude", "gitignore", "third_party", "third_party_dirs", "max_bytes")
    selection = Selection(**{name: given.pop(name) for name in names if name in given})
    base = Settings(source, out, options=options, selection=selection, jobs=1)
    return replace(base, **given)


def convert(source: Path, out: Path, watcher: Quiet | None = None, **given: Any) -> Result:
    """Convert a tree."""
    with Conversion(settings(source, out, **given), watcher or Quiet()) as conversion:
        return conversion.run()


def fresh(result: Result) -> list[str]:
    """The inputs that a run worked on."""
    return [file.path for file in result.files if file.fresh]

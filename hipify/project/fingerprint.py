"""A hash of everything but the input that decides what a translation says: our code and tables, the user's rules."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from hipify.errors import InputError, os_reason
from hipify.model import Options

_PACKAGE = Path(__file__).parents[1]
_PARTS = ("rules", "parser", "emit", "include", "project")
_SINGLE = ("model.py", "pipeline.py", "compile_commands.py")


@cache
def of_tool() -> str:
    """The hash of the code and tables, and of the libraries that they rely on."""
    state = hashlib.blake2b(digest_size=16)
    paths = [path for part in _PARTS for path in (_PACKAGE / part).rglob("*") if _counts(path)]
    for path in sorted([*paths, *(_PACKAGE / name for name in _SINGLE)]):
        state.update(f"{path.relative_to(_PACKAGE)}\0".encode())
        state.update(hashlib.blake2b(path.read_bytes()).digest())
    for package in ("libclang", "lark"):
        try:
            state.update(f"{package} {version(package)}\0".encode())
        except PackageNotFoundError:
            state.update(f"{package} -\0".encode())
    return state.hexdigest()


def _counts(path: Path) -> bool:
    return path.suffix in (".py", ".tsv", ".rules", ".lark", ".h", "") and "report" not in path.parts and path.is_file()


def of_options(options: Options) -> str:
    """The hash of the tool, the options and the content of the rule files that they name."""
    state = hashlib.blake2b(f"{of_tool()}\0{options!r}".encode("utf-8", "surrogateescape"), digest_size=16)
    for path in options.rule_files:
        try:
            state.update(hashlib.blake2b(Path(path).read_bytes()).digest())
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {os_reason(error)}") from error
    return state.hexdigest()

"""A hash of everything but the input that decides what a translation says: our code and tables, the user's rules."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePath

from hipify.errors import InputError, os_reason
from hipify.fingerprints import file_states, fingerprint
from hipify.model import Options
from hipify.rules.remembered import remembered

_PACKAGE = Path(__file__).parents[1]
_PARTS = ("rules", "parser", "emit", "include", "project")
_COUNTING = (".py", ".tsv", ".rules", ".lark", ".h", "")
_LIBRARIES = ("libclang", "lark")
_NOT_ASKED = ("__pycache__", "report", "templates")
_SINGLE = ("model.py", "pipeline.py", "compile_commands.py")


@cache
def of_tool() -> str:
    """The hash of the code and tables, and of the libraries that they rely on."""
    files = "\0".join([*file_states(str(_PACKAGE), _NOT_ASKED), *map(_version, _LIBRARIES)])
    (found,) = remembered("tool", lambda: [_of_content()], fingerprint(files.encode("utf-8", "surrogateescape")))
    return str(found)


def _of_content() -> str:
    state = hashlib.blake2b(digest_size=16)
    for name in sorted([*(name for part in _PARTS for name in _files(part)), *_SINGLE]):
        state.update(f"{name}\0".encode() + hashlib.blake2b((_PACKAGE / name).read_bytes()).digest())
    for package in _LIBRARIES:
        state.update(f"{package} {_version(package)}\0".encode())
    return state.hexdigest()


def _files(folder: str) -> Iterator[str]:
    """The files below a folder of the package that count, by their paths in it."""
    with os.scandir(_PACKAGE / folder) as listing:
        for item in listing:
            if item.is_dir():
                yield from _files(f"{folder}/{item.name}") if item.name not in ("report", "__pycache__") else ()
            elif PurePath(item.name).suffix in _COUNTING:
                yield f"{folder}/{item.name}"


def _version(package: str) -> str:
    """The version of an installed package, by its folder of facts: the library that reads those takes its time."""
    for folder in sys.path:
        for name in _names(folder):
            if name.startswith(f"{package}-") and name.endswith(".dist-info"):
                return name.removeprefix(f"{package}-").removesuffix(".dist-info")
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "-"


@cache
def _names(folder: str) -> tuple[str, ...]:
    """What lies in a folder of modules; nothing where it is none."""
    try:
        return tuple(sorted(os.listdir(folder or ".")))  # noqa: PTH208
    except OSError:
        return ()


def of_options(options: Options) -> str:
    """The hash of the tool, the options and the content of the rule files that they name."""
    state = hashlib.blake2b(f"{of_tool()}\0{options!r}".encode("utf-8", "surrogateescape"), digest_size=16)
    for path in options.rule_files:
        try:
            state.update(hashlib.blake2b(Path(path).read_bytes()).digest())
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {os_reason(error)}") from error
    return state.hexdigest()

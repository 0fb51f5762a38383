"""Settings of a project: `[tool.hipify]` in pyproject.toml, or hipify.toml. The command line overrules them."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from hipify.errors import InputError, UsageError, os_reason

NAMES = ("hipify.toml", "pyproject.toml")

# Key of the file: the attribute of the parsed command line, and the type of its value.
_KEYS: dict[str, tuple[str, type]] = {
    "select": ("select", list),
    "ignore": ("ignore", list),
    "severity": ("severity", str),
    "fail-on": ("fail_on", str),
    "exclude": ("exclude", list),
    "baseline": ("baseline", str),
    "jobs": ("jobs", int),
    "language": ("language", str),
    "target": ("target", str),
    "cuda-version": ("cuda_version", str),
    "offload-arch": ("offload_arch", list),
    "warp": ("warp", str),
    "guards": ("guards", str),
    "roc": ("roc", bool),
    "miopen": ("miopen", bool),
    "experimental": ("experimental", bool),
    "no-clang": ("no_clang", bool),
    "include-dirs": ("include_dir", list),
    "defines": ("define", list),
    "rules": ("rules", list),
    "whitelist": ("whitelist", list),
    "compile-commands": ("compile_commands", str),
}
_PATHS = frozenset({"baseline", "include-dirs", "rules", "compile-commands"})
_WORDS = {list: "a list of texts", str: "a text", bool: "true or false", int: "a whole number"}
_PER_PATH = "per-path-ignores"
# What `hipify-py convert` reads from the same table.
_OF_CONVERT = frozenset({"include", "third-party", "third-party-dirs", "suffix", "rename-paths", "gitignore"})


@dataclass(frozen=True)
class Config:
    """The settings of one file. `values` is keyed as the parsed command line is; paths are made from `folder`."""

    path: str = ""
    folder: str = "."
    values: Mapping[str, Any] = field(default_factory=dict)
    per_path: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def relative(self, path: str) -> str:
        """A path as the patterns of `per-path-ignores` see it."""
        return os.path.relpath(os.path.realpath(path), os.path.realpath(self.folder)).replace(os.sep, "/")


def find(start: str | os.PathLike[str] = ".") -> Config:
    """The settings of the nearest folder upwards that has some, up to the repository's root."""
    here = Path(start).resolve()
    for folder in (here, *here.parents):
        for name in NAMES:
            path = folder / name
            if path.is_file() and (config := load(path, only_if_ours=name == "pyproject.toml")) is not None:
                return config
        if (folder / ".git").exists():
            break
    return Config()


def load(path: str | os.PathLike[str], *, only_if_ours: bool = False) -> Config | None:
    """The settings of one file; None when it is a pyproject.toml without [tool.hipify] and that is allowed."""
    shown = os.path.relpath(path) if os.path.isabs(path) else os.fspath(path)  # noqa: PTH117
    try:
        data = tomllib.loads(Path(path).read_bytes().decode("utf-8"))
    except OSError as error:
        raise InputError(f"{shown}: cannot be read: {os_reason(error)}") from error
    except ValueError as error:
        if only_if_ours:  # a pyproject.toml that other tools reject is not ours to judge
            return None
        raise InputError(f"{shown}: is no TOML: {error}") from error
    table = data
    if Path(path).name == "pyproject.toml":
        tool = data.get("tool")
        found = tool.get("hipify") if isinstance(tool, dict) else None
        if found is None and only_if_ours:
            return None
        table = found if isinstance(found, dict) else {}
    return _read(table, shown, os.path.relpath(Path(path).resolve().parent))


def _read(table: Mapping[str, Any], shown: str, folder: str) -> Config:
    values: dict[str, Any] = {}
    per_path: dict[str, tuple[str, ...]] = {}
    for key, value in table.items():
        if key == _PER_PATH:
            per_path = _per_path(value, shown)
            continue
        if key in _OF_CONVERT:
            continue
        if key not in _KEYS:
            near = get_close_matches(key, [*_KEYS, _PER_PATH], 1, 0.6)
            raise UsageError(f"{shown}: unknown key {key!r}{f'; did you mean {near[0]!r}?' if near else ''}")
        name, wanted = _KEYS[key]
        values[name] = _value(value, wanted, f"{shown}: {key}")
        if key in _PATHS:
            values[name] = _from_folder(values[name], folder)
    return Config(shown, folder, values, per_path)


def _value(value: Any, wanted: type, where: str) -> Any:
    if wanted is list and isinstance(value, str):
        return [value]
    fits = isinstance(value, wanted) and (wanted is bool or not isinstance(value, bool))
    if not fits or (isinstance(value, list) and not all(isinstance(item, str) for item in value)):
        raise UsageError(f"{where} needs {_WORDS[wanted]}")
    return value


def _per_path(value: Any, shown: str) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise UsageError(f"{shown}: {_PER_PATH} needs a table of patterns and lists of ids")
    return {pattern: tuple(_value(ids, list, f"{shown}: {_PER_PATH}: {pattern!r}")) for pattern, ids in value.items()}


def _from_folder(value: Any, folder: str) -> Any:
    if isinstance(value, list):
        return [_from_folder(item, folder) for item in value]
    return os.path.normpath(Path(folder) / value)

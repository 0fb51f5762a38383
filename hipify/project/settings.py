"""What a conversion is asked to do: the command line's options, with those of the project's own file behind them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hipify.errors import InputError, UsageError, os_reason
from hipify.model import Options

SUFFIXES = (".hip", ".hip.cpp", "same")
THIRD_PARTY = ("convert", "copy", "skip")
_LISTS = ("include", "exclude", "third-party-dirs")
_WORDS = {"suffix": SUFFIXES, "third-party": THIRD_PARTY}
_SWITCHES = ("rename-paths", "gitignore")


@dataclass(frozen=True)
class Selection:
    """Which files of a tree take part."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    gitignore: bool = True
    third_party: str = "convert"
    third_party_dirs: tuple[str, ...] = ()
    max_bytes: int = 32 << 20


@dataclass(frozen=True)
class Settings:
    """One conversion."""

    source: Path
    out: Path
    options: Options = field(default_factory=Options)
    selection: Selection = field(default_factory=Selection)
    in_place: bool = False
    force: bool = False
    suffix: str = "same"
    rename_paths: bool = False
    link_unchanged: bool = False
    compile_commands: str = ""
    jobs: int = 0
    timeout: float = 120.0
    scheduler: str = ""


def project_file(source: Path) -> dict[str, object]:
    """The `[tool.hipify]` table of pyproject.toml, or hipify.toml's own, of a project; empty when there is none."""
    for name, keys in (("hipify.toml", ()), ("pyproject.toml", ("tool", "hipify"))):
        path = source / name
        try:
            table: object = tomllib.loads(path.read_bytes().decode("utf-8"))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {os_reason(error)}") from error
        except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            if keys and b"hipify" not in path.read_bytes():
                continue  # somebody else's file: its faults are not ours to judge
            raise InputError(f"{path}: is not valid TOML: {error}") from error
        for key in keys:
            table = table.get(key, {}) if isinstance(table, dict) else {}
        if isinstance(table, dict) and (table or not keys):
            return table
    return {}


def from_project(table: Mapping[str, object]) -> dict[str, tuple[str, ...] | str | bool]:
    """The settings for conversions in a project's table, checked; UsageError for a value of another kind."""
    found: dict[str, tuple[str, ...] | str | bool] = {}
    for name in _LISTS:
        value = table.get(name)
        if value is None:
            continue
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise UsageError(f"[tool.hipify] {name}: a list of texts is expected")
        found[name] = tuple(value)
    for name, words in _WORDS.items():
        value = table.get(name)
        if value is None:
            continue
        if value not in words:
            raise UsageError(f"[tool.hipify] {name}: one of {', '.join(words)} is expected")
        found[name] = str(value)
    for name in _SWITCHES:
        value = table.get(name)
        if value is None:
            continue
        if not isinstance(value, bool):
            raise UsageError(f"[tool.hipify] {name}: true or false is expected")
        found[name] = value
    return found

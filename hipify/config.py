"""Settings of a project: `[tool.hipify]` in pyproject.toml, or hipify.toml. The command line overrules them.

All subcommands read them here, and each takes the keys that it has options for.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache

from hipify.errors import InputError, UsageError, os_reason
from hipify.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pathspec import GitIgnoreSpec

    from hipify.cli.parser import Arguments, Parser

NAMES = ("hipify.toml", "pyproject.toml")
SEVERITIES = ("note", "warning", "error")
WARPS = ("preserve", "native", "report")
SUFFIXES = (".hip", ".hip.cpp", "same")
THIRD_PARTY = ("convert", "copy", "skip")

_LIST, _TEXT, _SWITCH, _NUMBER = list, str, bool, int
# Key of the file: the attribute of the parsed command line, and the type of its value.
_KEYS: dict[str, tuple[str, type]] = {
    "select": ("select", _LIST),
    "ignore": ("ignore", _LIST),
    "severity": ("severity", _TEXT),
    "fail-on": ("fail_on", _TEXT),
    "include": ("include", _LIST),
    "exclude": ("exclude", _LIST),
    "baseline": ("baseline", _TEXT),
    "jobs": ("jobs", _NUMBER),
    "language": ("language", _TEXT),
    "target": ("target", _TEXT),
    "cuda-version": ("cuda_version", _TEXT),
    "offload-arch": ("offload_arch", _LIST),
    "warp": ("warp", _TEXT),
    "guards": ("guards", _TEXT),
    "roc": ("roc", _SWITCH),
    "miopen": ("miopen", _SWITCH),
    "experimental": ("experimental", _SWITCH),
    "translate-strings": ("translate_strings", _SWITCH),
    "inline-headers": ("inline_headers", _SWITCH),
    "no-clang": ("no_clang", _SWITCH),
    "include-dirs": ("include_dir", _LIST),
    "defines": ("define", _LIST),
    "rules": ("rules", _LIST),
    "whitelist": ("whitelist", _LIST),
    "compile-commands": ("compile_commands", _TEXT),
    "suffix": ("suffix", _TEXT),
    "rename-paths": ("rename_paths", _SWITCH),
    "third-party": ("third_party", _TEXT),
    "third-party-dirs": ("third_party_dirs", _LIST),
    "gitignore": ("gitignore", _SWITCH),
}
_WORDS: dict[str, tuple[str, ...]] = {
    "severity": SEVERITIES,
    "fail-on": (*reversed(SEVERITIES), "never"),
    "language": ("auto", "cuda", "hip"),
    "warp": WARPS,
    "guards": ("widen", "report"),
    "suffix": SUFFIXES,
    "third-party": THIRD_PARTY,
}
_PATHS = frozenset({"baseline", "include-dirs", "rules", "compile-commands"})
# Lists that the command line makes longer; it replaces the others.
_ADDED = frozenset({"include", "exclude", "include_dir", "define", "rules", "whitelist"})
_TYPES = {_LIST: "a list of texts", _TEXT: "a text", _SWITCH: "true or false", _NUMBER: "a whole number"}
_PATH_IGNORES, _PATH_WARP = "per-path-ignores", "per-path-warp"


class Config(NamedTuple):
    """The settings of one file. `values` is keyed as the parsed command line is; paths are made from `folder`."""

    path: str = ""
    folder: str = "."
    values: Mapping[str, Any] = {}
    path_ignores: Mapping[str, tuple[str, ...]] = {}
    path_warp: Mapping[str, str] = {}

    def relative(self, path: str) -> str:
        """A path as the patterns of the file see it."""
        return os.path.relpath(os.path.realpath(path), os.path.realpath(self.folder)).replace(os.sep, "/")

    @property
    def chooses(self) -> bool:
        """Whether these settings leave any finding out."""
        return bool(self.path_ignores) or any(name in self.values for name in ("select", "ignore", "severity"))

    def warp(self, path: str) -> str:
        """What the last pattern that names a file says about its warps; '' when none does."""
        if not self.path_warp:
            return ""
        name = self.relative(path)
        for pattern, warp in reversed(list(self.path_warp.items())):
            if _spec(pattern).match_file(name):
                return warp
        return ""


@cache
def _spec(pattern: str) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines([pattern])


class Default(str):
    """A text that no command line gave, so that a settings file may overrule it."""


def mark_defaults(parser: Parser) -> None:
    """Make the texts that options have without being given recognisable."""
    for option in parser.every:
        if isinstance(option.default, str):
            option.default = Default(option.default)


def was_given(value: object) -> bool:
    """Whether an option's value came from the command line."""
    return not isinstance(value, Default) and value not in ([], False, 0)


def settle(
    args: Arguments, start: str | os.PathLike[str] = ".", *, above: bool = True, leave: tuple[str, ...] = ()
) -> Config:
    """The settings that a command line asks for; their values are put where it gave none itself.

    Without `above` only the folder `start` is looked into. `leave` names attributes that are not touched. Behind this
    call all texts are plain ones.
    """
    settings = _asked_for(args, start, above)
    args.said_by = said_by = dict[str, str]()
    if was_given(args.warp):
        settings = settings._replace(path_warp={})
    for name, value in settings.values.items():
        given = getattr(args, name, None)
        if given is None or name in leave:  # another subcommand's
            continue
        if name in _ADDED:
            setattr(args, name, [*value, *given])
        elif not was_given(given):
            setattr(args, name, value)
            said_by[name] = settings.path
    for name, value in vars(args).items():
        if isinstance(value, Default):
            setattr(args, name, str(value))
    return settings


def _asked_for(args: Arguments, start: str | os.PathLike[str], above: bool) -> Config:
    if args.config and args.no_config:
        raise UsageError("--config and --no-config exclude each other")
    if args.no_config:
        return Config()
    return (load(args.config) if args.config else find(start, above=above)) or Config()


def find(start: str | os.PathLike[str] = ".", *, above: bool = True) -> Config:
    """The settings of the nearest folder upwards that has some, up to the repository's root."""
    here = os.path.realpath(start)
    while True:
        for name in NAMES:
            path = os.path.join(here, name)
            if os.path.isfile(path) and (config := load(path, only_if_ours=name == "pyproject.toml")) is not None:
                return config
        parent = os.path.dirname(here)
        if not above or parent == here or os.path.exists(os.path.join(here, ".git")):
            return Config()
        here = parent


def load(path: str | os.PathLike[str], *, only_if_ours: bool = False) -> Config | None:
    """The settings of one file; None when it is a pyproject.toml without [tool.hipify] and that is allowed."""
    shown = os.path.relpath(path) if os.path.isabs(path) else os.fspath(path)
    try:
        with open(path, "rb") as stream:
            data = stream.read()
    except OSError as error:
        raise InputError(f"{shown}: cannot be read: {os_reason(error)}") from error
    except ValueError as error:
        raise InputError(f"{shown!r}: cannot be read: {error}") from error
    if only_if_ours and not _may_hold_ours(data):
        return None  # reading TOML takes a tenth of a short run, and its reader's import as long again
    import tomllib

    try:
        table: object = tomllib.loads(data.decode("utf-8"))
    except ValueError as error:
        raise InputError(f"{shown}: is not valid TOML: {error}") from error
    if os.path.basename(path) == "pyproject.toml":
        for key in ("tool", "hipify"):
            table = table.get(key) if isinstance(table, dict) else None
        if table is None and only_if_ours:
            return None
    if table is not None and not isinstance(table, dict):
        raise UsageError(f"{shown}: tool.hipify needs to be a table")
    return _read(table or {}, shown, os.path.relpath(os.path.dirname(os.path.realpath(path))))


def _may_hold_ours(data: bytes) -> bool:
    """Whether a pyproject.toml may have our table: `[tool.hipify]`, `tool.hipify.x =`, or in `[tool]`, `tool =`."""
    if b"hipify" not in data:
        return False
    from hipify.patterns import lazy

    return lazy(rb"tool[\"']?[ \t]*(?:\.[ \t]*[\"']?hipify|[=\]])").search(data) is not None


def _read(table: Mapping[str, Any], shown: str, folder: str) -> Config:
    values: dict[str, Any] = {}
    ignores: dict[str, tuple[str, ...]] = {}
    warp: dict[str, str] = {}
    for key, value in table.items():
        where = f"{shown}: {key}"
        if key == _PATH_IGNORES:
            ignores = {pattern: tuple(_value(ids, _LIST, at)) for pattern, ids, at in _patterns(value, where)}
        elif key == _PATH_WARP:
            warp = {pattern: _word(_value(mode, _TEXT, at), WARPS, at) for pattern, mode, at in _patterns(value, where)}
        elif key in _KEYS:
            name, wanted = _KEYS[key]
            checked = _value(value, wanted, where)
            if key in _WORDS:
                checked = _word(checked, _WORDS[key], where)
            values[name] = _from_folder(checked, folder) if key in _PATHS else checked
        else:
            raise UsageError(f"{shown}: unknown key {key!r}{_suggestion(key)}")
    return Config(shown, folder, values, ignores, warp)


def _suggestion(key: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(key, [*_KEYS, _PATH_IGNORES, _PATH_WARP], 1, 0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


def _value(value: Any, wanted: type, where: str) -> Any:
    if wanted is list and isinstance(value, str):
        return [value]
    fits = isinstance(value, wanted) and (wanted is bool or not isinstance(value, bool))
    if not fits or (isinstance(value, list) and not all(isinstance(item, str) for item in value)):
        raise UsageError(f"{where} needs {_TYPES[wanted]}")
    return value


def _word(value: str, words: tuple[str, ...], where: str) -> str:
    if value not in words:
        raise UsageError(f"{where} needs one of {', '.join(words)}")
    return value


def _patterns(value: Any, where: str) -> list[tuple[str, Any, str]]:
    """Pattern, value, and the place for messages, of a table of patterns as in .gitignore."""
    if not isinstance(value, dict):
        raise UsageError(f"{where} needs a table of patterns")
    for pattern in value:
        try:
            _spec(pattern)
        except ValueError as error:
            raise UsageError(f"{where}: {pattern!r} is no pattern") from error
    return [(pattern, item, f"{where}: {pattern!r}") for pattern, item in value.items()]


def _from_folder(value: Any, folder: str) -> Any:
    if isinstance(value, list):
        return [_from_folder(item, folder) for item in value]
    return os.path.normpath(os.path.join(folder, value))

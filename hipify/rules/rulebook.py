"""All rules that a run uses: the built-in ones and the user's, compiled once into a cache that holds data only.

The cache is keyed by the content of the rules and of the code that reads them; one that is broken, stale or of another
shape is made again without a word, and nothing in it is ever executed.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from hipify import user_cache
from hipify.errors import UsageError, os_reason
from hipify.fingerprints import fingerprint
from hipify.rules.language import Rule, parse

_HERE = Path(__file__).parent
CALLS = _HERE / "calls"
_COLUMNS = len(Rule("", "").as_json())
provided: dict[str, str] = {}
"""The text of rule files that came with a job from another machine, by path: they are not read from this one."""
_READERS = ("language.py", "language.lark", "grammar.py")


class Rulebook:
    """Rules by name, the first that applies wins. `builtin` data is turned into rules a name at a time."""

    def __init__(self, builtin: dict[str, list[list[Any]]], users: Sequence[Rule] = ()) -> None:
        self.builtin = builtin
        self.users = list(users)
        self._calls: dict[str, tuple[Rule, ...]] = {}

    @functools.cached_property
    def names(self) -> frozenset[bytes]:
        """The identifiers that rules name, for set operations (the last part of a qualified name)."""
        users = {r.name for r in self.users if not r.kind.startswith("header")}
        builtin = {name for name, rules in self.builtin.items() if not rules[0][0].startswith("header")}
        return frozenset(n.rpartition("::")[2].encode() for n in builtin | users)

    def rules(self, name: str) -> tuple[Rule, ...]:
        """The rules for an identifier, or a header, in the order in which they are tried."""
        found = self._calls.get(name)
        if found is None:
            own = [r for r in self.users if r.name.rpartition("::")[2] == name]
            given = [Rule.from_json(data) for data in self.builtin.get(name, ())]
            found = self._calls[name] = (*_ranked(own), *_ranked(given))
        return found

    def all_rules(self) -> list[Rule]:
        """Every rule: the user's in front."""
        given = [Rule.from_json(data) for rules in self.builtin.values() for data in rules]
        return [*self.users, *given]

    @functools.cached_property
    def headers(self) -> tuple[Rule, ...]:
        """The rules for includes."""
        given = [Rule.from_json(d) for rules in self.builtin.values() for d in rules if d[0].startswith("header")]
        return (*(r for r in self.users if r.kind.startswith("header")), *given)


def _ranked(rules: list[Rule]) -> list[Rule]:
    return sorted(rules, key=lambda r: -r.priority)


def load(rule_files: Iterable[str] = ()) -> Rulebook:
    """The built-in rules, and those of the user's files in front of them. Raises UsageError for a bad file."""
    return _load(tuple((str(path), _read(path)) for path in rule_files))


@functools.lru_cache(maxsize=8)
def _load(files: tuple[tuple[str, str], ...]) -> Rulebook:
    users: list[Rule] = []
    for path, text in reversed(files):
        users += _compiled(f"user {path}", {path: text})
    return Rulebook(_builtin(), users)


def _read(path: str) -> str:
    if path in provided:
        return provided[path]
    try:
        return Path(path).read_text("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8 text: {error.reason} at byte {error.start}") from error
    except ValueError as error:
        raise UsageError(f"{path!r}: cannot be read: {error}") from error
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {os_reason(error)}") from error


@functools.cache
def _builtin() -> dict[str, list[list[Any]]]:
    files = {path.name: path.read_text("utf-8") for path in sorted(CALLS.glob("*.rules"))}
    found: dict[str, list[list[Any]]] = {}
    for data in _cached("builtin", files):
        found.setdefault(data[1], []).append(data)
    return found


def _compiled(label: str, files: dict[str, str]) -> list[Rule]:
    data = _cached(label, files)
    try:
        return [Rule.from_json(item) for item in data]
    except (TypeError, ValueError, IndexError, KeyError):
        return _parse(files)


def _parse(files: dict[str, str]) -> list[Rule]:
    return [rule for path, text in files.items() for rule in parse(text, path)]


def _cached(label: str, files: dict[str, str]) -> list[list[Any]]:
    """The rules of some files as JSON data, from the cache when it holds them."""
    key = _key(label, files)
    path = f"{user_cache.folder()}/rules-{fingerprint(label.encode())}.json"
    with suppress(OSError, ValueError, TypeError):
        head, _, body = Path(path).read_bytes().partition(b"\n")
        if head.decode() == f"{key} {fingerprint(body)}" and _is_rules(rules := json.loads(body)):
            return list(rules)
    body = json.dumps([r.as_json() for r in _parse(files)], separators=(",", ":")).encode()
    with suppress(OSError):
        user_cache.write(path, f"{key} {fingerprint(body)}\n".encode() + body)
        user_cache.forget("rules-")
    return list(json.loads(body))


def _is_rules(data: object) -> bool:
    """Whether JSON data has the outer shape of rules."""
    return isinstance(data, list) and all(
        isinstance(item, list) and len(item) == _COLUMNS and isinstance(item[0], str) and isinstance(item[1], str)
        for item in data
    )


def _key(label: str, files: dict[str, str]) -> str:
    parts = [label.encode(), *((_HERE / name).read_bytes() for name in _READERS)]
    parts += [f"{name}\0{len(text)}\0{text}".encode("utf-8", "surrogatepass") for name, text in files.items()]
    return fingerprint(b"\0".join(parts))

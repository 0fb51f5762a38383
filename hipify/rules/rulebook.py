"""All rules that a run uses: the built-in ones and the user's, compiled once into a cache that holds data only.

The cache is keyed by the content of the user's rules, by the state of the package's files, and by the code that reads
them; one that is broken, stale or of another shape is made again without a word, and nothing in it is ever executed.
"""

from __future__ import annotations

import functools
import marshal
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress

from hipify import user_cache
from hipify.errors import UsageError, os_reason
from hipify.fingerprints import fingerprint
from hipify.records import NamedTuple
from hipify.rules.language import Rule, parse
from hipify.rules.remembered import remembered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HERE = os.path.dirname(__file__)
CALLS = f"{_HERE}/calls"
provided: dict[str, str] = {}
"""The text of rule files that came with a job from another machine, by path: they are not read from this one."""
_READERS = ("rulebook.py", "language.py", "language.lark", "grammar.py")


class Compiled(NamedTuple):
    """Rules in the form of the cache: a run unpacks those of the few names that its input has."""

    names: tuple[bytes, ...]
    """The identifiers that they are for: the last part of a qualified name."""
    headers: bytes
    by_name: dict[str, bytes]

    @classmethod
    def of(cls, rules: Iterable[Rule]) -> Compiled:
        """Pack rules."""
        by_name: dict[str, list[list[Any]]] = {}
        headers = []
        for rule in rules:
            data = rule.as_json()
            by_name.setdefault(rule.name, []).append(data)
            if rule.kind.startswith("header"):
                headers.append(data)
        calls = [name for name, packed in by_name.items() if not packed[0][0].startswith("header")]
        names = sorted({name.rpartition("::")[2].encode() for name in calls})
        return cls(tuple(names), marshal.dumps(headers), {name: marshal.dumps(data) for name, data in by_name.items()})

    def rules(self, name: str) -> list[Rule]:
        """The rules of one name, or header, in order."""
        return _unpacked(self.by_name[name]) if name in self.by_name else []


def _unpacked(data: bytes) -> list[Rule]:
    return [Rule.from_json(item) for item in marshal.loads(data)]


class Rulebook:
    """Rules by name, the first that applies wins."""

    def __init__(self, builtin: Compiled, users: Sequence[Rule] = ()) -> None:
        self.builtin = builtin
        self.users = list(users)
        self._calls: dict[str, tuple[Rule, ...]] = {}

    @functools.cached_property
    def names(self) -> frozenset[bytes]:
        """The identifiers that rules name, for set operations (the last part of a qualified name)."""
        users = {r.name for r in self.users if not r.kind.startswith("header")}
        return frozenset([*self.builtin.names, *(name.rpartition("::")[2].encode() for name in users)])

    def rules(self, name: str) -> tuple[Rule, ...]:
        """The rules for an identifier, or a header, in the order in which they are tried."""
        found = self._calls.get(name)
        if found is None:
            own = [r for r in self.users if r.name.rpartition("::")[2] == name]
            given = self.builtin.rules(name)
            found = self._calls[name] = (*_ranked(own), *_ranked(given))
        return found

    def all_rules(self) -> list[Rule]:
        """Every rule: the user's in front."""
        given = [rule for name in self.builtin.by_name for rule in self.builtin.rules(name)]
        return [*self.users, *given]

    @functools.cached_property
    def headers(self) -> tuple[Rule, ...]:
        """The rules for includes."""
        return (*(r for r in self.users if r.kind.startswith("header")), *_unpacked(self.builtin.headers))


def _ranked(rules: list[Rule]) -> list[Rule]:
    return sorted(rules, key=lambda r: -r.priority)


def load(rule_files: Iterable[str] = ()) -> Rulebook:
    """The built-in rules, and those of the user's files in front of them. Raises UsageError for a bad file."""
    return _load(tuple((str(path), _read(path)) for path in rule_files))


@functools.lru_cache(maxsize=8)
def _load(files: tuple[tuple[str, str], ...]) -> Rulebook:
    users: list[Rule] = []
    for path, text in reversed(files):
        users += _users(path, text)
    return Rulebook(_builtin(), users)


def _read(path: str) -> str:
    if path in provided:
        return provided[path]
    try:
        with open(path, encoding="utf-8") as stream:
            return stream.read()
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8 text: {error.reason} at byte {error.start}") from error
    except ValueError as error:
        raise UsageError(f"{path!r}: cannot be read: {error}") from error
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {os_reason(error)}") from error


@functools.cache
def _builtin() -> Compiled:
    found = remembered("builtin", _compiled)
    whole = [type(part) for part in found] == [tuple, bytes, dict]
    return Compiled(*(found if whole else _compiled()))


def _compiled() -> list[Any]:
    names = sorted(name for name in os.listdir(CALLS) if name.endswith(".rules"))
    return list(Compiled.of(rule for name in names for rule in parse(_read(f"{CALLS}/{name}"), name)))


def _users(path: str, text: str) -> list[Rule]:
    label = f"user {path}"
    key = _key(label, {path: text})
    try:
        return _unpacked(_cached(label, key))
    except (ValueError, TypeError, EOFError, IndexError, KeyError):
        rules = parse(text, path)
        _keep(label, key, marshal.dumps([rule.as_json() for rule in rules]))
        return rules


def _place(label: str) -> str:
    """The file of a set of rules; each installation has its own, or two in turn would compile theirs each time."""
    own = fingerprint(f"{_HERE}\0{label}".encode("utf-8", "surrogateescape"))
    return f"{user_cache.folder()}/rules-{own}.marshal"


def _cached(label: str, key: str) -> bytes:
    """What the cache has for a key; nothing when it is broken or stale. What is unpacked is just what was written."""
    return user_cache.sealed(_place(label), key)


def _keep(label: str, key: str, body: bytes) -> None:
    with suppress(OSError):
        user_cache.seal(_place(label), key, body)
        user_cache.forget("rules-")


def _key(label: str, files: dict[str, str]) -> str:
    parts = [label.encode(), f"{sys.implementation.cache_tag} {marshal.version}".encode()]
    parts += [_read(f"{_HERE}/{name}").encode() for name in _READERS]
    parts += [f"{name}\0{len(text)}\0{text}".encode("utf-8", "surrogatepass") for name, text in files.items()]
    return fingerprint(b"\0".join(parts))

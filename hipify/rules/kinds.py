"""What a kind of finding is: its stable id, its text, and an example. Found by import, listed nowhere else."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import cache
from types import ModuleType

from hipify import plugins
from hipify.model import Severity
from hipify.records import NamedTuple
from hipify.rules.remembered import remembered

_PACKAGES = ("hipify.rules.passes", "hipify.rules.checks")


class FindingKind(NamedTuple):
    """One id: what it says, why that fails on AMD, what to do, and an example before and after.

    `before` is CUDA that gives the finding, `after` HIP that a person would write instead ('' when nothing is).
    """

    id: str
    severity: Severity
    title: str
    why: str
    fix: str
    before: str = ""
    after: str = ""


def modules() -> Iterator[ModuleType]:
    """Every pass and check module, in the order of their names; a module without `run` only defines kinds."""
    for package in _PACKAGES:
        parent = importlib.import_module(package)
        for name in plugins.names(parent.__path__):
            yield importlib.import_module(f"{package}.{name}")


@cache
def all_kinds() -> dict[str, FindingKind]:
    """Every kind of finding by id; ValueError when two modules claim one id for different kinds."""
    rows = remembered("kinds", _read)
    return {key: FindingKind(key, Severity(severity), *texts) for key, severity, *texts in rows}


def _read() -> list[tuple[str | int, ...]]:
    """The kinds that all modules define, as plain rows."""
    found: dict[str, FindingKind] = {}
    for module in modules():
        for value in vars(module).values():
            if isinstance(value, FindingKind) and found.setdefault(value.id, value) is not value:
                raise ValueError(f"{value.id} is defined twice")
    return [(kind.id, int(kind.severity), *kind[2:]) for _, kind in sorted(found.items())]

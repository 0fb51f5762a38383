"""Which findings are asked for: by id or family, by severity, and by path."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from pathspec import GitIgnoreSpec

from hipify.config import Config
from hipify.errors import UsageError
from hipify.model import Finding, Severity

ALL = "ALL"


@dataclass(frozen=True)
class PathIgnore:
    """Ids (or beginnings of ids) that are not asked for in files that a .gitignore pattern names."""

    pattern: str
    ids: tuple[str, ...]

    @cached_property
    def spec(self) -> GitIgnoreSpec:
        """The compiled pattern."""
        return GitIgnoreSpec.from_lines([self.pattern])


@dataclass(frozen=True)
class Selection:
    """The more exact of `select` and `ignore` decides: `--select HPY3 --ignore HPY304` leaves one kind out."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Severity = Severity.NOTE
    per_path: tuple[PathIgnore, ...] = ()

    def has_id(self, identity: str, path: str = "") -> bool:
        """Whether findings of this id are asked for in a file; `path` is relative to the configuration's folder."""
        chosen = _longest(self.select or (ALL,), identity)
        dropped = _longest(self.ignore, identity)
        if chosen < 0 or dropped >= chosen:
            return False
        return not any(_longest(rule.ids, identity) >= 0 and rule.spec.match_file(path) for rule in self._rules(path))

    def has(self, finding: Finding, path: str = "") -> bool:
        """Whether this finding is asked for."""
        return finding.severity >= self.severity and self.has_id(finding.id, path)

    def _rules(self, path: str) -> tuple[PathIgnore, ...]:
        return self.per_path if path else ()


def _longest(patterns: Iterable[str], identity: str) -> int:
    """Length of the longest pattern that an id begins with; 0 for ALL, -1 when there is none."""
    lengths = (0 if p == ALL else len(p) for p in patterns if p == ALL or identity.startswith(p))
    return max(lengths, default=-1)


def of_settings(settings: Config) -> Selection:
    """What the settings of a project ask for; UsageError for an id that does not exist."""
    return chosen(
        settings,
        settings.values.get("select", ()),
        settings.values.get("ignore", ()),
        settings.values.get("severity", "note"),
        f"{settings.path}: ",
    )


def chosen(
    settings: Config, select: Iterable[str], ignore: Iterable[str], severity: str, prefix: str = "--"
) -> Selection:
    """What a command line, or the settings, ask for, and the settings' exceptions by path."""
    where = settings.path
    rules = (PathIgnore(p, check_ids(ids, f"{where}: per-path-ignores")) for p, ids in settings.path_ignores.items())
    return Selection(
        check_ids(select, f"{prefix}select"),
        check_ids(ignore, f"{prefix}ignore"),
        Severity[severity.upper()],
        tuple(rules),
    )


def check_ids(patterns: Iterable[str], where: str) -> tuple[str, ...]:
    """The patterns in capitals; UsageError for one that no kind of finding begins with."""
    from hipify.rules.kinds import all_kinds

    checked = tuple(pattern.strip().upper() for pattern in patterns)
    for pattern in checked:
        if pattern != ALL and not (pattern.startswith("HPY") and any(k.startswith(pattern) for k in all_kinds())):
            raise UsageError(f"{where}: no finding has the id {pattern} (`hipify-py explain` lists them)")
    return checked

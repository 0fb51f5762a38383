"""Findings about files as a whole, which no place in a text belongs to."""

from __future__ import annotations

from hipify.model import Finding, Severity
from hipify.rules.checks.build import NOT_TRANSLATED, WITHOUT_CLANG
from hipify.rules.kinds import FindingKind


def not_translated(path: str, message: str, severity: Severity = NOT_TRANSLATED.severity) -> Finding:
    """The finding for a file that the translator could not deal with."""
    return _of_file(NOT_TRANSLATED, path, message, severity)


def without_clang(path: str, trouble: str) -> Finding:
    """The finding for a file that clang could not be asked about, after what went wrong with it."""
    message = f"translated without clang: with it, {trouble}"
    return _of_file(WITHOUT_CLANG, path, message, WITHOUT_CLANG.severity)


def _of_file(kind: FindingKind, path: str, message: str, severity: Severity) -> Finding:
    return Finding(kind.id, severity, path, 1, 1, 1, 1, message, kind.why, kind.fix)

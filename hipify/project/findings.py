"""Findings about files as a whole, which no place in a text belongs to."""

from __future__ import annotations

from hipify.model import Finding, Severity
from hipify.rules.checks.build import NOT_TRANSLATED


def not_translated(path: str, message: str, severity: Severity = NOT_TRANSLATED.severity) -> Finding:
    """The finding for a file that the translator could not deal with."""
    kind = NOT_TRANSLATED
    return Finding(kind.id, severity, path, 1, 1, 1, 1, message, kind.why, kind.fix)

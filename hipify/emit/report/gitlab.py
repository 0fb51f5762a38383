"""GitLab's code quality report: a merge request shows what it adds and what it removes."""

from __future__ import annotations

from typing import Any

from hipify.emit.report import Report, _rows
from hipify.emit.report._places import Columns, relative
from hipify.lint import fingerprints
from hipify.model import Finding, Severity

SUFFIXES: tuple[str, ...] = ()

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}


def render(report: Report) -> bytes:
    """The report as a JSON list."""
    entries: list[dict[str, Any]] = []
    for translation in report.translations:
        path, columns = relative(translation.path), Columns(translation.input)
        for finding, fingerprint in zip(translation.findings, fingerprints.of(translation), strict=True):
            name = fingerprints.global_name(path, fingerprint)
            entries.append(_entry(finding, path, name, columns.region(finding)))
    entries += [_failure(relative(file.path), file.error) for file in report.files if file.error]
    return _rows.text(entries, levels=1)


def _entry(finding: Finding, path: str, fingerprint: str, place: tuple[int, int, int, int]) -> dict[str, Any]:
    line, column, end_line, end_column = place
    return {
        "description": " ".join(finding.message.split()),
        "check_name": finding.id,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": path,
            "positions": {"begin": {"line": line, "column": column}, "end": {"line": end_line, "column": end_column}},
        },
    }


def _failure(path: str, error: str) -> dict[str, Any]:
    return {
        "description": " ".join(error.split()),
        "check_name": "hipify-py",
        "fingerprint": fingerprints.global_name(path, error),
        "severity": "blocker",
        "location": {"path": path, "positions": {"begin": {"line": 1, "column": 1}, "end": {"line": 1, "column": 1}}},
    }

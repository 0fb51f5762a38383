"""Workflow commands of GitHub Actions: each finding becomes an annotation of the changed file."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.emit.report import Report
from hipify.emit.report._places import Columns, relative
from hipify.model import Finding, Severity, Translation

SUFFIXES: tuple[str, ...] = ()

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(report: Report) -> bytes:
    """One command a finding, and one a file that could not be read."""
    lines = [line for translation in report.translations for line in _commands(translation)]
    lines += [
        f"::error file={_property(relative(file.path))},title=hipify-py::{_data(file.error)}"
        for file in report.files
        if file.error
    ]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def _commands(translation: Translation) -> Iterator[str]:
    columns = Columns(translation.input)
    for finding in translation.findings:
        yield _command(finding, columns.region(finding))


def _command(finding: Finding, place: tuple[int, int, int, int]) -> str:
    line, column, end_line, end_column = place
    values = {"file": relative(finding.file), "line": line, "endLine": end_line}
    if line == end_line:  # columns of several lines are refused
        values |= {"col": column, "endColumn": end_column}
    values["title"] = f"{finding.id} {finding.severity.label}"
    head = ",".join(f"{key}={_property(str(value))}" for key, value in values.items())
    text = finding.message if not finding.fix else f"{finding.message}\n{' '.join(finding.fix.split())}"
    return f"::{_COMMANDS[finding.severity]} {head}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")

"""Findings and the summary as plain lines, in the form that editors and CI systems can follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hipify.emit.report import FileResult, Report, counts
from hipify.model import Finding, Severity

SUFFIXES = (".txt", ".log")


def render(report: Report) -> bytes:
    """All findings with why and fix, then the summary."""
    lines = [line for finding in report.findings for line in finding_lines(finding, explain=True)]
    lines += summary(report)
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def finding_lines(finding: Finding, *, explain: bool = False) -> Iterator[str]:
    """`path:line:column: severity: ID message`, and, where asked, why and the fix."""
    place = f"{finding.file}:{finding.line}:{finding.column}"
    yield f"{place}: {finding.severity.label}: {finding.id} {finding.message}"
    if explain:
        for label, text in (("why", finding.why), ("fix", finding.fix)):
            if text:
                yield f"    {label}: {' '.join(text.split())}"
        yield f"    seen by: {finding.confidence.value}"


def summary(report: Report) -> Iterator[str]:
    """One line a file that went well, and the total when there are several."""
    for file in report.files:
        if file.translation is not None and not file.error:
            yield f"{destination(file)}: {tally(len(file.translation.edits), file.translation.findings)}"
    if len(report.files) > 1:
        changes = sum(len(translation.edits) for translation in report.translations)
        yield f"{len(report.files)} files: {tally(changes, report.findings)}"


def destination(file: FileResult) -> str:
    """The input, and the output where it has a name of its own."""
    return file.path if file.output in (None, "-", file.path) else f"{file.path} -> {file.output}"


def tally(changes: int, findings: Iterable[Finding]) -> str:
    """`N changes, M findings (E errors, W warnings)`; notes are named where there are some."""
    number = counts(findings)
    parts = [_count(number[Severity.ERROR], "error"), _count(number[Severity.WARNING], "warning")]
    if number[Severity.NOTE]:
        parts.append(_count(number[Severity.NOTE], "note"))
    return f"{_count(changes, 'change')}, {_count(sum(number.values()), 'finding')} ({', '.join(parts)})"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"

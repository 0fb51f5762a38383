"""One line a finding and nothing else: `path:line:column: ID message`."""

from __future__ import annotations

from hipify.emit.report import Report

SUFFIXES: tuple[str, ...] = ()


def render(report: Report) -> bytes:
    """All findings."""
    lines = (f"{f.file}:{f.line}:{f.column}: {f.id} {' '.join(f.message.split())}\n" for f in report.findings)
    return "".join(lines).encode("utf-8", "surrogateescape")

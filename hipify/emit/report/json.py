"""The report that programs read, version 1: positions are 1-based and of the input, columns count bytes."""

from __future__ import annotations

from hipify.emit.report import FileResult, Report, _rows, counts

SUFFIXES = (".json",)
VERSION = 1


def render(report: Report) -> bytes:
    """The report as JSON."""
    return _rows.text(as_dict(report), levels=2)


def as_dict(report: Report) -> dict[str, object]:
    """The report as plain values."""
    return {
        "version": VERSION,
        "tool": {"name": report.tool, "version": report.version},
        "target": report.options.target,
        "target_origin": report.target_origin or None,
        "cuda_version": report.cuda or None,
        "cuda_version_origin": report.cuda_origin or None,
        "files": [_file(file) for file in report.files],
        "summary": {
            "files": len(report.files),
            "failed": sum(1 for file in report.files if file.error),
            "changes": sum(len(translation.edits) for translation in report.translations),
            "findings": {severity.label: number for severity, number in counts(report.findings).items()},
        },
        "findings": [finding.as_dict() for finding in report.findings],
    }


def _file(file: FileResult) -> dict[str, object]:
    entry: dict[str, object] = {"path": file.path, "output": file.output, "error": file.error or None}
    translation = file.translation
    if translation is not None:
        entry |= {
            "changed": translation.changed,
            "changes": len(translation.edits),
            "clang": translation.clang_used,
            "cuda_decided": translation.cuda or None,
            "bytes": len(translation.input),
            "findings": {severity.label: number for severity, number in counts(translation.findings).items()},
            "helper_headers": sorted(translation.helper_headers),
        }
    return entry

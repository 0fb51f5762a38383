"""SARIF 2.1.0: what code scanning services and editors read. Columns count characters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hipify.emit.report import FileResult, Report, _rows
from hipify.emit.report._places import Columns, folder_uri, uri
from hipify.lint import fingerprints
from hipify.lint.families import family
from hipify.model import Edit, Finding, Severity, Translation
from hipify.rules.kinds import FindingKind, all_kinds

SUFFIXES = (".sarif",)
NEEDS_OUTPUT = True
"""Fixes are edits, so the files must be translated."""

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "SRCROOT"
_FINGERPRINT = "hipifyFinding/v1"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}

Json = dict[str, Any]


def render(report: Report) -> bytes:
    """The report as one SARIF run."""
    return _rows.text(as_dict(report), levels=4)


def as_dict(report: Report) -> Json:
    """The report as plain values."""
    ids = sorted({finding.id for finding in report.findings})
    rules = {identity: index for index, identity in enumerate(ids)}
    run: Json = {
        "tool": {"driver": {"name": report.tool, "version": report.version, "rules": [_rule(i) for i in ids]}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"uri": folder_uri()}},
        "invocations": [_invocation(report)],
        "results": [result for translation in report.translations for result in _results(translation, rules)],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _invocation(report: Report) -> Json:
    failed = [file for file in report.files if file.error]
    notes = [{"level": "error", "message": {"text": _text(file.error)}, **_locations(file)} for file in failed]
    told = {
        "target": report.options.target,
        "targetOrigin": report.target_origin,
        "cudaVersion": report.cuda,
        "cudaVersionOrigin": report.cuda_origin,
    }
    return {
        "executionSuccessful": not failed,
        "toolExecutionNotifications": notes,
        "properties": {name: value for name, value in told.items() if value},
    }


def _locations(file: FileResult) -> Json:
    return {"locations": [{"physicalLocation": {"artifactLocation": _artifact(file.path)}}]}


def _rule(identity: str) -> Json:
    kind = all_kinds().get(identity)
    if kind is None:
        return {"id": identity}
    return {
        "id": identity,
        "shortDescription": {"text": kind.title},
        "fullDescription": {"text": _text(kind.why) or kind.title},
        "help": {"text": f"{_text(kind.why)}\n\nWhat to do: {_text(kind.fix)}", "markdown": _markdown(kind)},
        "defaultConfiguration": {"level": _LEVELS[kind.severity]},
        "properties": {"tags": ["hip", family(identity)]},
    }


def _markdown(kind: FindingKind) -> str:
    parts = [f"**{kind.title}**", _text(kind.why), f"**What to do:** {_text(kind.fix)}"]
    for title, code in (("CUDA that gives it", kind.before), ("HIP instead", kind.after)):
        if code:
            parts.append(f"{title}:\n\n```cpp\n{code.rstrip()}\n```")
    return "\n\n".join(parts)


def _results(translation: Translation, rules: dict[str, int]) -> Iterator[Json]:
    columns = Columns(translation.input)
    named = zip(translation.findings, fingerprints.of(translation), strict=True)
    for finding, fingerprint in named:
        location = {"artifactLocation": _artifact(translation.path), "region": _region(columns.region(finding))}
        result: Json = {
            "ruleId": finding.id,
            "ruleIndex": rules[finding.id],
            "level": _LEVELS[finding.severity],
            "message": {"text": _message(finding)},
            "locations": [{"physicalLocation": location}],
            "partialFingerprints": {_FINGERPRINT: fingerprint},
            "properties": {"confidence": finding.confidence.value},
        }
        fix = _fix(translation, finding, columns)
        yield result | ({"fixes": [fix]} if fix else {})


def _message(finding: Finding) -> str:
    text = _text(finding.message)
    return f"{text}. {_text(finding.fix)}" if finding.fix else text


def _fix(translation: Translation, finding: Finding, columns: Columns) -> Json | None:
    """The edits that the translation makes at the finding, when there are some and they are text."""
    edits = [edit for edit in translation.edits if edit.start < finding.end and edit.end > finding.start]
    try:
        replacements = [_replacement(edit, columns) for edit in edits]
    except UnicodeDecodeError:
        return None
    if not replacements:
        return None
    return {
        "description": {"text": "The translation to HIP of this spot."},
        "artifactChanges": [{"artifactLocation": _artifact(translation.path), "replacements": replacements}],
    }


def _replacement(edit: Edit, columns: Columns) -> Json:
    return {
        "deletedRegion": _region(columns.region_of(edit.start, edit.end)),
        "insertedContent": {"text": edit.text.decode("utf-8")},
    }


def _region(place: tuple[int, int, int, int]) -> Json:
    return dict(zip(("startLine", "startColumn", "endLine", "endColumn"), place, strict=True))


def _artifact(path: str) -> Json:
    name, is_relative = uri(path)
    return {"uri": name, "uriBaseId": _ROOT} if is_relative else {"uri": name}


def _text(text: str) -> str:
    return " ".join(text.encode("utf-8", "replace").decode("utf-8", "replace").split())

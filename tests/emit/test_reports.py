"""The report formats: how one is chosen, and what the text and JSON ones say."""

from __future__ import annotations

import json

import pytest

from hipify import UsageError
from hipify.emit import report as reports
from hipify.emit.report import FileResult, Report, text
from hipify.emit.report import json as json_report
from hipify.model import Options, Severity

from .examples import finding, translation

REPORT = Report(
    Options(),
    (
        FileResult("a.cu", translation("a.cu"), "out/a.cu.hip"),
        FileResult("b.cu", translation("b.cu", (finding(Severity.NOTE, "b.cu"),)), "-"),
        FileResult("c.cu", error="c.cu: cannot be read: no such file or directory"),
    ),
)


def test_the_ending_chooses_the_format() -> None:
    assert reports.writer("x/y.JSON") is json_report
    assert reports.writer("x.txt") is text


def test_a_name_overrules_the_ending() -> None:
    assert reports.writer("x.txt", "json") is json_report


@pytest.mark.parametrize(("path", "name"), [("x.docx", ""), ("x", ""), ("x.json", "docx"), ("x.json", "__init__")])
def test_an_unknown_format_is_a_usage_error_that_lists_the_known_ones(path: str, name: str) -> None:
    with pytest.raises(UsageError, match=r"json, .*text"):
        reports.writer(path, name)


def test_every_format_renders_bytes_and_claims_its_endings_alone() -> None:
    claimed: list[str] = []
    for name in reports.formats():
        module = reports.writer("", name)
        claimed += module.SUFFIXES
        assert b"HPY102" in module.render(REPORT)
    assert len(claimed) == len(set(claimed))


def test_json_version_1() -> None:
    data = json.loads(json_report.render(REPORT))
    assert data["version"] == 1
    assert data["tool"]["name"] == "hipify-py"
    assert data["findings"][0] == {
        "id": "HPY102",
        "severity": "error",
        "file": "a.cu",
        "line": 4,
        "column": 3,
        "end_line": 4,
        "end_column": 10,
        "output_line": 5,
        "message": "cudaFoo has no counterpart",
        "why": "HIP has no\n  such call",
        "fix": "remove it",
        "confidence": "clang",
    }
    assert [(entry["path"], entry["output"], entry["error"]) for entry in data["files"]] == [
        ("a.cu", "out/a.cu.hip", None),
        ("b.cu", "-", None),
        ("c.cu", None, "c.cu: cannot be read: no such file or directory"),
    ]
    assert data["files"][0]["changed"] is True
    assert data["summary"] == {
        "files": 3,
        "failed": 1,
        "changes": 4,
        "findings": {"error": 1, "warning": 0, "note": 1},
    }


def test_a_path_that_is_not_utf8_survives_every_format() -> None:
    path = b"\xff.cu".decode("utf-8", "surrogateescape")
    report = Report(Options(), (FileResult(path, translation(path, (finding(path=path),)), None),))
    assert json.loads(json_report.render(report))["files"][0]["path"] == path
    assert text.render(report).startswith(b"\xff.cu:4:3: error: HPY102 cudaFoo has no counterpart\n")


def test_a_finding_is_one_line_and_its_reasons_are_on_request() -> None:
    assert list(text.finding_lines(finding())) == ["a.cu:4:3: error: HPY102 cudaFoo has no counterpart"]
    assert list(text.finding_lines(finding(), explain=True))[1:] == [
        "    why: HIP has no such call",
        "    fix: remove it",
        "    seen by: clang",
    ]


def test_the_summary_names_each_file_and_the_total() -> None:
    assert list(text.summary(REPORT)) == [
        "a.cu -> out/a.cu.hip: 2 changes, 1 finding (1 error, 0 warnings)",
        "b.cu: 2 changes, 1 finding (0 errors, 0 warnings, 1 note)",
        "3 files: 4 changes, 2 findings (1 error, 0 warnings, 1 note)",
    ]

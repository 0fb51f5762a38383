"""JUnit's XML, which every CI system shows: a suite a file, errors and warnings as failures, notes as passed tests."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable

from hipify.emit.report import FileResult, Report
from hipify.emit.report.text import finding_lines
from hipify.model import Finding, Severity, Translation
from hipify.patterns import lazy

SUFFIXES = (".xml",)

# What XML 1.0 cannot hold, not even escaped.
_FORBIDDEN = lazy("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report) -> bytes:
    """The report as XML."""
    root = ElementTree.Element("testsuites", {"name": report.tool})
    suites = [_suite(file) for file in report.files]
    root.extend(suites)
    for key in ("tests", "failures", "errors"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in suites)))
    ElementTree.indent(root)
    data: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return data + b"\n"


def _suite(file: FileResult) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", {"name": _clean(file.path)})
    if file.error:
        case = _case(suite, file.path, "read")
        ElementTree.SubElement(case, "error", {"message": _clean(file.error), "type": "input"})
    cases = file.translation.findings if file.translation is not None else ()
    for finding in cases:
        _finding(suite, finding)
    if not cases and not file.error:
        _case(suite, file.path, "no findings")
    seconds = _seconds(file.translation)
    failures = sum(1 for _ in suite.iter("failure"))
    numbers = {"tests": len(suite), "failures": failures, "errors": int(bool(file.error)), "skipped": 0}
    for key, number in numbers.items():
        suite.set(key, str(number))
    suite.set("time", f"{seconds:.3f}")
    return suite


def _finding(suite: ElementTree.Element, finding: Finding) -> None:
    case = _case(suite, finding.file, f"{finding.id} line {finding.line} column {finding.column}")
    case.set("file", _clean(finding.file))
    case.set("line", str(finding.line))
    text = _joined(finding_lines(finding, explain=True))
    if finding.severity is Severity.NOTE:
        ElementTree.SubElement(case, "system-out").text = text
        return
    values = {"message": _clean(f"{finding.id} {finding.message}"), "type": finding.severity.label}
    ElementTree.SubElement(case, "failure", values).text = text


def _case(suite: ElementTree.Element, path: str, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(suite, "testcase", {"classname": _clean(path), "name": _clean(name), "time": "0"})


def _seconds(translation: Translation | None) -> float:
    return translation.seconds if translation is not None else 0.0


def _joined(lines: Iterable[str]) -> str:
    return _clean("\n".join(lines))


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)

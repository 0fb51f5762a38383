"""The HTML report as a file, the sides of a translation, and the effort estimate."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify.emit import effort
from hipify.emit.report import FileResult, Report, html
from hipify.emit.report._sides import hunks, lines_of
from hipify.emit.rewriter import apply
from hipify.model import Edit, Options, Severity, Translation
from hipify.parser.source import Source

from ..examples import finding, translation


def embedded(page: bytes, name: str) -> dict[str, object]:
    found = re.search(rb'<script type="application/json" id="%s">(.*?)</script>' % name.encode(), page, re.DOTALL)
    assert found
    value = json.loads(found[1])
    assert isinstance(value, dict)
    return value


def test_the_page_is_one_file() -> None:
    page = html.render(Report(Options(), (FileResult("a.cu", translation()),)))
    text = page.decode()
    assert not re.search(r"""(?:src|href)\s*=\s*["'](?!#|data:,)|url\(|@import|\bfetch\(|XMLHttp""", text)
    assert "default-src 'none'" in text
    assert "http" not in re.sub("http-equiv", "", text)


def test_what_it_holds_can_end_no_script() -> None:
    path = "</script><script>alert(1)</script>\u2028.cu"
    page = html.render(Report(Options(), (FileResult(path, translation(path, (finding(path=path),))),)))
    assert b"<script>alert" not in page
    assert embedded(page, "data")["files"][0]["path"] == path  # type: ignore[index]


def test_bytes_that_are_no_text_are_shown_as_such() -> None:
    path = b"\xff.cu".decode("utf-8", "surrogateescape")
    data = b"\xff\xfe int x;\r\n\tcudaFoo();\r\n"
    page = html.render(Report(Options(), (FileResult(path, Translation(path, data, data, (), (), ())),)))
    assert embedded(page, "source-0")["pieces"] == [[1, ["\ufffd\ufffd int x;", "\tcudaFoo();"]]]


def test_columns_count_what_the_script_counts() -> None:
    data = "/* 😀ä */ cudaFoo();\n".encode()
    at = data.index(b"cudaFoo")
    spot = finding(line=1)
    values = {name: getattr(spot, name) for name in ("id", "severity", "file", "line", "end_line", "message")}
    made = type(spot)(**values, column=at + 1, end_column=at + 8)
    page = html.render(Report(Options(), (FileResult("a.cu", Translation("a.cu", data, data, (), (made,), ())),)))
    row = embedded(page, "data")["findings"][0]  # type: ignore[index]
    text = data.decode()
    units = len(text[: text.index("cudaFoo")].encode("utf-16-le")) // 2
    assert (row[4], row[6]) == (units, units + 7)


def test_large_trees_keep_the_lines_that_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "_SOURCES_LIMIT", 10)
    data = b"".join(b"line %d\n" % n for n in range(1, 101))
    at = data.index(b"line 50\n")
    edits = (Edit(at, at + 4, b"LINE"),)
    made = Translation("a.cu", data, apply(data, edits), edits, (), ())
    page = html.render(Report(Options(), (FileResult("a.cu", made),)))
    source = embedded(page, "source-0")
    assert [(first, len(lines)) for first, lines in source["pieces"]] == [(44, 13)]  # type: ignore[attr-defined]
    assert source["hunks"] == [[50, 1, ["LINE 50"]]]


TEXTS = st.lists(st.sampled_from([b"a", b"b", b"\n", b"\r\n", b"cuda\n"]), max_size=12).map(b"".join)


@st.composite
def edited(draw: st.DrawFn) -> Translation:
    data = draw(TEXTS)
    marks = sorted(draw(st.lists(st.integers(0, len(data)), max_size=8)))
    pairs = list(zip(marks[::2], marks[1::2], strict=False))
    edits = tuple(Edit(start, end, draw(TEXTS)) for start, end in pairs)
    return Translation("a.cu", data, apply(data, edits), edits, (), ())


@given(edited(), st.booleans())
def test_the_hunks_make_the_output_of_the_input(made: Translation, knows_edits: bool) -> None:
    if not knows_edits:
        made = Translation(made.path, made.input, made.output, (), (), ())
    before, after = lines_of(made.input), lines_of(made.output)
    rebuilt: list[str] = []
    at = 1
    for hunk in hunks(made, before, after, Source(made.input)):
        assert hunk.line >= at
        rebuilt += before[at - 1 : hunk.line - 1] + list(hunk.output)
        at = hunk.line + hunk.count
    assert rebuilt + before[at - 1 :] == after


def test_no_finding_and_notes_alone_are_no_effort() -> None:
    assert effort.of(()).grade == "none"
    assert effort.of([finding(Severity.NOTE)] * 50).grade == "none"


@pytest.mark.parametrize(
    ("severities", "grade"),
    [
        ([Severity.WARNING], "low"),
        ([Severity.ERROR], "low"),
        ([Severity.ERROR] * 6, "medium"),
        ([Severity.ERROR] * 40, "high"),
        ([Severity.WARNING] * 6 + [Severity.ERROR] * 2, "medium"),
    ],
)
def test_effort_grows_with_severity_and_number(severities: list[Severity], grade: str) -> None:
    assert effort.of([finding(severity) for severity in severities]).grade == grade


def test_effort_says_why() -> None:
    made = effort.of([finding(), finding(), finding(Severity.WARNING)])
    assert made.reasons == ("2 × HPY102 (error): 2.5 points", "1 × HPY102 (warning): 0.8 points")
    assert made.points == pytest.approx(3.3)
    assert effort.of((), "a.cu: is a directory").reasons == ("not translated: a.cu: is a directory",)

"""Comments that silence findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify import Options, translate_source
from hipify.lint import suppressions
from hipify.lint.suppressions import parse
from hipify.model import Finding, Severity
from hipify.parser.source import Source

from .conftest import Lint

CALL = "cudaGetFlyingSaucerCount"


def found(text: str, *lines: int, identity: str = "HPY105") -> list[tuple[int, str]]:
    """(line, id) of what stays when there is a finding on each of `lines`."""
    source = Source(text.encode(), "a.cu")
    findings = [Finding(identity, Severity.ERROR, "a.cu", line, 1, line, 9, "m") for line in lines]
    kept, silent = suppressions.apply(source, findings)
    assert len(kept) + len(silent) >= len(lines)
    return [(finding.line, finding.id) for finding in kept]


@pytest.mark.parametrize(
    ("text", "lines", "expected"),
    [
        ("a(); // hipify: ignore[HPY105] known\nb();\n", (1, 2), [(2, "HPY105")]),
        ("a(); //hipify:ignore[ HPY105 ]\n", (1,), []),
        ("a(); /* hipify: ignore[HPY105] */ b();\n", (1,), []),
        ("/* hipify: ignore[HPY105] */ a();\nb();\n", (1, 2), [(2, "HPY105")]),
        ("// hipify: ignore[HPY105] next\na();\nb();\n", (2, 3), [(3, "HPY105")]),
        ("  // hipify: ignore[HPY105]\n\n// more\na();\n", (4,), []),
        ("// hipify: ignore[HPY301]\n// hipify: ignore[HPY105]\na();\n", (3,), [(1, "HPY910")]),
        ("a(); // hipify: ignore[HPY301, HPY105]\n", (1,), [(1, "HPY910")]),
        ("a(); // hipify: ignore[HPY1]\n", (1,), []),
        (
            "x();\n// hipify: off[HPY105]\na();\nb();\n// hipify: on\nc();\n",
            (1, 3, 4, 6),
            [(1, "HPY105"), (6, "HPY105")],
        ),
        ("// hipify: off[HPY105]\na();\n", (2,), []),
        ("// hipify: off[HPY105]\n// hipify: off[HPY3]\n// hipify: on[HPY3]\na();\n", (4,), [(2, "HPY910")]),
        ("a();\nb();\n// hipify: ignore-file[HPY105] all of it\n", (1, 2), []),
        ("#define A(x) \\\n  f(x); /* hipify: ignore[HPY105] */ \\\n  g(x)\n", (2, 3), [(3, "HPY105")]),
        ('s = "// hipify: ignore[HPY105]";\n', (1,), [(1, "HPY105")]),
        ("a(); // see hipify: ignore[HPY105]\n", (1,), [(1, "HPY105")]),
        ("a(); // hipify: ignore[HPY105]\r\nb();\r\n", (1,), []),
        ("a(); // hipify: ignore[HPY105]\n", (), [(1, "HPY910")]),
        ("// hipify: ignore-file[HPY105, HPY910]\n", (), []),
    ],
)
def test_what_stays(text: str, lines: tuple[int, ...], expected: list[tuple[int, str]]) -> None:
    assert found(text, *lines) == expected


def test_a_comment_behind_any_line_of_a_long_statement_covers_it() -> None:
    source = Source(b"f(1,\n  2); // hipify: ignore[HPY105]\n")
    finding = Finding("HPY105", Severity.ERROR, "a.cu", 1, 1, 2, 4, "m")
    assert suppressions.apply(source, [finding]) == ([], [finding])


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("// hipify: ignore", "names no finding"),
        ("// hipify: ignore[]", "names no finding"),
        ("// hipify: ignore[HPY105", "not closed"),
        ("// hipify: ignore[HPY999]", "no finding has the id HPY999"),
        ("// hipify: ignore[E501]", "no finding has the id E501"),
        ("// hipify: ignored[HPY105]", "is none of ignore"),
        ("// hipify: on", "closes no block"),
        ("// hipify: on[HPY105]", "closes no block"),
    ],
)
def test_what_cannot_be_read_is_reported_and_silences_nothing(comment: str, message: str) -> None:
    text = f"{comment}\na();\n"
    kept, _ = suppressions.apply(Source(text.encode()), [Finding("HPY105", Severity.ERROR, "", 2, 1, 2, 2, "m")])
    assert [finding.id for finding in kept] == ["HPY911", "HPY105"]
    assert message in kept[0].message
    assert kept[0].line == 1


@pytest.mark.parametrize(
    "text", ["// hipify: this file was ported by hand\n", "/* hipify: see issue 4 */\n", "hipify:\n"]
)
def test_prose_is_no_suppression(text: str) -> None:
    assert parse(Source(text.encode())) == suppressions.Suppressions()


def test_the_position_of_an_unused_id_is_the_id(folder: Path, lint: Lint) -> None:
    Path("a.cu").write_text(f"int a = {CALL}(); // hipify: ignore[HPY105, HPY301] r\n")
    done = lint("a.cu")
    assert done.out == "a.cu:1:63: HPY910 no HPY301 is found here: the suppression silences nothing\n"


def test_ids_that_are_not_selected_are_not_called_unused(folder: Path, lint: Lint) -> None:
    Path("a.cu").write_text(f"int a = {CALL}(); // hipify: ignore[HPY105, HPY301] r\n")
    assert lint("a.cu", "--ignore", "HPY3").places == []
    assert lint("a.cu", "--select", "HPY1").places == []


def test_suppressions_can_be_turned_off(folder: Path, lint: Lint) -> None:
    Path("a.cu").write_text(f"int a = {CALL}(); // hipify: ignore[HPY105]\n")
    assert lint("a.cu").places == []
    assert lint("a.cu", "--no-suppressions").places == ["a.cu:1 HPY105"]


def test_comments_silence_findings_of_translations_too() -> None:
    line = f"int f() {{ return {CALL}(0); }}"
    found = {
        comment: [
            finding.id for finding in translate_source(f"{line} {comment}\n", options=Options(clang=False)).findings
        ]
        for comment in ("", "// hipify: ignore[HPY105] mine", "// hipify: ignore[HPY101]", "// hipify: ignroe[HPY105]")
    }
    assert list(found.values()) == [["HPY105"], [], ["HPY105", "HPY910"], ["HPY105", "HPY911"]]


@pytest.mark.parametrize(("warp", "ids"), [("preserve", []), ("report", ["HPY910"])])
def test_what_the_translation_settles_is_not_called_unused(warp: str, ids: list[str]) -> None:
    text = "__global__ void k(int* x) { x[0] = 1; } // hipify: ignore[HPY301]\n"
    made = translate_source(text, options=Options(clang=False, warp=warp))
    assert [finding.id for finding in made.findings] == ids

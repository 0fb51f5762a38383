"""Two rules that want the same bytes: the translation is written all the same, and the place is named."""

import pytest

import hipify
from hipify.model import Edit, Options
from hipify.parser.source import Source
from hipify.rules import engine
from hipify.rules.conflicts import settled
from hipify.rules.context import Analysis

TEXT = b"first();\nsecond();\n"


@pytest.mark.parametrize(
    ("edits", "kept", "places"),
    [
        ([Edit(9, 15, b"2"), Edit(0, 5, b"1")], [Edit(0, 5, b"1"), Edit(9, 15, b"2")], []),
        ([Edit(9, 15, b"2"), Edit(12, 17, b"3")], [Edit(9, 15, b"2")], [(2, 4)]),
        ([Edit(9, 15, b"2"), Edit(9, 15, b"2")], [Edit(9, 15, b"2")], []),
        ([Edit(9, 15, b"2"), Edit(9, 15, b"3"), Edit(40, 50, b"4")], [Edit(9, 15, b"2")], [(2, 1), (3, 1)]),
        ([Edit(9, 9, b"("), Edit(9, 9, b"("), Edit(9, 15, b"2")], [Edit(9, 9, b"(")] * 2 + [Edit(9, 15, b"2")], []),
    ],
)
def test_the_first_rewriting_stays(edits: list[Edit], kept: list[Edit], places: list[tuple[int, int]]) -> None:
    found = settled(Source(TEXT, "a.cu"), edits)
    assert found[0] == kept
    assert [(f.line, f.column) for f in found[1]] == places
    assert {f.id for f in found[1]} <= {"HPY906"}


def test_a_conflict_costs_no_translation(monkeypatch: pytest.MonkeyPatch) -> None:
    def analyse(source: Source, options: Options) -> Analysis:
        analysis = Analysis()
        analysis.edits = [Edit(0, 5, b"1"), Edit(9, 15, b"2"), Edit(9, 15, b"3")]
        return analysis

    monkeypatch.setattr(engine, "analyse", analyse)
    made = hipify.translate_source(TEXT.decode(), "a.cu", Options(clang=False))
    assert made.output == b"1();\n2();\n"
    assert [(f.id, f.severity.label, f.line, f.output_line) for f in made.findings] == [("HPY906", "error", 2, 2)]

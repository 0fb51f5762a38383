"""Inputs that break other tools: what must come out, what must not, and the findings with their lines."""

from __future__ import annotations

import difflib

import pytest

import hipify
from hipify import Options, Severity
from tests.cases.inputs import CASES, Case


def translate(case: Case, clang: bool = True) -> hipify.Translation:
    return hipify.translate_source(case.source, "case.cu", Options(clang=clang))


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_output(case: Case) -> None:
    output = translate(case).output.decode("utf-8", "surrogateescape")
    for text in case.contains:
        assert text in output
    for text in case.lacks:
        assert text not in output


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_findings(case: Case) -> None:
    found = {(f.line, f.id) for f in translate(case).findings if f.severity > Severity.NOTE}
    assert found == set(case.findings)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_a_second_run_changes_nothing(case: Case) -> None:
    once = translate(case).output
    twice = hipify.translate_source(once, "case.cu").output
    changed = difflib.unified_diff(once.decode("latin-1").splitlines(), twice.decode("latin-1").splitlines(), n=0)
    assert list(changed) == []


@pytest.mark.parametrize("case", [c for c in CASES if not c.needs_clang], ids=lambda c: c.name)
def test_tokens_alone_give_the_same_output(case: Case) -> None:
    assert translate(case, clang=False).output == translate(case).output

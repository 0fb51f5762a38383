"""tools/update_expected.py: the lists in corpus/README.md are the programs' own."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.support.corpus import CORPUS

TOOLS = str(Path(__file__).resolve().parents[2] / "tools")
sys.path.insert(0, TOOLS)

import update_expected  # noqa: E402

sys.path.remove(TOOLS)


def test_the_lists_are_what_the_tool_writes() -> None:
    text = (CORPUS / "README.md").read_text(encoding="utf-8")
    assert update_expected.listed(text) == text


def test_lists_are_written_anew_and_nothing_else_is_lost() -> None:
    text = (CORPUS / "README.md").read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    assert update_expected.listed("".join(line for line in lines if not line.startswith("| ["))) == text

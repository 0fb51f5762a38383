"""Three-way merges: what only one side changed is taken, where both did there are marks."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.project.merge import has_conflicts, merge

BASE = b"one\ntwo\nthree\nfour\nfive\nsix\nseven\n"


def test_one_side_alone_wins() -> None:
    edited, new = BASE.replace(b"one", b"1"), BASE.replace(b"seven", b"7")
    assert merge(BASE, BASE, new) == (new, 0)
    assert merge(edited, BASE, BASE) == (edited, 0)
    assert merge(new, BASE, new) == (new, 0)


def test_changes_at_different_places_go_together() -> None:
    edited, new = BASE.replace(b"one", b"1"), BASE.replace(b"seven", b"7")
    assert merge(edited, BASE, new) == (BASE.replace(b"one", b"1").replace(b"seven", b"7"), 0)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["unix", "dos"])
def test_changes_at_one_place_are_marked(end: bytes) -> None:
    base = BASE.replace(b"\n", end)
    merged = merge(base.replace(b"four", b"4"), base, base.replace(b"four", b"IV"))
    assert merged is not None
    text, conflicts = merged
    assert conflicts == 1
    assert b"<<<<<<< edited" in text and b"4" in text and b"IV" in text and b">>>>>>> new translation" in text
    assert has_conflicts(text) and not has_conflicts(base)


def test_what_git_would_read_as_a_mark_is_none_of_ours() -> None:
    assert not has_conflicts(b"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> branch\n")


def test_binary_texts_and_a_machine_without_git_cannot_merge(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert merge(b"\0a", b"\0b", b"\0c") is None
    monkeypatch.setenv("PATH", str(tmp_path))
    assert merge(BASE + b"x\n", BASE, b"y\n" + BASE) is None

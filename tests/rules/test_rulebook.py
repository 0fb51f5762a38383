"""Rule files are compiled into a cache that is never trusted."""

from __future__ import annotations

import marshal

import pytest

from hipify.errors import UsageError
from hipify.fingerprints import fingerprint
from hipify.rules import rulebook
from hipify.rules.language import Rule


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache folder of its own, and no rules in memory."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    rulebook._load.cache_clear()
    rulebook._builtin.cache_clear()
    yield tmp_path / "cache" / "hipify-py"
    rulebook._load.cache_clear()
    rulebook._builtin.cache_clear()


def names(book) -> list[str]:
    """The names that a user's rules are about."""
    return [r.name for r in book.users]


def test_the_second_load_reads_no_grammar(cache, tmp_path, monkeypatch):
    path = tmp_path / "a.rules"
    path.write_text("keep cudaA\n")
    assert names(rulebook.load([str(path)])) == ["cudaA"]
    rulebook._load.cache_clear()
    rulebook._builtin.cache_clear()
    monkeypatch.setattr(rulebook, "parse", None)
    assert names(rulebook.load([str(path)])) == ["cudaA"]


EVIL = marshal.dumps([Rule("keep", "evil").as_json()])


@pytest.mark.parametrize("damage", ["empty", "no rules", "truncated", "other rules", "other shape", "no data"])
def test_a_broken_cache_is_made_again(cache, tmp_path, damage):
    path = tmp_path / "a.rules"
    path.write_text("keep cudaA\n")
    rulebook.load([str(path)])
    for file in cache.iterdir():
        good = file.read_bytes()
        head, _, _ = good.partition(b"\n")
        key = head.split()[0]
        signed = [key + b" " + fingerprint(b).encode() + b"\n" + b for b in (marshal.dumps([[1]]), b"\xff")]
        bad = {"empty": b"", "no rules": head, "truncated": good[:-9], "other rules": head + b"\n" + EVIL}
        file.write_bytes((bad | {"other shape": signed[0], "no data": signed[1]})[damage])
    rulebook._load.cache_clear()
    rulebook._builtin.cache_clear()
    book = rulebook.load([str(path)])
    assert names(book) == ["cudaA"]
    assert any(r.kind == "call" for r in book.rules("cudaMallocHost"))


def test_changed_rules_are_read_again(cache, tmp_path):
    path = tmp_path / "a.rules"
    path.write_text("keep cudaA\n")
    rulebook.load([str(path)])
    path.write_text("keep cudaB\n")
    assert names(rulebook.load([str(path)])) == ["cudaB"]


def test_without_a_place_for_a_cache_all_works(tmp_path, monkeypatch, cache):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert rulebook.load().rules("cudaMallocHost")


def test_later_files_come_first(cache, tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.rules").write_text(f"rename cudaX => from_{name}\n")
    book = rulebook.load([str(tmp_path / "a.rules"), str(tmp_path / "b.rules")])
    assert [r.template.callee[0][1] for r in book.rules("cudaX")] == ["from_b", "from_a"]


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_a_usage_error(cache, tmp_path, content):
    path = tmp_path / "a.rules"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=r"a\.rules"):
        rulebook.load([str(path)])

"""What is kept from run to run, and what makes it count no more."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hipify import pipeline
from hipify.lint import cache as caches
from hipify.lint.cache import Cache
from hipify.model import Options, Translation

from .conftest import UNKNOWN, Lint

BOTH = ["src/unknown.cu:3 HPY105", "src/warped.cu:3 HPY301"]


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are analysed."""
    paths: list[str] = []

    def counted(look: Callable[..., Translation]) -> Callable[..., Translation]:
        def call(data: bytes, path: str, *rest: Options, **asked: bool) -> Translation:
            paths.append(path)
            return look(data, path, *rest, **asked)

        return call

    for name in ("survey", "translate"):
        monkeypatch.setattr(pipeline, name, counted(getattr(pipeline, name)))
    return paths


def test_an_unchanged_repository_is_not_analysed_again(folder: Path, lint: Lint, looked_at: list[str]) -> None:
    first = lint("src")
    assert len(looked_at) == 3
    again = lint("src")
    assert len(looked_at) == 3
    assert (again.places, again.err, again.status) == (first.places, first.err, first.status) == (BOTH, first.err, 1)
    assert lint("src", "--ignore", "HPY3", "--severity", "warning").places == BOTH[:1]
    assert len(looked_at) == 3
    assert lint("src", "--no-cache").places == BOTH
    assert len(looked_at) == 6


@pytest.mark.parametrize(
    "options", [["--target", "6.4"], ["-DX=1"], ["--warp", "preserve"], ["--language", "hip"], ["--format", "sarif"]]
)
def test_other_options_are_other_results(folder: Path, lint: Lint, looked_at: list[str], options: list[str]) -> None:
    lint("src/warped.cu")
    for _ in range(2):
        lint("src/warped.cu", *options)
        assert len(looked_at) == 2


def test_a_changed_file_is_analysed_alone(folder: Path, lint: Lint, looked_at: list[str]) -> None:
    lint("src")
    Path("src/clean.cu").write_text(UNKNOWN)
    assert lint("src").places == ["src/clean.cu:3 HPY105", *BOTH]
    assert looked_at[3:] == ["src/clean.cu"]


def test_headers_count_by_content_wherever_they_are_found(folder: Path, lint: Lint, looked_at: list[str]) -> None:
    def number(*options: str) -> int:
        lint("a.cu", "-I", "inc", *options)
        return len(looked_at)

    Path("inc").mkdir()
    Path("a.cu").write_text('#include "one.h"\n#include <two.h>\n#include <vector>\n')
    Path("one.h").write_text('#include "deep/three.h"\n')
    assert number() == number() == 1
    for count, (path, text) in enumerate(
        [
            ("one.h", '#include "deep/three.h"\n#define A 1\n'),
            ("inc/two.h", ""),
            ("inc/two.h", "// more\n"),
            ("deep/three.h", '#include "../one.h"\n'),
            ("deep/three.h", '#include "../one.h"\nint x;\n'),
            ("two.h", "in no include folder; rules ask whether it is there\n"),
        ],
        start=2,
    ):
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_text(text)
        assert number() == number() == count


def test_what_a_macro_includes_is_never_kept(folder: Path, lint: Lint, looked_at: list[str]) -> None:
    Path("a.cu").write_text('#define H "b.h"\n#include H\n')
    lint("a.cu")
    lint("a.cu")
    assert looked_at == ["a.cu", "a.cu"]


def test_rule_files_and_the_tool_itself_count(
    folder: Path, lint: Lint, looked_at: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = Path("own.rules")
    rules.write_text("rename cudaNothing => hipNothing\n")
    lint("src/warped.cu", "--rules", "own.rules")
    lint("src/warped.cu", "--rules", "own.rules")
    assert len(looked_at) == 1
    rules.write_text("rename cudaNothing => hipNothingElse\n")
    lint("src/warped.cu", "--rules", "own.rules")
    assert len(looked_at) == 2
    monkeypatch.setattr("hipify.content_key.tool_state", lambda: "another")
    lint("src/warped.cu", "--rules", "own.rules")
    assert len(looked_at) == 3


def test_a_kept_result_is_the_same_in_every_report(folder: Path, program: Lint, looked_at: list[str]) -> None:
    shown = []
    for _ in range(2):
        program("lint", "--no-clang", "src", "--format", "sarif", "--report", "r.html", "--report", "r.json")
        shown.append([Path("r.json").read_bytes(), Path("r.html").read_bytes()])
    assert len(looked_at) == 3
    assert shown[0] == shown[1]
    assert b"HPY301" in shown[0][1]


@pytest.fixture
def kept(folder: Path) -> Iterator[Path]:
    yield caches._folder() / caches._NAME


@pytest.mark.parametrize("damage", [b"", b"no database at all" * 100, None])
def test_a_damaged_cache_is_made_anew(
    folder: Path, lint: Lint, kept: Path, looked_at: list[str], damage: bytes | None
) -> None:
    lint("src")
    if damage is None:
        connection = sqlite3.connect(kept)
        connection.execute("UPDATE results SET record = x'00'")
        connection.commit()
        connection.close()
    else:
        kept.write_bytes(damage)
    assert lint("src").places == BOTH
    assert len(looked_at) == 6
    assert lint("src").places == BOTH
    assert len(looked_at) == 6


def test_a_folder_that_cannot_be_written_means_no_cache(folder: Path, lint: Lint, kept: Path) -> None:
    kept.parent.parent.mkdir(parents=True, exist_ok=True)
    kept.parent.write_bytes(b"a file")
    assert lint("src").places == BOTH


def result(size: int) -> Translation:
    text = bytes(range(256)) * (size // 256)
    return Translation("a.cu", b"x", text, (), (), ())


def test_the_cache_forgets_the_oldest_when_it_is_full_and_all_that_is_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def filled(*names: bytes, day: int) -> set[bytes]:
        cache = Cache.open(tmp_path)
        assert cache is not None
        cache._today = day
        for name in names:
            cache.put(name, result(1 << 12))
        cache.close()
        rows = sqlite3.connect(tmp_path / caches._NAME).execute("SELECT key FROM results").fetchall()
        return {row[0] for row in rows}

    assert filled(b"a", b"b", day=1000) == {b"a", b"b"}
    assert filled(b"c", day=1010) == {b"a", b"b", b"c"}
    assert filled(b"d", day=1035) == {b"c", b"d"}
    length = sqlite3.connect(tmp_path / caches._NAME).execute("SELECT max(length(record)) FROM results").fetchone()[0]
    monkeypatch.setattr(caches, "_LIMIT", 3 * length)
    assert filled(b"e", day=1036) == {b"c", b"d", b"e"}
    assert filled(b"f", day=1037) == {b"e", b"f"}


def test_a_hit_keeps_a_result_from_being_old(tmp_path: Path) -> None:
    cache = Cache.open(tmp_path)
    assert cache is not None
    cache._today = 1000
    cache.put(b"k", result(256))
    cache._today = 1020
    found = cache.get(b"k", "b.cu", b"x")
    assert found is not None
    assert (found.path, found.output) == ("b.cu", result(256).output)
    cache.close()
    assert sqlite3.connect(tmp_path / caches._NAME).execute("SELECT used FROM results").fetchall() == [(1020,)]

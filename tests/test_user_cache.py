"""The user's cache folder: files arrive whole, and old ones go."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from hipify import user_cache
from hipify.rules.rulebook import load


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "hipify-py"


def test_old_files_and_those_beyond_a_number_go(folder: Path) -> None:
    now = time.time()
    for number in range(60):
        path = folder / f"rules-{number:02}.json"
        user_cache.write(str(path), b"x")
        os.utime(path, (now, now - number * 3600))
    user_cache.write(str(folder / "other-old.json"), b"x")
    for name in ("other-old.json", "rules-03.json"):
        os.utime(folder / name, (now, now - 31 * 24 * 3600))
    (folder / ".rules-half").write_bytes(b"")
    os.utime(folder / ".rules-half", (now, now - 31 * 24 * 3600))
    user_cache.forget("rules-")
    left = {path.name for path in folder.iterdir()}
    assert left == {"other-old.json"} | {f"rules-{number:02}.json" for number in range(51) if number != 3}


def test_rule_files_do_not_fill_the_cache(folder: Path, tmp_path: Path) -> None:
    for number in range(55):
        rules = tmp_path / f"{number}.rules"
        rules.write_text(f"rename cudaOwn{number} => hipOwn{number}\n")
        load([str(rules)])
    assert 0 < len(list(folder.glob("rules-*"))) <= 50


def test_no_folder_is_no_failure(folder: Path) -> None:
    user_cache.forget("rules-")
    assert not folder.exists()

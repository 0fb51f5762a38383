"""The key of a result: one for one state of all that the result depends on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipify import content_key
from hipify.content_key import Keys, tool_state
from hipify.model import Options


def test_a_changed_tool_makes_other_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content_key, "_PACKAGE", str(tmp_path))
    (tmp_path / "rules").mkdir()
    seen = [tool_state()]
    for path, text in (("rules/a.tsv", "x"), ("rules/a.tsv", "xy"), ("b.py", "")):
        (tmp_path / path).write_text(text)
        seen += [tool_state(), tool_state()]
    assert seen[1] == seen[2]
    assert len(set(seen)) == 4


def test_what_makes_no_difference_to_a_result_makes_none_to_its_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content_key, "_PACKAGE", str(tmp_path))
    before = tool_state()
    for folder in ("__pycache__", "report"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.py").write_text("x")
    assert tool_state() == before


@pytest.mark.parametrize("variable", ["CPATH", "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH"])
def test_where_clang_looks_for_headers_counts(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.delenv(variable, raising=False)
    before = tool_state()
    monkeypatch.setenv(variable, "/opt/include")
    assert tool_state() != before


def test_a_header_that_comes_to_the_systems_folders_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content_key, "system_include_dirs", lambda: (str(tmp_path),))
    os.utime(tmp_path, (1, 1))
    before = tool_state()
    (tmp_path / "cufft.h").write_text("")
    assert tool_state() != before


def test_a_key_is_of_a_file_its_options_and_what_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    rules = tmp_path / "own.rules"
    rules.write_text("rename cudaNothing => hipNothing\n")
    keys = Keys("a tool")
    plain = Options()
    given = {
        keys.of("a.cu", b"int a;", plain, "x"),
        keys.of("a.cu", b"int b;", plain, "x"),
        keys.of("b.cu", b"int a;", plain, "x"),
        keys.of("sub/../a.cu", b"int a;", plain, "x"),
        keys.of("a.cu", b"int a;", plain, "y"),
        keys.of("a.cu", b"int a;", plain._replace(target="6.4"), "x"),
        keys.of("a.cu", b"int a;", plain._replace(rule_files=("own.rules",)), "x"),
        Keys("another").of("a.cu", b"int a;", plain, "x"),
    }
    rules.write_text("rename cudaNothing => hipNothingElse\n")
    given.add(keys.of("a.cu", b"int a;", plain._replace(rule_files=("own.rules",)), "x"))
    assert len(given) == 9
    assert None not in given
    assert Keys("a tool").of("a.cu", b"int a;", plain, "x") in given


def test_no_key_where_it_cannot_be_told_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    keys = Keys("a tool")
    assert keys.of("a.cu", b"#include HEADER\n", Options(), "x") is None
    assert keys.of("a.cu", b"int a;", Options(rule_files=("missing.rules",)), "x") is None


def test_headers_count_where_rules_look_for_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    keys = []
    for name in ("", "cuda_helper.h", "inc/cuda_helper.h", "inc/cuda_runtime_api.h"):
        if name:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text("")
        keys.append(Keys("a tool").of("a.cu", b"#include <cuda_helper.h>\n", Options(include_dirs=("inc",)), "x"))
    assert len(set(keys)) == 4

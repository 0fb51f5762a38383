"""The key of a result: one for one state of all that the result depends on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipify import content_key
from hipify.content_key import Keys, tool_state
from hipify.fingerprints import listed
from hipify.model import Options

PLAIN = Options()


def test_a_changed_tool_makes_other_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content_key, "_PACKAGE", str(tmp_path))
    (tmp_path / "rules").mkdir()
    seen = [tool_state()]
    for path, text in (("rules/a.tsv", "x"), ("rules/a.tsv", "xy"), ("b.py", "")):
        (tmp_path / path).write_text(text)
        listed.cache_clear()  # a process looks at each folder of the tool once
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
    listed.cache_clear()
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


def _changes(path: str, data: bytes, header: Path, options: Options = PLAIN) -> bool:
    """Whether a changed header makes another key for a file, or there is none at all."""
    keys = []
    for text in ("int a;\n", "int b;\n"):
        header.write_text(text)
        keys.append(Keys("a tool").of(path, data, options, "x"))
    return keys[0] is None or keys[0] != keys[1]


@pytest.mark.parametrize(
    "data",
    [
        b'#\\\ninclude "h.h"',
        b'#inc\\\r\nlude "h.h"',
        b'#include \\ \n"h.h"',
        b'#include "h\\\n.h"',
        b'#include /* why */ "h.h"',
        b'# /* why */ include "h.h"',
        b'/* why\n */ #include "h.h"',
        b"#include /* why " + b"and " * 100 + b'*/ "h.h"',
        b"# /* why " + b"and " * 100 + b'*/ include "h.h"',
        b'%:include "h.h"',
        b'??=include "h.h"',
        b'#include ??/\n"h.h"',
        b'\f#\vinclude\f"h.h"',
        b'int x;\r#include "h.h"\r',
        b'\xef\xbb\xbf#include "h.h"',
        b"#if __has_include(/**/<h.h>)\n#endif",
        b'#if __has_include \\\n("h.h")\n#endif',
        b'#if __has_include_next("h.h")\n#endif',
        b"\xef\xbb\xbf#include HEADER",
        b"/* */ #include HEADER",
    ],
)
def test_a_header_counts_however_it_is_included(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.chdir(tmp_path)
    assert _changes("a.cu", data, tmp_path / "h.h")


def test_what_an_include_of_a_copy_is_taken_for_counts(tmp_path: Path) -> None:
    (tmp_path / "ext" / "cub").mkdir(parents=True)
    (tmp_path / "ext" / "cub" / "cub.cuh").write_text("// all\n")
    source, data = str(tmp_path / "k.cu"), b'#include "ext/cub/cub.cuh"\n'
    before = Keys("tool").of(source, data, PLAIN, "kind")
    (tmp_path / "ext" / "cub" / "version.cuh").write_text("#define CUB_VERSION 200200\n")  # included by none
    assert Keys("tool").of(source, data, PLAIN, "kind") != before


def test_what_a_comment_says_of_includes_is_no_include(tmp_path: Path) -> None:
    assert Keys("a tool").of(str(tmp_path / "a.cu"), b"// uses #include HEADER\n", Options(), "x") is not None


def test_every_header_that_include_next_may_mean_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    (tmp_path / "one/h.h").write_text("#include_next <h.h>\n")
    assert _changes("a.cu", b"#include <h.h>\n", tmp_path / "two/h.h", Options(include_dirs=("one", "two")))


@pytest.mark.parametrize(
    "words",
    [
        ("-include", "inc/h.h"),
        ("-includeinc/h.h",),
        ("--include=inc/h.h",),
        ("--include", "inc/h.h"),
        ("-imacros", "inc/h.h"),
        ("-Xclang", "-include", "-Xclang", "inc/h.h"),
        ("-Wp,-include,inc/h.h",),
        ("-Iinc", "-include", "h.h"),
        ("@more",),
    ],
)
def test_files_that_options_include_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inc").mkdir()
    assert _changes("sub/a.cu", b"int a;", tmp_path / "inc/h.h", Options(clang_args=words))


@pytest.mark.parametrize(
    "words",
    [
        ("-iquote", "inc"),
        ("-isysteminc",),
        ("--include-directory=inc",),
        ("--include-directory", "inc"),
        ("-Xclang", "-Iinc"),
        ("-Wp,-I,inc",),
        ("-iwithprefixbefore", "inc"),
    ],
)
def test_headers_in_folders_of_options_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inc").mkdir()
    assert _changes("a.cu", b'#include "h.h"\n', tmp_path / "inc/h.h", Options(clang_args=words))


@pytest.mark.parametrize("place", ["inc", "{0}/inc", "/none:{0}/inc"])
def test_headers_where_the_environment_has_clang_look_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CPATH", place.format(tmp_path))
    (tmp_path / "inc").mkdir()
    assert _changes("a.cu", b"#include <h.h>\n", tmp_path / "inc/h.h")

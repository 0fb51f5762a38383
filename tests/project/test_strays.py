"""Headers of any name: known by the sources that include them, and by CUDA in them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hipify.project import discover as module
from hipify.project import seen
from hipify.project.discover import discover
from hipify.project.seen import Seen
from hipify.project.settings import Selection
from hipify.project.strays import Strays
from hipify.project.tree import Entry, Tree

from .trees import KERNEL, Heard, content, convert, fresh, make

FREES = b"inline void free_it(void* p) { cudaFree(p); }\n"


def kinds(tree: Tree) -> dict[str, str]:
    return {entry.path: entry.kind.name for entry in tree.entries}


def kinds_of(root: Path, files: dict[str, bytes | str]) -> dict[str, str]:
    return kinds(discover(make(root, files), Selection()))


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("kernel.ch", '#include "kernel.ch"'),
        ("body.cuinc", "#include <body.cuinc>"),
        ("plain", '#include "plain"'),
        ("inc/deep/x.kern", "#  include <deep/x.kern>"),
        ("sub/x.kern", '#include "../sub/x.kern"'),
        ("sub/inc/x.kern", '#include "../inc/x.kern"'),
        ("macro.body", '#define BODY "macro.body"\n#include BODY'),
        ("script.f", '#include "script.f"'),
        ("odd.é", '#include "odd.é"'),
    ],
)
def test_an_included_file_with_cuda_is_translated_whatever_its_name(tmp_path: Path, name: str, line: str) -> None:
    assert kinds_of(tmp_path, {"src/none.txt": "", name: FREES, "a.cu": f"{line}\n"})[name] == "CUDA"
    (tmp_path / "a.cu").write_bytes(KERNEL)
    assert kinds(discover(tmp_path, Selection()))[name] != "CUDA"


def test_what_included_files_include_is_found_through_all_of_them(tmp_path: Path) -> None:
    found = kinds_of(
        tmp_path,
        {
            "main.cc": '#include "one.x"\n',
            "one.x": '#include "two.y"\n',
            "two.y": '#include "main.cc"\n#include "three"\n',
            "three": FREES,
        },
    )
    assert found == {"main.cc": "PLAIN", "one.x": "PLAIN", "two.y": "PLAIN", "three": "CUDA"}


def test_the_file_beside_the_source_is_meant_else_all_that_may_be(tmp_path: Path) -> None:
    files = {f"{folder}/k.ch": FREES for folder in ("a", "b", "c")}
    found = kinds_of(tmp_path, {**files, "a/a.cu": '#include "k.ch"\n'})
    assert (found["a/k.ch"], found["b/k.ch"]) == ("CUDA", "COPY")
    found = kinds_of(tmp_path, {"a/a.cu": '#include "k.ch"\n#include <k.ch>\n'})
    assert [found[path] for path in files] == ["CUDA"] * 3


def test_a_link_stands_for_the_file_that_it_leads_to(tmp_path: Path) -> None:
    make(tmp_path, {"common/real.z": FREES, "a.cu": '#include "alias.z"\n'})
    (tmp_path / "alias.z").symlink_to("common/real.z")
    assert kinds(discover(tmp_path, Selection())) == {"a.cu": "CUDA", "alias.z": "LINK", "common/real.z": "CUDA"}


def test_data_text_and_copied_folders_stay_as_they_are(tmp_path: Path) -> None:
    files: dict[str, bytes | str] = {
        "a.cu": KERNEL + b'#include "table.dat"\n#include <version>\n#include <vendor/v.ch>\n#include "big.ch"\n'
        b'#include "utf.ch"\n',
        "table.dat": b"1.0f, 2.0f,\r\n3.0f",
        "version": b"needs cudaMalloc\n",
        "notes.txt": FREES,
        "vendor/v.ch": FREES,
        "big.ch": FREES * 100,
        "utf.ch": "cudaFree(0);".encode("utf-16"),
    }
    source, out = make(tmp_path / "in", files), tmp_path / "out"
    tree = convert(source, out, third_party="copy", max_bytes=2000).tree
    made = content(out)
    assert {name for name in files if made[name] != files[name]} == {"a.cu"}
    assert any(note.startswith("big.ch: 0 MB, too large") for note in tree.notes)
    assert any(note.startswith("utf.ch: a binary file or UTF-16 text though sources include it") for note in tree.notes)


def test_includes_in_files_of_any_name_follow_new_names(tmp_path: Path) -> None:
    source = make(tmp_path / "in", {"a.cu": '#include "k.ch"\n', "k.ch": '#include "impl.cuh"\n', "impl.cuh": FREES})
    out = tmp_path / "out"
    convert(source, out, suffix=".hip")
    assert content(out)["k.ch"] == b'#include "impl.hip.hpp"\n'


def test_runs_after_the_first_know_what_is_included(tmp_path: Path) -> None:
    source = make(tmp_path / "in", {"a.cu": '#include "k.ch"\n', "k.ch": FREES, "other.txt": FREES})
    out = tmp_path / "out"
    convert(source, out)
    made = content(out)["k.ch"]
    assert b"hipFree(p)" in made
    assert fresh(convert(source, out)) == []
    (source / "a.cu").write_bytes(b"")
    assert fresh(convert(source, out)) == ["a.cu", "k.ch"]
    assert content(out)["k.ch"] == FREES
    (source / "a.cu").write_bytes(b'#include "other.txt"\n#include "k.ch"\n')
    convert(source, out)
    assert content(out)["k.ch"] == made == content(out)["other.txt"]


def test_an_included_file_is_read_once_for_all_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen, "_RECENT", -(10**15))
    source = make(tmp_path / "in", {"a.cu": '#include "k.ch"\n', "k.ch": b"// @generated\n" + FREES})
    reads: list[str] = []
    read = module._Walk._read

    def noted(walk: module._Walk, path: str, size: int, how: str) -> Entry:
        reads.append(path)
        return read(walk, path, size, how)

    monkeypatch.setattr(module._Walk, "_read", noted)
    known = Seen.beside(tmp_path / "state.db", "me")
    first = discover(source, Selection(), known)
    known.write()
    assert reads == ["a.cu", "k.ch", "k.ch"], "for its name, then for what includes it"
    reads.clear()
    assert discover(source, Selection(), Seen.beside(tmp_path / "state.db", "me")) == first
    assert reads == []
    assert [note.partition(":")[0] for note in first.notes] == ["k.ch"]


def test_in_place_they_keep_their_names_and_are_done_once(tmp_path: Path) -> None:
    files = {"a.cu": b'#include "k.ch"\n#include "t.dat"\n' + KERNEL, "k.ch": FREES, "t.dat": b"1, 2\n"}
    source = make(tmp_path / "in", files)
    for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "x"]):
        subprocess.run(["git", *command], cwd=source, check=True)
    heard = Heard()
    convert(source, source, heard, in_place=True)
    made = {path: (source / path).read_bytes() for path in files}
    assert b"hipFree(p)" in made["k.ch"]
    assert made["t.dat"] == files["t.dat"]
    again = convert(source, source, in_place=True)
    assert fresh(again) == []
    assert {path: (source / path).read_bytes() for path in files} == made


def test_each_file_is_given_once() -> None:
    strays = Strays({"a/k.ch": "a/k.ch", "b/k.ch": "b/k.ch", "l.ch": "a/k.ch"})
    assert strays.may_be([b"vector", b"x/k.ch"])
    assert not strays.may_be([b"vector", b"k.h"])
    assert strays.take("a/a.cu", [(False, b"l.ch"), (False, b"../l.ch"), (True, b"k.ch")]) == ["a/k.ch", "b/k.ch"]
    assert strays.take("b/b.cu", [(False, b"k.ch"), (True, b"k.ch")]) == []

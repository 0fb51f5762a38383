"""Later runs: only what changed is done, a person's edits stay, deletions and renames are followed."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from hipify.errors import OutputError
from hipify.model import Options
from hipify.project import fingerprint

from .trees import KERNEL, content, convert, fresh, make

TREE = {
    "a.cu": b'#include "h.cuh"\n' + KERNEL,
    "b.cu": KERNEL,
    "h.cuh": b"#pragma once\n__device__ int one();\n",
    "p.cpp": b"int plain;\n",
    "Makefile": b"all:\n\tnvcc a.cu b.cu\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> tuple[Path, Path]:
    source, out = make(tmp_path / "in", TREE), tmp_path / "out"
    (source / "link.cu").symlink_to("b.cu")
    (source / "dead").symlink_to("nowhere")
    convert(source, out)
    return source, out


def test_nothing_changed_nothing_done(tree: tuple[Path, Path]) -> None:
    source, out = tree
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file() and ".hipify" not in str(path)}
    result = convert(source, out)
    assert fresh(result) == [] and result.worked == 0
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert len(result.files) == len(TREE) + 2


def test_a_changed_file_is_redone_and_no_other(tree: tuple[Path, Path]) -> None:
    source, out = tree
    (source / "b.cu").write_bytes(KERNEL + b"// more\n")
    assert fresh(convert(source, out)) == ["b.cu"]
    assert content(out)["b.cu"].endswith(b"// more\n")


@pytest.mark.parametrize("clang", [False, True])
def test_a_changed_header_counts_for_what_includes_it(tmp_path: Path, clang: bool) -> None:
    source, out = make(tmp_path / "in", TREE), tmp_path / "out"
    convert(source, out, options=Options(clang=clang))
    (source / "h.cuh").write_bytes(TREE["h.cuh"] + b"// changed\n")
    assert fresh(convert(source, out, options=Options(clang=clang))) == ["a.cu", "h.cuh"]


USER = b"__global__ void k(float* x) { x[0] = __shfl_sync(MASK, x[0], 1); }\n"


@pytest.mark.parametrize(
    ("header", "given"),
    [
        ("gen/left.h", {"gitignore": True}),
        ("gen/left.h", {"exclude": ("left.h",)}),
        ("gen/left.h", {"include": ("*.cu", "o.h")}),
        ("vendor/left.h", {"third_party": "skip"}),
        ("inside/left.h", {}),
        ("outside/left.h", {}),
    ],
)
def test_headers_that_the_tree_leaves_out_count(tmp_path: Path, header: str, given: dict[str, Any]) -> None:
    """Ignored and excluded ones, those of others, and those behind links to folders: the rules read them."""
    source, out = make(tmp_path / "in", TREE | {"real/o.h": b"", ".gitignore": b"left.h\n"}), tmp_path / "out"
    if "gitignore" not in given:
        (source / ".gitignore").unlink()
    (tmp_path / "elsewhere").mkdir()
    (source / "inside").symlink_to("real")
    (source / "outside").symlink_to("../elsewhere")
    make(source, {header: b"#define MASK 1\n", "user.cu": f'#include "{header}"\n'.encode() + USER})
    convert(source, out, **given)
    assert fresh(convert(source, out, **given)) == []
    (source / header).write_bytes(b"#define MASK 0xffff\n")
    assert "user.cu" in fresh(convert(source, out, **given))


def test_a_header_left_out_of_a_folder_that_is_searched_counts(tmp_path: Path) -> None:
    """Another header of that folder makes it an include folder."""
    texts = {"a.cu": b'#include "seen.h"\n#include "left.h"\n' + USER, "far/seen.h": b"", "far/left.h": b""}
    source, out = make(tmp_path / "in", texts), tmp_path / "out"
    given: dict[str, Any] = {"exclude": ("left.h",)}
    convert(source, out, **given)
    (source / "far/left.h").write_bytes(b"#define MASK 0xffff\n")
    assert fresh(convert(source, out, **given)) == ["a.cu"]


def test_what_an_outer_header_includes_beside_a_macro_counts(tmp_path: Path) -> None:
    source, out = make(tmp_path / "in", {"a.cu": b"#include <mask.h>\n" + USER}), tmp_path / "out"
    outer = make(tmp_path / "outer", {"mask.h": b'#include WHAT\n#include "deep.h"\n', "deep.h": b"#define MASK 1\n"})
    options = Options(clang=False, include_dirs=(str(outer),))
    convert(source, out, options=options)
    (outer / "deep.h").write_bytes(b"#define MASK 0xffff\n")
    assert fresh(convert(source, out, options=options)) == ["a.cu"]


def test_headers_outside_of_the_tree_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By -I, by the environment of clang, by `..`, and what these include; also one that comes before another."""
    texts = {
        "a.cu": b"#include <mask.h>\n" + USER,
        "b.cu": b'#include "../beside/mask.h"\n' + USER,
        "sub/c.cu": b'#include "in.h"\n' + USER,
        "sub/in.h": b'#include "../../beside/mask.h"\n',
        "other.cu": b"#include <vector>\n" + KERNEL,
    }
    source, out = make(tmp_path / "in", texts), tmp_path / "out"
    first, beside, last = (tmp_path / name for name in ("first", "beside", "last"))
    for folder in (first, beside, last):
        folder.mkdir()
    (beside / "mask.h").write_text('#pragma once\n#include "deep.h"\n')
    (beside / "deep.h").write_text("#define MASK 0xffu\n")
    monkeypatch.setenv("CPATH", str(last))
    options = Options(include_dirs=(str(first), str(beside)))

    def again() -> list[str]:
        return fresh(convert(source, out, options=options))

    again()
    assert again() == []
    (beside / "deep.h").write_text("#define MASK 0xfffu\n")
    assert again() == ["a.cu", "b.cu", "sub/c.cu"]
    (first / "mask.h").write_text("#define MASK 0x1u\n")
    assert again() == ["a.cu"]
    (first / "mask.h").unlink()
    (beside / "mask.h").unlink()
    assert again() == ["a.cu", "b.cu", "sub/c.cu"]
    (last / "mask.h").write_text("#define MASK 0x2u\n")
    assert again() == ["a.cu"]
    (last / "mask.h").write_text("#define MASK 0x3u\n")
    assert again() == ["a.cu"]
    assert again() == []


def test_a_file_that_every_source_is_made_to_include_counts(tmp_path: Path) -> None:
    source, out = make(tmp_path / "in", {"a.cu": USER}), tmp_path / "out"
    (tmp_path / "forced.h").write_text("#define MASK 0xffu\n")
    options = Options(clang_args=("-include", str(tmp_path / "forced.h")))
    convert(source, out, options=options)
    assert fresh(convert(source, out, options=options)) == []
    (tmp_path / "forced.h").write_text("#define MASK 0xfu\n")
    assert fresh(convert(source, out, options=options)) == ["a.cu"]


def test_a_header_that_a_macro_names_counts(tmp_path: Path) -> None:
    texts = {"a.cu": b"#include MASKS\n" + USER, "b.cu": b'#include "through.h"\n' + USER, "c.cu": USER,
             "through.h": b"#  include MASKS\n", "mask.h": b"#define MASK 0xffu\n"}  # fmt: skip
    source, out = make(tmp_path / "in", texts), tmp_path / "out"
    options = Options(defines=('MASKS="mask.h"',))
    convert(source, out, options=options)
    assert fresh(convert(source, out, options=options)) == []
    (source / "mask.h").write_text("#define MASK 0xfu\n")
    assert fresh(convert(source, out, options=options)) == ["a.cu", "b.cu", "mask.h"]


def test_a_header_that_only_rules_look_at_counts(tmp_path: Path) -> None:
    """`<sub/../h.h>` is no file of an include folder without `sub`; beside the source it is one."""
    texts = {
        "a.cu": b"#include <sub/../h.h>\n" + USER,
        "h.h": b"#define MASK 0xffu\n",
        "inc/h.h": b"#define OTHER 1\n",
        "sub/x.h": b"",
    }
    source, out = make(tmp_path / "in", texts), tmp_path / "out"
    options = Options(include_dirs=(str(source / "inc"),))
    convert(source, out, options=options)
    (source / "h.h").write_text("#define MASK 0xfu\n")
    assert fresh(convert(source, out, options=options)) == ["a.cu", "h.h"]
    (source / "inc/sub").mkdir()
    assert fresh(convert(source, out, options=options)) == ["a.cu"]


def test_a_name_that_a_header_takes_is_left_alone_by_the_next_run(tmp_path: Path) -> None:
    use = b'#include "own.h"\nint use(void **p) { return cudaMalloc(p, 4); }\n'
    source, out = make(tmp_path / "in", {"a.cu": use, "own.h": b"int other();\n"}), tmp_path / "out"
    convert(source, out)
    assert b"hipMalloc" in content(out)["a.cu"]
    (source / "own.h").write_bytes(b"int cudaMalloc(void **p, int n);\n")
    convert(source, out)
    assert b"cudaMalloc(p, 4)" in content(out)["a.cu"]


def test_other_options_and_another_tool_redo_translations_but_no_copies(
    tree: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, out = tree
    translated = ["Makefile", "a.cu", "b.cu", "h.cuh"]
    assert fresh(convert(source, out, options=Options(clang=False, launch_syntax="cuda"))) == translated
    monkeypatch.setattr(fingerprint, "of_tool", lambda: "another")
    assert fresh(convert(source, out, options=Options(clang=False, launch_syntax="cuda"))) == translated


def test_a_rule_file_counts_by_its_content(tmp_path: Path) -> None:
    source, out = make(tmp_path / "in", {"a.cu": KERNEL}), tmp_path / "out"
    rules = tmp_path / "own.rules"
    rules.write_text("# nothing yet\n")
    options = Options(clang=False, rule_files=(str(rules),))
    convert(source, out, options=options)
    assert fresh(convert(source, out, options=options)) == []
    rules.write_text("# nothing still\n")
    assert fresh(convert(source, out, options=options)) == ["a.cu"]


def test_a_lost_output_is_made_again(tree: tuple[Path, Path]) -> None:
    source, out = tree
    before = content(out)
    (out / "a.cu").unlink()
    assert fresh(convert(source, out)) == ["a.cu"]
    assert content(out) == before


def test_a_person_s_edits_stay_where_nothing_else_changed(tree: tuple[Path, Path]) -> None:
    source, out = tree
    edited = (out / "b.cu").read_bytes() + b"// by hand\n"
    (out / "b.cu").write_bytes(edited)
    convert(source, out)
    assert (out / "b.cu").read_bytes() == edited


def test_a_person_s_edits_are_merged_with_what_changed(tree: tuple[Path, Path]) -> None:
    source, out = tree
    (out / "b.cu").write_bytes((out / "b.cu").read_bytes() + b"// by hand\n")
    (source / "b.cu").write_bytes(
        KERNEL.replace(b"#include <cuda_runtime.h>\n", b"#include <cuda_runtime.h>\nint z;\n")
    )
    result = convert(source, out)
    text = (out / "b.cu").read_bytes()
    assert result.written.merged == ["b.cu"] and not result.conflicts
    assert b"\nint z;\n" in text and text.endswith(b"// by hand\n")


def test_edits_that_meet_are_marked_and_listed_until_they_are_settled(tree: tuple[Path, Path]) -> None:
    source, out = tree
    text = (out / "b.cu").read_bytes()
    (out / "b.cu").write_bytes(text.replace(b"&data, 64", b"&data, 1024"))
    (source / "b.cu").write_bytes(KERNEL.replace(b"&data, 64", b"&data, 128"))
    assert convert(source, out).conflicts == ["b.cu"]
    marked = (out / "b.cu").read_bytes()
    assert b"<<<<<<< edited" in marked and b"&data, 1024" in marked and b"&data, 128" in marked
    again = convert(source, out)
    assert again.conflicts == ["b.cu"] and (out / "b.cu").read_bytes() == marked
    settled = text.replace(b"&data, 64", b"&data, 4096")
    (out / "b.cu").write_bytes(settled)
    assert convert(source, out).conflicts == []
    assert (out / "b.cu").read_bytes() == settled


def test_a_file_that_cannot_be_merged_stays_and_the_new_one_lies_beside_it(tmp_path: Path) -> None:
    source, out = make(tmp_path / "in", {"d.bin": b"\0one", "a.cu": KERNEL}), tmp_path / "out"
    convert(source, out)
    (out / "d.bin").write_bytes(b"\0by hand")
    (source / "d.bin").write_bytes(b"\0two")
    assert convert(source, out).conflicts == ["d.bin"]
    assert (out / "d.bin").read_bytes() == b"\0by hand"
    assert (out / "d.bin.hipify-new").read_bytes() == b"\0two"
    assert convert(source, out).conflicts == ["d.bin"]
    (out / "d.bin.hipify-new").unlink()
    assert convert(source, out).conflicts == []


def test_a_deleted_input_takes_its_output_along(tree: tuple[Path, Path]) -> None:
    source, out = tree
    make(source, {"deep/er/x.cu": KERNEL})
    convert(source, out)
    (source / "deep/er/x.cu").unlink()
    (source / "p.cpp").unlink()
    result = convert(source, out)
    assert sorted(result.written.removed) == ["deep/er/x.cu", "p.cpp"]
    assert not (out / "deep").exists() and not (out / "p.cpp").exists()
    assert len(result.files) == len(TREE) + 1


def test_the_output_of_a_deleted_input_stays_when_a_person_has_changed_it(tree: tuple[Path, Path]) -> None:
    source, out = tree
    (out / "b.cu").write_bytes(b"// mine\n")
    (source / "b.cu").unlink()
    assert convert(source, out).written.kept == ["b.cu"]
    assert (out / "b.cu").read_bytes() == b"// mine\n"


def test_a_renamed_input_takes_a_person_s_edits_along(tree: tuple[Path, Path]) -> None:
    source, out = tree
    edited = (out / "b.cu").read_bytes() + b"// by hand\n"
    (out / "b.cu").write_bytes(edited)
    (source / "new").mkdir()
    (source / "b.cu").rename(source / "new" / "c.cu")
    result = convert(source, out)
    assert not (out / "b.cu").exists()
    assert (out / "new" / "c.cu").read_bytes() == edited
    assert not result.conflicts and not result.written.kept


def test_another_suffix_moves_the_outputs(tree: tuple[Path, Path]) -> None:
    source, out = tree
    (out / "b.cu").write_bytes((out / "b.cu").read_bytes() + b"// by hand\n")
    convert(source, out, suffix=".hip")
    found = content(out)
    assert set(found) == {"a.hip", "b.hip", "h.hip.hpp", "p.cpp", "Makefile", "link.cu", "dead"}
    assert found["link.cu"] == b"-> b.hip"
    assert found["b.hip"].endswith(b"// by hand\n")
    assert found["a.hip"].startswith(b'#include "h.hip.hpp"\n')


def test_helpers_go_when_nobody_includes_them_any_more(tmp_path: Path) -> None:
    code = b"#include <cuda_runtime.h>\n__global__ void k(int *p) { p[0] = __shfl_sync(0xffffffff, p[0], 3); }\n"
    source, out = make(tmp_path / "in", {"k.cu": code}), tmp_path / "out"
    convert(source, out)
    assert len(content(out)) > 1
    (source / "k.cu").write_bytes(KERNEL)
    convert(source, out)
    assert set(content(out)) == {"k.cu"}


def test_a_moved_input_tree_is_known_again(tree: tuple[Path, Path]) -> None:
    source, out = tree
    source.rename(source.parent / "moved")
    assert fresh(convert(source.parent / "moved", out)) == []


def test_a_file_that_becomes_a_folder_and_a_folder_that_becomes_a_file(tmp_path: Path) -> None:
    source, out = make(tmp_path / "in", {"a": "text", "d/k.cu": KERNEL, "d/e/m.cu": KERNEL}), tmp_path / "out"
    convert(source, out)
    (source / "a").unlink()
    shutil.rmtree(source / "d")
    make(source, {"a/k.cu": KERNEL + b"// a\n", "d": "text\n"})
    convert(source, out)
    assert set(content(out)) == {"a/k.cu", "d"}
    # What a person has changed is in nobody's way silently: one line says what is there.
    (out / "d").write_text("mine\n")
    (source / "d").unlink()
    make(source, {"d/n.txt": "n"})
    with pytest.raises(OutputError, match="out/d"):
        convert(source, out)
    assert (out / "d").read_text() == "mine\n"


def test_a_file_that_becomes_a_link_and_back(tmp_path: Path) -> None:
    source, out = make(tmp_path / "in", {"a.cu": KERNEL, "b.cpp": "int b;\n"}), tmp_path / "out"
    convert(source, out)
    (source / "b.cpp").unlink()
    (source / "b.cpp").symlink_to("a.cu")
    assert not convert(source, out).written.kept
    assert content(out)["b.cpp"] == b"-> a.cu"
    (source / "b.cpp").unlink()
    make(source, {"b.cpp": "int c;\n"})
    convert(source, out)
    assert content(out)["b.cpp"] == b"int c;\n" and b"hipMalloc" in content(out)["a.cu"]


@pytest.mark.parametrize("name", ["run.sh", "a.cu", "t.txt", "Makefile"])
def test_programs_stay_programs(tmp_path: Path, name: str) -> None:
    source, out = make(tmp_path / "in", {name: "nvcc a.cu\n"}), tmp_path / "out"
    convert(source, out)
    for mode in (0o755, 0o644):
        (source / name).chmod(mode)
        assert fresh(convert(source, out)) == [name]
        assert (out / name).stat().st_mode & 0o111 == mode & 0o111
    assert fresh(convert(source, out)) == []

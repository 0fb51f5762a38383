"""What a walk finds: CUDA by content, build files, links, and what is left alone and why."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipify.errors import InputError
from hipify.project.cuda_words import uses_cuda
from hipify.project.discover import discover
from hipify.project.kinds import build_kind, includes_of
from hipify.project.settings import Selection
from hipify.project.tree import UNTOLD, Kind, Tree
from hipify.rules import rulebook
from hipify.rules.library import Library, map_name
from hipify.rules.target import KNOWN_ROCM, Target

from .trees import KERNEL, make


def kinds(tree: Tree) -> dict[str, str]:
    return {entry.path: entry.kind.name for entry in tree.entries}


def find(root: Path, **selection: object) -> Tree:
    return discover(root, Selection(**selection))  # type: ignore[arg-type]


def test_sources_are_told_apart_by_what_is_in_them(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            "a.cu": KERNEL,
            "empty.cuh": b"",
            "host.cpp": b"#include <cuda_runtime.h>\nint n = cudaGetLastError();\n",
            "launch.h": b"inline void go() { fill<<<1, 2>>>(0); }\n",
            "plain.cpp": b"int circuit, cut, accuse; // nothing\n",
            "notes.txt": b"cudaMalloc is a function\n",
            "config.h.in": b"#define WITH_CUDA @X@\n",
        },
    )
    assert kinds(find(tmp_path)) == {
        "a.cu": "CUDA",
        "config.h.in": "CUDA",
        "empty.cuh": "CUDA",
        "host.cpp": "CUDA",
        "launch.h": "CUDA",
        "notes.txt": "COPY",
        "plain.cpp": "PLAIN",
    }


@pytest.mark.parametrize(
    "text",
    [b"cuInit(0);", b"x = CU_CTX_SCHED;", b"CUdevice d;", b"cublasHandle_t h;", b"thrust::sort(a);", b"ncclComm_t c;",
     b"#include <vector_types.h>", b'#include "crt/host_defines.h"', b"# include <sm_20_atomic_functions.h>",
     b"#include <nvfunctional>", b"nvtxRangePush(0);", b"cub::Sum s;", b"__half h;", b"__shared__ int s;", b"#ifdef __CUDACC__", b"f<<<1,1>>>();"],
)  # fmt: skip
def test_text_that_uses_cuda(text: bytes) -> None:
    assert uses_cuda(b"int before;\n" + text + b"\n")


def test_every_name_and_header_of_the_tables_that_changes_tells() -> None:
    library, target = Library.default(), Target(KNOWN_ROCM[-1])
    silent = set()
    for name in library.in_order():
        api = library.get(name)
        assert api is not None
        mapping = map_name(api, target)
        changes = (mapping.name != api.name or mapping.problem) and api.status != "ambiguous" and not api.has("std")
        if changes and b"::" not in name and not uses_cuda(b"x = " + name + b"(1);"):
            silent.add(name)
    assert all(name.islower() and name.isalnum() for name in silent), silent  # mul24, saturate: words of anybody's
    assert len(silent) < 40
    assert all(uses_cuda(b"#include <" + path + b">") for path in library.headers_in_order() if b"*" not in path)
    assert all(uses_cuda(b"x = " + name + b"(1);") for name in rulebook.load().names)


@pytest.mark.parametrize("text", [b"float* __restrict__ p;", b"float4 v = min(a, b);", b'printf("%f", sinf(x));'])
def test_names_that_c_has_too_do_not_tell(text: bytes) -> None:
    assert not uses_cuda(text)


@pytest.mark.parametrize(
    "text",
    [
        b"focus(1);",
        b"myCUnit();",
        b"int cubic, cut, cup;",
        b"envtx = 1;",
        b"a << 3 < b;",
        b"#include <my_types.h>",
        b"x = vector_types.h;",
    ],
)
def test_text_that_only_looks_like_it(text: bytes) -> None:
    assert not uses_cuda(b"int before;\n" + text + b"\n")


def test_includes_are_read_wherever_a_line_begins_with_one() -> None:
    data = b'\xef\xbb\xbf#include "a.h"\n  #  include <b/c.h>\r\nint x; #include "no.h"\n#include_next <d.h>\n'
    assert includes_of(data) == ((False, b"a.h"), (True, b"b/c.h"), UNTOLD)


@pytest.mark.parametrize(
    "line",
    [
        b'#include/**/"a.h"',
        b'# /* why */ include /* what */ "a.h"',
        b'/* first */ #include "a.h"',
        b'#include \\\n "a.h"',
        b'%:include "a.h"',
        b'#import "a.h"',
    ],
)
def test_includes_of_every_form_are_seen(line: bytes) -> None:
    assert includes_of(b"int x;\n" + line + b"\n") == ((False, b"a.h"),)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("Makefile", "make"), ("make.inc", "make"), ("Makefile_gpu", "make"), ("build.sh", "shell"), ("configure", "other"), ("GNUmakefile", "make"), ("Makefile.gpu", "make"), ("rules.mk", "make"),
     ("CMakeLists.txt", "cmake"), ("FindX.cmake", "cmake"), ("x.cmake.in", "cmake"), ("setup.py", "python"),
     ("pyproject.toml", "python"), ("meson.build", "meson"), ("BUILD.bazel", "bazel"), ("defs.bzl", "bazel"),
     ("compile_commands.json", "commands"), ("CMakePresets.json", "other"), ("main.cu", ""), ("data.json", ""),
     ("xmake.lua", "other"), ("build.ninja", "other"), ("build.rs", "other"), ("main.rs", ""), ("justfile", "other"),
     ("k.cuf", "fortran"), ("k.CUF", "fortran"), ("m.F90", "fortran"), ("old.f", "fortran"), ("x.forth", ""),
     ("Makefile.prehip", ""), ("Makefile.prehip.2", ""), ("Dockerfile.prehip", ""), ("Makefile.prehip2", "make")],
)  # fmt: skip
def test_build_files_are_known_by_their_names(name: str, kind: str) -> None:
    assert build_kind(name) == kind


def test_scripts_count_when_they_build_cuda_and_parts_of_makefiles_have_any_name(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            "build.sh": "nvcc a.cu\n",
            "clean.sh": "rm -f a\n",
            "configure": "echo checking\n",
            "setup.py": "setup()\n",
            "Makefile": "include common/settings\n-include common/more $(X)\n",
            "common/settings": "include deeper\nNVCC = nvcc\n",
            "common/deeper": "CUDA = 1\n",
        },
    )
    built = {path for path, kind in kinds(find(tmp_path)).items() if kind == "BUILD"}
    assert built == {"build.sh", "Makefile", "common/settings", "common/deeper"}


def test_gitignore_holds_in_its_folder_and_below_and_the_nearest_wins(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            ".gitignore": "*.o\nbuild/\n/top.cu\n",
            "top.cu": KERNEL,
            "build/x.cu": KERNEL,
            "a.o": b"1",
            "sub/top.cu": KERNEL,
            "sub/.gitignore": "!keep.o\n*.tmp.cu\n",
            "sub/keep.o": b"2",
            "sub/x.tmp.cu": KERNEL,
        },
    )
    assert list(kinds(find(tmp_path))) == [".gitignore", "sub/.gitignore", "sub/keep.o", "sub/top.cu"]
    assert "build/x.cu" in kinds(find(tmp_path, gitignore=False))


def test_include_and_exclude_take_patterns_as_gitignore_has_them(tmp_path: Path) -> None:
    make(tmp_path, {"a/x.cu": KERNEL, "a/y.cu": KERNEL, "b/x.cu": KERNEL, "b/z.txt": b"z"})
    assert list(kinds(find(tmp_path, include=("*.cu",), exclude=("a/y.cu",)))) == ["a/x.cu", "b/x.cu"]
    assert list(kinds(find(tmp_path, exclude=("/a/",)))) == ["b/x.cu", "b/z.txt"]
    with pytest.raises(InputError, match="--exclude"):
        find(tmp_path, exclude=("!",))


def test_third_party_folders_are_named_and_can_be_copied_or_left_out(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            "main.cu": KERNEL,
            "third_party/lib/a.cu": KERNEL,
            "sub/.git": "gitdir: ../.git/modules/sub\n",
            "sub/b.cu": KERNEL,
            "own/c.cu": KERNEL,
        },
    )
    tree = find(tmp_path)
    assert tree.third_party == ["sub", "third_party"]
    assert kinds(tree)["sub/b.cu"] == kinds(tree)["third_party/lib/a.cu"] == "CUDA"
    copied = kinds(find(tmp_path, third_party="copy"))
    assert copied["sub/b.cu"] == copied["third_party/lib/a.cu"] == "COPY"
    assert copied["main.cu"] == "CUDA"
    assert list(kinds(find(tmp_path, third_party="skip", third_party_dirs=("own",)))) == ["main.cu"]


def test_git_and_our_own_state_are_no_part_of_a_tree(tmp_path: Path) -> None:
    make(tmp_path, {".git/config": b"x", ".hipify/state.db": b"x", "a.cu": KERNEL})
    assert list(kinds(find(tmp_path))) == ["a.cu"]


def test_links_are_followed_by_name_only(tmp_path: Path) -> None:
    root = make(tmp_path / "in", {"real/a.cu": KERNEL, "x.h": b"int x;\n"})
    (tmp_path / "away.cu").write_bytes(KERNEL)
    (tmp_path / "far").mkdir()
    (root / "file.cu").symlink_to("real/a.cu")
    (root / "folder").symlink_to("real")
    (root / "dead").symlink_to("nowhere")
    (root / "outside.cu").symlink_to(tmp_path / "away.cu")
    (root / "outside_folder").symlink_to(tmp_path / "far")
    tree = find(root)
    entries = {entry.path: entry for entry in tree.entries}
    assert entries["file.cu"].kind is Kind.LINK and entries["file.cu"].target == "real/a.cu"
    assert entries["folder"].kind is Kind.LINK and entries["folder"].inside
    assert entries["dead"].kind is Kind.LINK and not entries["dead"].inside
    assert entries["outside.cu"].kind is Kind.CUDA
    assert entries["outside_folder"].target == str(tmp_path / "far")
    assert len(tree.notes) == 3


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    root = make(tmp_path, {"a/x.cu": KERNEL})
    (root / "a" / "up").symlink_to("..")
    with pytest.raises(InputError, match=r"a/up: the link leads to a folder above it"):
        find(root)
    (root / "a" / "up").unlink()
    (root / "self").symlink_to("self")
    with pytest.raises(InputError, match="self: the link leads back to itself"):
        find(root)
    assert list(kinds(find(root, exclude=("self",)))) == ["a/x.cu"]


def test_generated_huge_and_binary_files_are_said(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            "gen.cu": b"// Automatically generated by make_kernels.py\n" + KERNEL,
            "big.cu": b"//" + b"x" * 5000 + b"\n" + KERNEL,
            "utf16.cu": KERNEL.decode().encode("utf-16"),
        },
    )
    tree = find(tmp_path, max_bytes=4096)
    assert kinds(tree) == {"big.cu": "COPY", "gen.cu": "CUDA", "utf16.cu": "COPY"}
    assert [note.split(":")[0] for note in tree.notes] == ["big.cu", "gen.cu", "utf16.cu"]


def test_pipes_are_left_out_and_said(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.cu")
    tree = find(tmp_path)
    assert tree.entries == []
    assert tree.notes == ["pipe.cu: is no regular file (a pipe, socket or device); left out"]


def test_names_that_are_no_text_are_kept(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.cu")).write_bytes(KERNEL)
    assert [os.fsencode(entry.path) for entry in find(tmp_path).entries] == [b"caf\xe9.cu"]

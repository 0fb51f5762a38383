"""What all build files share: edits that meet cost no file, and paths follow."""

from __future__ import annotations

import pytest

from hipify.model import Options
from hipify.project.build_files import BuildContext, BuildFile, _apart


def test_edits_that_meet_are_reported_and_the_first_is_made() -> None:
    file = BuildFile(b"one two three\n", "Makefile", BuildContext(Options()))
    file.replace(4, 7, b"2")
    file.replace(0, 5, b"x")
    file.replace(7, 7, b"!")
    file.replace(8, 13, b"3")
    assert [(edit.start, edit.text) for edit in _apart(file)] == [(0, b"x"), (7, b"!"), (8, b"3")]
    assert [(f.id, f.start) for f in file.findings] == [("HPY803", 4)]


@pytest.mark.parametrize(
    ("folder", "text", "after"),
    [
        ("", "src/a.cu", "src/a.hip"),
        ("src", "a.cu", "a.hip"),
        ("src/deep", "../a.cu", "../a.hip"),
        ("", "cuda/lib", "hip/lib"),
        ("", "cuda/lib/x.cpp", "hip/lib/x.cpp"),
        ("", "other/a.cu", "other/a.cu"),
        ("build", "${ROOT}/src/a.cu", "${ROOT}/src/a.cu"),
        ("", "unknown.cu", "unknown.cu"),
        ("", "/usr/include/x", "/usr/include/x"),
        ("src", "../../outside/a.cu", "../../outside/a.cu"),
        ("src", "//", "//"),
    ],
)
def test_paths_follow_renames(folder: str, text: str, after: str) -> None:
    renames = {"src/a.cu": "src/a.hip", "cuda/lib/x.cpp": "hip/lib/x.cpp"}
    assert BuildContext(Options(), folder, renames, suffixes={".cu": ".hip"}).follow(text) == after


def test_sources_and_patterns_follow() -> None:
    context = BuildContext(Options(), "", {"src/a.cu": "src/a.hip"}, suffixes={".cu": ".hip", ".cuh": ".hip.hpp"})
    assert context.sources_in("$(X:.cu=.o) %.cu src/*.cuh ${DIR}/src/a.cu a.cub") == (
        "$(X:.hip=.o) %.hip src/*.hip.hpp ${DIR}/src/a.hip a.cub"
    )

"""One file's work: includes follow, trouble becomes a finding, and memory does not grow."""

from __future__ import annotations

import gc
from pathlib import Path

from hipify.model import Options
from hipify.parser.semantics import Unit
from hipify.project import work

from .trees import KERNEL


def job(data: bytes, task: str = work.TRANSLATE, **given: object) -> work.Job:
    return work.Job("/x/a.cu", task, data, Options(clang=False), **given)  # type: ignore[arg-type]


def test_includes_of_renamed_files_follow_with_the_translation() -> None:
    data = b'#include "a.cuh"\n#include "b.h"\n// #include "a.cuh"\n' + KERNEL
    result = work.do(job(data, renames=((b"a.cuh", b"a.hip.hpp"),)))
    assert b'#include "a.hip.hpp"\n#include "b.h"\n// #include "a.cuh"\n' in result.output
    assert b"hipMalloc" in result.output
    assert result.input == b"", "the input is not sent back"


def test_a_file_without_cuda_only_follows() -> None:
    data = b'#include "a.cuh"\nint cudaMalloc();\n'
    result = work.do(job(data, work.FOLLOW, renames=((b"a.cuh", b"a.hip.hpp"),)))
    assert result.output == b'#include "a.hip.hpp"\nint cudaMalloc();\n'


def test_an_examined_file_keeps_its_text() -> None:
    result = work.do(job(KERNEL, work.EXAMINE))
    assert result.output == KERNEL and not result.edits
    assert any(reference.name == "cudaMalloc" for reference in result.references)


def test_what_cannot_be_translated_is_one_finding_and_the_text_as_it_was() -> None:
    result = work.do(job(b"\xff\xfei\0"))
    assert result.output == b"\xff\xfei\0"
    assert [(f.id, f.severity.label, f.line) for f in result.findings] == [("HPY909", "error", 1)]
    assert "UTF-16" in result.findings[0].message and "/x/a.cu" not in result.findings[0].message


def test_clang_s_memory_is_given_back_after_each_file(tmp_path: Path) -> None:
    gc.disable()  # what only a collection of cycles would free counts as kept
    try:
        before = sum(isinstance(thing, Unit) for thing in gc.get_objects())
        for number in range(3):
            path = tmp_path / f"k{number}.cu"
            result = work.do(work.Job(str(path), work.TRANSLATE, b"#if CUDA_VERSION > 1\n#endif\n" + KERNEL, Options()))
            assert result.clang_used
        assert sum(isinstance(thing, Unit) for thing in gc.get_objects()) == before
    finally:
        gc.enable()

"""The Python API: the same answers without a process, and nothing printed."""

from __future__ import annotations

from pathlib import Path

import pytest

import hipify
from hipify.emit.rewriter import apply

CUDA = b"#include <cuda_runtime.h>\r\nvoid f() { cudaFree(0); cudaGetFlyingSaucerCount(0); } // \xff\r\n"


def test_source_as_bytes_and_as_text(capfd: pytest.CaptureFixture[str]) -> None:
    done = hipify.translate_source(CUDA, "a.cu")
    assert done.changed
    assert b"hipFree(0)" in done.output
    assert done.output.endswith(b"// \xff\r\n")
    assert apply(done.input, done.edits) == done.output
    assert [(finding.file, finding.line, finding.column) for finding in done.findings] == [("a.cu", 2, 25)]
    text = CUDA.decode("utf-8", "surrogateescape")
    assert hipify.translate_source(text, "a.cu").output == done.output
    assert capfd.readouterr() == ("", "")


def test_findings_know_their_output_line() -> None:
    done = hipify.translate_source(b"// c\n" + CUDA.replace(b"#include <cuda_runtime.h>\r\n", b""), "a.cu")
    (finding,) = done.findings
    lines = done.output.split(b"\n")
    assert finding.line == 2
    assert b"cudaGetFlyingSaucerCount" in lines[finding.output_line - 1]
    assert b"#include <hip/hip_runtime.h>" in done.output


def test_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(CUDA)
    done = hipify.translate_file(path)
    assert (done.path, done.output) == (str(path), hipify.translate_source(CUDA).output)
    assert path.read_bytes() == CUDA
    assert capfd.readouterr() == ("", "")


def test_options_reach_the_rules() -> None:
    data = b"__global__ void k();\nvoid f() { k<<<1, 2>>>(); }\n"
    assert b"<<<" not in hipify.translate_source(data).output
    kept = hipify.translate_source(data, options=hipify.Options(launch_syntax="cuda"))
    assert b"k<<<1, 2>>>()" in kept.output


def test_scan_finds_and_changes_nothing(tmp_path: Path) -> None:
    paths = [tmp_path / "a.cu", tmp_path / "b.cu"]
    for path in paths:
        path.write_bytes(CUDA)
    found = list(hipify.scan(paths))
    assert [done.path for done in found] == [str(path) for path in paths]
    for done in found:
        assert (done.output, done.edits, done.changed) == (CUDA, (), False)
        assert [finding.line for finding in done.findings] == [2]
        assert any(reference.name == "cudaFree" and reference.converted for reference in done.references)


@pytest.mark.parametrize("data", [b"\0", b"int a;\0", "int a;".encode("utf-16")])
def test_what_is_no_source_is_an_input_error(data: bytes) -> None:
    with pytest.raises(hipify.InputError, match=r"a\.cu: is "):
        hipify.translate_source(data, "a.cu")


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(hipify.InputError, match="no such file"):
        hipify.translate_file(tmp_path / "a.cu")
    with pytest.raises(hipify.InputError, match="is a directory"):
        hipify.translate_file(tmp_path)


def test_public_names_exist() -> None:
    for name in hipify.__all__:
        assert getattr(hipify, name) is not None
    with pytest.raises(AttributeError):
        _ = hipify.nothing  # type: ignore[attr-defined]

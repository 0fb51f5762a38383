"""tools/compile_corpus.py: it goes on where it stopped, and its table says what became of each program."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.corpus.test_hipcc import builds_here
from tests.support.corpus import load, programs

TOOLS = str(Path(__file__).resolve().parents[2] / "tools")
sys.path.insert(0, TOOLS)

import compile_corpus  # noqa: E402

sys.path.remove(TOOLS)

BUILT = [program.name for program in programs() if builds_here(program)]
"""What tests/corpus/test_hipcc.py builds."""
_HEADERS_LACK = {"wmma_gemm": "no internal/accessors.hpp (HPY903)"}
"""Debian's package of rocWMMA holds a part of its headers."""
DONE = [
    {"program": "scan", "release": "system", "outcomes": {"gfx90a": "fails"}, "errors": {"gfx90a": "scan.cu:1: no"}},
    {"program": "saxpy", "release": "system", "outcomes": {"gfx90a": "compiles"}, "errors": {}},
]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """What an earlier run has written."""
    path = tmp_path / "results.jsonl"
    path.write_text("".join(json.dumps(result) + "\n" for result in DONE))
    return path


def run(results: Path, *words: str) -> int:
    return compile_corpus.main(["--rocm", "system", "--arch", "gfx90a", "--results", str(results), *words])


def test_what_is_done_is_not_compiled_again(results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = results.read_text()
    assert run(results, "--table", str(tmp_path / "table"), "saxpy", "scan") == 1
    assert results.read_text() == before
    assert capsys.readouterr().out.endswith("1 of 2 compile; failures: scan (system)\n")
    assert (tmp_path / "table").read_text() == (
        "| program | system gfx90a |\n| --- | --- |\n| saxpy | compiles |\n| scan | fails |\n"
    )


def test_the_rest_is_compiled_and_kept(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(results, "mandelbrot") == 1  # scan has failed before
    assert "  mandelbrot: gfx90a compiles\n" in capsys.readouterr().out
    assert json.loads(results.read_text().splitlines()[-1])["program"] == "mandelbrot"


def test_a_run_ends_by_itself_and_says_so(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(results, "--minutes", "1e-9", "mandelbrot") == 3
    assert capsys.readouterr().err == "compile_corpus: out of time; the same command goes on\n"
    assert len(results.read_text().splitlines()) == 2


def test_what_findings_foretold_is_told_by_their_ids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = tmp_path / "new.jsonl"
    (tmp_path / "corpus.toml").write_text('title = "a surface reference"\narch = "gfx90a"\n')
    (tmp_path / "main.cu").write_text("#include <cuda_runtime.h>\nsurface<void, 2> target;\nint main() {}\n")
    monkeypatch.setattr(compile_corpus, "programs", lambda: [load(tmp_path)])
    words = ["--rocm", "7.2", "--arch", "gfx942", "--results", str(results)]
    assert compile_corpus.main(words) == 0
    (row,) = map(json.loads, results.read_text().splitlines())
    assert row["outcomes"] == {"gfx942": "no instructions (HPY503)"}
    assert "/main.cu:2:" in row["errors"]["gfx942"]


def test_textures_compile_where_the_gpu_has_no_image_instructions(tmp_path: Path) -> None:
    results = tmp_path / "new.jsonl"
    words = ["--rocm", "7.2", "--arch", "gfx90a,gfx942", "--results", str(results)]
    assert compile_corpus.main([*words, "surface_write", "texture_object", "texture_reference_legacy"]) == 0
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    assert [row["outcomes"] for row in rows] == [{"gfx90a": "compiles", "gfx942": "compiles"}] * 3


@pytest.mark.parametrize("release", ["5.7", "7.2"])
def test_every_call_of_the_texture_header_compiles(
    release: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_corpus, "programs", lambda: [load(Path(__file__).parents[1] / "data" / "textures")])
    results = tmp_path / "new.jsonl"
    assert compile_corpus.main(["--rocm", release, "--arch", "gfx90a,gfx942", "--results", str(results)]) == 0
    assert json.loads(results.read_text())["outcomes"] == {"gfx90a": "compiles", "gfx942": "compiles"}


def test_headers_that_packages_lack_are_added(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--rocm", "system", "--arch", "gfx90a", "cudnn_activation"]
    assert compile_corpus.main(words) == 0
    assert "gfx90a no miopen/miopen.h (HPY903)" in capsys.readouterr().out
    (tmp_path / "miopen").mkdir()
    (tmp_path / "miopen" / "miopen.h").write_text("#error the one that was added\n")
    assert compile_corpus.main([*words, "--headers", f"system={tmp_path}"]) == 1
    assert "the one that was added" in capsys.readouterr().out
    assert compile_corpus.main([*words, "--headers", f"system={tmp_path}/none"]) == 2
    assert capsys.readouterr().err == f"compile_corpus: --headers system={tmp_path}/none: no such folder\n"


def test_what_the_distributions_hipcc_cannot_build_compiles_with_a_newer_rocm(tmp_path: Path) -> None:
    results, names = tmp_path / "new.jsonl", sorted({program.name for program in programs()} - set(BUILT))
    words = ["--rocm", "7.2", "--arch", "gfx90a", "--jobs", "2", "--results", str(results)]
    assert compile_corpus.main([*words, *names]) == 0
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    assert {row["program"]: row["outcomes"]["gfx90a"] for row in rows} == {
        name: _HEADERS_LACK.get(name, "compiles") for name in names
    }

"""Every program of the corpus: its translation, its findings, and real compilers on what comes out."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify import translate_file
from tests.support.corpus import CORPUS, Program, findings_text, programs, translate
from tests.support.hip import CompileError, compile_many

PROGRAMS = programs()
UNITS = [(program, unit) for program in PROGRAMS for unit in program.units]
NAMES = [program.name for program in PROGRAMS]


def more_gpus(program: Program) -> list[str]:
    """The GPUs that a program is compiled for beside its own: gfx942 for all but those that need what it lacks."""
    return [f"--offload-arch={arch}" for arch in ("gfx90a", "gfx1100") if arch != program.arch]


@pytest.fixture(scope="module")
def compiled() -> dict[Path, list[CompileError]]:
    """The compiler's errors for every expected file, for all GPUs."""
    jobs = [(unit, program.arch, ["-I", str(unit.parent), *more_gpus(program)]) for program, unit in UNITS]
    return dict(zip((unit for _, unit in UNITS), compile_many(jobs), strict=True))


def test_the_corpus_is_large_enough_and_listed() -> None:
    readme = (CORPUS / "README.md").read_text(encoding="utf-8")
    assert len([program for program in PROGRAMS if program.packaged]) >= 25
    assert [p.name for p in PROGRAMS if f"[{p.name}]({p.folder.relative_to(CORPUS)})" not in readme] == []
    folders = [path.parent for way in ("*", "unpackaged/*") for path in CORPUS.glob(f"{way}/main.cu")]
    assert sorted(folder.name for folder in folders) == NAMES, "a program lacks its corpus.toml"


@pytest.mark.parametrize("program", PROGRAMS, ids=NAMES)
def test_translation_and_findings(program: Program) -> None:
    translations = translate(program)
    for source, translation in translations.items():
        assert translation.output.decode() == program.ported(source).read_text(encoding="utf-8"), source
    assert findings_text(program, translations) == (program.folder / "findings.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("program", PROGRAMS, ids=NAMES)
def test_translating_again_changes_nothing(program: Program) -> None:
    for source in program.sources:
        ported = program.ported(source)
        assert translate_file(ported, program.options).output == ported.read_bytes()


@pytest.mark.parametrize("program", PROGRAMS, ids=NAMES)
def test_programs_check_themselves(program: Program) -> None:
    text = "".join(source.read_text(encoding="utf-8") for source in program.sources)
    assert "PASS" in text
    assert "FAIL" in text


@pytest.mark.parametrize(("program", "unit"), UNITS, ids=[f"{p.name}/{u.name}" for p, u in UNITS])
def test_compiles_for_amd(program: Program, unit: Path, compiled: dict[Path, list[CompileError]]) -> None:
    errors = compiled[unit]
    if program.missing_header:
        assert {error.message for error in errors} <= {f"'{program.missing_header}' file not found"}
        return
    assert [str(error) for error in errors] == []

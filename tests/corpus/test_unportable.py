"""Programs that no translation can port: what is left is named, and the compiler rejects nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify import translate_file
from hipify.build.builder import CHECK, Settings, build
from hipify.build.compiler import Amd, environment
from hipify.build.flags import Sources
from hipify.build.machine import Machine
from hipify.build.toolchain import find
from hipify.model import Severity
from tests.support.corpus import CORPUS, Program, findings_text, translate, unportable
from tests.support.hip import compile_hip, rocm_folder

PROGRAMS = unportable()
NAMES = [program.name for program in PROGRAMS]


def test_they_are_listed_apart() -> None:
    ported, _, rest = (CORPUS / "README.md").read_text(encoding="utf-8").partition("<!-- unportable -->")
    assert "dynamic_parallelism" in NAMES
    assert [name for name in NAMES if f"| [{name}](unportable/{name}) |" not in rest] == []
    assert [name for name in NAMES if f"| [{name}]" in ported] == []
    assert sorted(path.parent.name for path in CORPUS.glob("unportable/*/main.cu")) == NAMES
    assert all(program.unportable for program in PROGRAMS)


@pytest.mark.parametrize("program", PROGRAMS, ids=NAMES)
def test_translation_and_findings(program: Program) -> None:
    translations = translate(program)
    for source, translation in translations.items():
        assert translation.output.decode() == program.ported(source).read_text(encoding="utf-8"), source
        assert any(finding.severity is Severity.ERROR for finding in translation.findings)
    assert findings_text(program, translations) == (program.folder / "findings.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("program", PROGRAMS, ids=NAMES)
def test_programs_check_themselves(program: Program) -> None:
    text = "".join(source.read_text(encoding="utf-8") for source in program.sources)
    assert "PASS" in text and "FAIL" in text


@pytest.mark.parametrize("program", PROGRAMS, ids=NAMES)
def test_the_compiler_rejects_nothing_but_what_is_named(program: Program) -> None:
    for source in program.sources:
        found = translate_file(source, program.options).findings
        named = {finding.output_line for finding in found if finding.severity is Severity.ERROR}
        errors = compile_hip(program.ported(source), arch=program.arch)
        assert errors, f"{program.name} compiles: it belongs among the others"
        assert [str(e) for e in errors if Path(e.file) != program.ported(source) or e.line not in named] == []


def test_each_launch_of_a_kernel_by_a_kernel_is_one_error() -> None:
    (program,) = (program for program in PROGRAMS if program.name == "dynamic_parallelism")
    (source,) = program.sources
    found = translate_file(source, program.options).findings
    assert [finding.id for finding in found] == ["HPY201"]
    rejected = {error.line for error in compile_hip(program.ported(source), arch=program.arch)}
    assert rejected == {finding.output_line for finding in found}


@pytest.mark.parametrize("program", PROGRAMS, ids=NAMES)
def test_build_says_that_it_was_foretold(program: Program) -> None:
    tool = find(Machine(), str(rocm_folder("7.2") / "bin" / "hipcc"))
    assert tool is not None and tool.usable
    translations = {str(source): translate_file(source, program.options) for source in program.sources}
    settings = Settings(Amd(tool, (program.arch,), environment(Machine())), Sources(None, ["-w"]), CHECK)
    arrivals = build(settings, translations, dict.fromkeys(translations, program.options)).arrivals
    errors = [arrival for arrival in arrivals if arrival.severity is Severity.ERROR]
    assert errors
    assert all(arrival.foretold is not None for arrival in errors)

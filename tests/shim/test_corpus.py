"""The corpus with the shim's header in place of CUDA's: every program, on real headers of both platforms."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hipify.shim import session
from hipify.shim.session import Outcome
from tests.support.corpus import Program, programs
from tests.support.hip import COMPILER, CompileError, compile_many

HEADER = "cuda_to_hip.h"
PROGRAMS = programs()
NAMES = [program.name for program in PROGRAMS]
# What nvcc compiles here: toolkit headers alone, no libraries.
FOR_NVCC = ("saxpy", "pinned_mapped", "graph_capture")


def with_header(program: Program, folder: Path) -> Outcome:
    """A copy of a program with the list's advice about includes followed, and nothing else."""
    shutil.copytree(program.folder, folder, ignore=shutil.ignore_patterns("expected", "findings.txt", "corpus.toml"))
    options = program.options._replace(launch_syntax="cuda")
    outcome = session.run([str(folder)], str(folder / HEADER), options, check=False)
    for path in {o.place.path for o in outcome.project.obstacles if o.kind == "include"}:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
        for obstacle in outcome.project.obstacles:
            if obstacle.kind == "include" and obstacle.place.path == path:
                number = obstacle.place.line - 1
                line = f'#include "{os.path.relpath(folder / HEADER, Path(path).parent)}"'
                if obstacle.message.startswith("add "):
                    lines[number] = f"{line}\n{lines[number]}"
                else:
                    lines[number] = line if obstacle.message.endswith("instead") else ""
        Path(path).write_text("\n".join(lines), encoding="utf-8")
    return outcome


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Outcome]]:
    """Each program with its header."""
    folder = tmp_path_factory.mktemp("shim")
    return {program.name: (folder / program.name, with_header(program, folder / program.name)) for program in PROGRAMS}


@pytest.fixture(scope="module")
def compiled(prepared: dict[str, tuple[Path, Outcome]]) -> dict[str, list[CompileError]]:
    """What the compiler for AMD GPUs says about each program."""
    units = [
        (p, unit) for p in PROGRAMS for unit in sorted(prepared[p.name][0].rglob("*")) if unit.suffix in (".cu", ".cpp")
    ]
    jobs = [(unit, p.arch, ["-I", str(prepared[p.name][0])]) for p, unit in units]
    found: dict[str, list[CompileError]] = {name: [] for name in NAMES}
    for (program, _), errors in zip(units, compile_many(jobs), strict=True):
        found[program.name] += errors
    return found


@pytest.mark.parametrize("program", PROGRAMS, ids=NAMES)
def test_compiles_for_amd_or_the_list_says_why_not(
    program: Program, prepared: dict[str, tuple[Path, Outcome]], compiled: dict[str, list[CompileError]]
) -> None:
    _, outcome = prepared[program.name]
    listed = {(o.place.path, o.place.line) for o in outcome.project.obstacles if o.kind != "include"}
    errors = compiled[program.name]
    if program.missing_header:
        return_codes = {error.message for error in errors}
        assert return_codes <= {f"'{program.missing_header}' file not found"}
        return
    assert [str(error) for error in errors if (error.file, error.line) not in listed] == []


def test_most_programs_need_nothing_but_the_header(
    prepared: dict[str, tuple[Path, Outcome]], compiled: dict[str, list[CompileError]]
) -> None:
    whole = [name for name in NAMES if not compiled[name]]
    assert len(whole) >= 0.85 * len(NAMES), sorted(set(NAMES) - set(whole))


@pytest.mark.parametrize("program", PROGRAMS, ids=NAMES)
def test_the_header_serves_the_code_that_includes_it(
    program: Program, prepared: dict[str, tuple[Path, Outcome]]
) -> None:
    folder, outcome = prepared[program.name]
    options = program.options._replace(launch_syntax="cuda")
    checked = session.run([str(folder)], str(folder / HEADER), options, check=True)
    lacking = {o.lacks for o in outcome.project.obstacles if o.lacks}
    assert [line for line in checked.missing if not any(name in line for name in lacking)] == []
    assert not [o for o in checked.project.obstacles if o.kind == "include"]


def ptx(nvcc: str, source: Path) -> str:
    """What nvcc makes of a program's device code."""
    command = [nvcc, "-ptx", "-arch=sm_80", "-std=c++17", "-o", "-", source.name]
    done = subprocess.run(command, cwd=source.parent, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return "\n".join(line for line in done.stdout.splitlines() if not line.startswith("//"))


def preprocessed(command: list[str], source: Path) -> list[str]:
    """What a preprocessor makes of a program, without blank lines and line numbers."""
    done = subprocess.run([*command, source.name], cwd=source.parent, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return [line for line in done.stdout.splitlines() if line.strip()]


def stand_ins(folder: Path, *sources: Path) -> Path:
    """A folder that holds, for each header in angle brackets, one line that names it."""
    for source in sources:
        for name in re.findall(r"#\s*include\s*<([^>]+)>", source.read_text(encoding="utf-8")):
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"#pragma once\nextern int from_{re.sub(r'[^0-9a-z]', '_', name)};\n")
    return folder


@pytest.mark.parametrize("name", FOR_NVCC)
def test_nvidia_builds_stay_as_they_are(name: str, prepared: dict[str, tuple[Path, Outcome]], tmp_path: Path) -> None:
    program = next(program for program in PROGRAMS if program.name == name)
    original, changed = program.folder / "main.cu", prepared[name][0] / "main.cu"
    assert HEADER in changed.read_text(encoding="utf-8")
    nvcc = shutil.which("nvcc")
    if nvcc is not None:
        assert ptx(nvcc, changed) == ptx(nvcc, original)
        command = [nvcc, "-E", "-Xcompiler", "-P", "-arch=sm_80", "-std=c++17"]
        assert preprocessed(command, changed) == preprocessed(command, original)
        return
    # Debian has no nvcc: any preprocessor shows that the header adds nothing but includes to the code.
    stubs = stand_ins(tmp_path, original, changed, changed.parent / HEADER)
    command = [COMPILER, "-E", "-P", "-x", "c++", "-nostdinc", "-std=c++17", f"-I{stubs}"]
    includes, code = divided(preprocessed(command, changed))
    own_includes, own_code = divided(preprocessed(command, original))
    assert code == own_code
    assert own_includes <= includes
    assert all(name.startswith("extern int from_cu") for name in includes - own_includes)


def divided(lines: list[str]) -> tuple[set[str], list[str]]:
    """The lines that stand for headers, and the others."""
    headers = {line for line in lines if line.startswith("extern int from_")}
    return headers, [line for line in lines if line not in headers]

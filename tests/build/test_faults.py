"""Faults put into CUDA programs come home: real compilers report each, and exactly on its input line.

faults/ holds the programs. Each line with a FAULT comment is wrong, and no other is; what surrounds them makes the
translation insert, delete and join lines.
"""

from __future__ import annotations

import functools
import re
import shutil
from pathlib import Path

import pytest

from hipify.build.builder import Outcome

from .compilers import check, distribution, release

FAULTS = Path(__file__).parent / "faults"
GROUPS = sorted(path.name for path in FAULTS.iterdir())
# What the oldest hipcc that Debian has knows of HIP is enough for these.
OLD = ["arguments", "launches", "macros", "calls", "headers", "device", "generated", "lines", "templates", "texts"]


def marked(folder: Path) -> set[tuple[str, int]]:
    """The faulty lines of the files below a folder."""
    return {
        (str(path), number)
        for path in folder.rglob("*")
        if path.is_file()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if "FAULT" in line
    }


def reported(outcome: Outcome) -> set[tuple[str, int]]:
    """The lines that have a finding of the compiler."""
    return {(finding.file, finding.line) for findings in outcome.findings().values() for finding in findings}


@functools.cache
def with_distribution(group: str) -> Outcome:
    """What the distribution's hipcc says of a group."""
    return check(distribution(), FAULTS / group / "main.cu")


def test_there_are_at_least_fifty() -> None:
    assert len(marked(FAULTS)) >= 50
    assert {"launches", "macros", "calls", "headers", "moved"} <= set(GROUPS)


@pytest.mark.parametrize("group", GROUPS)
def test_the_input_lines_are_exact_with_rocm_72(group: str) -> None:
    assert reported(check(release("7.2"), FAULTS / group / "main.cu")) == marked(FAULTS / group)


@pytest.mark.parametrize("group", OLD)
def test_the_input_lines_are_exact_with_the_distributions_hipcc(group: str) -> None:
    assert reported(with_distribution(group)) == marked(FAULTS / group)


def test_they_are_exact_in_files_with_windows_line_ends(tmp_path: Path) -> None:
    shutil.copytree(FAULTS / "headers", tmp_path / "headers")
    for path in (tmp_path / "headers").rglob("*.*"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert reported(check(distribution(), tmp_path / "headers/main.cu")) == marked(tmp_path / "headers")


def test_a_macro_is_named_at_its_fault_and_at_its_use() -> None:
    outcome = with_distribution("macros")
    (arrival,) = [a for a in outcome.arrivals if "'no_such_function'" in a.diagnostic.text]
    source = FAULTS / "macros" / "main.cu"
    assert re.search(rf"no_such_function'.*, used at {source}:27; no finding foretold this$", arrival.message())
    assert arrival.place.line == 14


def test_what_a_macros_use_makes_wrong_is_told_with_the_line_of_the_macro() -> None:
    (arrival,) = [a for a in with_distribution("macros").arrivals if "not a structure or union" in a.diagnostic.text]
    source = FAULTS / "macros" / "main.cu"
    at = next(n for n, line in enumerate(source.read_text().splitlines(), 1) if "no_such_field" in line)
    assert arrival.message().endswith(f", in the macro at {source}:{at}; no finding foretold this")


def test_the_texts_of_both_lines_are_told() -> None:
    outcome = with_distribution("calls")
    (arrival,) = [a for a in outcome.arrivals if "'no_such_device'" in a.diagnostic.text]
    assert arrival.texts == ("no_such_device); // FAULT 6",) * 2
    (arrival,) = [a for a in outcome.arrivals if "'no_such_event'" in a.diagnostic.text]
    assert arrival.texts == (
        "cudaEventElapsedTime(&ms, start, no_such_event); // FAULT 8",
        "hipEventElapsedTime(&ms, start, no_such_event); // FAULT 8",
    )
    (arrival,) = [a for a in outcome.arrivals if "'hipEventRecord'" in a.diagnostic.text]
    assert arrival.diagnostic.notes, "the notes of a message stay with it"

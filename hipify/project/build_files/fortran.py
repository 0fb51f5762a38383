"""CUDA Fortran and Fortran that calls CUDA: reported line by line, never translated."""

from __future__ import annotations

from hipify.project import cuda_words
from hipify.project.build_files import BuildFile
from hipify.project.build_files.others import report_lines
from hipify.rules.checks.build import FORTRAN


def convert(file: BuildFile) -> None:
    """Report what is CUDA's."""
    report_lines(file, FORTRAN, cuda_words.FORTRAN, _code)


def _code(line: bytes) -> bytes:
    """A line without its comment; directives look like comments."""
    at = line.find(b"!")
    return line if at < 0 or line[at : at + 2] == b"!$" else line[:at]

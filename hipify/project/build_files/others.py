"""Build systems that are reported and not translated: Meson, Bazel, and settings files that mention CUDA."""

from __future__ import annotations

import re
from collections.abc import Callable

from hipify.patterns import lazy
from hipify.project.build_files import BuildFile
from hipify.rules.checks.build import OTHER_SYSTEM
from hipify.rules.kinds import FindingKind

_CUDA = lazy(rb"(?i)cuda|\bnvcc\b|\bcu(?:blas|fft|rand|sparse|solver|dnn)|\.cuh?\b|\bsm_\d\d")

_MOST = 20


def convert(file: BuildFile) -> None:
    """Report, and let names of renamed sources follow."""
    report(file)
    if file.context.suffixes:
        for match in re.finditer(rb"""(["'])([^"'\n]*\.cuh?)\1""", file.data):
            text = match[2].decode("utf-8", "surrogateescape")
            new = file.context.sources_in(text)
            if new != text:
                file.replace(match.start(2), match.end(2), new.encode("utf-8", "surrogateescape"))


def report(file: BuildFile) -> None:
    """One finding for each line that has to do with CUDA."""
    report_lines(file, OTHER_SYSTEM, _CUDA, lambda line: line.partition(b"#")[0])


def report_lines(
    file: BuildFile, kind: FindingKind, pattern: re.Pattern[bytes], code_of: Callable[[bytes], bytes]
) -> None:
    """One finding for each line whose code a pattern is found in, at most twenty: generated scripts have hundreds."""
    found: list[tuple[int, int, bytes]] = []
    offset = 0
    for line in file.data.splitlines(keepends=True):
        code = code_of(line)
        if pattern.search(code) is not None:
            start = offset + len(code) - len(code.lstrip())
            found.append((start, offset + len(code.rstrip()), code.strip()))
        offset += len(line)
    for start, end, code in found[:_MOST]:
        file.find(kind, start, end, f"change by hand: {code.decode('utf-8', 'replace')[:100]}")
    if len(found) > _MOST:
        start, end, _ = found[_MOST]
        file.find(kind, start, end, f"{len(found) - _MOST} more lines from here on have to do with CUDA")

"""Build systems that are reported and not translated: Meson, Bazel, and settings files that mention CUDA."""

from __future__ import annotations

import re

from hipify.patterns import lazy
from hipify.project.build_files import BuildFile
from hipify.rules.checks.build import OTHER_SYSTEM

_CUDA = lazy(rb"(?i)cuda|\bnvcc\b|\bcu(?:blas|fft|rand|sparse|solver|dnn)|\.cuh?\b|\bsm_\d\d")


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
    offset = 0
    for line in file.data.splitlines(keepends=True):
        code = line.partition(b"#")[0]
        match = _CUDA.search(code)
        if match is not None:
            shown = code.strip().decode("utf-8", "replace")
            start = offset + len(code) - len(code.lstrip())
            file.find(OTHER_SYSTEM, start, offset + len(code.rstrip()), f"change by hand: {shown[:100]}")
        offset += len(line)

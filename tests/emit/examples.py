"""Translations made by hand, so that what prints them is tested without the rules."""

from __future__ import annotations

from hipify.emit.rewriter import apply
from hipify.model import Confidence, Edit, Finding, Reference, Severity, Translation

DATA = b"#include <cuda_runtime.h>\nvoid f() {\n  cudaFree(0);\n  cudaFoo();\n}\n"


def finding(severity: Severity = Severity.ERROR, path: str = "a.cu", line: int = 4) -> Finding:
    """A finding that fills every field."""
    return Finding(
        id="HPY102",
        severity=severity,
        file=path,
        line=line,
        column=3,
        end_line=line,
        end_column=10,
        message="cudaFoo has no counterpart",
        why="HIP has no\n  such call",
        fix="remove it",
        confidence=Confidence.CLANG,
        start=53,
        end=60,
        output_line=line + 1,
    )


def translation(path: str = "a.cu", findings: tuple[Finding, ...] = (finding(),)) -> Translation:
    """One file with an include, a renamed call and an unknown call."""
    at = DATA.index(b"cudaFree")
    edits = (Edit(10, 24, b"hip/hip_runtime.h"), Edit(at, at + 8, b"hipFree"))
    references = (
        Reference("cuda_runtime.h", "include", "runtime", 1, True),
        Reference("cudaFree", "function", "runtime", 3, True),
        Reference("cudaFoo", "function", "driver", 4, False),
    )
    return Translation(path, DATA, apply(DATA, edits), edits, findings, references, seconds=0.25, clang_used=True)

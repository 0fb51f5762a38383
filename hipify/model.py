"""The types that the stages hand to each other and to users: options, edits, findings, references, translations."""

from __future__ import annotations

import enum
from collections.abc import Mapping

from hipify.records import NamedTuple

DEFAULT_TARGET = "7.2"
"""The ROCm release that is written for when nothing says otherwise."""


class Severity(enum.IntEnum):
    """How bad a finding is: what hipcc and the hardware will do, not how odd the code looks."""

    NOTE = 1
    WARNING = 2
    ERROR = 3

    @property
    def label(self) -> str:
        """`note`, `warning` or `error`."""
        return self.name.lower()


class Confidence(enum.Enum):
    """Whether clang confirmed what the tokens say."""

    CLANG = "clang"
    LEXICAL = "lexical"


class Edit(NamedTuple):
    """Replace bytes [start, end) of the input by `text`. Edits of one file never overlap; equal starts keep order."""

    start: int
    end: int
    text: bytes
    confidence: Confidence = Confidence.LEXICAL


class Finding(NamedTuple):
    """One thing that a person must know.

    Positions are of the input: 1-based, columns count bytes, the end exclusive.
    """

    id: str
    severity: Severity
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    why: str = ""
    fix: str = ""
    confidence: Confidence = Confidence.LEXICAL
    start: int = 0
    end: int = 0
    output_line: int = 0

    def as_dict(self) -> dict[str, object]:
        """The JSON form of the finding (report version 1)."""
        return {
            "id": self.id,
            "severity": self.severity.label,
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "end_line": self.end_line,
            "end_column": self.end_column,
            "output_line": self.output_line,
            "message": self.message,
            "why": self.why,
            "fix": self.fix,
            "confidence": self.confidence.value,
        }


class Reference(NamedTuple):
    """One use of a CUDA name in the input, for the statistics: converted, or not."""

    name: str
    kind: str
    library: str
    line: int
    converted: bool


class Options(NamedTuple):
    """What a translation is asked to do. Immutable and hashable by value, so that it can key a cache."""

    target: str = DEFAULT_TARGET
    cuda_version: str = ""
    roc: bool = False
    miopen: bool = False
    experimental: bool = False
    launch_syntax: str = "hip"
    clang: bool = True
    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    clang_args: tuple[str, ...] = ()
    skip_excluded: bool = False
    language: str = "cuda"
    warp: str = "preserve"
    guards: str = "widen"
    offload_arch: tuple[str, ...] = ()
    rule_files: tuple[str, ...] = ()
    translate_strings: bool = False
    inline_headers: bool = False
    whitelist: tuple[str, ...] = ()
    cuda_path: str = ""
    cuda_assumed: str = ""
    """The CUDA release that an input is taken to be written for where neither `cuda_version` nor its own code tells."""


class Translation(NamedTuple):
    """The outcome for one input: the HIP bytes, what was changed, and what a person must still do."""

    path: str
    input: bytes
    output: bytes
    edits: tuple[Edit, ...]
    findings: tuple[Finding, ...]
    references: tuple[Reference, ...]
    seconds: float = 0.0
    clang_used: bool = False
    helper_headers: Mapping[str, bytes] = {}
    cuda: str = ""
    """The CUDA release that nobody gave and something was decided by, as in `13.0: cuCtxCreate with 4 arguments`."""

    @property
    def changed(self) -> bool:
        """Whether the output differs from the input."""
        return self.output != self.input

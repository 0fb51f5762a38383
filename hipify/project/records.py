"""What is kept of a translation: its findings, edits and references, as JSON, and the counts that summaries need."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from hipify.model import Confidence, Edit, Finding, Reference, Severity, Translation

_FINDING = (
    *("id", "severity", "line", "column", "end_line", "end_column", "message", "why", "fix"),
    *("confidence", "start", "end", "output_line"),
)
_CONFIDENCES = {confidence.value: confidence for confidence in Confidence}


@dataclass
class Figures:
    """The counts of one file, or of several together."""

    changes: int = 0
    converted: int = 0
    references: int = 0
    findings: Counter[str] = field(default_factory=Counter)
    """By severity and id, as in `error HPY301`."""

    @classmethod
    def of(cls, translation: Translation) -> Figures:
        """The counts of a translation."""
        return cls(
            len(translation.edits),
            sum(1 for reference in translation.references if reference.converted),
            len(translation.references),
            Counter(f"{finding.severity.label} {finding.id}" for finding in translation.findings),
        )

    def add(self, other: Figures) -> None:
        """Count another file in."""
        self.changes += other.changes
        self.converted += other.converted
        self.references += other.references
        self.findings.update(other.findings)

    def severity(self, severity: Severity) -> int:
        """How many findings have a severity."""
        return sum(number for name, number in self.findings.items() if name.startswith(severity.label))

    def to_json(self) -> str:
        """The kept form."""
        return json.dumps([self.changes, self.converted, self.references, self.findings], separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Figures:
        """The counts that `to_json` wrote; none for another text."""
        changes, converted, references, findings = _counts(text)
        return cls(changes, converted, references, Counter(findings))


@lru_cache(4096)
def _counts(text: str) -> tuple[int, int, int, dict[str, int]]:
    """The four parts of a kept form; many files have the same."""
    value = json.loads(text)
    if not isinstance(value, list) or len(value) != 4:
        return 0, 0, 0, {}
    return int(value[0]), int(value[1]), int(value[2]), dict(value[3])


def as_record(translation: Translation) -> dict[str, object]:
    """What is kept; paths and texts are not."""
    return {
        "findings": [[_plain(getattr(finding, name)) for name in _FINDING] for finding in translation.findings],
        "edits": [[e.start, e.end, e.text.decode("latin-1"), e.confidence.value] for e in translation.edits],
        "references": [[r.name, r.kind, r.library, r.line, r.converted] for r in translation.references],
        "clang": translation.clang_used,
        "cuda": translation.cuda,
        "seconds": round(translation.seconds, 4),
    }


def from_record(record: dict[str, Any], path: str, data: bytes, output: bytes, helpers: Iterable[str]) -> Translation:
    """The translation again."""
    return Translation(
        path=path,
        input=data,
        output=output,
        edits=tuple(Edit(s, e, text.encode("latin-1"), _CONFIDENCES[c]) for s, e, text, c in record["edits"]),
        findings=tuple(_finding(values, path) for values in record["findings"]),
        references=tuple(Reference(*values) for values in record["references"]),
        seconds=record["seconds"],
        clang_used=record["clang"],
        cuda=record.get("cuda", ""),
        helper_headers=dict.fromkeys(helpers, b""),
    )


def _plain(value: object) -> object:
    if isinstance(value, Severity):
        return int(value)
    return value.value if isinstance(value, Confidence) else value


def _finding(values: list[Any], path: str) -> Finding:
    given = dict(zip(_FINDING, values, strict=True))
    given["severity"] = Severity(given["severity"])
    given["confidence"] = Confidence(given["confidence"])
    return Finding(file=path, **given)

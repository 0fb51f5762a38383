"""What a finding is called from run to run: not by its line number, which every edit above it moves."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable

from hipify.model import Finding, Translation

_LENGTH = 20


def fingerprints(data: bytes, findings: Iterable[Finding]) -> list[str]:
    """One text a finding, made of its id, its line without white space differences, and which such one it is."""
    lines = data.split(b"\n")
    seen: Counter[tuple[str, bytes]] = Counter()
    names: list[str] = []
    for finding in findings:
        text = b" ".join(lines[finding.line - 1].split()) if 0 < finding.line <= len(lines) else b""
        key = (finding.id, text)
        names.append(_digest(finding.id, text, seen[key]))
        seen[key] += 1
    return names


def of(translation: Translation) -> list[str]:
    """The fingerprints of a file's findings."""
    return fingerprints(translation.input, translation.findings)


def global_name(path: str, fingerprint: str) -> str:
    """A fingerprint that is unique in a whole project."""
    digest = hashlib.sha256(f"{path}\0{fingerprint}".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[: 2 * _LENGTH]


def _digest(identity: str, text: bytes, occurrence: int) -> str:
    digest = hashlib.sha256(b"\0".join((identity.encode(), text, str(occurrence).encode())))
    return digest.hexdigest()[:_LENGTH]

"""Findings that a project has accepted, in a file: from then on only new ones are told."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hipify.errors import InputError, os_reason
from hipify.lint import fingerprints
from hipify.model import Finding, Translation

VERSION = 1
_KEYS = ("file", "id", "fingerprint")


@dataclass(frozen=True)
class Baseline:
    """How often each fingerprint of each file was accepted. Paths are relative to the baseline's folder."""

    folder: str
    accepted: Mapping[str, Counter[str]]

    @classmethod
    def load(cls, path: str) -> Baseline:
        """Read a file that `dump` wrote; InputError when it is none."""
        try:
            saved = json.loads(Path(path).read_bytes())
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {os_reason(error)}") from error
        except ValueError as error:
            raise InputError(f"{path}: is no baseline: {error}") from error
        if (
            not isinstance(saved, dict)
            or saved.get("version") != VERSION
            or not isinstance(saved.get("findings"), list)
        ):
            raise InputError(f"{path}: is no baseline of version {VERSION}")
        entries = saved["findings"]
        if not all(isinstance(e, dict) and all(isinstance(e.get(key), str) for key in _KEYS) for e in entries):
            raise InputError(f"{path}: is no baseline: an entry lacks one of {', '.join(_KEYS)}")
        accepted: dict[str, Counter[str]] = {}
        for entry in entries:
            accepted.setdefault(entry["file"], Counter())[entry["fingerprint"]] += 1
        return cls(_folder(path), accepted)

    def filter(self, translation: Translation) -> tuple[Translation, int, int]:
        """The file with its new findings only, how many accepted ones it has, and how many it has no more."""
        left = Counter(self.accepted.get(_relative(translation.path, self.folder), ()))
        expected = left.total()
        new: list[Finding] = []
        for finding, fingerprint in zip(translation.findings, fingerprints.of(translation), strict=True):
            if left[fingerprint] > 0:
                left[fingerprint] -= 1
            else:
                new.append(finding)
        met = len(translation.findings) - len(new)
        return translation._replace(findings=tuple(new)), met, expected - met


def dump(path: str, translations: Iterable[Translation]) -> bytes:
    """The content of the baseline file at `path` that accepts all findings; line and message are for readers only."""
    folder = _folder(path)
    entries = [
        {
            "file": _relative(translation.path, folder),
            "id": finding.id,
            "fingerprint": fingerprint,
            "line": finding.line,
            "message": finding.message,
        }
        for translation in translations
        for finding, fingerprint in zip(translation.findings, fingerprints.of(translation), strict=True)
    ]
    entries.sort(key=lambda entry: (entry["file"], entry["line"], entry["id"], entry["fingerprint"]))
    return (json.dumps({"version": VERSION, "findings": entries}, indent=1) + "\n").encode("ascii")


def _folder(path: str) -> str:
    return str(Path(os.path.realpath(path)).parent)


def _relative(path: str, folder: str) -> str:
    return os.path.relpath(os.path.realpath(path), folder).replace(os.sep, "/")

"""Translations of earlier runs, by content: what was translated once is not analysed again.

One file for each in the user's cache, with data only: no code runs from it, and what is not whole counts as absent.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import time

from hipify import user_cache
from hipify.content_key import Keys
from hipify.model import Confidence, Edit, Finding, Options, Reference, Severity, Translation
from hipify.pipeline import translate

_FOLDER = "translations"
_LIMIT = 256 << 20
_DAY = 24 * 3600
_KIND = "translation 1"


class Kept:
    """The translations that are kept. `suppress`: whether comments in the sources silenced findings in them."""

    def __init__(self, *, suppress: bool = True) -> None:
        self._keys = Keys()
        self._suppress = suppress
        self._kind = f"{_KIND} {suppress}"

    @classmethod
    def open(cls, *, suppress: bool) -> Kept | None:
        """The user's; None where it cannot be told what the tool itself consists of."""
        with contextlib.suppress(OSError):
            return cls(suppress=suppress)
        return None

    def key(self, path: str, data: bytes, options: Options) -> str | None:
        """What a translation is kept under; None when it cannot be told what it depends on."""
        return self._keys.of(path, data, options, self._kind)

    def translated(self, data: bytes, path: str, options: Options) -> tuple[Translation, bool]:
        """The translation, and whether an earlier run made it."""
        key = self.key(path, data, options)
        if key is not None and (known := self.get(key, path, data)):
            return known, True
        translation = translate(data, path, options, suppress=self._suppress)
        if key is not None:
            self.put(key, translation)
        return translation, False

    @staticmethod
    def get(key: str, path: str, data: bytes) -> Translation | None:
        """The translation of an earlier run."""
        place = _place(key)
        with contextlib.suppress(OSError, ValueError, EOFError, TypeError):
            if body := user_cache.sealed(place, key):
                if time.time() - os.stat(place).st_mtime > _DAY:
                    os.utime(place)  # those in use are forgotten last
                return _unpacked(body, path, data)
        return None

    @staticmethod
    def put(key: str, translation: Translation) -> None:
        """Keep a translation; where that cannot be, nothing is kept."""
        body = _packed(translation)
        with contextlib.suppress(OSError):
            user_cache.seal(_place(key), key, body)
            if key.endswith("00"):  # now and then is often enough
                user_cache.forget_below(_FOLDER, _LIMIT)


def _place(key: str) -> str:
    return f"{user_cache.folder()}/{_FOLDER}/{key}"


def _packed(translation: Translation) -> bytes:
    return marshal.dumps(
        (
            translation.output if translation.changed else None,
            [(edit.start, edit.end, edit.text, edit.confidence.value) for edit in translation.edits],
            [_plain(finding) for finding in translation.findings],
            [tuple(reference) for reference in translation.references],
            (translation.seconds, translation.clang_used, dict(translation.helper_headers), translation.cuda),
        )
    )


def _unpacked(body: bytes, path: str, data: bytes) -> Translation:
    output, edits, findings, references, others = marshal.loads(body)
    seconds, clang_used, helper_headers, cuda = others
    return Translation(
        path=path,
        input=data,
        output=data if output is None else output,
        edits=tuple(Edit(start, end, text, Confidence(trust)) for start, end, text, trust in edits),
        findings=tuple(_finding(Finding(*values)) for values in findings),
        references=tuple(Reference(*values) for values in references),
        seconds=seconds,
        clang_used=clang_used,
        helper_headers=helper_headers,
        cuda=cuda,
    )


def _plain(finding: Finding) -> tuple[object, ...]:
    """The finding's values, without types of our own."""
    values: dict[str, object] = finding._asdict()
    return tuple((values | {"severity": int(finding.severity), "confidence": finding.confidence.value}).values())


def _finding(kept: Finding) -> Finding:
    """The finding whose severity and confidence were kept as plain values."""
    return kept._replace(severity=Severity(kept.severity), confidence=Confidence(kept.confidence))

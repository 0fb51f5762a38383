"""What a run keeps of a translation, in the forms in which it is kept: made where the translation is made."""

from __future__ import annotations

from hipify.fingerprints import fingerprint
from hipify.model import Translation
from hipify.project.records import Figures, as_record
from hipify.project.state import compress, pack
from hipify.project.work import Job, do
from hipify.records import NamedTuple
from hipify.rules.checks.build import NOT_TRANSLATED, WITHOUT_CLANG

KEPT_TEXT = 1 << 20
"""The longest text that is kept for merges, in bytes."""


class Kept(NamedTuple):
    """A translation as the state file and the output folder want it."""

    output: bytes
    generated: str
    base: bytes | None
    figures: str
    record: bytes
    helpers: tuple[str, ...]
    edited: bool
    failed: bool
    hurried: bool
    """Whether clang was left out because it had taken too long."""


def kept(translation: Translation) -> Kept:
    """The kept form of a translation."""
    output = translation.output
    ids = {finding.id for finding in translation.findings}
    return Kept(
        output=output,
        generated=fingerprint(output),
        base=compress(output) if len(output) <= KEPT_TEXT else None,
        figures=Figures.of(translation).to_json(),
        record=pack(as_record(translation)),
        helpers=tuple(sorted(translation.helper_headers)),
        edited=bool(translation.edits),
        failed=NOT_TRANSLATED.id in ids,
        hurried=WITHOUT_CLANG.id in ids,
    )


def do_and_keep(job: Job) -> Kept:
    """Do a job, as a worker does."""
    return kept(do(job))

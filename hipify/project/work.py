"""One file's work, as a worker does it: bytes and options in, a translation out. It reads no project file itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from hipify.errors import HipifyError
from hipify.model import Edit, Options, Severity, Translation
from hipify.project.build_files import BuildContext
from hipify.project.findings import not_translated, without_clang

if TYPE_CHECKING:
    from hipify.kept import Kept

TRANSLATE, EXAMINE, FOLLOW, BUILD = "translate", "examine", "follow", "build"


@dataclass(frozen=True)
class Job:
    """A file to work on. `path` is where it lies (its headers are looked for from there)."""

    path: str
    task: str
    data: bytes
    options: Options
    renames: tuple[tuple[bytes, bytes], ...] = ()
    build: str = ""
    context: BuildContext | None = None
    keep: str = ""
    """Names the run, if translations are kept in the user's cache: what is known of headers holds for one run."""
    trouble: str = ""
    """What became of an earlier try with clang, of a job that is now done without."""

    @property
    def has_easier(self) -> bool:
        """Whether the job can still be done without clang, which takes the most time and memory."""
        return self.options.clang and self.task in (TRANSLATE, EXAMINE)

    def easier(self, trouble: str) -> Job:
        """The same job without clang."""
        return replace(self, options=self.options._replace(clang=False), keep="", trouble=trouble)


def do(job: Job) -> Translation:
    """Do a job; whatever goes wrong with the file itself becomes a finding. The input is not sent back."""
    try:
        if job.task == BUILD:
            from hipify.project import build_files

            assert job.context is not None
            result = build_files.convert(job.build, job.data, job.path, job.context)
        elif job.task == FOLLOW:
            result = Translation(job.path, job.data, job.data, (), (), ())
        elif job.keep and job.task == TRANSLATE and (known := _kept(job.keep)) is not None:
            result, _ = known.translated(job.data, job.path, job.options)
        else:
            from hipify.pipeline import survey, translate

            result = (survey if job.task == EXAMINE else translate)(job.data, job.path, job.options)
        if job.trouble:
            result = result._replace(findings=(without_clang(job.path, job.trouble), *result.findings))
        if job.renames:
            result = follow_renames(result, dict(job.renames))
    except HipifyError as error:
        result = failed(job, str(error))
    except RecursionError:
        result = failed(job, "is nested too deeply")
    return result._replace(input=b"")


@lru_cache(maxsize=1)
def _kept(_run: str) -> Kept | None:
    from hipify.kept import Kept

    return Kept.open(suppress=True)


def prepare() -> None:
    """Load what translations need, so that it is there when the first job comes."""
    from hipify.parser import clang
    from hipify.rules import engine
    from hipify.rules.library import Library
    from hipify.rules.stages import stages

    assert clang is not None and engine is not None
    stages()
    Library.default()


def failed(job: Job, reason: str) -> Translation:
    """The outcome for a file that cannot be translated: its text as it is, and a finding."""
    reason = reason.removeprefix(f"{job.path}: ")
    finding = not_translated(job.path, f"not translated: {reason}", Severity.ERROR)
    return Translation(job.path, job.data, job.data, (), (finding,), ())


def follow_renames(result: Translation, renames: dict[bytes, bytes]) -> Translation:
    """The translation with the includes of renamed files following."""
    from hipify.emit import rewriter
    from hipify.parser.source import Source
    from hipify.parser.structure import Structure

    taken = [(edit.start, edit.end) for edit in result.edits]
    added = []
    for include in Structure(Source(result.input, result.path)).includes:
        new = renames.get(include.name.strip())
        start, end = include.start + 1, include.end - 1
        if new is not None and not any(a < end and start < b for a, b in taken):
            added.append(Edit(start, end, new))
    if not added:
        return result
    edits = rewriter.in_order([*result.edits, *added], len(result.input))
    return result._replace(edits=tuple(edits), output=rewriter.apply(result.input, edits))

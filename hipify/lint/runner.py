"""Lint many files: on several processors when that is worth it, always in the same order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial

from hipify.emit.report import FileResult
from hipify.errors import HipifyError
from hipify.lint import suppressions
from hipify.lint.selection import Selection
from hipify.model import Finding, Options, Translation
from hipify.parser.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.lint.cache import Cache

# Starting a process costs about as much as reading this many bytes of CUDA.
_WORTH_IT = 200_000
_TIMEOUT = 300.0


@dataclass(frozen=True)
class Job:
    """One input: its path, what to do with it, and its name for path patterns."""

    path: str
    options: Options
    name: str


@dataclass(frozen=True)
class Task:
    """What is done with every file."""

    selection: Selection
    language: str = "auto"
    translate: bool = False
    suppress: bool = True


def lint(jobs: Sequence[Job], task: Task, workers: int = 0, cache: Cache | None = None) -> Iterator[FileResult]:
    """The result of each file, in the order of the jobs. `workers` 0 lets the sizes of the files decide."""
    known = [_known(cache, job, task) for job in jobs] if cache is not None else [None] * len(jobs)
    results = _looked_at([job for job, result in zip(jobs, known, strict=True) if result is None], task, workers)
    for job, found in zip(jobs, known, strict=True):
        result = found or next(results)
        translation = result.translation
        if translation is None:
            yield result
            continue
        if cache is not None and found is None and job.path != "-":
            _keep(cache, job, task, translation)
        yield result._replace(
            translation=filtered(translation, options_of(job, translation.input, task), job.name, task)
        )


def _looked_at(jobs: Sequence[Job], task: Task, workers: int) -> Iterator[FileResult]:
    number = min(workers or _workers(jobs), len(jobs))
    work = partial(lint_file, task=task)
    if number < 2:
        yield from map(work, jobs)
        return
    from hipify.project.executors import WorkerPool

    with WorkerPool(number, _TIMEOUT) as pool:
        futures = [pool.submit(lint_file, job, task) for job in jobs]
        for job, future in zip(jobs, futures, strict=True):
            yield _outcome(job, future)


def _known(cache: Cache, job: Job, task: Task) -> FileResult | None:
    """The result of an earlier run for a file that is what it was."""
    if job.path == "-":
        return None
    try:
        with open(job.path, "rb") as stream:  # noqa: PTH123 - as the pipeline reads it
            data = stream.read()
    except (OSError, ValueError):
        return None  # reading it again says what is wrong
    key = cache.key(job.path, data, options_of(job, data, task), task.translate)
    translation = cache.get(key, job.path, data) if key is not None else None
    return FileResult(job.path, translation) if translation is not None else None


def _keep(cache: Cache, job: Job, task: Task, translation: Translation) -> None:
    data = translation.input
    key = cache.key(job.path, data, options_of(job, data, task), task.translate)
    if key is not None:
        cache.put(key, translation)


def lint_file(job: Job, task: Task) -> FileResult:
    """Look at one file; what goes wrong is in the result, never raised."""
    from hipify import pipeline

    try:
        data = pipeline.read_standard_input() if job.path == "-" else pipeline.read(job.path)
        return lint_bytes(data, job, task)
    except HipifyError as error:
        return FileResult(job.path, error=" ".join(str(error).split()))
    except MemoryError:
        raise
    except Exception as error:
        return FileResult(job.path, error=f"{job.path}: internal error: {type(error).__name__}: {error}")


def lint_bytes(data: bytes, job: Job, task: Task) -> FileResult:
    """All findings in the bytes of one file."""
    from hipify import pipeline

    look = pipeline.translate if task.translate else pipeline.survey
    path = "<stdin>" if job.path == "-" else job.path
    return FileResult(path, look(data, path, options_of(job, data, task), suppress=False))


def options_of(job: Job, data: bytes, task: Task) -> Options:
    """The options for a file of this content."""
    return job.options._replace(language=language_of(job.path, data) if task.language == "auto" else task.language)


def filtered(translation: Translation, options: Options, name: str, task: Task) -> Translation:
    """The translation with the findings that no comment silences and that are asked for."""
    findings: Sequence[Finding] = translation.findings
    if task.suppress:
        source = Source(translation.input, translation.path)
        possible = suppressions.looked_for(options)
        findings, _ = suppressions.apply(
            source, findings, lambda kind: possible(kind) and task.selection.has_id(kind, name)
        )
    return translation._replace(findings=tuple(f for f in findings if task.selection.has(f, name)))


def language_of(path: str, data: bytes) -> str:
    """`hip` for what is HIP already: by its ending, or because it includes HIP's headers and none of CUDA's."""
    if path.endswith(".hip"):
        return "hip"
    is_hip = b"hip/hip_runtime" in data and b"<cuda" not in data and b'"cuda' not in data
    return "hip" if is_hip else "cuda"


def _workers(jobs: Sequence[Job]) -> int:
    """As many processes as the bytes to read are worth."""
    size = sum(map(_size, jobs))
    return min(_processors(), 1 + size // _WORTH_IT)


def _size(job: Job) -> int:
    try:
        return os.stat(job.path).st_size  # noqa: PTH116
    except (OSError, ValueError):
        return 0


def _processors() -> int:
    count: Callable[[], int | None] = getattr(os, "process_cpu_count", os.cpu_count)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return count() or 1


def _outcome(job: Job, future: Future[FileResult]) -> FileResult:
    """What a process said about a file, or that it did not live to say it."""
    from hipify.project.executors import WorkerError, WorkerLost, WorkerTimeout

    try:
        return future.result()
    except (WorkerLost, WorkerTimeout, WorkerError) as error:
        return FileResult(job.path, error=f"{job.path}: {error}")

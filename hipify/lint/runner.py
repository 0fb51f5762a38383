"""Lint many files: on several processors when that is worth it, always in the same order."""

from __future__ import annotations

import os
import sys
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


def lint(jobs: Sequence[Job], task: Task, workers: int = 0) -> Iterator[FileResult]:
    """The result of each file, in the order of the jobs. `workers` 0 lets the sizes of the files decide."""
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


def lint_file(job: Job, task: Task) -> FileResult:
    """Read one file and keep the findings that are asked for; what goes wrong is in the result, never raised."""
    from hipify import pipeline

    try:
        data = sys.stdin.buffer.read() if job.path == "-" else pipeline.read(job.path)
        return lint_bytes(data, job, task)
    except HipifyError as error:
        return FileResult(job.path, error=" ".join(str(error).split()))
    except MemoryError:
        raise
    except Exception as error:
        return FileResult(job.path, error=f"{job.path}: internal error: {type(error).__name__}: {error}")


def lint_bytes(data: bytes, job: Job, task: Task) -> FileResult:
    """The findings in the bytes of one file."""
    from hipify import pipeline

    options = job.options._replace(language=language_of(job.path, data) if task.language == "auto" else task.language)
    look = pipeline.translate if task.translate else pipeline.survey
    path = "<stdin>" if job.path == "-" else job.path
    translation = look(data, path, options, suppress=False)
    return FileResult(path, filtered(translation, options, job.name, task))


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

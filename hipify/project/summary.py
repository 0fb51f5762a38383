"""What a conversion tells at its end, in plain lines and for terminals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hipify.model import Severity
from hipify.project.records import Figures
from hipify.project.result import FileOutcome, Result

_MOST = 10
_FAMILIES = {
    "1": "API names and versions",
    "2": "launches",
    "3": "warp size and lane masks",
    "4": "PTX, tensor cores, Hopper",
    "5": "memory and textures",
    "6": "guards and versions",
    "7": "libraries",
    "8": "build files",
    "9": "the input itself",
}


def total(result: Result) -> Figures:
    """All files' figures together."""
    figures = Figures()
    for file in result.files:
        figures.add(file.figures)
    return figures


def lines(result: Result, seconds: float, reports: list[str]) -> Iterator[str]:
    """The summary."""
    figures = total(result)
    outcomes = ", ".join(f"{number} {name}" for name, number in sorted(result.outcomes().items()))
    yield f"{len(result.files)} files: {outcomes or 'none'}; {result.worked} done now in {seconds:.1f} s"
    if figures.references:
        share = 100 * figures.converted / figures.references
        yield f"port rate: {figures.converted} of {figures.references} CUDA references converted ({share:.1f} %)"
    severities = {severity: figures.severity(severity) for severity in sorted(Severity, reverse=True)}
    counted = ", ".join(_counted(number, severity.label) for severity, number in severities.items())
    yield f"findings: {sum(severities.values())} ({counted})"
    for name, number in families(figures):
        yield f"  {number:6}  {name}"
    work = most_work(result)
    if work:
        yield "most work:"
        for file in work:
            yield f"  {_counted(_errors(file), 'error')}, {_counted(_warnings(file), 'warning')}  {file.path}"
    yield from remarks(result)
    if reports:
        yield f"reports: {', '.join(reports)}"


def remarks(result: Result) -> Iterator[str]:
    """What a person must look at."""
    written = result.written
    for output in result.conflicts:
        yield f"conflict: {output}: your changes and the new translation meet; settle the marked places"
    for output in written.merged:
        yield f"merged: {output}: your changes were kept"
    for output in written.kept:
        yield f"kept: {output}: its input is gone, but it has changes that are not ours"
    if written.removed:
        number = len(written.removed)
        yield (
            "removed: 1 output whose input is gone"
            if number == 1
            else f"removed: {number} outputs whose inputs are gone"
        )
    failed = sorted(set(result.failed))
    for path in failed[:_MOST]:
        yield f"failed: {path}: copied untranslated"
    if len(failed) > _MOST:
        yield f"failed: and {len(failed) - _MOST} more (HPY909 in the reports)"
    if result.tree.third_party:
        yield f"third-party folders: {', '.join(result.tree.third_party)} (--third-party convert|copy|skip)"


def families(figures: Figures) -> list[tuple[str, int]]:
    """The findings by family, the largest first."""
    count: Counter[str] = Counter()
    for name, number in figures.findings.items():
        digit = name.rpartition("HPY")[2][:1]
        count[f"HPY{digit}xx {_FAMILIES.get(digit, '')}".rstrip()] += number
    return sorted(count.items(), key=lambda item: (-item[1], item[0]))


def most_work(result: Result) -> list[FileOutcome]:
    """The files with the most errors, then warnings."""
    with_work = [file for file in result.files if _errors(file) or _warnings(file)]
    return sorted(with_work, key=lambda file: (-_errors(file), -_warnings(file), file.path))[:_MOST]


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _errors(file: FileOutcome) -> int:
    return file.figures.severity(Severity.ERROR)


def _warnings(file: FileOutcome) -> int:
    return file.figures.severity(Severity.WARNING)

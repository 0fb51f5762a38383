"""Findings for people at a terminal: the place, the source line with the spot marked, and what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from hipify.emit.report import FileResult, Report, counts
from hipify.model import Finding, Severity

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTE: "36"}
_TAB = 4
_WIDTH = 160


def render(report: Report, *, colour: bool = False, why: bool = False) -> bytes:
    """All findings, each with its source line; `why` adds what goes wrong on AMD."""
    lines = [line for file in report.files for line in _file(file, colour, why)]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def _file(file: FileResult, colour: bool, why: bool) -> Iterator[str]:
    if file.translation is None:
        return
    source = file.translation.input.split(b"\n")
    for finding in file.translation.findings:
        yield from _finding(finding, source, colour, why)


def _finding(finding: Finding, source: Sequence[bytes], colour: bool, why: bool) -> Iterator[str]:
    place = f"{finding.file}:{finding.line}:{finding.column}"
    code = _COLOURS[finding.severity]
    label = _paint(f"{finding.severity.label}: {finding.id}", f"1;{code}", colour)
    yield f"{_paint(place, '1', colour)}: {label} {' '.join(finding.message.split())}"
    if 0 < finding.line <= len(source):
        yield from _excerpt(finding, source[finding.line - 1].rstrip(b"\r"), code, colour)
    for name, text in (("why", finding.why if why else ""), ("fix", finding.fix)):
        if text:
            yield f"    {_paint(name, '2', colour)}: {' '.join(text.split())}"


def _excerpt(finding: Finding, line: bytes, code: str, colour: bool) -> Iterator[str]:
    """The source line and the marks under it."""
    start = finding.column - 1
    end = finding.end_column - 1 if finding.end_line == finding.line else len(line)
    before, spot = _shown(line[:start]), _shown(line[start : max(end, start + 1)])
    text = _shown(line)
    cut = max(0, len(before) - _WIDTH // 2) if len(text) > _WIDTH else 0
    text = text[cut : cut + _WIDTH]
    if not text.strip():
        return
    marks = "^" * max(1, min(len(spot), _WIDTH - len(before) + cut))
    yield f"{finding.line:6} | {text.rstrip()}"
    yield f"       | {' ' * (len(before) - cut)}{_paint(marks, code, colour)}"


def _shown(data: bytes) -> str:
    text = data.decode("utf-8", "replace").expandtabs(_TAB)
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def _paint(text: str, code: str, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text


def summary(report: Report) -> str:
    """`N findings (…) in M of K files`."""
    number = counts(report.findings)
    total = sum(number.values())
    failed = sum(1 for file in report.files if file.error)
    files = _count(len(report.files) - failed, "file") + (f"; {failed} could not be read" if failed else "")
    if not total:
        return f"no findings in {files}"
    parts = ", ".join(_count(count, severity.label) for severity, count in number.items() if count)
    touched = sum(1 for translation in report.translations if translation.findings)
    return f"{_count(total, 'finding')} ({parts}) in {touched} of {files}"


def by_id(report: Report) -> Iterator[str]:
    """How often each id occurs, the most frequent first."""
    from hipify.rules.kinds import all_kinds

    number = Counter(finding.id for finding in report.findings)
    width = len(str(max(number.values(), default=0)))
    for identity, count in sorted(number.items(), key=lambda item: (-item[1], item[0])):
        kind = all_kinds().get(identity)
        yield f"{count:{width}}  {identity}  {kind.title if kind else ''}".rstrip()


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"

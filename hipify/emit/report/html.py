"""One page for people: totals, charts, filters, and each file's CUDA and HIP side by side with its findings in place.

The page is one file and asks no network. Its charts are drawn here; everything else is built by the page's script from
data in the page when somebody opens it, so that thousands of files cost nothing until then.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipify.emit import effort
from hipify.emit.report import FileResult, Report
from hipify.emit.report._sides import Hunk, hunks, lines_of
from hipify.lint.families import family
from hipify.model import Confidence, Finding, Severity, Translation
from hipify.parser.source import Source
from hipify.rules.kinds import all_kinds

if TYPE_CHECKING:
    from jinja2 import Template

SUFFIXES = (".html", ".htm")
NEEDS_OUTPUT = True
"""The page shows the translation, so there must be one."""

_TEMPLATES = Path(__file__).parents[1] / "templates"
_SEVERITIES = (Severity.ERROR, Severity.WARNING, Severity.NOTE)
_TOP = 10
# Above so many characters of sources in all, further files keep only the lines around changes and findings.
_SOURCES_LIMIT = 24_000_000
_CONTEXT = 6

Json = dict[str, Any]


def render(report: Report) -> bytes:
    """The page. The report's files are read once, one after the other."""
    page = _Page()
    for file in report.files:
        page.add(file)
    title = f"{report.tool} report"
    text = _template().render(title=title, report=report, page=page, rules=effort.RULES, data=_embedded(page.index()))
    return text.encode("utf-8", "replace")


@cache
def _template() -> Template:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from hipify.emit.report._compiled import Compiled

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES, encoding="utf-8"),
        bytecode_cache=Compiled(),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["number"] = lambda value: f"{value:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")
    environment.filters["percent"] = _percent
    return environment.get_template("report.html.j2")


def _percent(part: int, whole: int) -> str:
    """A share, never rounded up to all of it nor down to nothing."""
    share = 100 * part / whole if whole else 100.0
    shown = min(share, 99.9) if part < whole else share
    return f"{max(shown, 0.1) if part else shown:.1f}"


def _embedded(value: object) -> str:
    """JSON that can stand inside a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


@dataclass
class Bar:
    """A row of a chart: its name, what a click filters for, and a number for each severity (or one number)."""

    name: str
    value: str
    parts: list[tuple[str, int]]
    note: str = ""

    @property
    def total(self) -> int:
        """The whole row's number."""
        return sum(number for _, number in self.parts)


@dataclass
class _Page:
    """Everything the template needs, gathered file by file."""

    files: list[Json] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    converted: int = 0
    references: int = 0
    cuda_lines: int = 0
    ported_lines: int = 0
    total_lines: int = 0
    failed: int = 0
    severities: Counter[Severity] = field(default_factory=Counter)
    grades: Counter[str] = field(default_factory=Counter)
    _families: dict[str, Counter[Severity]] = field(default_factory=dict)
    _kinds: dict[str, Counter[Severity]] = field(default_factory=dict)
    _findings: list[list[Any]] = field(default_factory=list)
    _texts: dict[str, int] = field(default_factory=dict)
    _characters: int = 0

    def add(self, file: FileResult) -> None:
        """Take in one file."""
        translation = file.translation
        findings = translation.findings if translation is not None else ()
        work = effort.of(findings, file.error if translation is None else "")
        entry: Json = {"path": file.path, "output": file.output or "", "error": file.error}
        entry |= {"effort": effort.GRADES.index(work.grade), "points": round(work.points, 1), "reasons": work.reasons}
        self.grades[work.grade] += 1
        self.failed += bool(file.error)
        entry["errors"] = entry["warnings"] = entry["notes"] = 0
        entry["converted"] = entry["references"] = entry["lines"] = 0
        if translation is not None:
            source = Source(translation.input)
            entry |= self._measures(translation, source)
            self._count(translation, len(self.files), source)
            self.sources.append(_embedded(self._source(translation, source)))
        else:
            self.sources.append("")
        self.files.append(entry)

    def _measures(self, translation: Translation, source: Source) -> Json:
        number = Counter(finding.severity for finding in translation.findings)
        converted = sum(1 for reference in translation.references if reference.converted)
        cuda, open_lines = _cuda_lines(translation, source)
        lines = translation.input.count(b"\n") + (translation.input[-1:] not in (b"", b"\n"))
        self.converted += converted
        self.references += len(translation.references)
        self.cuda_lines += len(cuda)
        self.ported_lines += len(cuda - open_lines)
        self.total_lines += lines
        figures = {f"{severity.label}s": number[severity] for severity in _SEVERITIES}
        return figures | {"converted": converted, "references": len(translation.references), "lines": lines}

    def _count(self, translation: Translation, file: int, source: Source) -> None:
        columns = _Columns(source)
        for finding in translation.findings:
            self.severities[finding.severity] += 1
            self._families.setdefault(finding.id[3:4], Counter())[finding.severity] += 1
            self._kinds.setdefault(finding.id, Counter())[finding.severity] += 1
            start, end = (
                columns.at(finding.line, finding.column),
                columns.at(finding.end_line, finding.end_column),
            )
            self._findings.append(
                [
                    *(file, finding.id, int(finding.severity)),
                    *(finding.line, start, finding.end_line, end, finding.output_line),
                    *(" ".join(finding.message.split()), self._text(finding.why), self._text(finding.fix)),
                    int(finding.confidence is Confidence.CLANG),
                ]
            )

    def _text(self, text: str) -> int:
        return self._texts.setdefault(" ".join(text.split()), len(self._texts))

    def _source(self, translation: Translation, source: Source) -> Json:
        """The input's lines, all or only those around what matters, and what became of which."""
        before, after = lines_of(translation.input), lines_of(translation.output)
        changed = hunks(translation, before, after, source)
        pieces = [(1, len(before) + 1)]
        self._characters += len(translation.input)
        if self._characters > _SOURCES_LIMIT:
            pieces = _around(changed, translation.findings, len(before))
        return {
            "lines": len(before),
            "pieces": [[first, before[first - 1 : stop - 1]] for first, stop in pieces],
            "hunks": [[hunk.line, hunk.count, hunk.output] for hunk in changed],
        }

    def index(self) -> Json:
        """What the script knows from the start."""
        kinds = {}
        for identity in sorted(self._kinds):
            kind = all_kinds().get(identity)
            title, before, after = (kind.title, kind.before, kind.after) if kind else ("", "", "")
            kinds[identity] = {"title": title, "family": family(identity), "before": before, "after": after}
            kinds[identity] |= {"why": " ".join(kind.why.split()), "fix": " ".join(kind.fix.split())} if kind else {}
        return {"files": self.files, "findings": self._findings, "texts": list(self._texts), "kinds": kinds}

    @property
    def total(self) -> int:
        """The number of findings."""
        return self.severities.total()

    def severity_bar(self) -> Bar:
        """All findings by severity."""
        return Bar("findings", "", _parts(self.severities))

    def effort_bar(self) -> Bar:
        """All files by effort."""
        return Bar("files", "", [(grade, self.grades[grade]) for grade in effort.GRADES])

    def family_bars(self) -> list[Bar]:
        """The families that have findings, in order."""
        return [Bar(family(f"HPY{digit}"), digit, _parts(count)) for digit, count in sorted(self._families.items())]

    def kind_bars(self) -> list[Bar]:
        """The most frequent kinds."""
        order = sorted(self._kinds.items(), key=lambda item: (-item[1].total(), item[0]))[:_TOP]
        kinds = all_kinds()
        return [Bar(key, key, _parts(count), kinds[key].title if key in kinds else "") for key, count in order]

    def file_bars(self) -> list[Bar]:
        """The files with the most work."""
        order = sorted(range(len(self.files)), key=lambda i: (-self.files[i]["points"], self.files[i]["path"]))
        bars = []
        for index in order[:_TOP]:
            entry = self.files[index]
            parts = [(severity.label, entry[f"{severity.label}s"]) for severity in _SEVERITIES]
            if sum(number for _, number in parts):
                bars.append(Bar(entry["path"], str(index), parts, f"{effort.GRADES[entry['effort']]} effort"))
        return bars


def _parts(count: Counter[Severity]) -> list[tuple[str, int]]:
    return [(severity.label, count[severity]) for severity in _SEVERITIES]


def _cuda_lines(translation: Translation, source: Source) -> tuple[set[int], set[int]]:
    """The input lines that use CUDA, and those among them that are left for a person."""
    open_lines = {reference.line for reference in translation.references if not reference.converted}
    open_lines |= {finding.line for finding in translation.findings if finding.severity is Severity.ERROR}
    lines = {reference.line for reference in translation.references} | open_lines
    starts = source.line_starts
    for start, end, *_ in translation.edits:
        lines.update(range(bisect_right(starts, start), bisect_right(starts, max(start, end - 1)) + 1))
    return lines, open_lines


def _around(changed: list[Hunk], findings: tuple[Finding, ...], total: int) -> list[tuple[int, int]]:
    """Ranges [first, stop) of the lines near changes and findings."""
    spots = [(hunk.line, hunk.line + hunk.count) for hunk in changed] + [(f.line, f.end_line + 1) for f in findings]
    ranges: list[tuple[int, int]] = []
    for first, stop in sorted(spots):
        first, stop = max(1, first - _CONTEXT), min(total + 1, stop + _CONTEXT)
        if ranges and first <= ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], max(stop, ranges[-1][1]))
        else:
            ranges.append((first, stop))
    return ranges


class _Columns:
    """Byte columns as the script counts: 0-based, in UTF-16 units of the text that is shown."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._ascii = source.data.isascii()

    def at(self, line: int, column: int) -> int:
        """The place of a byte column in its line's text."""
        if self._ascii:
            return column - 1
        text = self._source.line_text(line)[: column - 1].decode("utf-8", "replace")
        return len(text.encode("utf-16-le", "surrogatepass")) // 2

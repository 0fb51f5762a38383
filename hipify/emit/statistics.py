"""How much of the CUDA in a file was converted, in the figures (and under the headings) that hipify-clang prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from hipify.model import Translation
from hipify.parser.source import Source

Row = tuple[str, str]


class References:
    """Counts of CUDA references, three ways."""

    def __init__(self) -> None:
        self.by_kind: Counter[str] = Counter()
        self.by_library: Counter[str] = Counter()
        self.by_name: Counter[str] = Counter()

    @property
    def total(self) -> int:
        """The number of references."""
        return self.by_name.total()

    def add(self, other: References) -> None:
        """Count the references of another as well."""
        self.by_kind.update(other.by_kind)
        self.by_library.update(other.by_library)
        self.by_name.update(other.by_name)


class Statistics:
    """The figures of one file, or of several together."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.converted = References()
        self.unconverted = References()
        self.replaced_bytes = 0
        self.total_bytes = 0
        self.changed_lines = 0
        self.total_lines = 0
        self.seconds = 0.0
        self.converted_files = 0
        self.files = 0

    @classmethod
    def of(cls, translation: Translation) -> Statistics:
        """The figures of one translation."""
        source = Source(translation.input)
        touched: set[int] = set()
        for edit in translation.edits:
            last = max(edit.start, edit.end - 1)
            touched.update(range(source.position(edit.start)[0], source.position(last)[0] + 1))
        data = translation.input
        figures = cls(translation.path)
        figures.replaced_bytes = sum(edit.end - edit.start for edit in translation.edits)
        figures.total_bytes = len(data)
        figures.changed_lines = len(touched)
        figures.total_lines = data.count(b"\n") + (not data.endswith(b"\n") and data != b"")
        figures.seconds = translation.seconds
        figures.converted_files = int(translation.changed)
        figures.files = 1
        for reference in translation.references:
            side = figures.converted if reference.converted else figures.unconverted
            side.by_kind[reference.kind] += 1
            side.by_library[reference.library] += 1
            side.by_name[reference.name] += 1
        return figures

    def add(self, other: Statistics) -> None:
        """Take in the figures of another file."""
        self.converted.add(other.converted)
        self.unconverted.add(other.unconverted)
        self.replaced_bytes += other.replaced_bytes
        self.total_bytes += other.total_bytes
        self.changed_lines += other.changed_lines
        self.total_lines += other.total_lines
        self.seconds += other.seconds
        self.converted_files += other.converted_files
        self.files += other.files

    def rows(self) -> list[Row]:
        """The single figures."""
        references = self.converted.total + self.unconverted.total
        return [
            ("CONVERTED refs count", str(self.converted.total)),
            ("UNCONVERTED refs count", str(self.unconverted.total)),
            ("CONVERSION %", _percent(self.converted.total, references, nothing=100.0)),
            ("REPLACED bytes", str(self.replaced_bytes)),
            ("TOTAL bytes", str(self.total_bytes)),
            ("CHANGED lines of code", str(self.changed_lines)),
            ("TOTAL lines of code", str(self.total_lines)),
            ("CODE CHANGED (in bytes) %", _percent(self.replaced_bytes, self.total_bytes)),
            ("CODE CHANGED (in lines) %", _percent(self.changed_lines, self.total_lines)),
            ("TIME ELAPSED s", f"{self.seconds:.2f}"),
        ]


def total(files: Iterable[Statistics]) -> Statistics:
    """The figures of all files together."""
    everything = Statistics("TOTAL")
    for figures in files:
        everything.add(figures)
    return everything


def as_text(files: Sequence[Statistics]) -> str:
    """The statistics for people: each file, and the total when there are several."""
    lines: list[str] = []
    for heading, rows, figures in _sections(files):
        lines += ["", f"[HIPIFY] info: {heading}"]
        lines += [f"  {name}: {value}" for name, value in rows]
        for label, what, counts in _tables(figures):
            lines.append(f"[HIPIFY] info: {label} refs by {what}:")
            lines += [f"  {name}: {number}" for name, number in _sorted(counts)]
    return "\n".join([*lines, ""])


def as_csv(files: Sequence[Statistics]) -> str:
    """The statistics as `name;value` lines under `heading;Count` lines, as hipify-clang writes them."""
    names = {"type": "CUDA ref type", "API": "CUDA API", "names": "CUDA ref name"}
    lines: list[str] = []
    for heading, rows, figures in _sections(files):
        lines += ["", heading]
        lines += [f"{name};{value}" for name, value in rows]
        for label, what, counts in _tables(figures):
            lines += ["", f"{label} {names[what]};Count"]
            lines += [f"{name};{number}" for name, number in _sorted(counts)]
    return "\n".join([*lines, ""])


def _sections(files: Sequence[Statistics]) -> Iterator[tuple[str, list[Row], Statistics]]:
    for figures in files:
        yield f"file '{figures.name}' statistics:", figures.rows(), figures
    if len(files) > 1:
        figures = total(files)
        counted = [("CONVERTED files", str(figures.converted_files)), ("PROCESSED files", str(figures.files))]
        yield "TOTAL statistics:", figures.rows() + counted, figures


def _tables(figures: Statistics) -> Iterator[tuple[str, str, Counter[str]]]:
    for label, side in (("CONVERTED", figures.converted), ("UNCONVERTED", figures.unconverted)):
        for what, counts in (("type", side.by_kind), ("API", side.by_library), ("names", side.by_name)):
            if counts:
                yield label, what, counts


def _sorted(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _percent(part: int, whole: int, nothing: float = 0.0) -> str:
    return f"{100 * part / whole if whole else nothing:.1f}"

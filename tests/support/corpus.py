"""The corpus: our own CUDA programs, what each becomes, and how it is compiled.

A folder of corpus/ is a program: its sources, `corpus.toml`, the translation of each source below `expected/`, and
`findings.txt`, one finding a line. Those of corpus/unportable/ use what no AMD GPU has: they are translated as far as
they go, and what is left is named. Those of corpus/unpackaged/ port like the others, but call libraries whose headers
Debian does not package, or not for every release of ROCm.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from hipify import Options, Translation, translate_file

CORPUS = Path(__file__).resolve().parents[2] / "corpus"
SOURCES = {".cu", ".cuh", ".cpp", ".h"}
PORTED_SUFFIX = {".cu": ".hip"}


@dataclass(frozen=True)
class Program:
    """One program of the corpus."""

    folder: Path
    title: str
    libraries: tuple[str, ...]
    arch: str
    legacy: str
    unportable: str
    missing_header: str
    since: str
    varies: str
    options: Options

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.folder.name

    @property
    def packaged(self) -> bool:
        """Whether Debian's packages of every ROCm release hold the headers that it includes."""
        return self.folder.parent.name != "unpackaged"

    @property
    def sources(self) -> list[Path]:
        """Every file that is translated, in order."""
        files = (p for p in self.folder.rglob("*") if p.suffix in SOURCES and "expected" not in p.parts)
        return sorted(files)

    @property
    def expected(self) -> Path:
        """The folder of its translation."""
        return self.folder / "expected"

    @property
    def units(self) -> list[Path]:
        """The translated files that are compiled by themselves."""
        return [self.ported(p) for p in self.sources if p.suffix in (".cu", ".cpp")]

    def ported(self, source: Path) -> Path:
        """Where the translation of a source is kept."""
        target = self.expected / source.relative_to(self.folder)
        return target.with_suffix(PORTED_SUFFIX.get(source.suffix, source.suffix))


def programs() -> list[Program]:
    """All programs that port, by name."""
    found = [load(path.parent) for way in ("*", "unpackaged/*") for path in CORPUS.glob(f"{way}/corpus.toml")]
    return sorted(found, key=lambda program: program.name)


def unportable() -> list[Program]:
    """The programs that no translation can port, by name."""
    return [load(path.parent) for path in sorted(CORPUS.glob("unportable/*/corpus.toml"))]


def translate(program: Program) -> dict[Path, Translation]:
    """The translation of every source of a program."""
    return {source: translate_file(source, program.options) for source in program.sources}


def findings_text(program: Program, translations: dict[Path, Translation]) -> str:
    """The findings of a program as findings.txt holds them."""
    lines = (
        f"{source.relative_to(program.folder)}:{found.line}:{found.column} {found.id} {found.severity.label}\n"
        for source, translation in translations.items()
        for found in translation.findings
    )
    return "".join(lines)


def load(folder: Path) -> Program:
    """The program of a folder."""
    data = tomllib.loads((folder / "corpus.toml").read_text(encoding="utf-8"))
    unknown = set(data) - {
        "title",
        "libraries",
        "arch",
        "legacy",
        "unportable",
        "missing_header",
        "miopen",
        "since",
        "varies",
    }
    if unknown:
        raise ValueError(f"{folder / 'corpus.toml'}: unknown keys {', '.join(sorted(unknown))}")
    return Program(
        folder=folder,
        title=data["title"],
        libraries=tuple(data.get("libraries", ())),
        arch=data.get("arch", "gfx942"),
        legacy=data.get("legacy", ""),
        unportable=data.get("unportable", ""),
        missing_header=data.get("missing_header", ""),
        since=data.get("since", ""),
        varies=data.get("varies", ""),
        options=Options(miopen=data.get("miopen", False)),
    )

"""The page and the chart of the documentation, made from the results: no figure on them is written by hand.

usage: python -m benchmarks.page        writes docs/performance.md and docs/performance.svg
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from benchmarks.parts import BARE, OURS, OURS_RULES
from benchmarks.peers import CLANG, PERL, TORCH
from benchmarks.targets import Results, Verdict, verdicts

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
DOCS = ROOT / "docs"
CHART = "performance.svg"


class Bar(NamedTuple):
    """One bar of the chart: its figure, and how long and in which colour it is drawn."""

    name: str
    value: str
    length: float
    colour: str


def number(value: float, digits: int = 3) -> str:
    """A figure with so many digits that count."""
    if value == 0:
        return "0"
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:,.{places}f}"


def measured(verdict: Verdict) -> str:
    """What was measured for a target, as text."""
    return "not measured here" if verdict.measured is None else f"{number(verdict.measured)} {verdict.target.unit}"


def bound(verdict: Verdict) -> str:
    """The bound of a target, as text."""
    sign = "at most" if verdict.target.at_most else "at least"
    return f"{sign} {verdict.target.limit:g} {verdict.target.unit}"


def holds(verdict: Verdict) -> str:
    """Whether a target is kept, as text."""
    return {True: "yes", False: "**no**", None: "-"}[verdict.holds]


def text(results: Results) -> str:
    """The results for a terminal: all rows of each part, then the targets."""
    lines: list[str] = []
    for part, values in results.items():
        lines.append(part)
        for name, row in values.get("rows", {}).items():
            lines.append(f"  {name:<44}{row['cpu']:10.3f} s CPU {row['wall']:10.3f} s {row['peak_mb']:8.0f} MB")
        plain = {key: value for key, value in values.items() if isinstance(value, int | float | str)}
        lines += [f"  {name:<44}{value:>10}" for name, value in plain.items()]
    lines.append("targets")
    for verdict in verdicts(results):
        mark = {True: "holds", False: "FAILS", None: "-"}[verdict.holds]
        lines.append(f"  {mark:<6} {verdict.target.text:<70} {measured(verdict):>18}   ({bound(verdict)})")
    for part in list(results)[:1]:
        for peer, why in results[part]["about"]["peers"].items():
            lines += [f"{peer}: {why}"] if why else []
    return "\n".join(lines) + "\n"


def write(results: Results, folder: Path = DOCS) -> None:
    """Write the page and the chart."""
    (folder / "performance.md").write_text(page(results))
    (folder / CHART).write_text(chart(results))


def page(results: Results) -> str:
    """The page in Markdown."""
    return _environment().get_template("performance.md.j2").render(
        results=results, verdicts=verdicts(results), steps=_steps(), chart=CHART, baselines=_baselines(results),
        measured=measured, bound=bound, holds=holds, number=number,
    )  # fmt: skip


def chart(results: Results) -> str:
    """The chart as SVG: cost of a batch, of a single file, and memory over many files."""
    flat = results["flat"]
    both = [*flat["workers"], *flat["parent"]]
    return _environment().get_template("performance.svg.j2").render(
        batch=bars(_per_megabyte(results)), single=bars(_seconds(results)), files=flat["files"],
        memory=line(flat["workers"], both), parent=line(flat["parent"], both), top=f"{_ceiling(both):g}",
    )  # fmt: skip


def bars(values: Mapping[str, float], width: float = 420) -> list[Bar]:
    """Bars on a logarithmic scale: a tenfold figure is one step longer."""
    if not values:
        return []
    lowest = 10 ** math.floor(math.log10(min(values.values())) - 0.3)
    span = math.log10(max(values.values()) / lowest)
    return [
        Bar(name, number(value), round(width * math.log10(value / lowest) / span, 1),
            "#c8102e" if name.startswith(OURS) else "#8a8f98")
        for name, value in values.items()
    ]  # fmt: skip


def line(series: Sequence[Sequence[float]], scale: Sequence[Sequence[float]]) -> str:
    """The points of a polyline in a field of 420 by 120 that all of `scale` fits in, with zero at the bottom."""
    end, top = max(x for x, _ in scale), _ceiling(scale)
    return " ".join(f"{420 * x / end:.1f},{120 - 120 * y / top:.1f}" for x, y in series)


def _ceiling(series: Sequence[Sequence[float]]) -> float:
    return math.ceil(max(y for _, y in series) / 50) * 50.0


def _per_megabyte(results: Results) -> dict[str, float]:
    """CPU seconds for a megabyte of CUDA in one batch."""
    rows, size = results["batch"]["rows"], results["floor"]["mb"]
    names = {OURS: f"{OURS}, 1 core", BARE: BARE, OURS_RULES: f"{OURS_RULES}, 1 core", TORCH: TORCH}
    found = {name: rows[row]["cpu"] / size for name, row in names.items() if row in rows}
    sampled = results["sampled"]
    for peer in (PERL, CLANG):
        if peer in sampled["rows"]:
            found[peer] = sampled["rows"][peer]["cpu"] / sampled["mb"]
    return found


def _seconds(results: Results) -> dict[str, float]:
    """CPU seconds for one file of 200 lines."""
    return {name: row["cpu"] for name, row in results["single"]["rows"].items() if "python -c" not in name}


def _baselines(results: Results) -> dict[str, str]:
    """The row of each part that the others are set against."""
    wanted = {"single": OURS, "batch": f"{OURS}, 1 core", "lint": "first, 2 cores", "long": f"{OURS}, 100,000 lines"}
    return {part: row for part, row in wanted.items() if part in results}


def _steps() -> list[dict[str, Any]]:
    """The steps of optimisation with what was measured before and after each."""
    path = RESULTS / "steps.json"
    found: list[dict[str, Any]] = json.loads(path.read_text())["steps"] if path.exists() else []
    return found


def _environment() -> Environment:
    loader = FileSystemLoader(Path(__file__).parent / "templates")
    # Markdown and numbers of our own; nothing here comes from outside.
    return Environment(loader=loader, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False)


if __name__ == "__main__":
    write(json.loads((RESULTS / "speed.json").read_text()))

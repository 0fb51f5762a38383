"""What is promised about speed and memory, and whether a run's results keep it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from benchmarks.parts import BARE, CHANGED, IMPORTS, IN_PLACE, KEPT, OURS, OURS_RULES
from benchmarks.peers import CLANG, PERL, TORCH

Results = Mapping[str, Any]


class Target(NamedTuple):
    """One promise: a figure, and the bound that it keeps on the side that `at_most` names."""

    text: str
    limit: float
    at_most: bool
    figure: Callable[[Results], float]
    unit: str = "x"


class Verdict(NamedTuple):
    """A target and what was measured; None where it was not."""

    target: Target
    measured: float | None
    holds: bool | None


def cpu(results: Results, part: str, row: str) -> float:
    """Median CPU seconds of one row; KeyError when it was not measured."""
    return float(results[part]["rows"][row]["cpu"])


def _wall(results: Results, row: str) -> float:
    return float(results["batch"]["rows"][row]["wall"])


def _single(base: str, ours: str = OURS) -> Callable[[Results], float]:
    return lambda results: cpu(results, "single", ours) / cpu(results, "single", base)


def _throughput(peer: str) -> Callable[[Results], float]:
    def figure(results: Results) -> float:
        ours = results["floor"]["mb"] / cpu(results, "batch", f"{OURS}, 1 core")
        theirs = results["sampled"]["mb"] / cpu(results, "sampled", peer)
        return float(ours / theirs)

    return figure


def _batch(over: str, under: str) -> Callable[[Results], float]:
    return lambda results: cpu(results, "batch", over) / cpu(results, "batch", under)


def _in_place(what: str) -> str:
    return f"{OURS_RULES}, {what}, 1 core"


def _start(results: Results) -> float:
    names = ("--help", "explain HPY301", "api cudaMalloc")
    return max(cpu(results, "single", f"hipify-py {name}") for name in names)


def _memory(results: Results) -> float:
    """The largest process of the batches (a worker, or the parent where that took more) and worker of many files."""
    rows = [
        row for part in ("batch", "lint") for name, row in results[part]["rows"].items() if name not in (BARE, TORCH)
    ]
    return max(*(float(row["peak_mb"]) for row in rows), *(float(peak) for peak in results["flat"]["peaks_mb"][1:]))


def growth(results: Results) -> float:
    """The peak of the workers in the third quarter of the run, as a multiple of that in the second quarter.

    By the second quarter all that is loaded once is loaded; clang's declarations come and go with each file. At the end
    of the fourth one of the workers makes the report's page, which is another matter than translating files.
    """
    series = [mb for _, mb in results["flat"]["workers"]]
    quarter = max(1, len(series) // 4)
    return float(max(series[2 * quarter : 3 * quarter]) / max(series[quarter : 2 * quarter]))


TARGETS = (
    Target(f"one file of 200 lines, of {PERL}'s time", 0.05, True, _single(PERL)),
    Target(f"one file of 200 lines, of {CLANG}'s time", 0.15, True, _single(CLANG)),
    Target(f"one file of 200 lines, of `{IMPORTS}`", 2.5, True, _single(IMPORTS)),
    Target(f"the same file changed before each run, of {PERL}'s time", 0.05, True, _single(PERL, CHANGED)),
    Target(f"the same, of {CLANG}'s time", 0.15, True, _single(CLANG, CHANGED)),
    Target(f"the same, of `{IMPORTS}`", 2.5, True, _single(IMPORTS, CHANGED)),
    Target(f"batch, throughput of {PERL}", 60, False, _throughput(PERL)),
    Target(f"batch, throughput of {CLANG}", 25, False, _throughput(CLANG)),
    Target("batch, of the time of libclang alone", 1.6, True, _batch(f"{OURS}, 1 core", BARE)),
    Target(
        "the same without process, discovery and writing", 1.6, True,
        lambda results: float(results["floor"]["translate"] / results["floor"]["parse"]),
    ),
    Target(
        f"batch, `--no-clang`, where an earlier run knows the tree, throughput of {TORCH}", 1, False,
        _batch(TORCH, f"{OURS_RULES}, {KEPT}, 1 core"),
    ),
    Target(f"batch, `--no-clang`, done anew, throughput of {TORCH}", 1, False, _batch(TORCH, f"{OURS_RULES}, 1 core")),
    Target(
        f"its files in place, `--no-clang`, done anew, throughput of {TORCH}", 1, False,
        _batch(TORCH, _in_place(IN_PLACE)),
    ),
    Target(
        f"the same where an earlier run knows them, throughput of {TORCH}", 1, False,
        _batch(TORCH, _in_place(f"{IN_PLACE}, {KEPT}")),
    ),
    Target(
        f"tokens and rules alone, in one process and without writing, throughput of {TORCH}", 1, False,
        lambda results: cpu(results, "batch", TORCH) / float(results["floor"]["tokens_only"]),
    ),
    Target(
        "batch, two cores, throughput of one", 1.8, False,
        lambda results: _wall(results, f"{OURS}, 1 core") / _wall(results, f"{OURS}, 2 cores"),
    ),
    Target(f"batch, of the time of {TORCH}", 8, True, _batch(f"{OURS}, 1 core", TORCH)),
    Target(
        "lint of an unchanged tree, of the first run", 0.1, True,
        lambda results: cpu(results, "lint", "unchanged, 2 cores") / cpu(results, "lint", "first, 2 cores"),
    ),
    Target("`--help`, `explain`, `api`, the slowest", 0.15, True, _start, "s"),
    Target(
        "100,000 lines, of the time of 50,000", 2.2, True,
        lambda results: cpu(results, "long", f"{OURS}, 100,000 lines") / cpu(results, "long", f"{OURS}, 50,000 lines"),
    ),
    Target("memory of the largest worker", 200, True, _memory, "MB"),
    Target("peak of the workers in the third quarter of 10,000 files, of that in the second", 1.05, True, growth),
)  # fmt: skip


def verdicts(results: Results) -> list[Verdict]:
    """Each target beside what was measured."""
    found = []
    for target in TARGETS:
        try:
            measured = target.figure(results)
        except KeyError:
            found.append(Verdict(target, None, None))
            continue
        holds = measured <= target.limit if target.at_most else measured >= target.limit
        found.append(Verdict(target, measured, holds))
    return found

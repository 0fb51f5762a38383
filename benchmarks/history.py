"""Measure what each step of optimisation brought: the commit before it and the commit itself, run in turn.

usage: python -m benchmarks.history [--tree FOLDER] [--only PATTERN ...] [--last NUMBER]

The steps are named in benchmarks/steps.toml; what is measured goes to benchmarks/results/steps.json.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import inputs
from benchmarks.inputs import Edited
from benchmarks.installed import ROOT, Installed, clean_environment, dependencies
from benchmarks.timing import Command, once

STEPS = ROOT / "benchmarks" / "steps.toml"
RESULTS = ROOT / "benchmarks" / "results" / "steps.json"
HEAD = "HEAD"

# The entry point as pip writes it; older commits have no `program`.
_SCRIPT = "import sys\nimport hipify.cli.main as m\nsys.exit(getattr(m, 'program', m.main)())\n"
_TRANSLATE = """\
import gc, sys, time
import hipify
gc.set_threshold(200_000, 20, 100)
options = hipify.Options(clang=sys.argv[1] == "clang")
files = [(open(path, "rb").read(), path) for path in sys.argv[2:]]
for data, path in files[:3]:
    hipify.translate_source(data, path, options)
started = time.process_time()
for data, path in files:
    hipify.translate_source(data, path, options)
print(time.process_time() - started)
"""
# Says beside the output how much memory a command took, whatever this process takes.
_WATCH = """\
import json, resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, check=True)
print(json.dumps([float(done.stdout), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024]))
"""


class Tree(NamedTuple):
    """One commit's package, ready to run."""

    python: str
    script: Path
    environment: dict[str, str]

    def command(self, *arguments: str) -> Command:
        """A run of its console script."""
        return Command("hipify-py", [self.python, str(self.script), *arguments], self.environment)

    def translate(self, how: str, files: Sequence[Path]) -> tuple[float, float]:
        """CPU seconds of translating files in one process, and that process's peak in MB."""
        command = [self.python, "-c", _TRANSLATE, how, *map(str, files)]
        done = subprocess.run(
            [sys.executable, "-c", _WATCH, *command], env=self.environment, capture_output=True, check=True
        )
        seconds, peak = json.loads(done.stdout)
        return seconds, peak


class Inputs(NamedTuple):
    """What the steps are measured on."""

    small: Edited
    long: Edited
    files: list[Path]
    tree: Path
    """A folder that holds these files, and as many of plain text."""


def extract(ours: Installed, commit: str, folder: Path) -> Tree:
    """The package of a commit, compiled to bytecode, with a warm cache of its own."""
    packed = subprocess.run(["git", "archive", commit, "hipify"], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    script = folder / "hipify-py"
    script.write_text(_SCRIPT)
    subprocess.run([ours.python, "-m", "compileall", "-q", str(folder / "hipify")], check=True, env=clean_environment())
    environment = {**clean_environment(folder / "cache"), "PYTHONPATH": str(folder)}
    return Tree(ours.python, script, environment)


def _anew(tree: Tree, file: Edited, *options: str) -> Command:
    """A translation of a file that no run has seen as it is."""
    return tree.command(*options, str(file.path))._replace(before=file.again)


def _single(tree: Tree, what: Inputs) -> float:
    return once(_anew(tree, what.small)).cpu


def _convert(tree: Tree, what: Inputs) -> float:
    """Wall seconds on all processors: it is their idle time that counts."""
    with tempfile.TemporaryDirectory() as out:
        return once(tree.command("convert", "--quiet", str(what.tree), f"{out}/converted")).wall


def _one_core(tree: Tree, what: Inputs) -> float:
    """CPU seconds of all processes: there is no other core to wait for."""
    with tempfile.TemporaryDirectory() as out:
        command = tree.command("convert", "-j1", "--no-clang", "--quiet", str(what.tree), f"{out}/converted")
        return once(command).cpu


def _help(tree: Tree, _: Inputs) -> float:
    return once(tree.command("--help")).cpu


def _long_peak(tree: Tree, what: Inputs) -> float:
    return once(_anew(tree, what.long, "--no-clang")).peak_mb


def _long(tree: Tree, what: Inputs) -> float:
    return once(_anew(tree, what.long)).cpu


def _rules(tree: Tree, what: Inputs) -> float:
    return tree.translate("rules", what.files)[0]


def _batch(tree: Tree, what: Inputs) -> float:
    return tree.translate("clang", what.files)[0]


def _batch_peak(tree: Tree, what: Inputs) -> float:
    return tree.translate("clang", what.files)[1]


MEASURES: dict[str, tuple[str, str, int, Callable[[Tree, Inputs], float]]] = {
    "single": ("one file of 200 lines", "s", 9, _single),
    "help": ("`hipify-py --help`", "s", 9, _help),
    "long": ("a file of 100,000 lines", "s", 3, _long),
    "long_peak": ("peak memory over 100,000 lines, `--no-clang`", "MB", 1, _long_peak),
    "convert": ("`convert` of the same files and as many of text, all processors", "s of wall time", 3, _convert),
    "one_core": ("`convert -j 1 --no-clang` of the same files and as many of text", "s", 9, _one_core),
    "rules": ("files of the batch, in one process, `--no-clang`", "s", 9, _rules),
    "batch": ("files of the batch, in one process", "s", 3, _batch),
    "batch_peak": ("peak memory over files of the batch, in one process", "MB", 1, _batch_peak),
}


def compare(before: Tree, after: Tree, name: str, what: Inputs) -> dict[str, Any]:
    """One figure before and after a step: medians of runs in turn."""
    title, unit, runs, measure = MEASURES[name]
    pairs = [(measure(before, what), measure(after, what)) for _ in range(runs)]
    first, second = (statistics.median(column) for column in zip(*pairs, strict=True))
    return {"what": title, "unit": unit, "before": round(first, 4), "after": round(second, 4), "runs": runs}


def main() -> None:
    """Measure all steps, or the last ones."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, default=ROOT / "corpus")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--last", type=int, default=0, help="measure only so many of the last steps")
    parser.add_argument("--files", type=int, default=40, help="files of the tree that batches are measured on")
    arguments = parser.parse_args()
    steps = tomllib.loads(STEPS.read_text())["step"]
    known = json.loads(RESULTS.read_text())["steps"] if RESULTS.exists() else []
    keys = {_key(step) for step in steps[-arguments.last :]}
    found = {_key(step): step for step in known if _key(step) not in keys}
    ours = dependencies()
    with tempfile.TemporaryDirectory(prefix="hipify-history-") as name:
        folder = Path(name)
        sources = inputs.copy_sources(arguments.tree, arguments.only, folder / "sources")
        files = inputs.spread(sorted(sources.rglob("*.cu")), arguments.files)
        tree = inputs.with_texts(files, folder / "tree")
        what = Inputs(Edited(inputs.small_file(sources)), Edited(inputs.long_file(folder, 100_000)), files, tree)
        for step in (step for step in steps if _key(step) in keys):
            print(f"benchmarks: {step['commit']} {step['measure']} ...", file=sys.stderr)
            found[_key(step)] = step | measured(ours, step, what, folder)
            ordered = [found[_key(step)] for step in steps if _key(step) in found]
            RESULTS.write_text(json.dumps({"steps": ordered}, indent=1) + "\n")


def measured(ours: Installed, step: dict[str, str], what: Inputs, folder: Path) -> dict[str, Any]:
    """The figures of a step."""
    ends = (step.get("since", f"{step['commit']}^"), step["commit"])
    trees = []
    for end in ends:
        commit = subprocess.run(["git", "rev-parse", end], cwd=ROOT, capture_output=True, text=True, check=True)
        place = folder / commit.stdout.strip()
        tree = extract(ours, commit.stdout.strip(), place)
        once(tree.command("--no-output", str(what.small.path)))  # fills the cache
        trees.append(tree)
    result = compare(trees[0], trees[1], step["measure"], what)
    return result | {"load": round(os.getloadavg()[0], 1)}


def _key(step: dict[str, str]) -> tuple[str, str]:
    return step["commit"], step["measure"]


if __name__ == "__main__":
    main()

"""Measure speed and memory in one run, with peers beside us where they are given.

usage: python -m benchmarks [--tree FOLDER] [--only PATTERN ...] [--parts NAMES] [--json FILE] [--docs]

Peers come from the environment and are left out, and said to be, when they are not there:
HIPIFY_PERL (the script), HIPIFY_CLANG (the program), HIPIFY_TORCH (its hipify_cli.py).
All that is measured runs in turn, round after round, so that ratios hold on a machine that is busy with other things.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import inputs, page, peers
from benchmarks.installed import PLACE, ROOT, install
from benchmarks.parts import PARTS, Bench

RESULTS = PLACE / "speed.json"


def about(sources: Path, tree: str) -> dict[str, Any]:
    """Where and on what a run was made."""
    files = [path for path in sources.rglob("*") if path.is_file()]
    git = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return {
        "commit": git.stdout.strip(),
        "date": f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d %H:%M} UTC",
        "machine": f"{_processor()}, {len(os.sched_getaffinity(0))} cores, Python {platform.python_version()}",
        "load": round(os.getloadavg()[0], 1),
        "tree": tree,
        "files": len(files),
        "mb": round(sum(path.stat().st_size for path in files) / 1e6, 2),
        "peers": peers.state(),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Run the parts that are asked for; each goes into the results file with where and when it was measured."""
    ours = install()
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="hipify-bench-") as name:
        scratch = Path(name)
        sources = inputs.copy_sources(arguments.tree, arguments.only, scratch / "sources")
        bench = Bench(ours, sources, scratch, arguments.rounds, arguments.perl_files, arguments.many)
        warm = [ours.program, "--no-output", str(inputs.small_file(sources))]
        subprocess.run(warm, env=ours.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        for part in arguments.parts:
            print(f"benchmarks: {part} ...", file=sys.stderr)
            before = about(sources, arguments.label or arguments.tree.name)
            results = merge(arguments.json, {part: {**PARTS[part](bench), "about": before}})
    return results


def merge(path: Path, results: dict[str, Any]) -> dict[str, Any]:
    """The results file with what was measured now in it."""
    known: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    known |= results
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(known, indent=1) + "\n")
    return known


def main(words: Sequence[str] | None = None) -> int:
    """Measure, print, and write what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--tree", type=Path, default=ROOT / "corpus", help="folder of CUDA sources (default: corpus)")
    add("--only", metavar="PATTERN", action="append", default=[], help="only these folders of it, as *-cuda")
    add("--label", default="", help="what the results call the tree (default: its name)")
    add("--parts", type=lambda text: text.split(","), default=list(PARTS), help=f"comma list of {', '.join(PARTS)}")
    add("--rounds", type=int, default=3, help="runs of each batch; single files run five times as often")
    add("--perl-files", type=int, default=6, help="files that hipify-perl's throughput is taken from")
    add("--many", type=int, default=10_000, help="generated files for the memory's course")
    add("--json", type=Path, default=RESULTS, help="where results go; parts not measured now stay in it")
    add("--docs", action="store_true", help="write docs/performance.md and .svg from the results")
    arguments = parser.parse_args(words)
    if unknown := set(arguments.parts) - set(PARTS):
        parser.error(f"--parts: no part is named {', '.join(sorted(unknown))}")
    results = measure(arguments)
    if arguments.docs:
        page.write(results)
    print(page.text(results), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())

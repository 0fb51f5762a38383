"""The corpus on an NVIDIA GPU, as a user does it: originals by nvcc, translations by `hipify-py build`, both run.

usage: python -m benchmarks.nvidia_corpus [--hip-include DIR] [--jobs N] [--out RESULTS.jsonl] [NAME...]
       python -m benchmarks.nvidia_corpus --table RESULTS.jsonl

For each program: `hipify-py build --platform nvidia FILE... --run --compare ORIGINAL`. Without a GPU the programs are
built and not run. Exit status 1 when a program that the platform can build fails or does something else.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tests.support.corpus import Program, programs, unportable

ROOT = Path(__file__).resolve().parents[1]
SAME, DIFFERENT, NOT_RUN = "same output", "different", "builds, not run: no GPU"
NO_ORIGINAL, NO_LIBRARY, FAILS = "original does not build", "no library for this platform", "does not build"
_GOOD = {0: SAME, 3: NOT_RUN}
_FLAGS = {"dynamic_parallelism": ("-rdc=true", "-lcudadevrt")}
_NO_FILE = re.compile(r"HPY901 nvcc: (\S+): No such file|HPY901 nvcc: cannot open source file \"([^\"]+)\"")


class Result(NamedTuple):
    """What became of a program."""

    name: str
    verdict: str
    note: str = ""


class Bench:
    """Where programs are built, and with what."""

    def __init__(self, folder: Path, arch: str, hip_include: str, limit: float) -> None:
        self.folder = folder
        self._arch = arch
        self._include = ["--hip-include", hip_include] if hip_include else []
        self._limit = limit
        self._one_at_a_time = threading.Lock()

    def program(self, program: Program) -> Result:
        """Build and run one program both ways."""
        sources = [str(path) for path in program.sources if path.suffix in (".cu", ".cpp")]
        flags = _FLAGS.get(program.name, ())
        original = self.folder / f"{program.name}.cuda"
        libraries = [f"-l{name}" for name in program.libraries]
        command = ["nvcc", "-std=c++17", "-w", "--extended-lambda", f"-arch={self._arch}", *flags, *sources]
        built = self._call([*command, "-o", str(original), *libraries])
        if built.returncode:
            return Result(program.name, NO_ORIGINAL, _first_error(built.stderr))
        target = self.folder / f"{program.name}.hip"
        command = [sys.executable, "-m", "hipify", "build", "--platform", "nvidia", *sources, "-o", str(target)]
        command += [*self._include, "--offload-arch", self._arch, "--no-warnings", "--run", "--compare", str(original)]
        command += ["--ignore-lines", program.varies] if program.varies else []
        command += ["--miopen"] if program.options.miopen else []
        done = self._call([*command, "--timeout", "60", *(["--", *flags, "--"] if flags else [])])
        return _judged(program.name, done)

    def _call(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=self._limit, check=False)


def _judged(name: str, done: subprocess.CompletedProcess[str]) -> Result:
    lines = [line for line in done.stderr.splitlines() if line.startswith("hipify-py: ")]
    if done.returncode in _GOOD:
        said = " / ".join(done.stdout.split("\n")).strip(" /")
        return Result(name, _GOOD[done.returncode], said[:160])
    if any("the outputs differ" in line or "was ended" in line for line in lines):
        return Result(name, DIFFERENT, " / ".join(lines[-2:])[:300])
    lost = _NO_FILE.search(done.stderr)
    if lost is not None:
        return Result(name, NO_LIBRARY, lost[1] or lost[2])
    return Result(name, FAILS if "HPY901" in done.stderr else DIFFERENT, _first_error(done.stderr))


def _first_error(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return next((line for line in lines if "error" in line), lines[-1] if lines else "")[:300]


def table(results: Iterable[Result]) -> Iterator[str]:
    """The results as Markdown: how many of each kind, then each program."""
    found = sorted(results)
    yield "| verdict | programs |"
    yield "| --- | ---: |"
    yield from (f"| {verdict} | {number} |" for verdict, number in Counter(r.verdict for r in found).most_common())
    yield ""
    yield "| program | verdict | note |"
    yield "| --- | --- | --- |"
    for result in found:
        note = result.note.replace("|", "\\|")
        yield f"| {result.name} | {result.verdict} | {note} |"


def main(argv: Sequence[str] | None = None) -> int:
    """Work through the programs; every result is written as soon as it is known."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--hip-include", default="", metavar="DIR", help="where hip/nvidia_detail is")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--limit", type=float, default=400, help="seconds for one program")
    parser.add_argument("--out", type=Path, metavar="FILE")
    parser.add_argument("--table", type=Path, metavar="FILE", help="print the results of an earlier run as a table")
    args = parser.parse_args(argv)
    if args.table:
        read = (Result(*json.loads(line)) for line in args.table.read_text("utf-8").splitlines())
        print("\n".join(table(read)))
        return 0
    results: list[Result] = []
    chosen = [program for program in (*programs(), *unportable()) if not args.names or program.name in args.names]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(args.jobs) as pool:
        bench = Bench(Path(folder), args.arch, args.hip_include, args.limit)
        for result in pool.map(bench.program, chosen):
            results.append(result)
            print(f"{result.name}: {result.verdict}" + (f": {result.note}" if result.note else ""), flush=True)
            if args.out:
                args.out.write_text("".join(json.dumps(r) + "\n" for r in results), encoding="utf-8")
    print(", ".join(f"{number} {verdict}" for verdict, number in Counter(r.verdict for r in results).most_common()))
    return 1 if any(result.verdict in (DIFFERENT, FAILS) for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())

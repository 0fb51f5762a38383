#!/usr/bin/env python3
"""Translate the corpus for each ROCm release and compile it for several GPUs, by its hipcc or the clang line of that.

usage: tools/compile_corpus.py [--rocm 5.7,6.4,7.2] [--arch gfx90a,gfx942,gfx1100] [--full] [--results FILE]
                               [--minutes N] [--table FILE] [--headers RELEASE=FOLDER] [NAME...]

Translations are made for the GPUs (--offload-arch). A release is what tools/rocm_headers.py brings; `system` is the
hipcc of this machine. --headers adds a folder with headers of libraries that Debian's packages of a release lack.
Prints a line for each program and release; exit status 1 when a program does not compile where it should. corpus.toml
says what a program needs: `arch` (the GPU to take where gfx942 lacks its instructions), `since` (the first release
that has its API) and `missing_header`. A library's header that a release's packages lack is told and is no failure;
what findings foretold is told by their ids. With --results a run can be stopped (by itself after --minutes) and taken
up again: programs that FILE holds are not compiled once more.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import rocm_headers

from hipify import Options, translate_file
from hipify.build.builder import CHECK, OBJECTS, Settings, build
from hipify.build.compiler import Amd, environment
from hipify.build.flags import Sources
from hipify.build.homing import Arrival
from hipify.build.machine import Machine
from hipify.build.toolchain import Toolchain, find, target_for
from hipify.model import Severity
from tests.support.corpus import Program, programs

SYSTEM = "system"
_NO_HEADER = re.compile(r"'([^']+)' file not found")
_UNKNOWN_GPU = re.compile(r"unsupported HIP gpu architecture|invalid target ID|cannot find ROCm device library for gfx")


class Result(NamedTuple):
    """How one program fared with one release: a word for each GPU, and the first error of each that failed."""

    program: str
    release: str
    outcomes: dict[str, str]
    errors: dict[str, str]

    @property
    def failed(self) -> bool:
        """Whether it should have compiled and did not."""
        return "fails" in self.outcomes.values()


def compile_program(
    program: Program,
    release: str,
    tool: Toolchain,
    archs: Sequence[str],
    jobs: int,
    goal: str = CHECK,
    folders: Sequence[str] = (),
) -> Result:
    """Translate a program for a release and compile it for each GPU: first for all of them at once."""
    target = target_for(tool.hip) if release == SYSTEM else release
    options = program.options._replace(target=target, offload_arch=tuple(archs))
    flags = ["-w", *(f"-I{folder}" for folder in folders)]
    errors = _errors(program, options, tool, archs, jobs, goal, flags)
    outcomes = dict.fromkeys(archs, "compiles")
    firsts: dict[str, str] = {}
    if errors:
        for arch in archs:
            own = _errors(program, options, tool, [arch], jobs, goal, flags) if len(archs) > 1 else errors
            if own:
                outcomes[arch] = _outcome(program, tool.hip, arch, own)
                firsts[arch] = f"{own[0].home.path}:{own[0].place.line}: {own[0].diagnostic.text}"
    return Result(program.name, release, outcomes, firsts)


def _number(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)[:2]]


def _errors(
    program: Program,
    options: Options,
    tool: Toolchain,
    archs: Sequence[str],
    jobs: int,
    goal: str,
    flags: list[str],
) -> list[Arrival]:
    machine = Machine()
    sources = [path for path in program.sources if path.suffix in (".cu", ".cpp")]
    translations = {str(path): translate_file(path, options) for path in sources}
    settings = Settings(Amd(tool, tuple(archs), environment(machine)), Sources(None, flags), goal, jobs=jobs)
    outcome = build(settings, translations, dict.fromkeys(translations, options))
    return [arrival for arrival in outcome.arrivals if arrival.severity is Severity.ERROR]


def _outcome(program: Program, version: str, arch: str, errors: Sequence[Arrival]) -> str:
    """What an error means: a failure, or what corpus.toml and the release's packages foretell."""
    texts = [arrival.diagnostic.text for arrival in errors]
    if any(_UNKNOWN_GPU.search(text) for text in texts):
        return "GPU unknown"
    ids = sorted({arrival.foretold.id for arrival in errors if arrival.foretold is not None})
    foretold = f" ({', '.join(ids)})" if ids else ""
    all_foretold = all(arrival.foretold is not None for arrival in errors)
    headers = {found[1] for text in texts if (found := _NO_HEADER.search(text))}
    if headers and len(headers) == len(set(texts)):
        return f"no {min(headers)}{foretold}"
    if arch == "gfx942" and program.arch != arch and all_foretold:
        return f"no instructions{foretold}"
    if program.since and _number(version) < _number(program.since):
        return f"since {program.since}{foretold}"
    return "fails"


def read_results(path: Path | None) -> list[Result]:
    """What an earlier run has written."""
    if path is None or not path.exists():
        return []
    return [Result(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]


def table(results: Iterable[Result], archs: Sequence[str]) -> Iterator[str]:
    """The results as a table: a row for each program, a column for each release and GPU."""
    found = list(results)
    releases = list(dict.fromkeys(result.release for result in found))
    columns = [(release, arch) for release in releases for arch in archs]
    by_key = {(result.program, result.release): result for result in found}
    yield "| program | " + " | ".join(f"{release} {arch}" for release, arch in columns) + " |"
    yield "| --- |" + " --- |" * len(columns)
    for name in sorted({result.program for result in found}):
        cells = []
        for release, arch in columns:
            result = by_key.get((name, release))
            cells.append(result.outcomes[arch] if result else "")
        yield f"| {name} | " + " | ".join(cells) + " |"


def _tell(result: Result) -> None:
    said = ", ".join(f"{arch} {word}" for arch, word in result.outcomes.items())
    print(f"  {result.program}: {said}", flush=True)
    for arch, error in result.errors.items():
        print(f"    {arch}: {error}", flush=True)


def _count(results: Iterable[Result]) -> str:
    words = [word for result in results for word in result.outcomes.values()]
    return f"{words.count('compiles')} of {len(words)} compile"


def main(arguments: Sequence[str]) -> int:
    """Compile, print, and write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--rocm", default="5.7,6.4,7.2")
    parser.add_argument("--arch", default="gfx90a,gfx942,gfx1100")
    parser.add_argument("--full", action="store_true", help="make code for the GPUs, with the device libraries")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--table", metavar="FILE", type=Path)
    parser.add_argument("--results", metavar="FILE", type=Path, help="keep results there, and go on from them")
    parser.add_argument("--headers", metavar="RELEASE=FOLDER", action="append", default=[])
    parser.add_argument("--minutes", metavar="N", type=float, default=0.0, help="begin no program after N minutes")
    args = parser.parse_args(arguments)
    archs = args.arch.split(",")
    added: dict[str, list[str]] = {}
    for item in args.headers:
        release, _, folder = item.partition("=")
        if not Path(folder).is_dir() or not folder:
            print(f"compile_corpus: --headers {item}: no such folder", file=sys.stderr)
            return 2
        added.setdefault(release, []).append(str(Path(folder).resolve()))
    chosen = [program for program in programs() if not args.names or program.name in args.names]
    results = read_results(args.results)
    started = time.monotonic()
    for release in args.rocm.split(","):
        hipcc = "" if release == SYSTEM else str(rocm_headers.bring(release) / "bin" / "hipcc")
        tool = find(Machine(), hipcc)
        if tool is None or not tool.usable:
            print(f"compile_corpus: {release}: no hipcc and no clang++ that takes its place", file=sys.stderr)
            return 2
        print(f"{release}: HIP {tool.hip}, clang {tool.clang}, called: {tool.program}")
        there = {result.program for result in results if result.release == release}
        for program in chosen:
            if program.name in there:
                continue
            if args.minutes and time.monotonic() - started > 60 * args.minutes:
                print("compile_corpus: out of time; the same command goes on", file=sys.stderr)
                return 3
            goal = OBJECTS if args.full else CHECK
            result = compile_program(program, release, tool, archs, args.jobs, goal, added.get(release, ()))
            results.append(result)
            _tell(result)
            if args.results:
                with args.results.open("a", encoding="utf-8") as kept:
                    kept.write(json.dumps(result._asdict()) + "\n")
    unpackaged = {program.name for program in programs() if not program.packaged}
    failed = [f"{result.program} ({result.release})" for result in results if result.failed]
    print(f"{_count(r for r in results if r.program not in unpackaged)}; failures: {', '.join(failed) or 'none'}")
    if beside := [result for result in results if result.program in unpackaged]:
        print(f"with libraries that Debian does not package: {_count(beside)}")
    if args.table:
        args.table.write_text("".join(f"{line}\n" for line in table(results, archs)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

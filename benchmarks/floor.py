"""The floor: what libclang alone takes for the same files with the same flags, measured beside a translation of each.

Runs with the installed package. `python floor.py TREE` translates every file and then only parses it, one right after
the other in one process, so that a busy machine slows both alike, and prints a JSON list with an object a round.
`--save FILE` keeps the parser's calls, and `--replay FILE` makes them and does nothing else.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import pickle
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from hipify.model import Options
from hipify.parser.libclang_fast import LibClang, load
from hipify.project import work
from hipify.project.discover import discover
from hipify.project.planning import blueprint
from hipify.project.settings import Settings
from hipify.project.tree import Kind


class Parse(NamedTuple):
    """One call of the parser, as a translation made it."""

    path: bytes
    arguments: list[bytes]
    unsaved: tuple[bytes, bytes] | None
    options: int


@contextmanager
def recorded() -> Iterator[list[Parse]]:
    """The calls of libclang's parser that happen inside."""
    calls: list[Parse] = []
    original = LibClang.parse

    def parse(self: LibClang, index: int, path: bytes, *rest: Any) -> int | None:
        calls.append(Parse(path, *rest))
        return original(self, index, path, *rest)

    LibClang.parse = parse  # type: ignore[assignment,method-assign]
    try:
        yield calls
    finally:
        LibClang.parse = original  # type: ignore[method-assign]


def bare(parse: Parse) -> float:
    """CPU seconds of parsing a file and letting go of it."""
    clang = load()
    assert clang is not None
    started = time.process_time()
    index = clang.clang_createIndex(0, 0)
    unit = clang.parse(index, *parse)
    if unit is not None:
        clang.clang_disposeTranslationUnit(unit)
    clang.clang_disposeIndex(index)
    return time.process_time() - started


def timed(job: work.Job) -> float:
    """CPU seconds of a job."""
    started = time.process_time()
    work.do(job)
    return time.process_time() - started


def jobs(tree: Path, options: Options) -> list[work.Job]:
    """What `hipify-py convert` has its workers do with the CUDA files of a tree."""
    settings = Settings(tree, tree.with_name("nowhere"), options)
    plan = blueprint(discover(tree, settings.selection), settings)
    entries = (entry for entry in plan.tree.entries if entry.kind is Kind.CUDA)
    return [plan.job(entry, (tree / entry.path).read_bytes()) for entry in entries]


def measure(whole: list[work.Job], without: list[work.Job], some: Parse) -> tuple[dict[str, float], list[Parse]]:
    """CPU seconds over all jobs: translated, parsed only, and translated from tokens only; and the parses.

    A file that its translation does not parse is parsed with the flags of the file before it.
    """
    sums = dict.fromkeys(("translate", "parse", "parse_where_translate_parses", "tokens_only"), 0.0)
    made: list[Parse] = []
    parsed = 0
    with recorded() as calls:
        for job, lexical in zip(whole, without, strict=True):
            calls.clear()
            sums["translate"] += timed(job)
            own = calls[-1] if calls else None
            sums["tokens_only"] += timed(lexical)
            name = os.fsencode(os.path.abspath(job.path))  # noqa: PTH100
            some = own or some._replace(path=name, unsaved=(name, job.data))
            made.append(some)
            seconds = bare(some)
            sums["parse"] += seconds
            if own is not None:
                sums["parse_where_translate_parses"] += seconds
                parsed += 1
    size = sum(len(job.data) for job in whole) / 1e6
    return {**sums, "files": len(whole), "files_parsed": parsed, "mb": size}, made


def first_parse(whole: list[work.Job]) -> Parse:
    """The parse of the first file that is parsed; after it, all that is loaded once is loaded."""
    with recorded() as calls:
        for job in whole:
            work.do(job)
            if calls:
                return calls[-1]
    raise SystemExit("floor: no file of the tree is parsed with clang")


def main() -> None:
    """Measure a tree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path, nargs="?")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--replay", type=Path)
    arguments = parser.parse_args()
    gc.set_threshold(200_000, 20, 100)  # as the workers of a conversion do
    if arguments.replay:
        for parse in pickle.loads(arguments.replay.read_bytes()):
            bare(Parse(*parse))
        return
    whole, without = (jobs(arguments.tree, Options(clang=clang)) for clang in (True, False))
    some = first_parse(whole)
    rounds = [measure(whole, without, some) for _ in range(arguments.rounds)]
    if arguments.save:
        arguments.save.write_bytes(pickle.dumps([tuple(parse) for parse in rounds[0][1]]))
    print(json.dumps([sums for sums, _ in rounds]))


if __name__ == "__main__":
    main()

"""Count the work of translating the corpus, instead of measuring its time: the same on every machine.

usage: python -m benchmarks.counted            writes tests/benchmarks/counted_work.json, which the test compares with
       python -m benchmarks.counted --print    prints the counts of now

Nothing in the package counts for this: its functions are wrapped from outside, in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "tests" / "benchmarks" / "counted_work.json"
CORPUS = ROOT / "corpus"
GROUPS = ("unpackaged", "unportable")
"""Its folders of programs that stand apart."""
_SUFFIXES = (".cu", ".cuh", ".cpp", ".h")
_PACKAGE = str(ROOT / "hipify") + os.sep
_COMMANDS = {
    "translate": ["{file}", "--no-cache", "-o", "{out}"],
    "unchanged file": ["{file}", "-o", "{out}"],
    "--help": ["--help"],
    "explain": ["explain", "HPY301"],
    "api": ["api", "cudaMalloc"],
}
_LINES = (1_000, 2_000)

Counts = dict[str, int]


def sources() -> dict[str, list[Path]]:
    """The sources of each program of the corpus."""
    found: dict[str, list[Path]] = {}
    for path in sorted(CORPUS.rglob("*")):
        parts = path.relative_to(CORPUS).parts
        if path.suffix in _SUFFIXES and "expected" not in parts:
            found.setdefault(parts[parts[0] in GROUPS], []).append(path)
    return found


@contextmanager
def counting(counts: Counter[str]) -> Iterator[None]:
    """Count what happens inside: libclang's work, tokens, rows of the tables, calls of our own functions."""
    from hipify.parser import libclang_fast as fast
    from hipify.parser.tokens import Tokens
    from hipify.rules.library import Library

    clang = fast.load()
    assert clang is not None
    functions = {name: value for name, value in vars(clang).items() if name.startswith("clang_")}
    parse, get, init = fast.LibClang.parse, Library.get, Tokens.__init__

    def counted_parse(self: Any, *arguments: Any) -> Any:
        counts["files parsed by clang"] += 1
        return parse(self, *arguments)

    def counted_get(self: Any, name: bytes) -> Any:
        counts["rows looked up"] += 1
        return get(self, name)

    def counted_tokens(self: Any, text: list[bytes], *rest: Any) -> None:
        counts["tokens"] += len(text)
        init(self, text, *rest)

    try:
        for name, function in functions.items():
            setattr(clang, name, _counted(name, function, counts))
        fast.LibClang.parse = counted_parse  # type: ignore[method-assign,assignment]
        Library.get, Tokens.__init__ = counted_get, counted_tokens  # type: ignore[method-assign,assignment]
        sys.setprofile(_profiler(counts))
        yield
    finally:
        sys.setprofile(None)
        fast.LibClang.parse, Library.get, Tokens.__init__ = parse, get, init  # type: ignore[method-assign]
        for name, function in functions.items():
            setattr(clang, name, function)


def _counted(name: str, function: Callable[..., Any], counts: Counter[str]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        counts["calls of libclang"] += 1
        if name == "clang_getCursor":
            counts["cursors asked for"] += 1
        return function(*arguments)

    return call


def _profiler(counts: Counter[str]) -> Callable[[FrameType, str, Any], None]:
    """Counts calls of the package's functions. Comprehensions are no calls in newer Pythons, so they never count."""

    def event(frame: FrameType, what: str, _: Any) -> None:
        if what == "call":
            code = frame.f_code
            if code.co_filename.startswith(_PACKAGE) and code.co_name[0] != "<":
                counts["calls of our functions"] += 1

    return event


def translated(paths: list[Path]) -> Counts:
    """What translating these files takes."""
    import hipify

    counts: Counter[str] = Counter()
    with counting(counts):
        for path in paths:
            done = hipify.translate_file(path)
            counts["edits"] += len(done.edits)
    return dict(sorted(counts.items()))


def growth() -> Counts:
    """How many thousandths of the work for a long file one of twice its length takes, count by count."""
    from benchmarks.inputs import long_file

    with tempfile.TemporaryDirectory() as name:
        half, whole = (translated([long_file(Path(name), lines)]) for lines in _LINES)
    return {key: round(1000 * whole[key] / half[key]) for key in whole if half.get(key, 0) > 1}


def modules() -> Counts:
    """How many modules, of ours and in all packages that are no part of Python, each kind of run loads."""
    code = ("import sys, hipify.cli.main as m; m.main(sys.argv[1:]);"
            "known = sys.stdlib_module_names;"
            "print(sum(n.split('.')[0] not in known for n in sys.modules), file=sys.stderr)")  # fmt: skip
    counts: Counts = {}
    with tempfile.TemporaryDirectory() as name:
        for title, words in _COMMANDS.items():
            file, out = CORPUS / "reduction" / "main.cu", Path(name) / "out.hip"
            filled = [word.format(file=file, out=out) for word in words]
            command = [sys.executable, "-S", "-c", code, *filled]
            path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
            environment = {**os.environ, "PYTHONPATH": path}
            for _ in range(2):  # the second with all that the first has kept
                done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            counts[title] = int(done.stderr.split()[-1])
    return counts


def everything() -> dict[str, dict[str, Counts] | Counts]:
    """All counts: of each program, of a file of twice the length, of loaded modules."""
    import hipify

    hipify.translate_source(b"#include <cuda_runtime.h>\nvoid f() { cudaFree(0); }\n")  # builds what is built once
    programs = {name: translated(paths) for name, paths in sources().items()}
    return {"programs": programs, "growth": growth(), "modules": modules()}


def in_new_process() -> dict[str, Any]:
    """All counts, from a process in which nothing was cached before."""
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "benchmarks.counted", "--print"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def totals(programs: dict[str, Counts]) -> Counts:
    """The sums over all programs."""
    found: Counter[str] = Counter()
    for counts in programs.values():
        found.update(counts)
    return dict(found)


def main() -> None:
    """Print the counts, or record them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--print", action="store_true", help="print the counts and write nothing")
    if parser.parse_args().print:
        print(json.dumps(everything()))
    else:
        RECORD.write_text(json.dumps(in_new_process(), indent=1) + "\n")


if __name__ == "__main__":
    main()

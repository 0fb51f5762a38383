"""Translate calls of CUDA functions and compile the result against real ROCm headers.

usage: check_calls.py [--clang LIBCLANG] VERSION=USR …      (USR: a folder with include/)

Two sets. The programs of tests/data/calls call everything that a rule rewrites; their first line names the options.
And every function of the name tables is called once, with arguments of the types that its HIP counterpart takes, one
translation unit a library. Exit status 1 when a line does not compile and no finding speaks of it.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import clang.cindex as cindex  # type: ignore[import-untyped,unused-ignore]

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parents[1]))
import api_index
import header_evidence

import hipify
from hipify.rules.library import Library, map_name
from hipify.rules.rulebook import load
from hipify.rules.target import Target, parse_rocm

HERE = Path(__file__).resolve().parent
_ERROR = re.compile(r"^[^:\n]*unit\.hip:(\d+):\d+: (?:fatal )?error: (.*)$", re.MULTILINE)
_HOST_LIBRARIES = tuple(
    "runtime driver nvrtc cublas cublaslt cufft curand cusparse cusparselt cusolver cutensor nccl nvtx profiler".split()  # noqa: SIM905
)
_DEVICE = re.compile(r"curand(?:_|\d|\Z)")


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("releases", nargs="+", metavar="VERSION=USR")
    parser.add_argument("--clang", default=api_index._library(), help="the libclang to load")
    args = parser.parse_args()
    cindex.Config.set_compatibility_check(False)
    cindex.Config.set_library_file(args.clang)
    failures = 0
    for item in args.releases:
        release, _, folder = item.partition("=")
        usr = Path(folder)
        units = [*programs(release), *tables(release, usr)]
        for name, source, options in units:
            problems = check(source, options, usr)
            failures += len(problems)
            print(f"{release} {name}: {len(problems) or 'no'} line{'' if len(problems) == 1 else 's'} in silence")
            print("".join(f"    {p}\n" for p in problems[:40]), end="")
    return 1 if failures else 0


def programs(release: str) -> Iterator[tuple[str, str, hipify.Options]]:
    """The programs under tests/data/calls."""
    for path in sorted((HERE.parent / "tests" / "data" / "calls").glob("*.cu")):
        text = path.read_text("utf-8")
        first = text.partition("\n")[0]
        options = hipify.Options(clang=False, target=release, roc="--roc" in first, miopen="--miopen" in first)
        minimum = re.search(r"--target (\S+)", first)
        if minimum is None or parse_rocm(minimum[1]) <= parse_rocm(release):
            yield path.name, text, options


def tables(release: str, usr: Path) -> Iterator[tuple[str, str, hipify.Options]]:
    """One program a library that calls each of its functions; what rules rewrite is in the other set."""
    types = parameter_types(usr)
    target = Target(rocm=parse_rocm(release))
    library, ruled = Library.default(), load().names
    for name in _HOST_LIBRARIES:
        lines: list[str] = []
        for key in library.library(name):
            api = library.get(key)
            if api is None or api.kind != "function" or key in ruled or _DEVICE.match(api.name):
                continue
            parameters = types.get(map_name(api, target).name)
            if parameters is not None:
                lines.append(_call(api.name, parameters, len(lines)))
        if lines:
            headers = "".join(f"#include <{h}>\n" for h in _headers(usr))
            options = hipify.Options(clang=False, target=release)
            yield f"{name} ({len(lines)} functions)", headers + "\n".join(lines) + "\n", options


def _call(name: str, parameters: list[str], number: int) -> str:
    """A function that calls `name`, on one line."""
    aliases = " ".join(f"using P{i} = {p};" for i, p in enumerate(parameters))
    declared = ", ".join(f"P{i} a{i}" for i in range(len(parameters)))
    passed = ", ".join(f"a{i}" for i in range(len(parameters)))
    return f"namespace call_{number} {{ {aliases} void run({declared}) {{ (void){name}({passed}); }} }}"


def _headers(usr: Path) -> list[str]:
    """Every header that can be included together, but for the template libraries."""
    return [
        header
        for pattern, _, group in reversed(header_evidence.GROUPS)
        if "cub" not in pattern
        for header in group
        if (usr / "include" / header).exists()
    ]


def parameter_types(usr: Path) -> dict[str, list[str]]:
    """The parameter types of every plain function in the headers."""
    source = "".join(f"#include <{h}>\n" for h in _headers(usr))
    flags = [f for f in header_evidence._hip_flags(usr, "--cuda-host-only") if f != "-fsyntax-only"]
    unit = cindex.Index.create().parse(
        "index.hip",
        [*flags, "-std=c++17", "-w", "-resource-dir", api_index._resources()],
        unsaved_files=[("index.hip", source)],
        options=cindex.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES,
    )
    found: dict[str, list[str]] = {}
    _collect(unit.cursor, found)
    return found


def _collect(cursor: Any, found: dict[str, list[str]]) -> None:
    for child in cursor.get_children():
        if child.kind.name in ("LINKAGE_SPEC", "UNEXPOSED_DECL"):
            _collect(child, found)
        elif child.kind.name == "FUNCTION_DECL" and re.match(r"hip|roctx|nccl", child.spelling):
            found.setdefault(child.spelling, [p.type.spelling for p in child.get_arguments()])


def check(source: str, options: hipify.Options, usr: Path) -> list[str]:
    """The lines of the translation that do not compile and that no finding speaks of."""
    result = hipify.translate_source(source, "unit.cu", options)
    spoken = {finding.output_line for finding in result.findings if finding.severity > hipify.Severity.NOTE}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "unit.hip"
        path.write_bytes(result.output)
        flags = header_evidence._hip_flags(usr, "--cuda-host-only")
        command = [header_evidence._clang(), *flags, *header_evidence._PLAIN, str(path)]
        text = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    lines = result.output.decode("utf-8", "replace").split("\n")
    return [
        f"{number}: {message}: {lines[int(number) - 1].strip()[-150:]}"
        for number, message in _ERROR.findall(text)
        if int(number) not in spoken
    ]


if __name__ == "__main__":
    sys.exit(main())

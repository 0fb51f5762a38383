"""Use everything that CUDA's own headers declare, translate it, and compile the result against real ROCm headers.

usage: check_cuda_headers.py --cuda DIR [--cuda DIR …] [--roc] [--miopen] VERSION=USR …

DIR is an `include` folder of a CUDA toolkit (or of one of its libraries); USR a folder with include/. Every function is
called with arguments of the types that CUDA declares, every enumerator and every member of a struct is named, and every
struct and enumeration is written with its keyword. Exit status 1 when a line does not compile and no finding speaks of
it. tools/check_calls.py needs no CUDA; this asks more of a machine that has it.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import clang.cindex as cindex  # type: ignore[import-untyped,unused-ignore]

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parents[1]))
import api_index
from check_calls import compile_errors

import hipify

_HEADERS = (
    *("cuda_runtime.h", "cuda.h", "nvrtc.h", "cublas_v2.h", "cublasLt.h", "cusparse.h", "cusolverDn.h", "cusolverSp.h"),
    *("cufft.h", "cufftXt.h", "curand.h", "cudnn.h"),
)
_OURS = re.compile(r"cu[A-Za-z]|CU[A-Z]|nvrtc|NVRTC")
_INNER = ("LINKAGE_SPEC", "UNEXPOSED_DECL")
_KEYWORDS = {"STRUCT_DECL": "struct", "ENUM_DECL": "enum", "UNION_DECL": "union"}


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("releases", nargs="+", metavar="VERSION=USR")
    parser.add_argument("--cuda", action="append", required=True, type=Path, metavar="DIR")
    parser.add_argument("--clang", default=api_index._library(), help="the libclang to load")
    parser.add_argument("--roc", action="store_true")
    parser.add_argument("--miopen", action="store_true")
    args = parser.parse_args()
    cindex.Config.set_compatibility_check(False)
    cindex.Config.set_library_file(args.clang)
    failures = 0
    seen: set[str] = set()  # headers include each other
    for header in _HEADERS:
        if not any((folder / header).is_file() for folder in args.cuda):
            continue
        lines = [line for line in dict.fromkeys(uses(header, args.cuda)) if line not in seen]
        seen.update(lines)
        for item in args.releases:
            release, _, usr = item.partition("=")
            options = hipify.Options(target=release, roc=args.roc, miopen=args.miopen)
            silent = check(header, lines, options, Path(usr))
            failures += len(silent)
            print(f"{release} {header}: {len(lines)} uses, {len(silent)} in silence")
            print("".join(f"    {line}\n" for line in silent), end="")
    return 1 if failures else 0


def uses(header: str, folders: list[Path]) -> Iterator[str]:
    """A line for each use of what a header declares."""
    flags = ["-std=c++17", "-w", "-resource-dir", api_index._resources(), *(f"-I{folder}" for folder in folders)]
    source = [("use.cpp", f"#include <{header}>\n")]
    unit = cindex.Index.create().parse("use.cpp", flags, unsaved_files=source, options=0)
    errors = [str(d) for d in unit.diagnostics if d.severity > cindex.Diagnostic.Error]
    if errors:
        raise SystemExit(f"check_cuda_headers: {errors[0]}")
    cursors = list(_all(unit.cursor))
    names: dict[str, str] = {}
    for cursor in cursors:
        if cursor.kind.name == "TYPEDEF_DECL":
            names.setdefault(cursor.underlying_typedef_type.get_declaration().get_usr(), cursor.spelling)
    for cursor in cursors:
        if cursor.kind.name == "FUNCTION_DECL":
            yield from _call(cursor)
        elif cursor.kind.name in _KEYWORDS:
            yield from _tag(cursor)
            yield from _parts(cursor, names.get(cursor.get_usr()) or cursor.spelling)


def _all(cursor: Any) -> Iterator[Any]:
    """What is declared outside of functions and types."""
    for child in cursor.get_children():
        if child.kind.name in _INNER:
            yield from _all(child)
        else:
            yield child


def _call(cursor: Any) -> Iterator[str]:
    template = cursor.spelling == "cudaCreateChannelDesc" and not list(cursor.get_arguments())
    if not _OURS.match(cursor.spelling) or "operator" in cursor.spelling or template:
        return
    aliases, declared = [], []
    for at, parameter in enumerate(cursor.get_arguments()):
        kind = re.sub(r"\s*\[\d*\]\Z", "*", parameter.type.spelling)
        kind = re.sub(r"\b(?:struct|enum|union) (?=cu|CU)", "", kind)
        if "(" in kind:
            aliases.append(f"using P{at} = {kind};")
            kind = f"P{at}"
        declared.append(f"{kind} a{at}")
    passed = ", ".join(f"a{at}" for at in range(len(declared)))
    yield f"{' '.join(aliases)} void run({', '.join(declared)}) {{ (void){cursor.spelling}({passed}); }}".strip()


def _tag(cursor: Any) -> Iterator[str]:
    if _OURS.match(cursor.spelling):
        yield f"void run({_KEYWORDS[cursor.kind.name]} {cursor.spelling}* p);"


def _parts(cursor: Any, name: str) -> Iterator[str]:
    for child in cursor.get_children():
        if child.kind.name == "ENUM_CONSTANT_DECL" and _OURS.match(child.spelling):
            yield f"static const auto value = (int){child.spelling};"
        elif (
            child.kind.name == "FIELD_DECL" and _OURS.match(name) and not child.spelling.startswith(("reserved", "__"))
        ):
            yield f"void run({name}* p) {{ (void)&p->{child.spelling}; }}"


def check(header: str, lines: list[str], options: hipify.Options, usr: Path) -> list[str]:
    """The uses that do not compile when translated, and that no finding speaks of."""
    numbered = "".join(f"namespace use_{number} {{ {line} }}\n" for number, line in enumerate(lines))
    result = hipify.translate_source(f"#include <{header}>\n{numbered}", "unit.cu", options)
    spoken = {finding.output_line for finding in result.findings if finding.severity > hipify.Severity.NOTE}
    with tempfile.TemporaryDirectory() as folder:
        for name, content in result.helper_headers.items():
            (Path(folder) / name).write_bytes(content)
        found = compile_errors(result.output, Path(folder), usr, host=True)
    text = result.output.decode("utf-8", "replace").split("\n")
    return [f"{message}: {text[line - 1][:160]}" for line, message in found.items() if line not in spoken]


if __name__ == "__main__":
    sys.exit(main())

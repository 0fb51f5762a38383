"""Make the index of HIP and ROCm names by release, with the argument counts of functions, from real headers.

usage: api_index.py [--clang LIBCLANG] [--check] OUTPUT VERSION=USR …     (USR: a folder with include/)

One row a name: name, then for each release '' (no such name), '-' (no function) or the argument counts that calls may
have, as `3-5` or `2,5`. `--check` compares with OUTPUT instead of writing it, for the releases that are given, and
exits 1 with the first differences.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

# The bindings carry no types.
import clang.cindex as cindex  # type: ignore[import-untyped,unused-ignore]

sys.path.insert(0, str(Path(__file__).parent))
import header_evidence

_WANTED = re.compile(
    r"hip|HIP|roc|ROC|miopen|MIOPEN|p?nccl|NCCL|roctx|surf\d|surfCube|tex(?:\d|Cube)|__[a-z]|atomic[A-Z]|make_|MAKE_"
)
_COLLECT = ("hipcub", "cub::", "rocprim")
_SCOPES = ("LINKAGE_SPEC", "UNEXPOSED_DECL")
_KINDS = (
    "ENUM_CONSTANT_DECL",
    "MACRO_DEFINITION",
    "TYPEDEF_DECL",
    "TYPE_ALIAS_DECL",
    "STRUCT_DECL",
    "ENUM_DECL",
    "VAR_DECL",
    "UNION_DECL",
)


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("releases", nargs="+", metavar="VERSION=USR")
    parser.add_argument("--clang", default=_library(), help="the libclang to load")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    cindex.Config.set_compatibility_check(False)
    cindex.Config.set_library_file(args.clang)
    found = {}
    for item in args.releases:
        version, _, folder = item.partition("=")
        found[version] = index(Path(folder))
        print(f"{version}: {len(found[version])} names", file=sys.stderr)
    if args.check:
        return _compare(args.output, found)
    args.output.write_text(_table(found), encoding="utf-8")
    return 0


def _library() -> str:
    """The newest installed libclang: HIP's headers use intrinsics that older ones lack."""
    paths = [p for p in Path("/usr/lib").glob("llvm-*/lib/libclang-*.so.1") if "cpp" not in p.name]
    return str(max(paths, key=lambda p: int(re.sub(r"\D", "", p.parts[3])), default=""))


def _resources() -> str:
    """The compiler's own headers, which fit the library only when both are of one release."""
    command = [header_evidence._clang(), "-print-resource-dir"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def index(usr: Path) -> dict[str, str]:
    """Every name of interest under a release's include folder, with its argument counts or '-'."""
    include = usr / "include"
    headers = [
        header
        for pattern, _, group in reversed(header_evidence.GROUPS)
        if not any(word in pattern for word in _COLLECT)
        for header in group
        if (include / header).exists()
    ]
    lines = ["#include <cstring>", "#include <cmath>", *(f"#include <{h}>" for h in headers)]
    source = "\n".join(lines) + "\n"
    flags = [f for f in header_evidence._hip_flags(usr, "--cuda-host-only") if f != "-fsyntax-only"]
    unit = cindex.Index.create().parse(
        "index.hip",
        [*flags, "-std=c++17", "-w", "-resource-dir", _resources()],
        unsaved_files=[("index.hip", source)],
        options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        | cindex.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES,
    )
    errors = [d for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
    if errors:
        raise SystemExit(f"api_index: {usr}: {errors[0].location.file}:{errors[0].location.line}: {errors[0].spelling}")
    counts: dict[str, set[int]] = {}
    others: set[str] = set()
    _walk(unit.cursor, str(include), counts, others)
    names = {name: _ranges(numbers) for name, numbers in counts.items()}
    return names | dict.fromkeys(others - names.keys(), "-")


def _walk(cursor: Any, include: str, counts: dict[str, set[int]], others: set[str]) -> None:
    for child in cursor.get_children():
        kind = child.kind.name
        if kind in _SCOPES:
            _walk(child, include, counts, others)
            continue
        name = child.spelling
        if not _WANTED.match(name) and kind != "ENUM_DECL":
            continue
        if _of_system(child, include):
            continue
        if kind in ("FUNCTION_DECL", "FUNCTION_TEMPLATE"):
            counts.setdefault(name, set()).update(_counts(child))
        elif kind in _KINDS:
            if _WANTED.match(name) and (kind != "MACRO_DEFINITION" or _ours(child, include)):
                others.add(name)
            if kind == "ENUM_DECL":
                others.update(c.spelling for c in child.get_children() if _WANTED.match(c.spelling))


def _ours(cursor: Any, include: str) -> bool:
    file = cursor.location.file
    return file is not None and file.name.startswith(include)


def _of_system(cursor: Any, include: str) -> bool:
    """Whether something is the C library's, whose names differ from one system to the next."""
    file = cursor.location.file
    return file is not None and file.name.startswith("/usr/include/") and not _ours(cursor, include)


def _counts(function: Any) -> range:
    """The argument counts with which a function can be called."""
    parameters = [c for c in function.get_children() if c.kind.name == "PARM_DECL"]
    optional = sum(1 for p in parameters if any(t.spelling == "=" for t in p.get_tokens()) or _macro_default(p))
    variadic = function.type.kind.name == "FUNCTIONPROTO" and function.type.is_function_variadic()
    packed = bool(parameters) and "..." in parameters[-1].type.spelling
    most = 32 if variadic or packed else len(parameters)
    return range(len(parameters) - optional - packed, most + 1)


def _macro_default(parameter: Any) -> bool:
    """Whether the default comes from a macro, as `__dparm(0)`."""
    return any(c.kind.is_expression() for c in parameter.get_children())


def _ranges(numbers: set[int]) -> str:
    """`{3, 4, 5, 7}` as `3-5,7`."""
    out: list[list[int]] = []
    for number in sorted(numbers):
        if out and number == out[-1][1] + 1:
            out[-1][1] = number
        else:
            out.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in out)


def _table(found: dict[str, dict[str, str]]) -> str:
    versions = list(found)
    names = sorted({name for table in found.values() for name in table})
    rows = ["\t".join(["name", *versions])]
    rows += ["\t".join([name, *(found[v].get(name, "") for v in versions)]) for name in names]
    return "\n".join(rows) + "\n"


def _compare(path: Path, found: dict[str, dict[str, str]]) -> int:
    header, *rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    differences = []
    for version, table in found.items():
        at = header.index(version)
        stored = {row[0]: row[at] for row in rows if row[at]}
        differences += [
            f"{version}: {name}: stored {stored.get(name) or 'nothing'}, in the headers {table.get(name) or 'nothing'}"
            for name in sorted(stored.keys() | table.keys())
            if stored.get(name) != table.get(name)
        ]
    print("\n".join(differences[:20]))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Make hipify/rules/hip_names.tsv: what hip/hip_runtime.h brings along that a CUDA program knows nothing of.

usage: tools/make_hip_names.py --rocm USR... --cuda FOLDER... [--clang clang++]

USR: the `usr` folders that tools/rocm_headers.py makes, FOLDER: CUDA toolkits. Both are read by clang, for the host and
for the device; what is told of is what one of them has. Rows, by kind:

- `word`: every word in HIP's headers. A macro of the program's with that name, above the include, changes the header.
- `function`: functions that CUDA's headers do not declare, with their parameters' types (`|` between overloads).
- `type`: types that those do not declare, with what they stand for where they are no classes.
- `macro`: HIP's macros that those do not define, `call` for those with parameters.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

_TABLE = Path(__file__).resolve().parent.parent / "hipify" / "rules" / "hip_names.tsv"
_DECLARATION = re.compile(r"((?:[| ] )*)[|`]-(\w+)Decl (.*)")
_TYPED = re.compile(r" (?:implicit |used |referenced |constexpr |invalid )*([A-Za-z_]\w*) '([^']*)'")
_STATES = re.compile(r" (?:definition|implicit-inline|implicit_instantiation|inline|referenced|used|invalid)\b")
_CLASSES = ("CXXRecord", "Enum", "ClassTemplate", "TypeAliasTemplate")
_FUNCTIONS = ("Function", "FunctionTemplate")
_MARKER = re.compile(r'# \d+ "([^"]*)"')
_OURS = re.compile(r"/hip/|/__clang_(?:hip|cuda)")
# No program has these, or they are the C library's.
_NOBODYS = re.compile(
    r"_*(?:i?hip|HIP|INIT_|clk_|CLK_|CLANG|asan|cxa|ocml|ockl|make_mantissa|builtin)|amd_dbgapi|ASAN_|make_hip"
    r"|GL(?:enum|uint)|__(?:u?int64|u?int32)_t|_Float16|__(?:mul|div)[sd]c3|\w*(?:CUDA_MATH|HOST_DEVICE|DEVICE__)"
    r"|__DEF_FUN|DEFINE_MIN|CUDA_SUCCESS"
)
# Members, and types of the C library, that the lists of declarations hold too.
_BY_CHANCE = {"x", "y", "z", "pArgs", "uint", "ulong", "ushort"}
# Words that programs define for other compilers, and mean no harm by.
_HARMLESS = {"__attribute__", "__attribute", "__declspec", "__forceinline__", "__align__", "__launch_bounds__"}
_HARMLESS |= {"inline", "const", "static", "extern", "volatile", "constexpr", "noexcept", "explicit"}


def main(arguments: list[str]) -> int:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rocm", nargs="+", type=Path, required=True)
    parser.add_argument("--cuda", nargs="+", type=Path, required=True)
    parser.add_argument("--clang", default="clang++")
    given = parser.parse_args(arguments)
    hip = [_hip(given.clang, folder, side) for folder in given.rocm for side in ("host", "device")]
    cuda = [_cuda(given.clang, folder, side) for folder in given.cuda for side in ("host", "device")]
    standard = _standard(given.clang)
    known = set(standard).union(*(set(_declared(c)) for c in cuda)) | {"clone", "remove", "time"}
    macros = {name: called for text in hip for name, called in _macros(text)}
    words = set().union(*(set(_words(text)) for text in hip)) | macros.keys()
    rows: dict[str, tuple[str, set[str]]] = {}
    for text in hip:
        for name, (kind, types) in _declared(text).items():
            if name in words and name not in known | _BY_CHANCE and not _NOBODYS.match(name):
                rows.setdefault(name, (kind, set()))[1].update(types)
    of_cuda = {name for text in cuda for name, _ in _macros(text, everywhere=True)}
    lines = [f"{kind}\t{name}\t{'|'.join(sorted(types))}" for name, (kind, types) in rows.items()]
    for name, called in macros.items():
        if name not in of_cuda and not _NOBODYS.match(name):
            lines.append(f"{'call' if called else 'macro'}\t{name}\t")
    plain = sorted(w for w in words - _HARMLESS if not _NOBODYS.match(w))
    lines.append("word\t" + " ".join(plain) + "\t")
    _TABLE.write_text("\n".join(sorted(lines)) + "\n")
    return 0


def _run(command: list[str], text: str) -> str:
    done = subprocess.run([*command, "-"], input=text, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout


def _hip(clang: str, folder: Path, side: str) -> str:
    flags = ["-x", "hip", f"--cuda-{side}-only", "--offload-arch=gfx942", "-nogpulib", "-nogpuinc"]
    flags += [
        "-isystem",
        str(folder / "include"),
        "-D__HIP_PLATFORM_AMD__",
        "-include",
        "__clang_hip_runtime_wrapper.h",
    ]
    return _both([clang, *flags], "#include <hip/hip_runtime.h>\n")


def _cuda(clang: str, folder: Path, side: str) -> str:
    flags = ["-x", "cuda", f"--cuda-{side}-only", "--cuda-gpu-arch=sm_90", "-nocudalib", f"--cuda-path={folder}"]
    return _both([clang, *flags, "-Wno-unknown-cuda-version"], "#include <cuda_runtime.h>\n")


def _standard(clang: str) -> dict[str, tuple[str, set[str]]]:
    includes = "".join(f"#include <{h}>\n" for h in ("cmath", "cstdio", "cstdlib", "cstring", "math.h", "string.h"))
    return _declared(_both([clang, "-x", "c++"], includes))


def _both(command: list[str], text: str) -> str:
    """The preprocessor's output with its definitions, and the declarations that clang lists."""
    listed = _run([*command, "-fno-color-diagnostics", "-fsyntax-only", "-Xclang", "-ast-dump"], text)
    return _run([*command, "-E", "-dD"], text) + "\n".join(_outermost(listed.splitlines()))


def _outermost(lines: list[str]) -> Iterator[str]:
    """The lines of an AST about what stands in no namespace and no class."""
    container = ""
    for line in lines:
        found = _DECLARATION.match(line)
        depth = len(found[1]) // 2 if found else 2
        if found and depth == 0:
            container = found[2]
        if found and (depth == 0 or (depth == 1 and container == "LinkageSpec")):
            yield line


def _declared(text: str) -> dict[str, tuple[str, set[str]]]:
    """The kind and types of each name that these lines declare."""
    out: dict[str, tuple[str, set[str]]] = {}
    for line in text.splitlines():
        found = _DECLARATION.match(line)
        if not found:
            continue
        kind, rest = found[2], found[3]
        typed = _TYPED.search(rest)
        if kind in ("Function", "Var", "Typedef", "TypeAlias") and typed:
            is_type = kind.startswith("Type")
            said = typed[2] if is_type else typed[2].partition("(")[2].partition(")")[0]
            out.setdefault(typed[1], ("type" if is_type else "function", set()))[1].add(said.replace("__hip_", ""))
        elif kind in (*_CLASSES, "FunctionTemplate"):
            name = _STATES.sub("", rest.rstrip()).split()[-1].strip("'")
            made = ("function", {"..."}) if kind in _FUNCTIONS else ("type", {""})
            if re.fullmatch(r"[A-Za-z_]\w*", name):
                out.setdefault(name, (made[0], set()))[1].update(made[1])
    return out


def _lines(text: str, everywhere: bool = False) -> Iterator[str]:
    """The preprocessor's lines that come from HIP's own headers."""
    is_own = False
    for line in text.splitlines():
        if marker := _MARKER.match(line):
            is_own = everywhere or bool(_OURS.search(marker[1]))
        elif is_own and not _DECLARATION.match(line):
            yield line


def _macros(text: str, everywhere: bool = False) -> Iterator[tuple[str, bool]]:
    """Macros that are defined in the end, and whether they have parameters."""
    out: dict[str, bool] = defaultdict(bool)
    for line in _lines(text, everywhere):
        if found := re.match(r"#(define|undef) (\w+)(\(?)", line):
            out.pop(found[2], None)
            if found[1] == "define":
                out[found[2]] = bool(found[3])
    yield from out.items()


def _words(text: str) -> Iterator[str]:
    for line in _lines(text):
        if not line.startswith("#"):
            yield from re.findall(r"(?<![\w.])[A-Za-z_]\w*", re.sub(r'"(?:[^"\\]|\\.)*"', "", line))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Translate calls of CUDA functions and compile the result against real ROCm headers.

usage: check_calls.py [--clang LIBCLANG] VERSION=USR …      (USR: a folder with include/)

The programs of tests/data/calls call everything that a rule rewrites; their first line names the options. Every
function of the name tables is called once, with arguments of the types that its HIP counterpart takes; device functions
in device code. Every type and enumerator is named once. Exit status 1 when a line does not compile and no finding
speaks of it.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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
_HELPERS = HERE.parent / "hipify" / "include"
_ERROR = re.compile(r"^[^:\n]*unit\.hip:(\d+):\d+: (?:fatal )?error: (.*)$", re.MULTILINE)
_HOST_LIBRARIES = tuple(
    "runtime driver nvrtc cublas cublaslt cufft curand cusparse cusparselt cusolver cutensor nccl nvtx profiler".split()  # noqa: SIM905
)
_DEVICE_LIBRARIES = ("device", "fp16", "bf16", "fp8", "complex")
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
        for name, problems in run(release, usr):
            failures += len(problems)
            print(f"{release} {name}: {len(problems) or 'no'} line{'' if len(problems) == 1 else 's'} in silence")
            print("".join(f"    {p}\n" for p in problems[:40]), end="")
    return 1 if failures else 0


def run(release: str, usr: Path) -> list[tuple[str, list[str]]]:
    """Each unit of the release, with the lines that do not compile in silence; two compilers at a time."""
    units = [*programs(release), *tables(release, usr)]
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda unit: (unit[0], check(unit[1], unit[2], usr)), units))


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
    """Programs that use each name of the tables: functions, device functions, and the rest."""
    types, target = parameter_types(usr), Target(rocm=parse_rocm(release))
    plain = "".join(f"#include <{h}>\n" for h in _headers(usr))
    device = "".join(f"#include <{h}>\n" for h in _DEVICE_HEADERS if (usr / "include" / h).exists())
    options = hipify.Options(clang=False, target=release)
    for title, headers, lines in (
        ("functions", plain, list(_functions(types, target))),
        ("device functions", device, list(_device_functions(types, target))),
        ("types and constants", plain, list(_values(target))),
    ):
        numbered = (f"namespace use_{number} {{ {line} }}\n" for number, line in enumerate(lines))
        yield f"tables ({len(lines)} {title})", headers + "".join(numbered), options


def _functions(types: dict[str, list[str]], target: Target) -> Iterator[str]:
    """A call of each function; what rules rewrite is in the other set."""
    library, ruled = Library.default(), load().names
    for name in _HOST_LIBRARIES:
        for key in library.library(name):
            api = library.get(key)
            if api is None or api.kind != "function" or key in ruled or _DEVICE.match(api.name):
                continue
            parameters = types.get(map_name(api, target).name)
            if parameters is not None:
                yield _call(api.name, parameters)


def _device_functions(types: dict[str, list[str]], target: Target) -> Iterator[str]:
    """A call of each device function, in device code."""
    library, ruled = Library.default(), load().names
    for name in _DEVICE_LIBRARIES:
        for key in library.library(name):
            api = library.get(key)
            if api is None or "function" not in api.kind or api.status == "ambiguous" or key in ruled:
                continue
            parameters = types.get(map_name(api, target).name)
            if parameters is not None and not any("..." in p or "long double" in p for p in parameters):
                yield _call(api.name, parameters, "__device__ ")


def _values(target: Target) -> Iterator[str]:
    """A use of each type and enumerator."""
    library = Library.default()
    for name in (n for n in _HOST_LIBRARIES if n != "cutensor"):  # its headers are at nobody's hand
        for key in library.library(name):
            api = library.get(key)
            if api is None or api.kind not in ("type", "enum_constant") or not map_name(api, target).name:
                continue
            if api.status == "ambiguous" or api.name == "texture":  # left alone; a template
                continue
            yield f"using T = {api.name};" if api.kind == "type" else f"static const auto value = {api.name};"


_DEVICE_HEADERS = ("hip/hip_runtime.h", "hip/hip_fp16.h", "hip/hip_bf16.h", "hip/hip_fp8.h", "hip/hip_complex.h")


def _call(name: str, parameters: list[str], side: str = "") -> str:
    """A function that calls `name`, on one line."""
    aliases = " ".join(f"using P{i} = {p};" for i, p in enumerate(parameters))
    declared = ", ".join(f"P{i} a{i}" for i in range(len(parameters)))
    passed = ", ".join(f"a{i}" for i in range(len(parameters)))
    return f"{aliases} {side}void run({declared}) {{ (void){name}({passed}); }}"


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
        elif child.kind.name == "FUNCTION_DECL" and "operator" not in child.spelling:
            found.setdefault(child.spelling, [p.type.spelling for p in child.get_arguments()])


def check(source: str, options: hipify.Options, usr: Path) -> list[str]:
    """The lines of the translation that do not compile and that no finding speaks of."""
    result = hipify.translate_source(source, "unit.cu", options)
    spoken = {finding.output_line for finding in result.findings if finding.severity > hipify.Severity.NOTE}
    with tempfile.TemporaryDirectory() as folder:
        found = compile_errors(result.output, Path(folder), usr, host="__device__" not in source)
    lines = result.output.decode("utf-8", "replace").split("\n")
    return [
        f"{number}: {message}: {lines[number - 1].strip()[-150:]}"
        for number, message in found.items()
        if number not in spoken
    ]


def compile_errors(output: bytes, folder: Path, usr: Path, *, host: bool) -> dict[int, str]:
    """The first error of each line of a translation, compiled for one side."""
    path = folder / "unit.hip"
    path.write_bytes(output)
    flags = header_evidence._hip_flags(usr, "--cuda-host-only" if host else "--cuda-device-only")
    command = [header_evidence._clang(), *flags, *header_evidence._PLAIN, f"-I{_HELPERS}", str(path)]
    text = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    found: dict[int, str] = {}
    for number, message in _ERROR.findall(text):
        found.setdefault(int(number), message)
    return found


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Prove what becomes of inline PTX: a CUDA program that runs each form as PTX and as hipify-py's C++, and compares.

usage: python tools/ptx_proof.py FOLDER [--parts N]
       cd FOLDER && nvcc -arch=sm_90 -std=c++17 -w -D__HIP_PLATFORM_NVIDIA__ -I. *.cu -o proof && ./proof

The C++ is what hipify-py makes of the very `asm` statements, compiled by nvcc with the helper headers beside it. Every
form meets edge values and random ones. The program prints a line for each form that differs, and a summary;
approximations print their greatest distance from PTX's. In ptx_proof_cases.tsv, `MINE` is an address of 64 bytes of
shared memory of the thread's own, `GENERIC` the same as a generic address, `GLOBAL` 64 bytes of global memory.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import hipify
from hipify.model import Options
from hipify.rules.passes.ptx import HEADERS, ROUNDING
from hipify.rules.ptx_forms import SAME_BITS, forms
from hipify.rules.ptx_words import _COUNT, _HELPERS

HELPERS = Path(hipify.__file__).with_name("include")
_LETTER = {"8": "r", "16": "h", "32": "r", "64": "l"}
_VARIABLE = {"r": "unsigned int", "h": "unsigned short", "l": "unsigned long long", "f": "float", "d": "double"}
# Kinds that the runner knows: how to make an operand, and how to compare a result.
_WORDS = ("u8", "u16", "u32", "u64", "f32", "f64", "f16", "f16x2", "f32x2", "bf16", "bf16x2", "pred")
_MARK = "typedef unsigned long long u64;\n"
_OF_LANES = ("hipify::", "hipify_ptx_warp::")
# Forms of later GPUs than the proof's.
_LATER = ("f32x2", "/3")


class Case(NamedTuple):
    """A statement: its template, the kinds of its results and of its values."""

    name: str
    template: str
    results: tuple[str, ...]
    values: tuple[str, ...]
    near: int = 0


def cases() -> Iterator[Case]:
    """Every form of the tables, and statements of several instructions."""
    for opcode, form in forms().items():
        if form.carry or any(w in form.text for w in _OF_LANES) or any(w in opcode for w in _LATER):
            continue
        yield _single(opcode, form.result, form.values)
    for opcode, count in {**_HELPERS, **dict.fromkeys(_COUNT, 1)}.items():
        kind = opcode.rpartition(".")[2]
        kinds = [kind] * count
        base = opcode.partition(".")[0]
        if base in ("shl", "shr"):
            kinds[1] = "u32"
        if base in ("bfe", "bfi"):
            kinds[-2:] = ["u32", "u32"]
        if opcode == "lop3.b32":
            for table in (0x96, 0xE8, 0xCA, 0x1B, 0xF8, 0x40):
                yield Case(f"{opcode} {table:#x}", f"lop3.b32 %0, %1, %2, %3, {table:#x};", ("u32",), ("u32",) * 3)
            continue
        result = {"mul.wide.u32": "u64", "mul.wide.s32": "u64"}.get(opcode, kind)
        yield _single(opcode, "u32" if base in ("popc", "clz", "bfind") else result, tuple(kinds))
    for kind in ("u32", "s32", "u64", "s64"):
        for name in ("add", "sub", "mul.lo", "min", "max"):
            yield _single(f"{name}.{kind}", kind, (kind, kind))
        yield _single(f"mad.lo.{kind}", kind, (kind,) * 3)
    for kind in ("b32", "b64"):
        for name in ("and", "or", "xor"):
            yield _single(f"{name}.{kind}", kind, (kind, kind))
        yield _single(f"not.{kind}", kind, (kind,))
    for kind in ("f32", "f64"):
        yield _single(f"fma.rn.{kind}", kind, (kind,) * 3)
    for line in Path(__file__).with_name("ptx_proof_cases.tsv").read_text().splitlines():
        if not line.startswith("#"):
            name, results, values, template = line.split("\t")
            yield Case(name, template, tuple(results.split()), tuple(values.split()))


def _single(opcode: str, result: str, values: tuple[str, ...]) -> Case:
    """One instruction; predicates come from words and go into words."""
    inner, before, after = [], "", ""
    declared = [f"q{i}" for i, kind in enumerate(values) if kind == "pred"] + ["p"] * (result == "pred")
    for i, kind in enumerate(values):
        if kind == "pred":
            before += f" setp.ne.u32 q{i}, %{i + 1}, 0;"
            inner.append(f"q{i}")
        else:
            inner.append(f"%{i + 1}")
    to = "%0"
    if result == "pred":
        to, after = "p", " selp.u32 %0, 1, 0, p;"
    text = f"{opcode} {', '.join([to, *inner])};"
    if declared:
        text = f"{{ .reg .pred {', '.join(declared)};{before} {text}{after} }}"
    kinds = tuple("u32" if k == "pred" else _plain(k) for k in values)
    near = (
        2
        if opcode.startswith(("sin.", "cos."))
        else 3
        if opcode.startswith("lg2.")
        else "approx" in opcode or "full" in opcode
    )
    return Case(opcode, text, ("u32" if result == "pred" else _plain(result),), kinds, int(near))


def _plain(kind: str) -> str:
    """The runner's kind for a PTX type."""
    if kind in _WORDS:
        return kind
    return {"e4m3x2": "u16", "e5m2x2": "u16"}.get(kind, f"u{kind[1:]}")


def function(case: Case, number: int) -> str:
    """The device function of a case."""
    lines, outputs, inputs = [], [], []
    for i, kind in enumerate(case.results):
        letter = _letter(kind)
        lines.append(f"{_VARIABLE[letter]} r{i} = 0;")
        outputs.append(f'"={letter}"(r{i})')
    for i, kind in enumerate(case.values):
        letter = _letter(kind)
        lines.append(f"{_VARIABLE[letter]} v{i}; take(v{i}, in[{i}], {_kind(kind)});")
        inputs.append(f'"{letter}"(v{i})')
    template = case.template
    count = len(case.results) + len(case.values)
    for word, letter, expression in (("MINE", "r", "mine"), ("GLOBAL", "l", "global"), ("GENERIC", "l", "generic")):
        if word in template:
            template = template.replace(word, f"%{count}")
            inputs.append(f'"{letter}"({expression})')
            count += 1
    statement = f'asm volatile("{template}" : {", ".join(outputs)} : {", ".join(inputs)} : "memory");'
    stores = " ".join(f"give(r{i}, out[{i}]);" for i in range(len(case.results)))
    return (
        f"__device__ void f{number}(const u64* in, u64* out, unsigned int mine, char* global, char* generic) {{\n"
        f"  {' '.join(lines)}\n  {statement}\n  {stores}\n}}\n"
    )


def _letter(kind: str) -> str:
    if kind.startswith("size"):
        return "r"
    kind = SAME_BITS.get(kind, kind)
    if kind[0] == "f":
        return "f" if kind == "f32" else "d"
    return _LETTER[kind[1:]]


def _kind(kind: str) -> int:
    """The runner's number for a kind of operand."""
    if kind.startswith("size"):
        return 100 + int(kind[4:])
    return _WORDS.index(kind) if kind in _WORDS else _WORDS.index("u" + kind[1:])


def write(folder: Path, parts: int) -> None:
    """The program's files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "hip").mkdir(exist_ok=True)
    (folder / "hip" / "hip_runtime.h").write_text("#pragma once\n#include <cuda_runtime.h>\n#include <math.h>\n")
    for header in HELPERS.glob("hipify_*.h"):
        shutil.copy(header, folder)
    shutil.copy(Path(__file__).with_name("ptx_proof_runner.h"), folder / "runner.h")
    every = list(cases())
    left = []
    for part in range(parts):
        mine = [(n, c) for n, c in enumerate(every) if n % parts == part]
        body = "".join(function(case, number) for number, case in mine)
        translated = hipify.translate_source(_MARK + body, "proof.cu", Options(clang=False))
        text = translated.output.decode().split(_MARK, 1)[1]
        original = [f for f in body.split("__device__ ") if f]
        became = [f for f in text.split("__device__ ") if f]
        lines = [f'#include "{name}"' for name in ("runner.h", *HEADERS.values(), ROUNDING)]
        tests = []
        for (number, case), before, after in zip(mine, original, became, strict=True):
            if "asm" in after:
                left.append(case.name)
                continue
            lines += ["namespace ptx { __device__ " + before + "}", "namespace cpp { __device__ " + after + "}"]
            kinds = [*map(_kind, case.values), *[-1] * (6 - len(case.values))]
            results = [*map(_kind, case.results), *[-1] * (4 - len(case.results))]
            tests.append(f'  run<ptx::f{number}, cpp::f{number}>("{case.name}", {{{", ".join(map(str, kinds))}}}, '
                         f'{{{", ".join(map(str, results))}}}, {int(case.near)});')  # fmt: skip
        lines += [f"void part{part}() {{", *tests, "}"]
        (folder / f"part{part}.cu").write_text("\n".join([*lines, ""]))
    calls = "".join(f"void part{p}();\n" for p in range(parts))
    runs = "".join(f"  part{p}();\n" for p in range(parts))
    main = f"int main() {{\n{runs}  return summary();\n}}\n"
    (folder / "main.cu").write_text(f'#define MAIN\n#include "runner.h"\n{calls}{main}')
    print(f"{len(every) - len(left)} forms in {parts} files; not translated: {', '.join(left) or 'none'}")


def main() -> None:
    """Write the program into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--parts", type=int, default=32)
    arguments = parser.parse_args()
    write(arguments.folder, arguments.parts)


if __name__ == "__main__":
    main()

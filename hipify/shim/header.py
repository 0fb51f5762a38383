"""The text of the header, and what an earlier one holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from hipify.rules.passes.builtins import header_text
from hipify.shim.project import Shim

_VALUES = Path(__file__).with_name("values.tsv")
MARK = "Made by hipify-py shim"
_CUDA_INCLUDE = re.compile(r"(?:^#if __has_include\(<([^>]+)>\)\n)?^#include <([^>]+)>$", re.MULTILINE)
_NAMES = re.compile(
    r"^#define (\w+) |^typedef [\w:]+ (\w+);$|^// (\w+): a wrapper$|^namespace (\w+) =|^}+  // ([\w:]+)$", re.MULTILINE
)
_ELSE = "#else  // NVIDIA"
_HEAD = """\
// CUDA's names on AMD GPUs: {names} that this project uses, for ROCm {target}.
// {mark}: run it again when the code uses another name; changes made by hand are lost.
// Include it in place of CUDA's headers. On NVIDIA GPUs it includes just these.

#ifndef {guard}
#define {guard}

// As hip/hip_common.h decides it, for files that include this one first.
#if defined(__clang__) && defined(__HIP__) && !defined(__HIP_PLATFORM_AMD__) && !defined(__HIP_PLATFORM_NVIDIA__)
#define __HIP_PLATFORM_AMD__ 1
#endif

#if defined(__HIP_PLATFORM_AMD__)
"""


def render(shim: Shim, file_name: str) -> str:
    """The header. The same names give the same text."""
    guard = "HIPIFY_" + re.sub(r"\W", "_", file_name).upper()
    count = len(shim.names)
    names = "one name" if count == 1 else f"the {count} names"
    return _HEAD.format(names=names, target=shim.target, mark=MARK, guard=guard) + "\n".join(_body(shim, guard))


def _body(shim: Shim, guard: str) -> Iterator[str]:
    yield ""
    yield from (f"#include <{name}>" for name in shim.standard)
    yield "#include <hip/hip_runtime.h>"
    for name, conditional in sorted(shim.hip_headers.items()):
        if name not in ("hip/hip_runtime.h", *shim.standard):
            yield from _include(name, conditional)
    for helper in shim.helpers:
        yield ""
        yield header_text(helper).decode().strip("\n")
    yield from _part("// Types.", (f"typedef {new} {name};" for name, new in sorted(shim.types.items())))
    yield from _part(
        "// Functions, constants, and types that typedef cannot name.",
        (f"#define {name} {new}{_numbers(name)}" for name, new in sorted(shim.macros.items())),
    )
    yield from _cpp(shim)
    yield ""
    yield _ELSE
    yield ""
    for name, conditional in shim.cuda_headers.items():
        yield from _include(name, conditional)
    yield ""
    yield "#endif"
    yield ""
    yield f"#endif  // {guard}"
    yield ""


@cache
def _values() -> dict[str, str]:
    """What differs in number, as a comment: made by tools/value_differences.py."""
    rows = (line.split("\t") for line in _VALUES.read_text("utf-8").splitlines()[1:])
    return {name: f"  // CUDA's number is {cuda}, HIP's {hip}" for name, _, cuda, hip in rows}


def _numbers(name: str) -> str:
    return _values().get(name, "")


def _include(name: str, conditional: bool) -> Iterator[str]:
    if conditional:
        yield f"#if __has_include(<{name}>)"
    yield f"#include <{name}>"
    if conditional:
        yield "#endif"


def _part(title: str, lines: Iterator[str]) -> Iterator[str]:
    listed = list(lines)
    if listed:
        yield from ("", title, *listed)


def _cpp(shim: Shim) -> Iterator[str]:
    """What only C++ has."""
    if not shim.wrappers and not shim.namespaces:
        return
    yield ""
    yield "#if defined(__cplusplus)"
    for name, new in shim.namespaces.items():
        outer, _, inner = name.rpartition("::")
        if outer:
            yield " ".join((*(f"namespace {part} {{" for part in outer.split("::")), f"namespace {inner} = ::{new};"))
            yield f"{'}' * (outer.count('::') + 1)}  // {name}"
        else:
            yield f"namespace {name} = {new};"
    for wrapper in shim.wrappers:
        yield from ("", f"// {wrapper.name}: a wrapper", wrapper.text)
    yield "#endif"


def names_in(text: str) -> set[str]:
    """The names that a header gives."""
    return {next(filter(None, match.groups())) for match in _NAMES.finditer(_without_helpers(text))}


def _without_helpers(text: str) -> str:
    """The text without the helper headers in it."""
    return re.sub(r"^#ifndef (HIPIFY_(?:\w+)_H)\n[\s\S]*?^#endif  // \1$", "", _inner(text), flags=re.MULTILINE)


def _inner(text: str) -> str:
    return text.partition("#if defined(__HIP_PLATFORM_AMD__)\n")[2]


def cuda_headers_in(text: str) -> dict[str, bool]:
    """The CUDA headers that a header includes, and whether only where they are found."""
    part = text.rpartition(_ELSE)[2] if _ELSE in text else ""
    return {match[2]: match[1] is not None for match in _CUDA_INCLUDE.finditer(part)}


def is_ours(text: str) -> bool:
    """Whether this program wrote a header."""
    return MARK in text[:2000]

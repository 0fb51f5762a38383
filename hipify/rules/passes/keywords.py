"""C++ that nvcc lets pass and clang does not: the `register` keyword, C string functions without their header."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.tokens import is_ident
from hipify.rules.context import Context
from hipify.rules.headers import require
from hipify.rules.kinds import FindingKind

REGISTER = FindingKind(
    "HPY607",
    Severity.NOTE,
    "`register` removed",
    "C++17 removed the keyword: nvcc's host compiler warns, clang rejects it. It has no effect.",
    "Nothing needs to be done.",
    "#include <cuda_runtime.h>\n__global__ void k(int* p) { register int i = threadIdx.x; p[i] = i; }\n",
    "#include <hip/hip_runtime.h>\n__global__ void k(int* p) { int i = threadIdx.x; p[i] = i; }\n",
)
STRING_HEADER = FindingKind(
    "HPY608",
    Severity.NOTE,
    "<cstring> added",
    "nvcc includes the C string functions with every file; hip/hip_runtime.h declares them for the device alone.",
    "Nothing needs to be done.",
    "#include <cuda_runtime.h>\nvoid f(float* p) { memset(p, 0, 4); }\n",
    "#include <hip/hip_runtime.h>\n#include <cstring>\nvoid f(float* p) { memset(p, 0, 4); }\n",
)
_STRING_FUNCTIONS = (
    b"memset",
    b"memcpy",
    b"memmove",
    b"memcmp",
    b"strlen",
    b"strcmp",
    b"strncmp",
    b"strcpy",
    b"strcat",
    b"strstr",
    b"strchr",
    b"strtok",
    b"strncpy",
)
_STRING_HEADERS = frozenset((b"string.h", b"cstring", b"memory.h"))


def run(context: Context) -> None:
    """Drop `register` in C++ files that use CUDA; bring <cstring> where its functions are called without it."""
    if context.source.path.endswith(".c") or context.options.language == "hip":
        return
    for index in context.structure.index.get(b"register", ()):
        follower = context.structure.next_code(index + 1)
        if _uses_cuda(context) and context.is_code(index) and is_ident(context.text(follower) or b"0"):
            context.edit(context.tokens.start[index], context.tokens.start[follower], b"")
            context.find(REGISTER, index)
    _string_header(context)


def _uses_cuda(context: Context) -> bool:
    """Whether the file is CUDA: HIP files have passed their compiler already."""
    if any(include.name.startswith(b"hip") for include in context.structure.includes):
        return False
    return context.needs_runtime or context.source.path.endswith((".cu", ".cuh"))


def _string_header(context: Context) -> None:
    """CUDA's runtime header brings <string.h>; HIP's does not."""
    if any(include.name in _STRING_HEADERS for include in context.structure.includes):
        return
    for name in _STRING_FUNCTIONS:
        for index in context.structure.index.get(name, ()):
            before = context.text(context.structure.prev_code(index - 1))
            if before in (b".", b"->", b"::") or context.structure.call_at(index) is None:
                continue
            if not context.functions.in_device(index) and _uses_cuda(context) and not context.declared_here(name):
                require(context, ("cstring",))
                context.find(STRING_HEADER, index, message=f"{name.decode()} is called: <cstring> added")
                return

"""Whether a source uses CUDA at all: most files of a tree do not, and are copied without being read any further."""

from __future__ import annotations

from functools import lru_cache

from hipify.patterns import lazy

# Searched as plain text first, which is many times quicker than a pattern; the pattern begins with a literal, too.
_TEXTS = (b"cuda", b"<<<", b"__global__", b"__device__", b"__shared__", b"__constant__", b"__host__", b"__nv_",
          b"__launch_bounds__", b"__syncthreads", b"cooperative_groups", b"__half", b"nvtoolsext")  # fmt: skip
_NAMES = (
    lazy(rb"cu(?<!\wcu)(?:[A-Z]|blas|fft|rand|sparse|solver|dnn|tensor|pti|file|b[:/]|tlass)"),
    lazy(rb"CU(?<!\wCU)[_a-z]"),
    lazy(rb"nv(?<!\wnv)(?:rtc|tx|ml|jpeg|JitLink|shmem)"),
    lazy(rb"nccl(?<!\wnccl)"),
    lazy(rb"thrust(?<!\wthrust)[:/]"),
)
_WORD = lazy(rb"[A-Za-z_]\w+")
INCLUDE = lazy(rb'#[ \t]*include[ \t]*(["<])([^">\r\n]+)[">]')
_COORDINATES = frozenset((b"threadIdx", b"blockIdx", b"blockDim", b"gridDim", b"warpSize", b"dim3"))
FORTRAN = lazy(
    rb"(?i)\battributes\s*\(\s*(?:global|device|host|grid_global)|\buse\s+(?:cublas|cufft|curand|cusparse)\b|<<<"
    rb"|!\$cuf\b|\b(?:cuda|cublas|cufft|curand|cusparse|cusolver)[a-z]"
)
"""What CUDA Fortran, and Fortran that calls CUDA, are known by."""
# What host compilers know as well, and words that anybody may use.
_ANYBODYS = frozenset((b"__restrict__", b"__forceinline__", b"__noinline__", b"__align__", b"__assert_fail"))
_PLAIN = lazy(rb"[a-z][a-z0-9]*\Z")


def uses_cuda(data: bytes) -> bool:
    """Whether a source may hold anything that a translation changes or reports."""
    lower = data.lower()
    return (
        any(text in lower for text in _TEXTS)
        or any(name.search(data) for name in _NAMES)
        or _has_names(data)
        or (b"include" in data and any(_is_header(match[2]) for match in INCLUDE.finditer(data)))
    )


def _has_names(data: bytes) -> bool:
    """Whether any name of the tables or rules is there: `CUBLAS_OP_N`, `__popc`, `tex2D`."""
    from hipify.rules import rulebook
    from hipify.rules.library import Library

    words = frozenset(_WORD.findall(data))
    return not words.isdisjoint(rulebook.load().names) or any(_tells(word) for word in words & Library.default().names)


@lru_cache(maxsize=1 << 14)
def _tells(name: bytes) -> bool:
    """Whether a name of the tables is CUDA's wherever it stands."""
    from hipify.rules.library import Library
    from hipify.rules.target import KNOWN_ROCM

    api = Library.default().get(name)
    if api is None or api.status == "ambiguous" or api.has("std") or name in _ANYBODYS or _PLAIN.match(name):
        return False
    if api.status != "same" or len(api.seen.split(",")) < len(KNOWN_ROCM):
        return True
    return name.startswith((b"__", b"atomic")) or name in _COORDINATES


@lru_cache(maxsize=1 << 12)
def _is_header(path: bytes) -> bool:
    from hipify.rules.library import Library

    return Library.default().header(path) is not None

"""Words of CUDA's headers that say how a function is called: they are empty on Linux, and HIP has none."""

from __future__ import annotations

from hipify.model import Severity
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

CONVENTION = FindingKind(
    "HPY611",
    Severity.NOTE,
    "CUDA's word for a calling convention removed",
    "The macro is empty on Linux, and HIP has none for it.",
    "Nothing needs to be done.",
    "#include <cuda_runtime.h>\nvoid CUDART_CB done(void* data);\n",
    "#include <hip/hip_runtime.h>\nvoid done(void* data);\n",
)
_CONVENTIONS = frozenset(
    b"CUDART_CB CUDA_CB CUDARTAPI CUDAAPI CUFFTAPI CURANDAPI CUBLASWINAPI CUDNNWINAPI CUSPARSEAPI CUSOLVERAPI".split()
)
NEEDS = _CONVENTIONS


def run(context: Context) -> None:
    """Take the words out."""
    if context.options.language == "hip":
        return
    for name in sorted(_CONVENTIONS & context.tokens.vocabulary):
        _drop(context, name)


def _drop(context: Context, name: bytes) -> None:
    """Take out a word that says how a function is called, with the blank behind it."""
    if name in context.own_macros:
        return
    for index in context.structure.index.get(name, ()):
        directive = context.structure.directive_at(index)
        if index in context.claimed or (directive is not None and directive.name != b"define"):
            continue
        start, end = context.tokens.start[index], context.tokens.end(index)
        blank = context.text(index + 1)
        end += len(blank) if blank and not blank.strip(b" \t") else 0
        context.edit(start, end, b"")
        context.claimed.add(index)
        context.refer(index, "macro", "runtime", True)
        context.find(CONVENTION, index, message=f"{name.decode()} removed: it is empty, and HIP has no word for it")

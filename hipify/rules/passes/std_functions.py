"""C functions written with `std::` in device code: HIP declares its device versions outside of that namespace.

In a .cu file nvcc reads the CUDA runtime's header before all others, so that `std` gets the device functions, too.
"""

from __future__ import annotations

from hipify.rules.context import Context
from hipify.rules.passes.min_max import sides

_NAMES = frozenset((b"printf", b"memcpy", b"memset", b"clock"))
NEEDS = _NAMES


def run(context: Context) -> None:
    """Take `std` from their names, so that the device's functions are found."""
    vocabulary = context.tokens.vocabulary
    if context.options.language == "hip" or b"std" not in vocabulary:
        return
    structure, tokens = context.structure, context.tokens
    for name in sorted(_NAMES & vocabulary):
        for index in structure.index[name]:
            scope = structure.prev_code(index - 1)
            std = structure.prev_code(scope - 1) if scope > 0 and tokens.text[scope] == b"::" else -1
            if std < 0 or tokens.text[std] != b"std" or tokens.text[structure.next_code(index + 1)] != b"(":
                continue
            outer = structure.prev_code(std - 1)
            if structure.directive_at(index) is None and sides(context, index)[0]:
                first = outer if outer >= 0 and tokens.text[outer] == b"::" else std
                context.edit(tokens.start[first], tokens.start[scope], b"")

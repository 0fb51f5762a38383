"""Macros that stand for CUB's namespace."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.parser.structure import Macro
from hipify.rules.context import Context


def stands_for_cub(context: Context, index: int) -> Macro | None:
    """The macro that is nothing but `cub`, `::cub` or `::cub::`, of which `index` is a token."""
    structure = context.structure
    macro = structure.macro_at(index)
    if macro is None or macro.parameters is not None:
        return None
    body = [context.text(i) for i in context.tokens.significant(macro.first, macro.stop)]
    scoped = [word for word in body if word == b"::"]
    if body.count(b"cub") != 1 or len(scoped) != len(body) - 1:
        return None
    if scoped or any(i.name.startswith(b"cub/") for i in structure.includes):
        return macro
    uses = structure.index[context.text(macro.name)]
    return macro if any(context.text(structure.next_code(i + 1)) == b"::" for i in uses) else None


def uses_of(context: Context, macro: Macro) -> Iterator[int]:
    """What stands behind each use of such a macro: the token of the member's name."""
    structure = context.structure
    for index in structure.index[context.text(macro.name)]:
        if index != macro.name and context.is_code(index):
            behind = structure.next_code(index + 1)
            yield structure.next_code(behind + 1) if context.text(behind) == b"::" else behind

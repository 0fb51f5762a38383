"""CUB's namespace by other names: macros that stand for it, and namespaces that it is wrapped in."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.model import Severity
from hipify.parser.structure import Include, Macro
from hipify.rules.context import Context
from hipify.rules.headers import behind_line
from hipify.rules.kinds import FindingKind

WRAPPED = FindingKind(
    "HPY129",
    Severity.NOTE,
    "namespace that CUB is wrapped in",
    "hipCUB stands in its own namespace alone. An alias in the wrapping namespace leads there.",
    "Nothing needs to be done.",
    "#define CUB_WRAPPED_NAMESPACE mine\n#include <cub/cub.cuh>\nusing Sum = mine::cub::BlockReduce<int, 64>;\n",
    "#include <hipcub/hipcub.hpp>\nnamespace mine { namespace cub = ::hipcub; }\n",
)
WRAPPERS = (b"CUB_WRAPPED_NAMESPACE", b"THRUST_CUB_WRAPPED_NAMESPACE", b"CUB_NS_PREFIX")
"""The macros that give CUB another namespace around its own: a name, or how it is opened."""


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


def wrap(context: Context) -> None:
    """Give the namespace that CUB is wrapped in an alias of hipCUB, behind the include of CUB."""
    structure, text = context.structure, context.text
    names = [name for name in WRAPPERS if name in structure.index]
    if not names:
        return
    includes = [i for i in structure.includes if i.name.startswith(b"cub/")]
    found: dict[bytes, Macro] = {}
    for macro in structure.macros:
        if text(macro.name) in names and macro.parameters is None:
            words = [text(i) for i in context.tokens.significant(macro.first, macro.stop)]
            spaces = [w for w in words if w not in (b"namespace", b"{", b"::", b"inline")]
            if spaces:
                found[b"::".join(spaces)] = macro
    for scope, macro in found.items():
        behind = [i for i in includes if i.directive.first > macro.name]
        if behind:
            _alias(context, scope, macro, behind[-1])


def _alias(context: Context, scope: bytes, macro: Macro, include: Include) -> None:
    spaces = scope.split(b"::")
    opened = b"".join(b"namespace %s { " % name for name in spaces)
    line = opened + b"namespace cub = ::hipcub;" + b" }" * len(spaces) + context.source.newline
    offset = behind_line(context, include.directive)
    at_line_start = context.source.data[offset - 1 : offset] == b"\n"
    context.insert(offset, line if at_line_start else context.source.newline + line)
    shown = scope.decode("utf-8", "replace")
    message = f"CUB is wrapped in {shown} here: {shown}::cub is an alias of hipcub"
    context.find(WRAPPED, macro.name, message=message)
    context.needs_runtime = True

"""Namespaces that CUB is wrapped in: they get an alias of hipCUB's."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.structure import Include, Macro
from hipify.rules.context import Context
from hipify.rules.headers import behind_line
from hipify.rules.kinds import FindingKind

WRAPPED = FindingKind(
    "HPY130",
    Severity.NOTE,
    "namespace that CUB is wrapped in",
    "hipCUB stands in its own namespace alone. An alias in the wrapping namespace leads there.",
    "Nothing needs to be done.",
    "#define CUB_WRAPPED_NAMESPACE mine\n#include <cub/cub.cuh>\nusing Sum = mine::cub::BlockReduce<int, 64>;\n",
    "#include <hipcub/hipcub.hpp>\nnamespace mine { namespace cub = ::hipcub; }\n",
)
# They give CUB another namespace around its own: a name, or how it is opened.
_WRAPPERS = (b"CUB_WRAPPED_NAMESPACE", b"THRUST_CUB_WRAPPED_NAMESPACE", b"CUB_NS_PREFIX")
NEEDS = frozenset(_WRAPPERS)


def run(context: Context) -> None:
    """Give the namespace that CUB is wrapped in an alias of hipCUB, behind the include of CUB."""
    structure, text = context.structure, context.text
    names = [name for name in _WRAPPERS if name in structure.index]
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

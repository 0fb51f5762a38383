"""Definitions by which a program reaches HIP itself: `#define cudaFree hipFree` where it is built for AMD.

The name that they define is CUDA's all the same, and most likely no macro in the build of the translation: what asks
for the definition is a switch of the program's (`USE_ROCM`). So uses are translated, and the definitions stay.
"""

from __future__ import annotations

from hipify.parser.tokens import is_ident
from hipify.patterns import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.parser.structure import Macro
    from hipify.rules.context import Context

_SWITCH = lazy(rb"\w*(?:HIP|ROCM|AMD|hip|rocm|amd)\w*\Z")
_COMPILERS = lazy(rb"__HIP|__AMD|HIP_VERSION|HIP_INCLUDE|HIP_ENABLE|HIP_TEMPLATE")


def bridges(context: Context) -> frozenset[int]:
    """The name tokens of these definitions, of names that the file defines in no other way."""
    found: dict[bytes, list[int]] = {}
    others: set[bytes] = set()
    for macro in context.structure.macros:
        name = context.text(macro.name)
        if name not in context.library.names:
            continue
        if _is_bridge(context, macro):
            found.setdefault(name, []).append(macro.name)
        else:
            others.add(name)
    return frozenset(index for name, places in found.items() if name not in others for index in places)


def _is_bridge(context: Context, macro: Macro) -> bool:
    body = [context.text(i) for i in context.tokens.significant(macro.first, macro.stop)]
    words = [word for word in body if is_ident(word)]
    if len(body) == 1 and macro.parameters is None:
        return context.library.is_hip_name(body[0])
    to_hip = any(context.library.is_hip_name(word) or word.startswith(b"__") for word in words)
    return to_hip and _asked_for(context, macro)


def _asked_for(context: Context, macro: Macro) -> bool:
    """Whether a conditional around a definition asks for HIP by a macro of the program's."""
    structure = context.structure
    for first, _ in context.branches.around(macro.name):
        directive = structure.directive_at(first)
        if directive is None:
            continue
        words = [context.text(i) for i in context.tokens.significant(directive.body, directive.stop)]
        if any(_SWITCH.match(word) and not _COMPILERS.match(word) for word in words):
            return True
    return False

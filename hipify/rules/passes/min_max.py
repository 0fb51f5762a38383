"""min and max of numbers that HIP would convert without a word: a helper header declares them as CUDA does.

CUDA declares both for every pair of number types, on both sides. HIP's host functions know int alone, so that long and
double arguments are converted to it; its device functions make a double of integers that differ in their sign.
"""

from __future__ import annotations

from hipify.parser.owner import Owner
from hipify.parser.structure import Call
from hipify.parser.tokens import is_ident
from hipify.rules.context import Context
from hipify.rules.passes.builtins import include_helpers

HEADER = "hipify_minmax.h"
_NAMES = (b"min", b"max")
_KEYWORDS = frozenset((b"return", b"case", b"else", b"do", b"throw", b"co_return", b"co_yield"))
_TO_INT = frozenset(("int", "short", "unsigned short", "char", "signed char", "unsigned char", "bool"))
_SIGNS = {"int": "unsigned int", "long": "unsigned long", "long long": "unsigned long long"}


def run(context: Context) -> None:
    """Include the header where some call needs it."""
    if context.options.language == "hip" or not context.analysis.references:
        return
    names = [name for name in _NAMES if name in context.structure.index and not context.declared_here(name)]
    if not any(_needs(context, index) for name in names for index in context.structure.index[name]):
        return
    context.needs_runtime = True
    include_helpers(context, [HEADER])


def _needs(context: Context, index: int) -> bool:
    """Whether a call means another function to HIP than to CUDA."""
    structure = context.structure
    call = structure.call_at(index)
    if call is None or len(call.args) != 2 or not is_plain_call(context, index):
        return False
    owner = context.owner(index)[0]
    if owner is not Owner.USER and context.is_code(index) and structure.directive_at(index) is not None:
        return True  # a macro: what it will be given is not known
    if owner is Owner.USER or (context.semantics is not None and owner is not Owner.API):
        return False
    on_device, on_host = sides(context, index)
    types = _types(context, call)
    if on_host and not (types and all(name in _TO_INT for name in types)):
        return not (types and types[0] == types[1] and _sees_std(context))
    promoted = ["int" if name in _TO_INT else name for name in types]
    return on_device and bool(types) and any(_SIGNS.get(a) == b for a, b in (promoted, promoted[::-1]))


def is_plain_call(context: Context, index: int) -> bool:
    """Whether a name is called as a function outside of any namespace, without template arguments."""
    structure, text = context.structure, context.tokens.text
    before = structure.prev_code(index - 1)
    if before >= 0 and text[before] in (b".", b"->"):
        return False
    if before > 0 and text[before] == b"::":
        scope = text[structure.prev_code(before - 1)]
        if is_ident(scope) and scope not in _KEYWORDS:
            return False
    behind = structure.next_code(index + 1)
    return behind < len(text) and text[behind] == b"("


def _sees_std(context: Context) -> bool:
    """Whether the names of std are visible: its functions fit two arguments of one type better than HIP's."""
    text, structure = context.tokens.text, context.structure
    return any(text[structure.next_code(i + 1)] == b"std" for i in structure.index.get(b"namespace", ()))


def sides(context: Context, index: int) -> tuple[bool, bool]:
    """Whether code runs on the device, and whether it runs on the host."""
    if context.semantics is not None:
        offset = context.tokens.start[index]
        if context.semantics.is_host_device(offset):
            return True, True
        on_device = context.semantics.in_device_code(offset)
        if on_device is not None:
            return on_device, not on_device
    function = context.functions.function_at(index)
    return function is not None, function is None or b"__host__" in function.attributes


def _types(context: Context, call: Call) -> list[str]:
    """The types of both arguments; nothing where one of them is not known."""
    found = []
    for argument in call.args:
        start, end = context.argument_range(argument)
        name = context.semantics.expr_type(start, end) if context.semantics is not None else ""
        if not name and context.source.data[start:end].isdigit():
            name = "int"
        found.append(name.removeprefix("const "))
    return found if all(found) else []

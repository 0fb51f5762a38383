"""Warp built-ins: kept on warps of 32 lanes through hipify_warp.h (preserve), or widened to wavefronts (native)."""

from __future__ import annotations

from hipify.parser.owner import Owner
from hipify.rules.checks.warp_code import OPERATIONS, WarpCode, warp_code
from hipify.rules.context import Context
from hipify.rules.passes.builtins import header_text
from hipify.rules.passes.calls import ADDRESS

HEADER = "hipify_warp.h"
_ALL_LANES = b"0xffffffffffffffffull"
NEEDS = frozenset((*OPERATIONS, b"warpSize", b"__fns"))


def run(context: Context) -> None:
    """Rewrite the warp built-ins as the option `warp`, or a comment at the kernel, asks."""
    vocabulary = context.structure.index
    if context.options.language == "hip":
        return
    if b"warpSize" not in vocabulary and not any(name in vocabulary for name in (*OPERATIONS, b"__fns")):
        return
    code = warp_code(context)
    included = bool(code.preserved)
    _native(context, code)
    _preserve(context, code)
    if code.preserved and not included:
        context.needs_runtime = True
        include(context)


def _preserve(context: Context, code: WarpCode) -> None:
    """Every built-in becomes its namesake in hipify_warp.h, `warpSize` its constant."""
    structure, mentioned = context.structure, set(code.mentions)
    found = {use.index for use in code.uses} | mentioned
    if not context.target.at_least(6) and not context.declared_here(b"__fns"):
        found |= {i for i in structure.index.get(b"__fns", ()) if structure.call_at(i) is not None}
    for index in sorted(found):
        if index not in context.claimed and code.keeps_lanes(index):
            _, confidence = context.owner(index)
            context.replace(index, b"hipify::" + context.text(index).lstrip(b"_"), confidence)
            code.preserved.add(index)
        elif index in mentioned and index not in context.claimed:
            _report(context, index)
    for index in _warp_sizes(context):
        if code.keeps_lanes(index):
            context.replace(index, b"hipify::warp_size")
            code.preserved.add(index)


def _report(context: Context, index: int) -> None:
    """Tell of a built-in that is passed on or pointed at, where HIP's own is to be used: it has another signature."""
    operation = OPERATIONS[context.text(index)]
    if operation.mask >= 0 or operation.gives_mask or operation.kind == "sync":
        name = operation.name.decode()
        _, confidence = context.owner(index)
        message = f"{name} is named here without a call that can be read: HIP's takes lane masks of 64 bits"
        context.find(ADDRESS, index, message=message, confidence=confidence)


def _warp_sizes(context: Context) -> list[int]:
    """The tokens `warpSize` that mean CUDA's: not members, not the file's own variables of that name."""
    structure = context.structure
    places = structure.index.get(b"warpSize", ())
    if not places:
        return []
    from hipify.rules.member_names import handed

    own = [i for i in places if context.declares(i)]
    if b"warpSize" in context.own_macros or any(structure.enclosing(i) is None for i in own):
        return []
    out = []
    for index in places:
        before = context.text(structure.prev_code(index - 1))
        if index in context.claimed or not context.is_code(index) or before in (b".", b"->", b"::", b"##"):
            continue
        if context.owner(index)[0] is Owner.USER or handed(context, index) is not None:
            continue
        if own:  # the host has a variable of that name somewhere
            function = context.functions.function_at(index)
            if function is None or any(function.first <= i < function.stop for i in own):
                continue
        directive = structure.directive_at(index)
        if directive is None or directive.name == b"define":
            out.append(index)
    return out


def _native(context: Context, code: WarpCode) -> None:
    """All-ones masks get 64 bits: where they are written, or in the macro that only such masks use."""
    widened: set[int] = set()
    for use in code.uses:
        argument = use.lane_mask
        value = code.mask_value(use)
        if argument is None or value is None or value.bits != 32 or value.mask != 0xFFFFFFFF:
            continue
        if code.mode(use.index) != "native":
            continue
        code.widened.add(use.index)
        name = context.text(argument.first)
        if argument.stop == argument.first + 1 and name in context.own_macros and _only_masks(context, code, name):
            for macro in context.structure.macros:
                if context.text(macro.name) == name and macro.name not in widened:
                    widened.add(macro.name)
                    stop = context.tokens.prev(macro.stop - 1) + 1
                    context.edit(context.tokens.start[macro.first], context.tokens.start[stop], _ALL_LANES)
            continue
        context.edit(*context.argument_range(argument), _ALL_LANES)


def _only_masks(context: Context, code: WarpCode, name: bytes) -> bool:
    """Whether every use of a macro is the whole mask of a built-in."""
    masks = {
        argument.first
        for use in code.uses
        if code.mode(use.index) == "native"
        and use.operation.mask >= 0
        and (argument := use.argument(use.operation.mask)) is not None
        if argument.stop == argument.first + 1
    }
    definitions = {macro.name for macro in context.structure.macros}
    return all(i in masks or i in definitions for i in context.structure.index[name])


def include(context: Context) -> None:
    """`#include "hipify_warp.h"` behind the includes at the head of the file, else in front of its code."""
    context.analysis.helper_headers[HEADER] = header_text(HEADER)
    tokens, structure, source = context.tokens, context.structure, context.source
    if any(include.name == HEADER.encode() for include in structure.includes):
        return
    text = b'#include "' + HEADER.encode() + b'"'
    behind = _head(context)
    offset = tokens.start[min(behind + 1, len(tokens))] if behind >= 0 else source.bom_length
    ended = offset == source.bom_length or source.data[offset - 1 : offset] == b"\n"
    context.insert(offset, text + source.newline if ended else source.newline + text)


def _head(context: Context) -> int:
    """The line end behind the last unconditional include in front of any code, else behind the include guard.

    Without either it is the last token of the blank lines and comments that the file begins with.
    """
    tokens, structure = context.tokens, context.structure
    directives = structure.directives
    code = tokens.next(1 if context.source.bom_length else 0)
    while (first := structure.directive_at(code)) is not None:
        code = tokens.next(first.stop)
    guarded = len(directives) > 1 and directives[0].name == b"ifndef" and directives[1].name == b"define"
    depth, found = -1 if guarded else 0, -1
    for number, directive in enumerate(directives):
        if directive.first > code:
            break
        if directive.name in (b"if", b"ifdef", b"ifndef"):
            depth += 1
        elif directive.name == b"endif":
            depth -= 1
        elif directive.name == b"include" and depth == 0:
            found = directive.stop
        if found < 0 and ((guarded and number == 1) or directive.name == b"pragma"):
            found = directive.stop
    if found >= 0:
        return found
    blank = [i for i in range(min(code, len(tokens))) if tokens.text[i] in (b"\n", b"\r\n")]
    return blank[-1] if blank else -1

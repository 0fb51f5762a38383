"""Inline PTX that C++ says exactly is written as C++; what is left is the PTX check's to report."""

from __future__ import annotations

import re
from typing import NamedTuple

from hipify.model import Severity
from hipify.parser.functions import AsmStatement
from hipify.parser.structure import Argument
from hipify.parser.tokens import is_blank
from hipify.patterns import lazy
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind
from hipify.rules.moves import Move, Span

WRITTEN = FindingKind(
    "HPY413",
    Severity.NOTE,
    "inline PTX written as C++",
    "PTX is NVIDIA's virtual ISA. What this statement computes has a form in C++ that is the same to the bit; cache "
    "hints alone are gone.",
    "Nothing needs to be done.",
    '__device__ unsigned f(unsigned x) {\n    unsigned r;\n    asm("brev.b32 %0, %1;" : "=r"(r) : "r"(x));\n'
    "    return r;\n}\n",
    "__device__ unsigned f(unsigned x) {\n    return __brev(x);\n}\n",
)
HEADER = "hipify_ptx.h"
_LANES = {
    "laneid": "{lane}",
    "lanemask_eq": "1u << {lane}",
    "lanemask_lt": "(1u << {lane}) - 1u",
    "lanemask_le": "(2u << {lane}) - 1u",
    "lanemask_gt": "~((2u << {lane}) - 1u)",
    "lanemask_ge": "~((1u << {lane}) - 1u)",
}
_LANE = lazy(r"mov\.[ubs]32\s+%0\s*,\s*%(lane\w+)")
_POSTFIX = lazy(rb"\w+(?:\.\w+|->\w+|\[\w+\])*")
_PLACE = lazy(r"\{(\d+)\}")


class _Statement(NamedTuple):
    """An `asm` statement: the letters and expressions of its operands, and what it says of the compiler's liberty."""

    constraints: list[str]
    operands: list[Argument]
    volatile: bool
    clobbers: bool


def run(context: Context) -> None:
    """Rewrite the statements of device code whose every instruction has exact words in C++."""
    if context.options.language == "hip" or not context.tokens.vocabulary & {b"asm", b"__asm__", b"__asm"}:
        return
    from hipify.rules.checks.ptx import is_for_gpu
    from hipify.rules.conditionals import conditionals_of

    helper = False
    for statement in context.asm:
        if not context.is_code(statement.first) or not is_for_gpu(context, statement):
            continue
        if not conditionals_of(context).leaves_out(context.tokens.start[statement.first]):
            helper |= _rewrite(context, statement)
    if helper:
        from hipify.rules.passes.builtins import include_helpers

        include_helpers(context, [HEADER])


def _rewrite(context: Context, statement: AsmStatement) -> bool:
    """Write one statement as C++, if that is possible; whether it needs the helper header."""
    from hipify.parser.ptx import statements, template_text
    from hipify.rules.ptx_words import Words, Writer

    read = _read(context, statement)
    if read is None:
        return False
    text = template_text([context.tokens.text[i] for i in statement.strings])
    if "{" in re.sub(r"\{[\s%\d,]*\}", "", text) or "@" in text:
        return False  # registers of its own, predicates
    instructions = [s.replace("<", "{").replace(">", "}") for s in statements(text)]
    lane = _lane(context, statement, instructions)
    if lane:
        words: list[Words | None] = [Words(lane)]
    else:
        writer = Writer(read.constraints, read.volatile)
        words = [writer.write(instruction) for instruction in instructions]
    written = [w for w in words if w is not None]
    places = [int(n) for w in written for n in _PLACE.findall(w.text)]
    if not written or len(written) < len(words) or sum(bool(_PLACE.search(w.text)) for w in written) > 1:
        return False
    if any(places.count(n) > 1 and not _simple(context, read.operands[n]) for n in places):
        return False
    helper = any(w.helper for w in written)
    parts = [w.text for w in written]
    if read.clobbers and any(w.accesses for w in written):
        parts, helper = ["hipify_ptx::ordered()", *parts, "hipify_ptx::ordered()"], True
    body = ", ".join(parts)
    _replace(context, statement, read, f"({body})" if len(parts) > 1 else body)
    shown = "; ".join(instructions)
    context.find(WRITTEN, statement.first, statement.stop, message=f"inline PTX written as C++: {shown}")
    context.claimed.add(statement.first)
    context.needs_runtime = True
    return helper


def _lane(context: Context, statement: AsmStatement, instructions: list[str]) -> str:
    """C++ for the lane's number or a mask of lanes, where the translation keeps warps of 32; '' for anything else."""
    match = _LANE.fullmatch(instructions[0]) if len(instructions) == 1 else None
    if match is None or match[1] not in _LANES:
        return ""
    from hipify.rules.checks.warp_code import warp_code
    from hipify.rules.passes import warp

    if not warp_code(context).keeps_lanes(statement.first):
        return ""
    if not warp_code(context).preserved:  # else the warp pass has included its header
        warp.include(context)
        warp_code(context).preserved.add(statement.first)
    return "{0} = " + _LANES[match[1]].format(lane="hipify::lane_id()")


def _read(context: Context, statement: AsmStatement) -> _Statement | None:
    """The operands of a statement; None when they are not all of the plain form, or a comment would be lost."""
    tokens, text, structure = context.tokens, context.tokens.text, context.structure
    inside = range(statement.first, statement.stop)
    if any(text[i][:2] in (b"//", b"/*") for i in inside if is_blank(text[i])):
        return None
    if structure.directive_at(statement.first) is None and structure.directives_between(
        statement.first, statement.stop
    ):
        return None
    close = statement.stop - 1
    opener = structure.partner[close]
    words = {text[i] for i in range(statement.first, opener)}
    constraints: list[str] = []
    operands: list[Argument] = []
    section, at, clobbers = 0, opener + 1, False
    while at < close:
        token = text[at]
        if token in (b":", b"::"):
            section += len(token)
        elif section in (1, 2) and token[:1] == b'"':
            begin = tokens.next(at + 1, close)
            if text[begin] != b"(" or begin not in structure.partner:
                return None
            end = structure.partner[begin]
            constraints.append(token.strip(b'"').decode("latin-1"))
            first = tokens.next(begin + 1, end)
            operands.append(Argument(first, tokens.prev(end - 1) + 1))
            at = end
        elif section == 3 and token == b'"memory"':
            clobbers = True
        elif section > 0 and token != b"," and not is_blank(token) and section != 3:
            return None
        at += 1
    volatile = bool(words & {b"volatile", b"__volatile__"}) or not any(c[:1] in "=+" for c in constraints)
    return _Statement(constraints, operands, volatile, clobbers)


def _simple(context: Context, operand: Argument) -> bool:
    """Whether an operand may be written twice: a name or a number."""
    return operand.stop - operand.first == 1


def _replace(context: Context, statement: AsmStatement, read: _Statement, text: str) -> None:
    start = context.tokens.start
    parts: list[bytes | Span] = []
    last = 0
    in_macro = context.structure.macro_at(statement.first) is not None
    for match in _PLACE.finditer(text):
        operand = read.operands[int(match[1])]
        before = text[last : match.start()]
        wrapped = before.endswith("(") and text[match.end() : match.end() + 1] == ")"
        plain = wrapped or (not in_macro and _POSTFIX.fullmatch(context.argument_bytes(operand)) is not None)
        parts += [before.encode(), b"" if plain else b"(", (start[operand.first], start[operand.stop])]
        parts.append(b"" if plain else b")")
        last = match.end()
    parts.append(text[last:].encode())
    begin, end = start[statement.first], context.tokens.end(statement.stop - 1)
    context.moves.append(Move(begin, end, tuple(p for p in parts if p), len(context.moves)))

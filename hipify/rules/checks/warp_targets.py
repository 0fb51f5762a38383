"""Where a lane mask goes without a variable: through pointers, into parameters, members, and out of lambdas."""

from __future__ import annotations

from hipify.parser.structure import Argument
from hipify.parser.tokens import is_ident
from hipify.rules.checks.warp_code import Use, WarpCode
from hipify.rules.constant_expressions import type_bits
from hipify.rules.context import Context
from hipify.rules.declared import parameter_words

_PLACES = 32


def pointee_bits(context: Context, code: WarpCode, name: int) -> int:
    """The width of what the pointer (or array parameter) at token `name` points at; 0 when that cannot be told."""
    structure = context.structure
    places = [i for i in structure.index.get(context.text(name), ()) if i <= name]
    for place in reversed(places[-_PLACES:]):
        words = [w for w in code.values.type_words(place) if w not in (b"const", b"__restrict__", b"__restrict")]
        if words[-1:] == [b"*"] and b"*" not in words[:-1]:
            return code.values.width(b" ".join(words[:-1]))
    return 0


def passed_to(context: Context, code: WarpCode, use: Use) -> str:
    """The 32-bit parameter, member or atomic's word that a mask is handed to as a whole argument."""
    structure = context.structure
    opener = structure.enclosing(use.index)
    if opener is None or context.text(opener) != b"(":
        return ""
    call = structure.call_at(structure.prev_code(opener - 1))
    if call is None or call.open != opener:
        return ""
    for at, argument in enumerate(call.args):
        if structure.next_code(argument.first) == use.index and argument.stop == use.call.close + 1:
            return _parameter(context, code, call.name, at, call.args)
    return ""


def _parameter(context: Context, code: WarpCode, name: int, at: int, args: tuple[Argument, ...]) -> str:
    text = context.text(name)
    shown = text.decode("utf-8", "replace")
    if text.startswith(b"atomic") and at == 1:
        words = [i for i in context.tokens.significant(args[0].first, args[0].stop) if is_ident(context.text(i))]
        if not words:
            return ""
        bits = pointee_bits(context, code, words[0]) or code.values.width(code.values.declared_type(words[0])[0])
        return f"the word of {shown}" if bits == 32 else ""
    widths = {_parameter_bits(context, code, f.name, at) for f in context.functions.by_name.get(text, ())}
    if widths:
        return f"the parameter of {shown}" if widths == {32} else ""
    if context.functions.device_function(name) is None:  # a member initialiser stands in front of the body
        for place in context.structure.index.get(text, ())[:_PLACES]:
            after = context.text(context.structure.next_code(place + 1))
            words_of = code.values.type_words(place) if after in (b";", b"=", b"{", b",") else []
            if words_of and code.values.width(b" ".join(words_of)) == 32 and b"bool" not in words_of:
                return f"{shown} ({b' '.join(words_of).decode('utf-8', 'replace')})"
    return ""


def _parameter_bits(context: Context, code: WarpCode, name: int, at: int) -> int:
    call = context.structure.call_at(name) if name >= 0 else None
    if call is None or at >= len(call.args):
        return 0
    words = [w for w in parameter_words(context, call.args[at]) if w != b"const"]
    kind = words[:-1] if len(words) > 1 and not type_bits(b" ".join(words)) else words
    return 0 if b"bool" in kind or b"*" in kind else code.values.width(b" ".join(kind))


def trailing_return_bits(context: Context, code: WarpCode, index: int) -> int:
    """The width after `->` of the lambda or function whose body is the nearest brace around token `index`."""
    structure = context.structure
    opener = structure.enclosing(index)
    while opener is not None and context.text(opener) != b"{":
        opener = structure.enclosing(opener)
    if opener is None:
        return 0
    words: list[bytes] = []
    at = structure.prev_code(opener - 1)
    while at >= 0 and is_ident(context.text(at)) and len(words) < 6:
        words.insert(0, context.text(at))
        at = structure.prev_code(at - 1)
    arrow = context.text(at) == b"->" or (context.text(at) == b">" and context.text(at - 1) == b"-")
    return code.values.width(b" ".join(words)) if arrow and words and b"bool" not in words else 0

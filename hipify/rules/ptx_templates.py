"""The text of an `asm` template, of strings and of the file's own macros that stand for strings."""

from __future__ import annotations

from bisect import bisect_left

from hipify.parser.functions import AsmStatement
from hipify.parser.ptx import literal_value
from hipify.parser.structure import Macro
from hipify.parser.tokens import is_blank, is_ident
from hipify.rules.context import Context

_MOST = 8  # texts that alternatives may make


def templates(context: Context, statement: AsmStatement) -> list[str]:
    """Every text that the template may be, by its macros and conditions; none where a part is not known."""
    text, partner = context.tokens.text, context.structure.partner
    at, stop = partner[statement.stop - 1] + 1, statement.stop - 1
    reader = _Reader()
    in_macro = context.structure.directive_at(statement.first) is not None
    while at < stop and text[at] not in (b":", b"::"):
        options: list[bytes] = [b""]
        directive = None if in_macro else context.structure.directive_at(at)
        if directive is not None:
            if not reader.condition(directive.name):
                return []
            at = directive.stop - 1
        elif text[at][-1:] == b'"':
            options = [literal_value(text[at])]
        elif is_ident(text[at]):
            options, at = _of_macros(context, at)
        elif not is_blank(text[at]):
            return []
        if not reader.add(options):
            return []
        at += 1
    found = reader.texts if not reader.open else []
    return list(dict.fromkeys(t.replace(b"%%", b"%").decode("latin-1") for t in found))


class _Reader:
    """The texts so far; within a condition those of each branch."""

    def __init__(self) -> None:
        self.texts = [b""]
        self.open: list[tuple[list[bytes], list[bytes], bool]] = []  # before the condition, of its branches, has else

    def add(self, options: list[bytes]) -> bool:
        """Go on with each of these; whether that is possible, and not too much."""
        self.texts = [before + option for before in self.texts for option in options]
        return bool(self.texts) and len(self.texts) <= _MOST

    def condition(self, name: bytes) -> bool:
        """A directive among the strings; whether it is one of a condition."""
        if name in (b"if", b"ifdef", b"ifndef"):
            self.open.append((self.texts, [], False))
        elif not self.open:
            return False
        elif name in (b"else", b"elif"):
            before, found, _ = self.open.pop()
            self.open.append((before, found + self.texts, name == b"else"))
            self.texts = before
        elif name == b"endif":
            before, found, complete = self.open.pop()
            self.texts = found + self.texts + ([] if complete else before)
        else:
            return False
        return True


def _of_macros(context: Context, at: int) -> tuple[list[bytes], int]:
    """The strings that the macro at a token may stand for, and the last token of its use."""
    from hipify.rules.conditionals import conditionals_of

    structure, tokens = context.structure, context.tokens
    left_out = conditionals_of(context).leaves_out
    found = [m for m in _definitions(context, tokens.text[at]) if not left_out(tokens.start[m.name])]
    arguments: tuple[bytes, ...] | None = None
    if any(m.parameters is not None for m in found):
        call = structure.call_at(at)
        if call is None:
            return [], at
        arguments = tuple(context.argument_bytes(a).strip() for a in call.args)
        at = call.close
    strings = [_string(context, macro, arguments) for macro in found]
    return ([s for s in strings if s is not None] if None not in strings else []), at


def _definitions(context: Context, name: bytes) -> list[Macro]:
    """The file's definitions of a macro."""
    macros, found = context.structure.macros, []
    for index in context.structure.index.get(name, ()):
        place = bisect_left(macros, index, key=lambda macro: macro.name)
        if place < len(macros) and macros[place].name == index:
            found.append(macros[place])
    return found


def _string(context: Context, macro: Macro, arguments: tuple[bytes, ...] | None) -> bytes | None:
    """The string that a macro stands for, of literals and of its parameters as strings."""
    text, parameters = context.tokens.text, macro.parameters or ()
    if (macro.parameters is None) != (arguments is None) or len(parameters) != len(arguments or ()):
        return None
    values = dict(zip(parameters, arguments or (), strict=True))
    parts, as_string = [], False
    for index in context.tokens.significant(macro.first, macro.stop):
        if as_string and text[index] in values:
            parts.append(values[text[index]])
            as_string = False
        elif text[index] == b"#" and not as_string:
            as_string = True
        elif text[index][-1:] == b'"' and not as_string:
            parts.append(literal_value(text[index]))
        else:
            return None
    return None if as_string else b"".join(parts)

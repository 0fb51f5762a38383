"""Whether a rule applies to a call: its form, and the conditions that it names."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from fnmatch import fnmatchcase

from hipify.parser.structure import Argument, Call
from hipify.patterns import lazy
from hipify.rules.context import Context
from hipify.rules.language import Rule
from hipify.rules.surgery import type_of
from hipify.rules.target import parse_cuda

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hipify.rules.language import Condition

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_BLANK = lazy(r"\s+")
_NUMBER = lazy(r"\(?([+-]?(?:0[xX][0-9a-fA-F']+|[0-9][0-9']*))[uUlLzZ]*\)?\Z")


def applies(context: Context, call: Call, rule: Rule) -> bool:
    """Whether the rule has the call's form and its conditions hold."""
    if not rule.accepts(len(call.args)):
        return False
    if rule.template is not None and rule.template.block and not _is_statement(context, call):
        return False
    return rule.condition is None or holds(context, call, rule.condition)


def holds(context: Context, call: Call, condition: Condition) -> bool:
    """Whether a condition holds for a call."""
    kind, *operands = condition
    if kind == "and":
        return all(holds(context, call, c) for c in operands)
    if kind == "or":
        return any(holds(context, call, c) for c in operands)
    if kind == "not":
        return not holds(context, call, operands[0])
    return _TESTS[kind](context, call, *operands)


def possible(context: Context, condition: Condition) -> bool:
    """Whether a condition can hold for some call under the options of this run."""
    kind, *operands = condition
    if kind == "and":
        return all(possible(context, c) for c in operands)
    if kind == "or":
        return any(possible(context, c) for c in operands)
    if kind == "not":
        return operands[0][0] not in _OF_RUN or not _OF_RUN[operands[0][0]](context, None, *operands[0][1:])
    return kind not in _OF_RUN or _OF_RUN[kind](context, None, *operands)


def _target(context: Context, _: Call | None, compare: str, version: str) -> bool:
    return _COMPARE[compare](context.target.rocm, _version(version))


def _cuda(context: Context, _: Call | None, compare: str, version: str) -> bool:
    known = context.cuda
    return bool(known) and _COMPARE[compare](parse_cuda(known), _version(version))


def _version(text: str) -> tuple[int, int]:
    major, _, minor = text.partition(".")
    return int(major), int(minor or 0)


def _is_statement(context: Context, call: Call) -> bool:
    """Whether the call is a statement: nobody uses its value."""
    before = context.text(context.structure.prev_code(call.name - 1))
    behind = context.text(context.structure.next_code(call.close + 1))
    return behind == b";" and before in (b"", b";", b"{", b"}", b"else", b"do", b")", b":")


def _argument(call: Call, at: int) -> Argument | None:
    return call.args[at] if at < len(call.args) else None


def _words(context: Context, call: Call, at: int) -> str:
    argument = _argument(call, at)
    text = context.argument_bytes(argument).decode("utf-8", "replace") if argument is not None else ""
    return squeeze(text)


def squeeze(text: str) -> str:
    """C++ text without the white space that means nothing between words."""
    return re.sub(r" ?([^\w ]) ?", r"\1", _BLANK.sub(" ", text).strip())


def number_of(context: Context, argument: Argument) -> int | None:
    """The value of a constant argument: a literal, or what clang computes."""
    match = _NUMBER.match(context.argument_bytes(argument).decode("utf-8", "replace"))
    if match:
        digits = match[1].replace("'", "")
        octal = len(digits) > 1 and digits.isdigit() and digits[0] == "0"
        return int(digits, 8 if octal else 0) if not octal or set(digits) <= set("01234567") else None
    if context.semantics is None or argument.empty:
        return None
    return context.semantics.constant(*context.argument_range(argument))


def _value(context: Context, call: Call, at: int, compare: str, value: str) -> bool:
    argument = _argument(call, at)
    number = number_of(context, argument) if argument is not None else None
    return number is not None and _COMPARE[compare](number, int(value))


def _type_words(context: Context, call: Call, at: int) -> str:
    argument = _argument(call, at)
    return squeeze(type_of(context, argument)) if argument is not None else ""


def _type_is(context: Context, call: Call, at: int, *texts: str) -> bool:
    return _type_words(context, call, at) in {squeeze(t) for t in texts}


def _type_matches(context: Context, call: Call, at: int, pattern: str) -> bool:
    return fnmatchcase(_type_words(context, call, at), squeeze(pattern))


def _includes(context: Context, _: Call | None, name: str) -> bool:
    return any(i.name == name.encode() for i in context.structure.includes)


# What does not depend on the call, and what does.
_OF_RUN: dict[str, Callable[..., bool]] = {
    "target": _target,
    "cuda": _cuda,
    "roc": lambda context, _: context.target.roc,
    "miopen": lambda context, _: context.target.miopen,
    "experimental": lambda context, _: context.target.experimental,
    "includes": _includes,
}
_TESTS: dict[str, Callable[..., bool]] = _OF_RUN | {
    "args": lambda _, call, compare, count: _COMPARE[compare](len(call.args), int(count)),
    "device": lambda context, call: context.functions.in_device(call.name),
    "statement": _is_statement,
    "templated": lambda context, call: context.text(context.structure.next_code(call.name + 1)) == b"<",
    "is_text": lambda context, call, at, *texts: _words(context, call, at) in {squeeze(t) for t in texts},
    "matches": lambda context, call, at, pattern: fnmatchcase(_words(context, call, at), squeeze(pattern)),
    "value": _value,
    "type_is": _type_is,
    "type_matches": _type_matches,
}

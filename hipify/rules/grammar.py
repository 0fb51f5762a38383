"""Parses rule files with lark. Imported only when no compiled form of a rule file is at hand."""

# lark's trees hold trees and tokens alike: their shapes are those of language.lark, which types cannot say.

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lark

from hipify.patterns import lazy
from hipify.rules.language import OF_RUN, Piece, Rule, Saying, Template, fail

_GRAMMAR = Path(__file__).with_name("language.lark")

_REFERENCE = lazy(
    r"\$(?:(?P<dollar>\$)|(?P<rest>\.\.\.)|(?P<call>type|unquote)\(\s*(?P<of>\w+)\s*\)|(?P<name>\w+)|\{(?P<braced>\w+)\})"
)
_CALLEE = lazy(r"(?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*(?:<[\w:,* ]*>)?\s*\(")
_CHOICE = lazy(r"\{([A-Za-z0-9_]*(?:,[A-Za-z0-9_]*)+)\}")
_STRING = lazy(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')

# How the parser's terminals are named to people.
_SHOWN = {
    "NAME": "a name",
    "IDENT": "a name",
    "WORD": "a word",
    "STRING": "a quoted text",
    "INT": "a number",
    "VERSION": "a version such as 7.2",
    "COMPARE": "a comparison (== != >= <= > <)",
    "ARGUMENT": "an argument such as $1 or $name",
    "ARROW": "=> and what to write",
    "PATH": "a header such as <hip/hip_fp16.h>",
    "ID": "an id such as HPY116",
    "$END": "the end of the file",
}


@functools.cache
def _parser() -> lark.Lark:
    return lark.Lark(
        _GRAMMAR.read_text("utf-8"),
        parser="lalr",
        lexer="contextual",
        propagate_positions=True,
        maybe_placeholders=True,
    )


def parse_text(text: str, path: str) -> list[Rule]:
    """The rules of one file."""
    try:
        tree = _parser().parse(text)
    except lark.exceptions.UnexpectedInput as error:
        raise _syntax_error(error, text, path) from None
    rules: list[Rule] = []
    for node in tree.children:
        rules.extend(_rules(node, path))
    return rules


def _syntax_error(error: lark.exceptions.UnexpectedInput, text: str, path: str) -> Exception:
    names: set[str] = getattr(error, "expected", None) or getattr(error, "allowed", None) or set()
    patterns = {t.name: t.pattern.value for t in _parser().terminals}
    shown = {_SHOWN.get(n) or patterns.get(n, n) for n in names}
    expected = sorted(
        (s if s[0].isalpha() or s[:2] == "=>" else repr(s) for s in shown), key=lambda s: (s[0] == "'", s)
    )
    line, column = error.line, error.column
    token = getattr(error, "token", None)
    if token is not None and token.type == "$END":
        lines = text.split("\n")
        while len(lines) > 1 and not lines[-1].split("#")[0].strip():
            lines.pop()
        line, column, found = len(lines), len(lines[-1].rstrip()) + 1, "the end of the file"
    else:
        rest = text.split("\n")[line - 1][column - 1 :]
        word = re.match(r"\w+|\S", rest)
        found = f"{word[0]!r}" if word else "the end of the line"
    return fail(
        path,
        line,
        column,
        f"expected {', '.join(expected[:-1]) + ' or ' if expected[1:] else ''}"
        f"{expected[-1] if expected else 'something else'}, found {found}",
    )


def _rules(node: Any, path: str) -> Iterator[Rule]:
    where = f"{path}:{node.meta.line}"
    if node.data == "call":
        yield from _call_rules(node, path, where)
    elif node.data in ("rename", "macro"):
        arrow, condition = node.children[1], _condition_of(node, 2, path)
        for name, pick in _names(node.children[0], path):
            new = pick(_arrow_text(arrow))
            if not re.fullmatch(r"\w+(?:::\w+)*", new):
                raise fail(path, arrow.line, arrow.column, f"expected one name behind =>, found {new!r}")
            template = Template((("text", new),), None)
            yield Rule(str(node.data), name, condition=condition, template=template, where=where)
    elif node.data == "keep":
        for name, _ in _names(node.children[0], path):
            yield Rule("keep", name, condition=_condition_of(node, 1, path), where=where)
    else:
        new = ""
        if node.data == "header":
            new = _arrow_text(node.children[1]).strip('<>"')
        template = Template((("text", new),), None)
        kind = {"header": "header", "keep_header": "header_keep", "drop_header": "header_drop"}[str(node.data)]
        condition = _condition_of(node, 2, path)
        yield Rule(kind, _text(node.children[0]), condition=condition, template=template, where=where)


def _condition_of(node: Any, at: int, path: str) -> tuple[Any, ...] | None:
    """The condition of a rule that is about a name and no call."""
    part = node.children[at] if at < len(node.children) else None
    if part is None:
        return None
    condition = _condition(part, None, path)
    if not _of_run(condition):
        raise fail(
            path, node.meta.line, node.meta.column, "only calls have arguments: expected target, cuda, roc, miopen, …"
        )
    return condition


def _of_run(condition: tuple[Any, ...]) -> bool:
    kind, *operands = condition
    return all(map(_of_run, operands)) if kind in ("and", "or", "not") else kind in OF_RUN


class _Clauses:
    """The clauses of one call rule, before names with alternatives are spread."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.condition: Any = None
        self.arrow: Any = None
        self.actions: list[tuple[str, ...]] = []
        self.includes: list[str] = []
        self.sayings: list[Saying] = []
        self.priority = 0
        self.leave = False


def _call_rules(node: Any, path: str, where: str) -> Iterator[Rule]:
    names, parameters, *clauses = node.children
    known, defaults, rest = _parameters(parameters, path)
    got = _Clauses(path)
    for clause in clauses:
        _clause(clause, got, known)
    if got.arrow is not None and got.leave:
        raise fail(path, got.arrow.line, got.arrow.column, "a rule cannot both leave the call and rewrite it")
    for name, pick in _names(names, path):
        template = None
        if got.arrow is not None:
            template = compile_template(pick(_arrow_text(got.arrow)), known, path, got.arrow.line, got.arrow.column)
            if got.actions and template.slots is not None:
                raise fail(
                    path,
                    got.arrow.line,
                    got.arrow.column,
                    "drop, add, swap, move, wrap, cast and set need a name alone behind =>",
                )
        yield Rule(
            "call",
            name,
            known,
            defaults,
            rest,
            got.condition,
            template,
            tuple(tuple(map(pick, action)) for action in got.actions),
            tuple(got.includes),
            tuple(Saying(s.severity, s.id, pick(s.message), pick(s.why), pick(s.fix), s.unless) for s in got.sayings),
            got.priority,
            got.leave,
            where,
        )


def _parameters(node: Any, path: str) -> tuple[tuple[str, ...] | None, tuple[str, ...], bool]:
    if node is None:
        return None, (), False
    names: list[str] = []
    defaults: list[str] = []
    rest = False
    for item in node.children:
        if item is None:
            continue
        if rest:
            raise fail(path, node.meta.line, node.meta.column, "nothing may follow ... in a parameter list")
        if item.data == "rest":
            rest = True
            continue
        name = str(item.children[0])
        if name in names:
            raise fail(path, item.children[0].line, item.children[0].column, f"the parameter {name} is named twice")
        names.append(name)
        defaults.append(_text(item.children[1]) if item.data == "default" else "")
        if defaults[-1] == "" and any(defaults):
            raise fail(path, item.children[0].line, item.children[0].column, f"{name} needs a default too")
    return tuple(names), tuple(defaults), rest


def _clause(node: Any, got: _Clauses, known: tuple[str, ...] | None) -> None:
    kind, parts, path = str(node.data), node.children, got.path
    if kind == "when":
        condition = _condition(parts[0], known, path)
        got.condition = condition if got.condition is None else ("and", got.condition, condition)
    elif kind == "template":
        if got.arrow is not None:
            raise fail(path, parts[0].line, parts[0].column, "a rule has one => only")
        got.arrow = parts[0]
    elif kind == "include":
        got.includes.append(str(parts[0])[1:-1])
    elif kind == "find":
        got.sayings.append(_saying(parts, known, path))
    elif kind == "priority":
        got.priority = int(parts[0])
    elif kind == "leave":
        got.leave = True
    else:
        got.actions.append((kind, *(_operand(p, known, path) for p in parts)))


def _saying(parts: list[Any], known: tuple[str, ...] | None, path: str) -> Saying:
    severity, identity, message, *reasons = parts
    said = {str(r.data): r.children[0] for r in reasons}
    unless = said.pop("unless", None)
    why, fix = (_text(said[key]) if key in said else "" for key in ("why", "fix"))
    condition = _condition(unless, known, path) if unless is not None else None
    return Saying(str(severity.children[0]), str(identity or ""), _text(message), why, fix, condition)


def _operand(node: Any, known: tuple[str, ...] | None, path: str) -> str:
    """An operand of an action: arguments as 0-based positions in text."""
    if isinstance(node, lark.Token):
        return str(int(node) - 1)
    if node.data == "argument":
        return str(_position(node.children[0], known, path))
    if node.data == "at_index":
        return str(int(node.children[0]) - 1)
    return "end" if node.data == "at_end" else _text(node)


def _position(token: lark.Token, known: tuple[str, ...] | None, path: str) -> int:
    """The 0-based position of `$name` or `$1`."""
    name = str(token).lstrip("$")
    if name.isdigit() and int(name) > 0:
        if known is not None and int(name) > len(known):
            raise fail(path, token.line or 0, token.column or 0, f"expected $1 to ${len(known)}, found {token}")
        return int(name) - 1
    if known is not None and name in known:
        return known.index(name)
    choice = ", ".join(f"${n}" for n in known or ()) or "a number such as $1"
    raise fail(
        path,
        token.line or 0,
        token.column or 0,
        f"expected one of the parameters ({choice}), found {token}",
    )


def _condition(node: Any, known: tuple[str, ...] | None, path: str) -> tuple[Any, ...]:
    kind, parts = str(node.data), node.children
    if kind in ("disjunction", "conjunction"):
        return ("or" if kind == "disjunction" else "and", *(_condition(p, known, path) for p in parts))
    if kind == "negated":
        return ("not", _condition(parts[0], known, path))
    out: list[Any] = [kind]
    for part in parts:
        if isinstance(part, lark.Token):
            out.append(str(part)[1:-1] if part.type == "PATH" else str(part))
        elif part.data in ("argument", "argument_name"):
            out.append(_position(part.children[0], known, path))
        else:
            out.append(_text(part))
    return tuple(out)


def _text(node: Any) -> str:
    raw = str(node.children[0])
    if node.data != "quoted":
        return raw
    return re.sub(r"\\(.)", r"\1", raw[1:-1])


def _arrow_text(token: lark.Token) -> str:
    text = re.sub(r"\\\r?\n[ \t]*", "", str(token)[2:])
    return re.sub(r"\s#(?:\s.*)?\Z", "", text).strip()


def _names(node: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Each name that is meant, with a function that makes the same choices in other text."""
    for token in node.children:
        sizes = {len(m[1].split(",")) for m in _CHOICE.finditer(token)}
        if len(sizes) > 1:
            raise fail(path, token.line, token.column, f"the alternatives in {token} differ in number")
        if not sizes:
            yield str(token), _same
            continue
        size = sizes.pop()
        for at in range(size):
            pick = functools.partial(_pick, at=at, size=size)
            yield pick(str(token)), pick


def _same(text: str) -> str:
    return text


def _pick(text: str, at: int, size: int) -> str:
    def choose(match: re.Match[str]) -> str:
        options = match[1].split(",")
        return options[at] if len(options) == size else match[0]

    return _CHOICE.sub(choose, text)


def compile_template(text: str, known: tuple[str, ...] | None, path: str, line: int, column: int) -> Template:
    """The template of a call rule: its callee and arguments when it is a call itself."""
    if not text:
        raise fail(path, line, column, "expected what to write behind =>")
    if text.startswith("{") and text.endswith("}"):
        return Template(_pieces(text, known, path, line, column), None, True)
    match = _CALLEE.match(text)
    if match is None or _closing(text, match.end() - 1) != len(text) - 1:
        return Template(_pieces(text, known, path, line, column), None)
    slots = [_pieces(s, known, path, line, column) for s in _split(text[match.end() : -1])]
    return Template(_pieces(match[0][:-1].strip(), known, path, line, column), tuple(slots))


def _pieces(text: str, known: tuple[str, ...] | None, path: str, line: int, column: int) -> tuple[Piece, ...]:
    out: list[Piece] = []
    last = 0
    if text == "...":
        return (("rest", ""),)
    for m in _REFERENCE.finditer(text):
        if m.start() > last:
            out.append(("text", text[last : m.start()]))
        last = m.end()
        name = m["of"] or m["name"] or m["braced"]
        if m["dollar"]:
            out.append(("text", "$"))
        elif m["rest"]:
            out.append(("rest", ""))
        elif name == "targs":
            out.append(("targs", ""))
        else:
            token = lark.Token("ARGUMENT", f"${name}", line=line, column=column)
            at = _position(token, known, path)
            out.append((m["call"] or "arg", known[at] if known is not None else str(at + 1)))
    if last < len(text):
        out.append(("text", text[last:]))
    return tuple(out)


def _depths(text: str, at: int = 0) -> Iterator[tuple[int, int]]:
    """The places outside strings from one on, each with how many brackets are open behind it."""
    depth = 0
    while at < len(text):
        if quoted := _STRING.match(text, at):
            at = quoted.end()
            continue
        depth += (text[at] in "([{") - (text[at] in ")]}")
        yield at, depth
        at += 1


def _closing(text: str, opener: int) -> int:
    """Where the bracket at `opener` closes; -1 when it does not."""
    return next((at for at, depth in _depths(text, opener) if depth == 0), -1)


def _split(text: str) -> list[str]:
    """The arguments in the text of an argument list."""
    out, begin = [], 0
    for at, depth in _depths(text):
        if text[at] == "," and depth == 0:
            out.append(text[begin:at].strip())
            begin = at + 1
    last = text[begin:].strip()
    return [*out, last] if out or last else []

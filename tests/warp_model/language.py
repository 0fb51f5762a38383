"""The part of C++ that hipify_warp.h is written in: read from the header's own text into small trees."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import hipify

HEADER = Path(hipify.__file__).parent / "include" / "hipify_warp.h"

_TOKEN = re.compile(
    r"\s+|//[^\n]*|(0x[0-9a-fA-F]+|\d+)[uUlL]*|[A-Za-z_]\w*|\"[^\"]*\""
    r"|<<|>>|<=|>=|==|!=|&&|\|\||::|\+=|-=|\*=|/=|&=|\|=|\^=|\+\+|--|[^\s\w]"
)
_TYPE_WORDS = {"unsigned", "int", "long", "T", "Operation", "const", "void", "bool"}
_NOISE = {"HIPIFY_MAYBE_UNDEF", "inline", "__device__", "constexpr", "explicit", "static"}
_LEVELS = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_ASSIGNS = ("=", "+=", "-=", "*=", "/=", "&=", "|=", "^=")

Tree = tuple  # ("kind", parts...): what the machine walks over


@dataclass(frozen=True)
class Parameter:
    type: str
    name: str
    default: Tree | None


@dataclass(frozen=True)
class Function:
    name: str
    result: str
    parameters: tuple[Parameter, ...]
    body: Tree
    template: bool


def amd_text() -> str:
    """What a compiler for AMD sees of the header's functions."""
    text = HEADER.read_text("utf-8")
    start = text.index("#else  // AMD")
    amd, rest = text[start:].split("\n", 1)[1].split("\n#endif\n", 1)
    return amd + "\n" + rest[rest.index("#endif\n") + 7 : rest.index("}  // namespace hipify")]


def tokens_of(text: str) -> list[str]:
    found = [m[0] for m in _TOKEN.finditer(text)]
    return [t for t in found if not t.isspace() and not t.startswith("//")]


class Reader:
    """Reads functions, and the call operators of structs under the struct's name."""

    def __init__(self, text: str) -> None:
        self.tokens = tokens_of(text)
        self.at = 0

    @property
    def token(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        token = self.token
        assert not expected or token == expected, (expected, self.tokens[self.at - 5 : self.at + 8])
        self.at += 1
        return token

    def accept(self, token: str) -> bool:
        if self.token == token:
            self.at += 1
            return True
        return False

    def skip_balanced(self, opener: str, closer: str) -> None:
        depth = 0
        while True:
            token = self.take()
            depth += (token == opener) - (token == closer)
            if depth == 0:
                return

    def functions(self) -> list[Function]:
        out: list[Function] = []
        while self.token:
            template = self.template()
            if self.accept("struct"):
                name = self.take()
                if name == "shuffle_words":  # bytes and words: the machine's own
                    self.skip_balanced("{", "}")
                else:
                    self.take("{")
                    template = self.template()
                    out.append(self.function(template, name))
                    self.take("}")
                self.take(";")
            else:
                out.append(self.function(template, ""))
        return out

    def template(self) -> bool:
        if not self.accept("template"):
            return False
        self.skip_balanced("<", ">")
        return True

    def function(self, template: bool, struct: str) -> Function:
        result = self.type()
        name = self.take()
        if name == "operator":
            self.take("(")
            self.take(")")
            name = struct
        self.take("(")
        parameters = []
        while not self.accept(")"):
            parameters.append(self.parameter())
            self.accept(",")
        self.accept("const")
        return Function(name, result, tuple(parameters), self.statement(), template)

    def type(self) -> str:
        words = []
        while self.token in _TYPE_WORDS or self.token in _NOISE:
            word = self.take()
            if word not in _NOISE and word != "const":
                words.append(word)
        while self.token in ("*", "&") and words:
            words.append(self.take())
        return " ".join(words)

    def parameter(self) -> Parameter:
        kind = self.type()
        name = self.take() if self.token not in (",", ")", "=") else ""
        default = self.expression() if self.accept("=") else None
        return Parameter(kind, name, default)

    def statement(self) -> Tree:
        if self.accept("{"):
            parts = []
            while not self.accept("}"):
                parts.append(self.statement())
            return ("block", parts)
        if self.accept("if"):
            self.take("(")
            condition = self.expression()
            self.take(")")
            then = self.statement()
            return ("if", condition, then, self.statement() if self.accept("else") else None)
        if self.accept("while"):
            self.take("(")
            condition = self.expression()
            self.take(")")
            return ("for", None, condition, None, self.statement())
        if self.accept("for"):
            self.take("(")
            first = self.simple()
            self.take(";")
            condition = self.expression()
            self.take(";")
            step = self.expression()
            self.take(")")
            return ("for", first, condition, step, self.statement())
        if self.accept("return"):
            value = self.expression()
            self.take(";")
            return ("return", value)
        if self.token == "static_assert":
            while self.take() != ";":
                pass
            return ("block", [])
        found = self.simple()
        self.take(";")
        return found

    def simple(self) -> Tree:
        """A declaration or an expression."""
        if self.token == "shuffle_words":
            self.take()
            self.skip_balanced("<", ">")
            name = self.take()
            self.take("(")
            value = self.expression()
            self.take(")")
            return ("words", name, value)
        if self.token in _TYPE_WORDS:
            kind = self.type()
            name = self.take()
            self.take("=")
            return ("declare", kind, name, self.expression())
        return ("evaluate", self.expression())

    def expression(self) -> Tree:
        left = self.binary(0)
        if self.accept("?"):
            then = self.expression()
            self.take(":")
            return ("choose", left, then, self.expression())
        if self.token in _ASSIGNS:
            operator = self.take()
            right = self.expression()
            return ("assign", left, right if operator == "=" else ("binary", operator[:-1], left, right))
        return left

    def binary(self, level: int) -> Tree:
        if level == len(_LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.token in _LEVELS[level]:
            operator = self.take()
            left = ("binary", operator, left, self.binary(level + 1))
        return left

    def unary(self) -> Tree:
        if self.token in ("!", "~", "-", "&", "*"):
            operator = self.take()
            return ("unary", operator, self.unary())
        if self.accept("++"):
            place = self.unary()
            return ("assign", place, ("binary", "+", place, ("number", 1, "int")))
        return self.postfix()

    def postfix(self) -> Tree:
        found = self.primary()
        while self.token in ("(", "[", "."):
            opener = self.take()
            if opener == ".":
                found = ("member", found, self.take())
            elif opener == "[":
                found = ("element", found, self.expression())
                self.take("]")
            else:
                arguments = []
                while not self.accept(")"):
                    arguments.append(self.expression())
                    self.accept(",")
                found = ("call", found, arguments)
        return found

    def primary(self) -> Tree:
        token = self.take()
        if token == "(":
            found = self.expression()
            self.take(")")
            return found
        if token == "static_cast":
            self.take("<")
            kind = self.type()
            self.take(">")
            self.take("(")
            value = self.expression()
            self.take(")")
            return ("cast", kind, value)
        if token == "sizeof":
            self.take("(")
            kind = self.type()
            self.take(")")
            return ("sizeof", kind)
        if token[0].isdigit():
            digits = token.rstrip("uUlL")
            return ("number", int(digits, 0), "unsigned int" if "u" in token.lower() else "int")
        if token[0] == '"':
            return ("number", 0, "int")
        return ("name", token)

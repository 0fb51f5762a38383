"""Preprocessor conditionals: the chains of `#if` branches of a file, and what their conditions come to.

Conditions are evaluated over three values: a macro is known to be undefined, known to have a number, or unknown.
"""

from __future__ import annotations

from collections.abc import Callable

from hipify.parser.brackets import Directive
from hipify.parser.structure import Structure
from hipify.parser.tokens import is_ident
from hipify.records import NamedTuple

_OPENING = (b"if", b"ifdef", b"ifndef")
_MIDDLE = (b"elif", b"elifdef", b"elifndef", b"else")
_UNARY = (b"!", b"-", b"+", b"~")
_LEVELS = {
    "*": 10, "/": 10, "%": 10, "+": 9, "-": 9, "<<": 8, ">>": 8, "<": 7, ">": 7, "<=": 7, ">=": 7,
    "==": 6, "!=": 6, "&": 5, "^": 4, "|": 3, "&&": 2, "||": 1,
}  # fmt: skip
_SPELLED = {
    b"and": b"&&",
    b"or": b"||",
    b"not": b"!",
    b"not_eq": b"!=",
    b"bitand": b"&",
    b"bitor": b"|",
    b"xor": b"^",
    b"compl": b"~",
}
"""C++'s other words for operators, in conditions too."""
_TWO = {b"&&": "&&", b"||": "||", b"==": "==", b"!=": "!=", b"<=": "<=", b"<<": "<<"}


class Branch(NamedTuple):
    """One branch: its directive, and the tokens [first, stop) that it holds."""

    directive: Directive
    first: int
    stop: int


class Chain(NamedTuple):
    """An `#if` with all its branches; `parent` is the index of the chain around it, with the branch's position."""

    branches: tuple[Branch, ...]
    parent: tuple[int, int] | None


class MacroValue(NamedTuple):
    """What is known of a macro: `defined`, and its number (None: not known)."""

    defined: bool | None
    number: int | None


UNDEFINED = MacroValue(False, 0)
UNKNOWN = MacroValue(None, None)
DEFINED = MacroValue(True, 1)
Environment = Callable[[bytes], MacroValue]


def find_chains(structure: Structure) -> list[Chain]:
    """Every conditional of a file, outer ones before those inside; one without `#endif` ends with the file."""
    open_chains: list[tuple[int, list[Directive]]] = []
    chains: list[tuple[list[Directive], Directive | None, tuple[int, int] | None]] = []
    for d in structure.directives:
        if d.name in _OPENING:
            parent = (open_chains[-1][0], len(open_chains[-1][1]) - 1) if open_chains else None
            parts = [d]
            open_chains.append((len(chains), parts))
            chains.append((parts, None, parent))
        elif d.name in _MIDDLE and open_chains:
            open_chains[-1][1].append(d)
        elif d.name == b"endif" and open_chains:
            at, parts = open_chains.pop()
            chains[at] = (parts, d, chains[at][2])
    size = len(structure.tokens)
    return [_chain(parts, end.first if end is not None else size, parent) for parts, end, parent in chains]


def _chain(parts: list[Directive], end: int, parent: tuple[int, int] | None) -> Chain:
    stops = [d.first for d in parts[1:]] + [end]
    return Chain(tuple(Branch(d, d.stop, stop) for d, stop in zip(parts, stops, strict=True)), parent)


def condition_value(structure: Structure, directive: Directive, environment: Environment) -> bool | None:
    """Whether the compiler enters a branch that nothing before it took; None when that is not known."""
    tokens = structure.tokens
    if directive.name == b"else":
        return True
    if directive.name in (b"ifdef", b"ifndef", b"elifdef", b"elifndef"):
        name = tokens.next(directive.body, directive.stop)
        known = environment(tokens.text[name]).defined if name < directive.stop else None
        return None if known is None else known is (directive.name in (b"ifdef", b"elifdef"))
    words = [tokens.text[i] for i in tokens.significant(directive.body, directive.stop)]
    value = evaluate(words, environment)
    return None if value is None else value != 0


def evaluate(words: list[bytes], environment: Environment) -> int | None:
    """The number that an expression of these tokens comes to; None when it is not known or is no such expression."""
    if not _SPELLED.keys().isdisjoint(words):
        words = [_SPELLED.get(word, word) for word in words]
    expression = _Expression(words, environment)
    try:
        value = expression.value()
    except RecursionError:  # thousands of brackets: no program's condition
        return None
    return value if expression.at >= len(words) else None


class _Expression:
    """A `#if` expression, read by precedence; None stands for a value that is not known."""

    def __init__(self, words: list[bytes], environment: Environment) -> None:
        self.words = words
        self.environment = environment
        self.at = 0

    def value(self) -> int | None:
        """The value of the whole expression."""
        value = self._binary(0)
        if self.at < len(self.words) and self.words[self.at] == b"?":
            return self._ternary(value)
        return value

    def _ternary(self, condition: int | None) -> int | None:
        self.at += 1
        first = self.value()
        self.at += 1
        second = self.value()
        if condition is None:
            return first if first == second else None
        return first if condition else second

    def _operator(self) -> tuple[str, int] | None:
        """The binary operator here, and how many tokens spell it."""
        if self.at >= len(self.words):
            return None
        word = self.words[self.at]
        if word in _TWO:
            return _TWO[word], 1
        follower = self.words[self.at + 1] if self.at + 1 < len(self.words) else b""
        if word == b">" and follower in (b"=", b">"):
            return (">=" if follower == b"=" else ">>"), 2
        text = word.decode("latin-1")
        return (text, 1) if text in _LEVELS else None

    def _binary(self, floor: int) -> int | None:
        left = self._unary()
        while (operator := self._operator()) is not None:
            name, size = operator
            if _LEVELS[name] <= floor:
                break
            self.at += size
            left = _apply(name, left, self._binary(_LEVELS[name]))
        return left

    def _unary(self) -> int | None:
        if self.at >= len(self.words):
            return None
        word = self.words[self.at]
        self.at += 1
        if word in _UNARY:
            operand = self._unary()
            if operand is None:
                return None
            return {b"!": int(not operand), b"-": -operand, b"+": operand, b"~": ~operand}[word]
        if word == b"(":
            inner = self.value()
            self._skip(b")")
            return inner
        if word == b"defined":
            return self._defined()
        if is_ident(word):
            return self._name(word)
        return _number(word)

    def _defined(self) -> int | None:
        bracketed = self._skip(b"(")
        word = self.words[self.at] if self.at < len(self.words) else b""
        self.at += 1
        if bracketed:
            self._skip(b")")
        known = self.environment(word).defined
        return None if known is None else int(known)

    def _name(self, word: bytes) -> int | None:
        if self.at < len(self.words) and self.words[self.at] == b"(":
            depth = 0
            while self.at < len(self.words):
                depth += {b"(": 1, b")": -1}.get(self.words[self.at], 0)
                self.at += 1
                if depth == 0:
                    break
            return None
        return {b"true": 1, b"false": 0}[word] if word in (b"true", b"false") else self.environment(word).number

    def _skip(self, word: bytes) -> bool:
        if self.at < len(self.words) and self.words[self.at] == word:
            self.at += 1
            return True
        return False


def _number(word: bytes) -> int | None:
    digits = word.replace(b"'", b"").rstrip(b"uUlLzZ")
    try:
        if digits[:1] == b"0" and digits[1:].isdigit():
            return int(digits, 8)
        return int(digits, 0)
    except ValueError:
        return None


def _apply(name: str, left: int | None, right: int | None) -> int | None:
    """A binary operation; `0 && x` and `1 || x` are known whatever x is."""
    if name == "&&":
        if left == 0 or right == 0:
            return 0
        return None if left is None or right is None else 1
    if name == "||":
        if left or right:
            return 1
        return None if left is None or right is None else 0
    if left is None or right is None or (name in "/%" and right == 0) or (name in ("<<", ">>") and not 0 <= right < 64):
        return None
    return _ARITHMETIC[name](left, right)


def _quotient(left: int, right: int) -> int:
    """Division that rounds towards zero, as C's."""
    size = abs(left) // abs(right)
    return size if (left < 0) == (right < 0) else -size


_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "*": lambda a, b: a * b,
    "/": lambda a, b: _quotient(a, b),
    "%": lambda a, b: a - b * _quotient(a, b),
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "&": lambda a, b: a & b,
    "^": lambda a, b: a ^ b,
    "|": lambda a, b: a | b,
}

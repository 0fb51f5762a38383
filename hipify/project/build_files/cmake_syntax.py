"""The syntax of CMake's language: commands and their arguments, with their places. A lark grammar reads it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from lark import Lark, Token, Tree, UnexpectedInput

_GRAMMAR = r"""
start: command*
command: NAME OPEN _item* CLOSE
group: OPEN _item* CLOSE
_item: QUOTED | BRACKET | WORD | group

NAME: /[A-Za-z_]\w*/
OPEN: "("
CLOSE: ")"
QUOTED.3: /"(?:[^"\\]|\\.)*"/s
BRACKET.4: /\[(?P<a>=*)\[.*?\](?P=a)\]/s
WORD: /(?:[^\s()#"\\]|\\.|\$\([^()\s]*\))(?:[^\s()#"\\]|\\.|\$\([^()\s]*\)|"(?:[^"\\]|\\.)*")*/s
LINE_COMMENT: /#(?!\[=*\[)[^\n]*/
BLOCK_COMMENT.5: /#\[(?P<b>=*)\[.*?\](?P=b)\]/s
WHITE: /\s+/
%ignore WHITE
%ignore LINE_COMMENT
%ignore BLOCK_COMMENT
"""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument as it is written; `start` and `stop` are without its quotes."""

    text: str
    start: int
    stop: int
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its name in lower case, and its arguments with those in inner brackets among them."""

    name: str
    arguments: tuple[Argument, ...]
    start: int
    name_stop: int
    stop: int


class SyntaxFault(Exception):
    """Text that is no CMake; `offset` is where that shows."""

    def __init__(self, offset: int) -> None:
        super().__init__(f"no CMake at offset {offset}")
        self.offset = offset


@cache
def _parser() -> Lark:
    return Lark(_GRAMMAR, parser="lalr", lexer="contextual")


def parse(text: str) -> list[Command]:
    """The commands of a CMake file; raises SyntaxFault."""
    try:
        tree = _parser().parse(text)
    except UnexpectedInput as error:
        offset = getattr(error, "pos_in_stream", None)
        raise SyntaxFault(offset if isinstance(offset, int) and 0 <= offset <= len(text) else len(text)) from error
    return [_command(node) for node in tree.children if isinstance(node, Tree)]


def _command(node: Tree[Token]) -> Command:
    name, last = node.children[0], node.children[-1]
    assert isinstance(name, Token)
    assert isinstance(last, Token)
    return Command(name.lower(), tuple(_arguments(node.children[1:])), _start(name), _stop(name), _stop(last))


def _arguments(nodes: list[Token | Tree[Token]]) -> Iterator[Argument]:
    for node in nodes:
        if isinstance(node, Tree):
            yield from _arguments(node.children)
        elif node.type == "QUOTED":
            yield Argument(str(node[1:-1]), _start(node) + 1, _stop(node) - 1, quoted=True)
        elif node.type == "BRACKET":
            inner = node.index("[", 1) + 1
            yield Argument(str(node[inner:-inner]), _start(node) + inner, _stop(node) - inner, quoted=True)
        elif node.type == "WORD":
            yield Argument(str(node), _start(node), _stop(node))


def _start(token: Token) -> int:
    assert token.start_pos is not None
    return token.start_pos


def _stop(token: Token) -> int:
    assert token.end_pos is not None
    return token.end_pos

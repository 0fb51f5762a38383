"""Several PTX instructions with registers of their own, as a block of C++ with variables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.parser.ptx import _COMMENT
from hipify.patterns import lazy
from hipify.records import NamedTuple
from hipify.rules.ptx_operands import LOCALS, letter_for
from hipify.rules.ptx_words import Words, Writer

_VECTOR = lazy(r"\{([\s%\w,$-]*,[\s%\w,$-]*)\}")
_SINGLE = lazy(r"\{\s*(%?[A-Za-z_$][\w$]*|%\d+)\s*\}")  # a vector of one
_DECLARATION = lazy(r"\.reg\s*\.(\w+)\s+(.+)", re.DOTALL)
_DECLARED = lazy(r"(%?[A-Za-z_$][\w$]*)(?:<(\d+)>)?")
_PREDICATE = lazy(r"@(!?)\s*(%?[A-Za-z_$][\w$]*|%\d+)\s+")
_NAME = lazy(r"(?<![\w.$:%])%?[A-Za-z_$][\w$]*")
_MOST = 64  # registers that one declaration counts out
_PLACE = lazy(r"\{(\d+)\}")


class Block(NamedTuple):
    """C++ statements over `{0}`, `{1}` for operands, and the variables that they need (type, name)."""

    lines: list[str]
    variables: list[tuple[str, str]]
    words: list[Words]
    takes_carry: bool
    leaves_carry: bool


def write(text: str, writer: Writer) -> Block | None:
    """The block that a template is; None when an instruction of it has no exact words."""
    return _Composer(writer).compose(text)


def pieces(text: str) -> Iterator[str]:
    """Instructions, declarations and the braces of scopes, in order."""
    bare = _VECTOR.sub("\x01\\1\x02", _SINGLE.sub(r" \1", _COMMENT.sub(" ", text)))
    for piece in re.findall(r"[{}]|[^;{}]+", bare):
        piece = piece.strip().replace("\x01", "{").replace("\x02", "}")
        if piece:
            yield piece


class _Composer:
    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.scopes: list[dict[str, int]] = [{}]
        self.names: dict[int, str] = {}
        self.block = Block([], [], [], False, False)

    def compose(self, text: str) -> Block | None:
        depth, takes, written, leaves = 0, False, False, False
        for piece in pieces(text):
            if piece in "{}":
                depth += 1 if piece == "{" else -1
                if depth < 0:
                    return None
                self.scopes = [*self.scopes, {}] if piece == "{" else self.scopes[:-1]
                continue
            declaration = _DECLARATION.fullmatch(piece)
            if declaration:
                if not self._declare(declaration[1], declaration[2]):
                    return None
                continue
            words = self._instruction(piece)
            if words is None:
                return None
            takes |= "r" in words.carry and not written
            written |= "w" in words.carry
            leaves = "w" in words.carry if words.carry else leaves
        if depth or not self.block.words:
            return None
        return self.block._replace(takes_carry=takes, leaves_carry=leaves)

    def _declare(self, kind: str, names: str) -> bool:
        letter = letter_for(kind)
        if not letter:
            return False
        for name in names.split(","):
            match = _DECLARED.fullmatch(name.strip())
            if match is None or (match[2] and int(match[2]) > _MOST):
                return False
            every = [f"{match[1]}{i}" for i in range(int(match[2]))] if match[2] else [match[1]]
            for each in every:
                number = len(self.writer.letters)
                self.writer.letters.append(letter)
                local = f"ptx_{re.sub(r'[%$]', '', each)}"
                local += f"_{number}" if any(v == local for _, v in self.block.variables) else ""
                self.scopes[-1][each] = number
                self.names[number] = local
                self.block.variables.append((LOCALS[letter], local))
        return True

    def _instruction(self, piece: str) -> Words | None:
        guard = ""
        match = _PREDICATE.match(piece)
        if match:
            number = self._number(match[2])
            if number is None or self.writer.letters[number] != "p":
                return None
            guard, piece = f"if ({match[1]}{{{number}}}) ", piece[match.end() :]
        opcode, rest = [*re.split(r"\s+", piece, maxsplit=1), ""][:2]
        words = self.writer.write(f"{opcode} {_NAME.sub(self._renamed, rest)}".strip())
        if words is None:
            return None
        line = f"{guard}{words.text};"
        self.block.lines.append(_PLACE.sub(self._placed, line))
        words = words._replace(text=_PLACE.sub(self._placed, line))
        self.block.words.append(words)
        return words

    def _number(self, name: str) -> int | None:
        if name[0] == "%" and name[1:].isdigit():
            return int(name[1:]) if int(name[1:]) < len(self.writer.letters) else None
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), None)

    def _renamed(self, match: re.Match[str]) -> str:
        number = self._number(match[0])
        return match[0] if number is None else f"%{number}"

    def _placed(self, match: re.Match[str]) -> str:
        return self.names.get(int(match[1]), match[0])

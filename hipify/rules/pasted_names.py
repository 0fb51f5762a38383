"""The names that macros build with `##`: from what their bodies hold and what a file's uses of them hand over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hipify.parser.structure import Call, Macro, Structure
from hipify.parser.tokens import is_ident

_DEPTH = 4


class Built(NamedTuple):
    """The token that the names begin with, the names, and the macro that is given the token where it is an argument."""

    head: int
    names: frozenset[bytes]
    handed_by: str = ""


class _Piece(NamedTuple):
    """One operand of `##`: a parameter's position, or (-1) the text of a token."""

    parameter: int
    text: bytes
    token: int


_Chain = tuple[_Piece, ...]


def built_names(structure: Structure) -> list[Built]:
    """Every first operand of `##`, in the order of the file."""
    pasting = _Pasting(structure)
    pasting.read()
    return [
        Built(head, frozenset(names), pasting.handed_by.get(head, "")) for head, names in sorted(pasting.heads.items())
    ]


class _Pasting:
    """The chains of `##` of one file's macros, and what their uses make of them."""

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self._text = structure.tokens.text
        self._macros = {self._text[macro.name]: macro for macro in structure.macros}
        self._names = {macro.name for macro in structure.macros}
        self._followed: set[tuple[int, _Chain, int]] = set()
        self.heads: dict[int, set[bytes]] = {}
        self.handed_by: dict[int, str] = {}

    def read(self) -> None:
        """Follow every chain to the uses of its macro."""
        for macro in self._structure.macros:
            for chain in self._chains(macro):
                self._follow(macro, chain, 0)

    def _chains(self, macro: Macro) -> Iterator[_Chain]:
        """The runs `a ## b ## c` of a macro's body."""
        tokens, at = self._structure.tokens, macro.first
        pieces: list[_Piece] = []
        while (at := tokens.next(at, macro.stop)) < macro.stop:
            after = tokens.next(at + 1, macro.stop)
            joined = after < macro.stop and self._text[after] == b"##"
            if pieces or joined:
                pieces.append(self._piece(macro, at))
            if pieces and not joined:
                yield tuple(pieces)
                pieces = []
            at = after + 1 if joined else at + 1

    def _piece(self, macro: Macro, at: int) -> _Piece:
        text = self._text[at]
        parameters = macro.parameters or ()
        return _Piece(parameters.index(text) if text in parameters else -1, text, at)

    def _follow(self, macro: Macro, chain: _Chain, depth: int) -> None:
        """Put what each use of a macro hands over in the place of its parameters."""
        if chain[0].parameter < 0:
            self.heads.setdefault(chain[0].token, set())
        if all(piece.parameter < 0 for piece in chain):
            self.heads[chain[0].token].add(b"".join(piece.text for piece in chain))
            return
        step = (macro.name, chain, depth)
        if depth == _DEPTH or step in self._followed:
            return
        self._followed.add(step)
        name = self._text[macro.name]
        for use in self._structure.index.get(name, ()):
            call = self._structure.call_at(use) if use not in self._names else None
            if call is not None:
                self._use(self._structure.macro_at(use), call, chain, depth)

    def _use(self, within: Macro | None, call: Call, chain: _Chain, depth: int) -> None:
        """One use: outside of macros it builds a name, in another macro's body that one's uses may."""
        pieces = tuple(self._given(within, call, piece, depth) for piece in chain)
        head = pieces[0]
        if head is None:
            return
        if chain[0].parameter >= 0 and head.parameter < 0:
            self.handed_by.setdefault(head.token, self._text[call.name].decode("utf-8", "replace"))
        known = tuple(piece for piece in pieces if piece is not None)
        if len(known) < len(pieces):
            if head.parameter < 0:
                self.heads.setdefault(head.token, set())
        elif within is not None and any(piece.parameter >= 0 for piece in known):
            self._follow(within, known, depth + 1)
        else:
            self.heads.setdefault(head.token, set()).add(b"".join(piece.text for piece in known))

    def _given(self, within: Macro | None, call: Call, piece: _Piece, depth: int) -> _Piece | None:
        """What a use puts in the place of a piece: the first word of the argument; None for what no word begins."""
        if piece.parameter < 0:
            return piece
        if piece.parameter >= len(call.args):
            return None
        argument = call.args[piece.parameter]
        first = self._structure.tokens.next(argument.first, argument.stop)
        if first >= argument.stop:
            return _Piece(-1, b"", first)
        text = self._text[first]
        if not is_ident(text) and not text[:1].isdigit():
            return None
        alone = self._structure.tokens.next(first + 1, argument.stop) >= argument.stop
        named = self._macros.get(text) if alone and depth else None
        if named is not None and named.parameters is None and self._is_word(named):
            return _Piece(-1, self._text[named.first], named.first)  # as `#define API cuda` makes it
        if not alone and self._macros.get(text) is not None:
            return None  # another macro's call: what it builds is not read
        return self._piece(within, first) if within is not None else _Piece(-1, text, first)

    def _is_word(self, macro: Macro) -> bool:
        tokens = self._structure.tokens
        first = tokens.next(macro.first, macro.stop)
        return first == macro.first and first < macro.stop and tokens.next(first + 1, macro.stop) >= macro.stop

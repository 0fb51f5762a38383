"""The names that macros build with `##`: from what their bodies hold and what a file's uses of them hand over."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.parser.structure import Argument, Call, Macro, Structure
from hipify.parser.tokens import is_ident
from hipify.records import NamedTuple

_DEPTH = 5
_MOST = 20_000
"""Uses that are followed in one file; beyond them names are taken for those of other files."""


class Piece(NamedTuple):
    """One operand of `##`: a parameter's position, or (-1) the text of a token."""

    parameter: int
    text: bytes
    token: int


Chain = tuple[Piece, ...]


class Built(NamedTuple):
    """The token that the names begin with, the names, and the macro that is given the token where it is an argument."""

    head: int
    chains: frozenset[Chain]
    handed_by: str
    directive: int
    """The first token of the `#define` that pastes."""
    form: Chain = ()
    """What the macro pastes, with its parameters, where the head stands in it."""

    @property
    def names(self) -> frozenset[bytes]:
        """The names that are seen to be built."""
        return frozenset(b"".join(piece.text for piece in chain) for chain in self.chains)

    @property
    def tail(self) -> int:
        """The token that all names end in, where it stands in the macro that the head stands in; else -1."""
        tails = {chain[-1].token for chain in self.chains if len(chain) > 1}
        return tails.pop() if len(tails) == 1 and not self.handed_by else -1


def built_names(structure: Structure) -> list[Built]:
    """Every first operand of `##`, in the order of the file."""
    pasting = _Pasting(structure)
    pasting.read()
    return [
        Built(
            head,
            frozenset(chains),
            pasting.handed_by.get(head, ""),
            pasting.directives[head],
            pasting.forms.get(head, ()),
        )
        for head, chains in sorted(pasting.heads.items())
    ]


class _Pasting:
    """The chains of `##` of one file's macros, and what their uses make of them."""

    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self._text = structure.tokens.text
        self._macros: dict[bytes, list[Macro]] = {}
        for macro in structure.macros:
            self._macros.setdefault(self._text[macro.name], []).append(macro)
        self._names = {macro.name for macro in structure.macros}
        self._followed: set[tuple[int, Chain, int]] = set()
        self._left = _MOST
        self._from = -1
        self.heads: dict[int, set[Chain]] = {}
        self.handed_by: dict[int, str] = {}
        self.directives: dict[int, int] = {}
        self.forms: dict[int, Chain] = {}

    def read(self) -> None:
        """Follow every chain to the uses of its macro."""
        for macro in self._structure.macros:
            for chain in self._chains(macro):
                self._from = macro.directive.first
                self.forms[chain[0].token] = chain
                self._follow(macro, chain, 0)

    def _head(self, piece: Piece) -> set[Chain]:
        self.directives.setdefault(piece.token, self._from)
        return self.heads.setdefault(piece.token, set())

    def _chains(self, macro: Macro) -> Iterator[Chain]:
        """The runs `a ## b ## c` of a macro's body."""
        tokens, at = self._structure.tokens, macro.first
        pieces: list[Piece] = []
        while (at := tokens.next(at, macro.stop)) < macro.stop:
            after = tokens.next(at + 1, macro.stop)
            joined = after < macro.stop and self._text[after] == b"##"
            if pieces or joined:
                pieces.append(self._piece(macro, at))
            if pieces and not joined:
                yield tuple(pieces)
                pieces = []
            at = after + 1 if joined else at + 1

    def _piece(self, macro: Macro, at: int) -> Piece:
        text = self._text[at]
        parameters = macro.parameters or ()
        name = b"..." if text == b"__VA_ARGS__" else text
        return Piece(parameters.index(name) if name in parameters else -1, text, at)

    def _follow(self, macro: Macro, chain: Chain, depth: int) -> None:
        """Put what each use of a macro hands over in the place of its parameters."""
        if chain[0].parameter < 0:
            self._head(chain[0])
        if all(piece.parameter < 0 for piece in chain):
            self._head(chain[0]).add(chain)
            return
        step = (macro.name, chain, depth)
        if depth == _DEPTH or step in self._followed:
            return
        self._followed.add(step)
        name = self._text[macro.name]
        for use in self._structure.index.get(name, ()):
            if use in self._names or self._left < 0:
                continue
            self._left -= 1
            call = self._structure.call_at(use)
            if call is not None:
                self._use(self._structure.macro_at(use), call, chain, depth)
            else:
                self._passed_on(use, chain, depth)

    def _passed_on(self, use: int, chain: Chain, depth: int) -> None:
        """A macro that another one is given to call: `#define TYPES(DO) DO(float, S) DO(double, D)`."""
        opener = self._structure.enclosing(use)
        callee = self._structure.prev_code(opener - 1) if opener is not None else -1
        lists = self._macros.get(self._text[callee], ()) if callee >= 0 else ()
        call = self._structure.call_at(callee) if lists and callee not in self._names else None
        if call is None:
            return
        place = next((k for k, a in enumerate(call.args) if a.first == use and a.stop == use + 1), -1)
        for macro in lists:
            parameters = macro.parameters or ()
            word = parameters[place] if 0 <= place < len(parameters) else b""
            for at in self._structure.tokens.significant(macro.first, macro.stop) if word else ():
                inner = self._structure.call_at(at) if self._text[at] == word else None
                if inner is not None:
                    self._left -= 1
                    self._use(macro, inner, chain, depth)

    def _use(self, within: Macro | None, call: Call, chain: Chain, depth: int) -> None:
        """One use: outside of macros it builds a name, in another macro's body that one's uses may."""
        given = [self._given(within, call, piece, depth) for piece in chain]
        if given[0] is None:
            return
        head = given[0][0]
        if chain[0].parameter >= 0 and head.parameter < 0:
            self.handed_by.setdefault(head.token, self._text[call.name].decode("utf-8", "replace"))
        known = tuple(piece for pieces in given if pieces is not None for piece in pieces)
        if any(pieces is None for pieces in given):
            if head.parameter < 0:
                self._head(head)
        elif within is not None and any(piece.parameter >= 0 for piece in known):
            self._follow(within, known, depth + 1)
        else:
            self._head(head).add(known)

    def _given(self, within: Macro | None, call: Call, piece: Piece, depth: int) -> Chain | None:
        """What a use puts in the place of a piece; None for what cannot be told."""
        if piece.parameter < 0:
            return (piece,)
        if piece.parameter >= len(call.args):
            return None
        return self._value(within, call.args[piece.parameter], depth)

    def _value(self, within: Macro | None, argument: Argument, depth: int) -> Chain | None:
        """What an argument begins with: its first word, or, where macros in it are expanded, what they make."""
        first = self._structure.tokens.next(argument.first, argument.stop)
        if first >= argument.stop:
            return (Piece(-1, b"", first),)
        text = self._text[first]
        if not is_ident(text) and not text[:1].isdigit():
            return None
        alone = self._structure.tokens.next(first + 1, argument.stop) >= argument.stop
        own = within is not None and within.parameters is not None and text in within.parameters
        if alone and depth and not own:
            first = self._word(first)
        elif not alone and not own and text in self._macros:
            return self._made(within, first, argument.stop, depth)
        return (self._piece(within, first) if within is not None else Piece(-1, self._text[first], first),)

    def _word(self, at: int) -> int:
        """The token that a macro such as `#define API cuda` stands for, through a few of them."""
        tokens = self._structure.tokens
        for _ in range(_DEPTH):
            macro = self._macros.get(self._text[at], [None])[-1]
            if macro is None or macro.parameters is not None or macro.first >= macro.stop:
                break
            if tokens.next(macro.first + 1, macro.stop) < macro.stop or not is_ident(self._text[macro.first]):
                break
            at = macro.first
        return at

    def _made(self, within: Macro | None, name: int, stop: int, depth: int) -> Chain | None:
        """What the call of a macro makes that does nothing but paste, or hand on to one that does."""
        call = self._structure.call_at(name)
        if call is None or not depth or depth >= _DEPTH or self._structure.tokens.next(call.close + 1, stop) < stop:
            return None  # an operand of ## is not expanded
        macro = self._macros[self._text[name]][-1]
        chain = next(self._chains(macro), None)
        if chain is None or self._structure.tokens.next(macro.first) != chain[0].token:
            inner = self._structure.call_at(macro.first) if macro.first < macro.stop else None
            whole = inner is not None and self._text[inner.name] in self._macros
            chain = self._made(macro, macro.first, macro.stop, depth + 1) if whole else None
        elif self._structure.tokens.next(chain[-1].token + 1, macro.stop) < macro.stop:
            return None
        given = [self._given(within, call, piece, depth) for piece in chain] if chain is not None else [None]
        known = tuple(piece for pieces in given if pieces is not None for piece in pieces)
        return None if any(pieces is None for pieces in given) else known

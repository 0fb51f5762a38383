"""Lane masks on their way from function to function: as results, as arguments, and as members of classes."""

from __future__ import annotations

from functools import cached_property

from hipify.parser.functions import Function
from hipify.parser.scopes import Scopes
from hipify.parser.structure import Call
from hipify.parser.tokens import is_ident
from hipify.rules.checks.lane_waits import parameter_names
from hipify.rules.checks.warp_code import WarpCode
from hipify.rules.context import Context

_ROUNDS = 3


class MaskFlow:
    """Where the lane masks of one file go."""

    def __init__(self, context: Context, code: WarpCode) -> None:
        self.context = context
        self.code = code
        self.givers = {use.index for use in code.uses if use.operation.gives_mask}
        """Tokens that name a call whose result is a lane mask: of built-ins, and of functions that return theirs."""
        self.wide: set[int] = set()
        """Those among them of lambdas that leave their result's type open: it has as many bits as the mask."""
        self.handed: dict[tuple[int, int], set[bytes]] = {}
        """Parameters that are given masks, by the bodies of their functions."""
        self._open_lambdas: set[int] = set()
        for _ in range(_ROUNDS):
            before = len(self.givers), sum(map(len, self.handed.values()))
            self._results()
            self._arguments()
            if (len(self.givers), sum(map(len, self.handed.values()))) == before:
                break

    # -- results

    def _results(self) -> None:
        """Calls of functions and lambdas that return what a giver gives."""
        structure = self.context.structure
        names = {name for index in tuple(self.givers) if (name := self._returned_by(index)) >= 0}
        for name in names:
            for index in structure.index[self.context.text(name)]:
                is_other = structure.call_at(index) is not None and index not in (name, *self._definitions(index))
                if is_other and self.context.functions.in_device(index):
                    self.givers.add(index)
                    if structure.next_code(name + 1) in self._open_lambdas:
                        self.wide.add(index)

    def _definitions(self, index: int) -> set[int]:
        return {function.name for function in self.context.functions.by_name.get(self.context.text(index), ())}

    def _returned_by(self, index: int) -> int:
        """The name of the function or lambda whose `return` hands on the call at token `index`; -1 for none."""
        structure, text = self.context.structure, self.context.text
        before = structure.prev_code(index - 1)
        call = structure.call_at(index)
        if text(before) != b"return" or call is None or text(structure.next_code(call.close + 1)) != b";":
            return -1
        opener = structure.enclosing(before)
        while opener is not None and text(opener) == b"{":
            lead = structure.prev_code(opener - 1)
            while is_ident(text(lead) or b"0") or text(lead) in (b"->", b"*"):
                lead = structure.prev_code(lead - 1)
            head = structure.partner.get(lead, -1) if text(lead) == b")" else -1
            capture = structure.prev_code(head - 1)
            if head >= 0 and text(capture) == b"]":
                equals = structure.prev_code(structure.partner.get(capture, 0) - 1)
                if b"->" not in self.context.tokens.text[lead:opener]:
                    self._open_lambdas.add(equals)
                name = structure.prev_code(equals - 1)
                return name if text(equals) == b"=" and is_ident(text(name) or b"0") else -1
            opener = structure.enclosing(opener)
        function = self.context.functions.function_at(index)
        return function.name if function is not None and self._is_plain(function) else -1

    def _is_plain(self, function: Function) -> bool:
        """Whether a function has a name, and gives back no truth value."""
        name = self.context.structure.prev_code(function.name - 1) if function.name >= 0 else -1
        return name >= 0 and self.context.text(name) != b"bool"

    # -- arguments

    def _arguments(self) -> None:
        """Parameters of the file's functions that get a giver's call, or a variable that holds a mask, as it is."""
        structure = self.context.structure
        for index in tuple(self.givers):
            call = structure.call_at(index)
            opener = structure.enclosing(index)
            outer = structure.call_at(structure.prev_code(opener - 1)) if opener is not None else None
            if call is not None and outer is not None and outer.open == opener:
                self._hand(outer, index, call.close + 1)

    def hand_names(self, region: tuple[int, int], names: frozenset[bytes]) -> bool:
        """Follow the masks of one function to the functions it calls; whether that told anything new."""
        structure, before = self.context.structure, sum(map(len, self.handed.values()))
        for name in names:
            for index in structure.index.get(name, ()):
                if not region[0] <= index < region[1]:
                    continue
                around = structure.prev_code(index - 1), structure.next_code(index + 1)
                if {self.context.text(i) for i in around} <= {b"(", b",", b")"}:
                    opener = structure.enclosing(index)
                    call = structure.call_at(structure.prev_code(opener - 1)) if opener is not None else None
                    if call is not None and call.open == opener:
                        self._hand(call, index, index + 1)
        return sum(map(len, self.handed.values())) > before

    def _hand(self, call: Call, first: int, stop: int) -> None:
        structure, text = self.context.structure, self.context.text
        for place, argument in enumerate(call.args):
            if structure.next_code(argument.first) != first or argument.stop != stop:
                continue
            for function in self.context.functions.by_name.get(text(call.name), ()):
                if function.is_device:
                    names = parameter_names(self.context, function)
                    if place < len(names) and names[place] and len(names) >= len(call.args):
                        self.handed.setdefault((function.body, function.stop), set()).add(names[place])

    # -- members

    @cached_property
    def members(self) -> frozenset[bytes]:
        """Members of the file's classes that a giver fills: `mask_(__activemask())`, `w.mask = __ballot(p)`."""
        structure, text = self.context.structure, self.context.text
        found = set()
        for index in self.givers:
            before = structure.prev_code(index - 1)
            name = structure.prev_code(before - 1)
            lead = text(structure.prev_code(name - 1))
            is_initialiser = text(before) in (b"(", b"{") and lead in (b":", b",")
            if is_ident(text(name) or b"0") and (
                is_initialiser or (text(before) == b"=" and (lead in (b".", b"->") or self._is_member(name)))
            ):
                found.add(text(name))
        return frozenset(name for name in found if any(self._is_member(i) for i in structure.index[name]))

    @cached_property
    def _scopes(self) -> Scopes:
        return Scopes(self.context.structure)

    def _is_member(self, index: int) -> bool:
        """Whether a class of the file declares a member of the name at token `index`."""
        structure, text = self.context.structure, self.context.text
        return any(
            text(structure.next_code(i + 1)) in (b";", b",", b"=", b"{")
            and is_ident(text(structure.prev_code(i - 1)) or b"0")
            and self._scopes.scope(i)[0] == "class"
            for i in structure.index[text(index)]
        )

    def is_member_use(self, index: int) -> bool:
        """Whether token `index` speaks of such a member: behind a dot, or in a function of its class."""
        if self.context.text(index) not in self.members:
            return False
        structure, text = self.context.structure, self.context.text
        link = text(structure.prev_code(index - 1))
        if link in (b".", b"->"):
            return True
        declared = [
            self._scopes.scope(i)[1] for i in structure.index[text(index)] if self._scopes.scope(i)[0] == "class"
        ]
        return any(a <= index <= b for opener in declared for a, b in self._scopes.members(opener))

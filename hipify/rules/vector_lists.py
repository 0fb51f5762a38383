"""What a list in braces initialises: by the type that is written in front of it, else by clang."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container

from hipify.parser.initialisers import BITS, VECTORS, Array, Initialisers, Shape, Vector, vector_of
from hipify.parser.launches import callee_before
from hipify.parser.owner import Owner
from hipify.parser.tokens import is_ident
from hipify.rules.context import Context
from hipify.rules.declared import declared_type, result_word, type_word

NOT_LISTS = (b"do", b"else", b"try", b"const", b"noexcept", b"override", b"final", b"mutable", b"namespace")
_TYPES = (b"struct", b"class", b"union", b"enum", b"namespace", b"concept")
BEFORE_LISTS = (b"=", b"return", b"(", b",", b"{", b"?", b":", b"]", b">")
_NEAR = 64  # places of a name that are looked at for its declaration, on each side
_BEFORE_TARGETS = (b";", b"{", b"}", b"(", b"[", b",", b"?", b":", b"=", b"&&", b"||", b"else", b"do", b"return")


def may_be_list(text: list[bytes], opener: int, names: Container[bytes]) -> bool:
    """Whether a brace may open a list, and no body: a look at what stands around it, as most are bodies."""
    behind = text[opener + 1 : opener + 2]
    if behind in ([b"\n"], [b"\r\n"]) and text[opener - 1 : opener] == [b" "] and text[opener - 2] == b")":
        return False
    at = opener - 1
    while at > 0 and text[at][0] in b" \t\r\n":
        at -= 1
    word = text[at]
    return word in BEFORE_LISTS or (text[at - 1] in names if word == b")" else word not in NOT_LISTS)


class Reader:
    """Tells what a brace initialises: by the type in front of it, else by clang."""

    def __init__(self, context: Context, names: set[bytes]) -> None:
        self.context = context
        self.types = {name: (VECTORS.get(name) or BITS[name]) for name in names}
        self._find_aliases()
        self.clang: Initialisers | None = None

    def _find_aliases(self) -> None:
        """Names that the file gives to vector types: `typedef float4 vec;`, `using vec = float4;`."""
        context, structure = self.context, self.context.structure
        for name, vector in list(self.types.items()):
            for index in structure.index.get(name, ()):
                before, behind = structure.prev_code(index - 1), structure.next_code(index + 1)
                if context.text(before) == b"typedef" and context.text(structure.next_code(behind + 1)) == b";":
                    self.types.setdefault(context.text(behind), vector)
                elif context.text(before) == b"=" and context.text(behind) == b";":
                    alias = structure.prev_code(before - 1)
                    if context.text(structure.prev_code(alias - 1)) == b"using":
                        self.types.setdefault(context.text(alias), vector)

    def shape_at(self, opener: int, close: int) -> tuple[Shape, bool] | None:
        """The shape, and whether the list initialises directly, with no `=` or the like."""
        context, structure = self.context, self.context.structure
        before = structure.prev_code(opener - 1)
        word = context.text(before)
        first = structure.next_code(opener + 1)
        if b";" in context.tokens.text[first : min(close, first + 64)] or (first == close and word != b"="):
            return None
        shape = self._named(before)
        if shape is None and (word in BEFORE_LISTS or self._may_initialise(before, word)):
            shape = self._asked(opener)
        return (shape, word not in (b"=", b"return", b"(", b",", b"?", b":")) if shape is not None else None

    def _may_initialise(self, before: int, word: bytes) -> bool:
        if not is_ident(word or b"0") or word in NOT_LISTS:
            return False
        return self.context.text(self.context.structure.prev_code(before - 1)) not in _TYPES

    def _asked(self, opener: int) -> Shape | None:
        semantics = self.context.semantics
        if semantics is None:
            equals = self.context.structure.prev_code(opener - 1)
            is_assigned = self.context.text(equals) == b"="
            return self._declared(opener) or (self._pointed_at(equals) if is_assigned else None)
        if self.clang is None:
            self.clang = Initialisers(semantics, self.context.library.names)
        return self.clang.at(self.context.tokens.start[opener]) or self._assigned(opener)

    def _assigned(self, opener: int) -> Shape | None:
        """The type of what is assigned to or returned: a class's `=` and a template leave the list without a type."""
        context, structure = self.context, self.context.structure
        equals = structure.prev_code(opener - 1)
        if context.text(equals) == b"return":
            return self._vector(result_word(context, equals))
        if context.text(equals) != b"=" or context.semantics is None:
            return None
        target = callee_before(structure, equals, 0)
        found = None
        if target is not None and not target.empty:
            found = vector_of(context.semantics.expr_type(*context.argument_range(target)))
        return found or self._pointed_at(equals)

    def _pointed_at(self, equals: int) -> Vector | None:
        """The type of a target such as `*p`, `*(half2*)p` or `reinterpret_cast<half2*>(p)[i]`."""
        context, structure = self.context, self.context.structure
        start = structure.prev_code(equals - 1)
        starts = []
        while context.text(start) not in _BEFORE_TARGETS and start > 0:
            if context.text(start) in (b")", b"]"):
                starts.append(structure.next_code(start + 1))
                start = structure.partner.get(start, 0)
            start = structure.prev_code(start - 1)
        for index in range(start + 1, equals):
            vector = self._vector(index)
            if vector is not None and context.text(structure.next_code(index + 1)) == b"*":
                return vector
        for first in (structure.next_code(start + 1), *reversed(starts)):
            if context.semantics is not None and first < equals:
                end = context.tokens.end(structure.prev_code(equals - 1))
                if found := vector_of(context.semantics.expr_type(context.tokens.start[first], end)):
                    return found
        return None

    def _declared(self, opener: int) -> Shape | None:
        """By the declaration of the variable, member or function in this file, where there is no clang."""
        context, structure = self.context, self.context.structure
        before = structure.prev_code(opener - 1)
        if context.text(before) == b"return":
            return self._vector(result_word(context, before))
        name = structure.prev_code(before - 1) if context.text(before) == b"=" else before
        is_element = context.text(name) == b"]"
        if is_element:
            name = structure.prev_code(structure.partner.get(name, 0) - 1)
        while context.text(name) == b")":
            name = structure.prev_code(name - 1)
        if context.text(star := structure.prev_code(name - 1)) == b"*":
            is_element |= context.text(structure.prev_code(star - 1)) in (b";", b"{", b"}", b"(", b")", b"else")
        if not is_ident(context.text(name) or b"0"):
            return None
        places = structure.index[context.text(name)]
        here = bisect_right(places, name)
        for index in (*reversed(places[max(here - _NEAR, 0) : here]), *places[here : here + _NEAR]):
            lead = structure.prev_code(index - 1)
            if is_element and context.text(lead) == b"*":
                lead = structure.prev_code(lead - 1)
            if (vector := self._vector(lead)) is not None:
                return vector
            if word := type_word(context, index):  # of a declarator behind others, or no vector's
                return self.types.get(word) if context.text(lead) == b"," else None
        return None

    def _constructed(self, opener: int) -> Vector | None:
        """The pair of halves whose constructor has nothing but a list in its parentheses: `half2 a({x, y})`."""
        context, structure = self.context, self.context.structure
        brace = structure.next_code(opener + 1)
        name = structure.prev_code(opener - 1)
        if structure.next_code(structure.partner.get(brace, 0) + 1) != structure.partner.get(opener):
            return None
        vector = self._vector(name) or self._vector(structure.prev_code(name - 1))
        if vector is None and is_ident(context.text(name) or b"0"):
            vector = self.types.get(declared_type(context, name))  # a member in front of a constructor's body
        return vector if vector is not None and not vector.size else None

    def _cast(self, close: int) -> Vector | None:
        """The vector type in the parentheses of a compound literal `(float4){…}`."""
        structure = self.context.structure
        opener = structure.partner.get(close, -1)
        name = structure.next_code(opener + 1)
        lone = opener >= 0 and structure.next_code(name + 1) == close
        is_call = is_ident(self.context.text(structure.prev_code(opener - 1)) or b"0")
        return self._vector(name) if lone and not is_call else None

    def _vector(self, index: int) -> Vector | None:
        name = self.context.text(index)
        vector = self.types.get(name)
        if vector is None or not (name in VECTORS or name in BITS):
            return vector
        is_own = self.context.owner(index)[0] is Owner.USER or self.context.declared_here(name)
        return None if is_own else vector

    def _named(self, before: int) -> Shape | None:
        """The shape where the type's name stands in front of the list or of the variable."""
        context, structure = self.context, self.context.structure
        if context.text(before) == b")":
            return self._cast(before)
        if context.text(before) == b"(":
            return self._constructed(before)
        if (vector := self._vector(before)) is not None:
            lead = context.text(structure.prev_code(before - 1))
            return None if lead in (b"->", b".", *_TYPES) else vector
        at = structure.prev_code(before - 1) if context.text(before) == b"=" else before
        depth = 0
        while context.text(at) == b"]" and (opener := structure.partner.get(at, -1)) > 0:
            at, depth = structure.prev_code(opener - 1), depth + 1
        if not is_ident(context.text(at) or b"0"):
            return None
        at = structure.prev_code(at - 1)
        while context.text(at) in (b"const", b"volatile", b"constexpr"):
            at = structure.prev_code(at - 1)
        shape: Shape | None = self._vector(at)
        for _ in range(depth if shape is not None else 0):
            shape = Array(shape) if shape is not None else None
        return shape

"""What braces initialise, as clang sees it: a vector type, or arrays and structures that hold one."""

from __future__ import annotations

from collections.abc import Container

from hipify.patterns import lazy
from hipify.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.parser.libclang_fast import Type
    from hipify.parser.semantics import Semantics

_VECTOR = lazy(r"(?:(?:u?(?:char|short|int|long|longlong)|float|double)([1-4])|__half2|__nv_bfloat162)\Z")
_LIST, _FIELD, _BASE, _CONSTRUCTORS = 119, 6, 44, (24, 30)
_RECORDS = (2, 4)  # struct, class


class Vector(NamedTuple):
    """`float4` and its like: the name that CUDA has for the type, and its components; 0 for pairs of half floats.

    `bits`: the components are the bits of half floats.
    """

    name: str
    size: int
    bits: bool = False


class Array(NamedTuple):
    """An array of what holds a vector."""

    of: Shape


class Record(NamedTuple):
    """An aggregate: its members' names, each with what it holds (None: no vector)."""

    members: tuple[tuple[str, Shape | None], ...]


Shape = Vector | Array | Record


VECTORS = {
    f"{kind}{n}".encode(): Vector(f"{kind}{n}", n)
    for kind in ("char", "short", "int", "long", "longlong", "float", "double")
    for kind in ((kind,) if kind in ("float", "double") else (kind, f"u{kind}"))
    for n in (1, 2, 3, 4)
} | {
    b"half2": Vector("__half2", 0),
    b"__half2": Vector("__half2", 0),
    b"nv_bfloat162": Vector("__nv_bfloat162", 0),
    b"__nv_bfloat162": Vector("__nv_bfloat162", 0),
}
"""CUDA's vector types by each of their names."""
BITS = {b"__half_raw": Vector("__half_raw", 1, True), b"__half2_raw": Vector("__half2_raw", 2, True)}
"""The types for the bits of half floats."""


class Initialisers:
    """The shapes of one file's initialiser lists."""

    def __init__(self, semantics: Semantics, without: Container[bytes]) -> None:
        self._semantics = semantics
        self._without = without
        """Names of records that hold no vector: CUDA's."""
        self._known: dict[str, Shape | None] = {}

    def at(self, offset: int) -> Shape | None:
        """What the brace at this byte initialises; None when no vector is in it, or clang cannot tell."""
        kind, found = self._semantics.type_at(offset)
        return self._shape(found) if kind == _LIST else None

    def _shape(self, given: Type) -> Shape | None:
        name = self._semantics.type_name(given)
        if name not in self._known:
            self._known[name] = None  # what holds itself does so by pointers
            self._known[name] = self._read(name, given)
        return self._known[name]

    def _read(self, name: str, given: Type) -> Shape | None:
        vector = vector_of(name)
        if vector is not None:
            return vector
        if name.endswith("]"):
            inner = self._shape(self._semantics.element_type(given))
            return Array(inner) if inner is not None else None
        if name.endswith(("*", "&", ")")) or name.encode() in self._without:
            return None
        return self._record(given)

    def _record(self, given: Type) -> Record | None:
        members: list[tuple[str, Shape | None]] = []
        for kind, name, found in self._semantics.members_of(given, _RECORDS):
            if kind == _BASE or kind in _CONSTRUCTORS:
                return None
            if kind == _FIELD:
                members.append((name, self._shape(found)))
        return Record(tuple(members)) if any(shape is not None for _, shape in members) else None


def vector_of(name: str) -> Vector | None:
    """The vector type of that (canonical) name."""
    bare = name.removeprefix("const ")
    if bare.endswith("_raw"):
        return BITS.get(bare.encode())
    match = _VECTOR.match(bare)
    return Vector(bare, int(match[1] or 0)) if match else None

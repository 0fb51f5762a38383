"""`using ::cudaFree;` in a namespace: CUDA's names that can be said with the namespace in front."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipify.parser.structure import Structure


def reexports(structure: Structure) -> frozenset[tuple[bytes, bytes]]:
    """The pairs of namespace and name that the file's using-declarations of global names make."""
    text, found = structure.tokens.text, set()
    for index in structure.index.get(b"using", ()):
        link = structure.next_code(index + 1)
        name = structure.next_code(link + 1)
        if name < len(text) and text[link] == b"::" and (scope := _namespace(structure, index)):
            found.add((scope, text[name]))
    return frozenset(found)


def _namespace(structure: Structure, index: int) -> bytes:
    """The name of the namespace (or class) whose braces are the closest around a token; empty outside of all."""
    opener = structure.enclosing(index)
    if opener is None:
        return b""
    return structure.tokens.text[structure.prev_code(opener - 1)]

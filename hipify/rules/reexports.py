"""`using ::cudaFree;` in a namespace: CUDA's names that can be said with the namespace in front."""

from __future__ import annotations

from hipify.parser.tokens import is_ident

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.parser.structure import Structure
    from hipify.rules.context import Context


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


def using_declaration(context: Context, index: int) -> bytes:
    """What stands from `using` to the name at a token, `using ::`, where that is one; b'' elsewhere."""
    structure, at = context.structure, context.structure.prev_code(index - 1)
    while context.text(at) == b"::" or is_ident(context.text(at) or b"0"):
        if context.text(at) == b"using":
            ends = context.text(structure.next_code(index + 1)) == b";" and at < index - 1
            return context.source.data[context.tokens.start[at] : context.tokens.start[index]] if ends else b""
        at = structure.prev_code(at - 1)
    return b""


def reexport(context: Context, index: int, names: list[bytes]) -> bool:
    """Let a using-declaration name every function that calls of the name may become; whether it is one."""
    lead = using_declaration(context, index)
    if not lead or not names:
        return False
    context.replace(index, names[0])
    behind = context.tokens.end(context.structure.next_code(index + 1))
    context.insert(behind, b"".join(b" " + lead + name + b";" for name in names[1:]))
    return True

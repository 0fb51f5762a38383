"""Where a file's own macros with names of CUDA's hold, and which of them only stand in for CUDA."""

from __future__ import annotations

from hipify.parser.brackets import Directive
from hipify.parser.branches import Branches, BranchPath
from hipify.parser.structure import Structure
from hipify.parser.tokens import is_ident

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.rules.context import Context
    from hipify.rules.library import Library


def is_defined(context: Context, index: int) -> bool:
    """Whether the macro that token `index` is called like may be defined there: behind a `#define`, and no `#undef`."""
    structure, tokens = context.structure, context.tokens
    name = tokens.text[index]
    if structure.macro_at(index) is not None or structure.directive_at(index) is not None:
        return True
    last = None
    for directive in _defining(context).get(name, ()):
        if directive.first > index:
            break
        last = directive
    if last is None or last.name == b"define":
        return last is not None
    path = context.branches.path[last.first]
    return context.branches.around(index)[: len(path)] != path


def _defining(context: Context) -> dict[bytes, list[Directive]]:
    """The `#define` and `#undef` lines of the file, in order, by the macro."""
    kept: dict[bytes, list[Directive]] | None = vars(context).get("_defining")
    if kept is None:
        kept = vars(context)["_defining"] = {}
        tokens = context.tokens
        for directive in context.structure.directives:
            if directive.name in (b"define", b"undef"):
                name = context.text(tokens.next(directive.body, directive.stop))
                kept.setdefault(name, []).append(directive)
    return kept


def stand_ins(structure: Structure, branches: Branches, library: Library) -> frozenset[bytes]:
    """Names of CUDA's that are macros in some builds of the program only, and CUDA's in others: they get HIP's names.

    Where it does without CUDA (`#ifdef WITH_CUDA`, `#include <cuda_runtime.h>`, `#else`, `#define cudaFree(p) free(p)`)
    or a switch of its own asks for them (`#ifdef DEBUG`, `#define cudaFree(p) tracked(p)`).
    """
    text, names = structure.tokens.text, library.names
    own = [(text[m.name], m.name) for m in structure.macros if text[m.name] in names]
    if not own:
        return frozenset()
    cudas = [branches.path[i.directive.first] for i in structure.includes if library.header(i.name) is not None]
    others = {
        name
        for name, at in own
        if not (_is_instead(branches.around(at), cudas) or _is_switched(structure, branches.around(at), name))
    }
    return frozenset(name for name, _ in own) - others


def _is_instead(path: BranchPath, cudas: list[BranchPath]) -> bool:
    """Whether another branch of a conditional around a place includes a header of CUDA's."""
    here = dict(path)
    return any(here.get(chain, number) != number for cuda in cudas for chain, number in cuda)


def _is_switched(structure: Structure, path: BranchPath, name: bytes) -> bool:
    """Whether all conditions around a place ask for the program's own macros: none of a compiler, a version, HIP."""
    from hipify.rules.guard_macros import HIP_WORD, guard_kind

    words: set[bytes] = set()
    for first, _ in path:
        directive = structure.directive_at(first)
        if directive is not None:
            words.update(structure.tokens.text[directive.body : directive.stop])
    asked = {word for word in words if is_ident(word)}
    return bool(asked) and not any(
        word == name or word.startswith(b"__") or guard_kind(word) is not None or HIP_WORD.search(word)
        for word in asked
    )

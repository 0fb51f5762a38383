"""Textures for GPUs without image instructions: a helper header samples in software, references become its type."""

from __future__ import annotations

from hipify.parser.scopes import Scopes
from hipify.rules.context import Context
from hipify.rules.passes.builtins import header_text, include_helpers
from hipify.rules.textures import (
    ARRAY_CALLS,
    COPIES,
    FETCHES,
    OBJECT_CALLS,
    REFERENCE_CALLS,
    Reference,
    is_emulated,
    references,
    uses,
)

HEADER = "hipify_texture.h"
_PARTS = tuple(
    f"hipify_texture_{part}.h" for part in ("arrays", "driver", "mipmaps", "objects", "reference", "sampling")
)
_WORDS = FETCHES | OBJECT_CALLS | ARRAY_CALLS | COPIES | REFERENCE_CALLS | {b"texture"}
_ARRAYS = {b"srcArray", b"dstArray"}
_MEMORY = [{side + what for what in (b"Ptr", b"Host", b"Device")} for side in (b"src", b"dst")]
NEEDS = _WORDS


def run(context: Context) -> None:
    """Bring the header to files that need it for an `--offload-arch`."""
    vocabulary = context.tokens.vocabulary
    if not is_emulated(context) or _WORDS.isdisjoint(vocabulary):
        return
    declared = list(references(context, b"texture")) if b"texture" in vocabulary else []
    for reference in declared:
        _declare(context, reference)
    names = FETCHES | OBJECT_CALLS | ARRAY_CALLS | REFERENCE_CALLS
    if not _ARRAYS.isdisjoint(vocabulary) or any(side.isdisjoint(vocabulary) for side in _MEMORY):
        names |= COPIES
    if declared or next(uses(context, names & vocabulary), None) is not None:
        include_helpers(context, [HEADER])
        context.analysis.helper_headers.update((part, header_text(part)) for part in _PARTS)


def _declare(context: Context, reference: Reference) -> None:
    """The header's type, and for a variable the space that kernels read it from."""
    lead = b"__constant__ " if _is_variable(context, reference) else b""
    context.replace(reference.word, lead + b"hipify_texture")


def _is_variable(context: Context, reference: Reference) -> bool:
    structure = context.structure
    before = context.text(structure.prev_code(reference.word - 1))
    behind = context.text(structure.next_code(reference.name + 1))
    named = context.text(reference.name)[:1]
    if before in (b"typedef", b"using", b"=") or not (named.isalpha() or named == b"_"):
        return False
    in_macro = structure.macro_at(reference.word) is not None
    return behind in (b";", b"=", b",", b"(", b"[", b"{", b"", b"##") and (
        in_macro or Scopes(structure).scope(reference.word)[0] in ("global", "namespace")
    )

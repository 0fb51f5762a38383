"""Functions that a header declares for another side than the file defines them for, where clang has seen both."""

from __future__ import annotations

from hipify.model import Confidence, Severity
from hipify.patterns import lazy
from hipify.rules.context import Context
from hipify.rules.passes.execution_spaces import EXECUTION_SPACE

_UNMATCHED = lazy(
    r"(?:__\w+__ )+function '[^']+' cannot overload (?:__\w+__ )+function '"
    r"|no function template matches function template specialization '"
    r"|out-of-line definition of '[^']+' does not match any declaration in '"
    r"|explicit instantiation of '[^']+' does not refer to a function template"
)


def run(context: Context) -> None:
    """Report what clang cannot match with a declaration, unless the pass has mended it."""
    if context.options.language == "hip" or "semantics" not in vars(context) or context.semantics is None:
        return
    found = [(text, at) for text, here, at in context.semantics.diagnostics() if here and _UNMATCHED.match(text)]
    if not found or context.semantics.missing_headers():
        return
    known = {finding.start for finding in context.analysis.findings if finding.id == EXECUTION_SPACE.id}
    for text, at in found:
        if at not in known:
            message = f"declared otherwise elsewhere, most likely for host or device: {text}"
            index = context.tokens.index_at(at)
            if not _names_functions(context, index):
                context.find(
                    EXECUTION_SPACE, index, message=message, severity=Severity.ERROR, confidence=Confidence.CLANG
                )


def _names_functions(context: Context, index: int) -> bool:
    """Whether a declaration names CUDA's functions, as in `call<cudaFree>`: clang knows no types of them."""
    structure = context.structure
    for _ in range(64):
        text = context.text(index)
        if text in (b";", b"{", b""):
            return False
        api = context.library.get(text) if text in context.library.names else None
        if api is not None and api.kind == "function":
            return True
        index = structure.next_code(index + 1)
    return False

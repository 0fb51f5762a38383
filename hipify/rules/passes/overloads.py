"""Overloads of the file's own that differ in types which HIP does not tell apart: `CUresult` and `cudaError_t`."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.tokens import is_ident
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind
from hipify.rules.passes.vector_operators import guard_range

TWIN = FindingKind(
    "HPY120",
    Severity.NOTE,
    "overload for a driver type that HIP does not tell apart from the runtime's",
    "HIP has one error, stream and event type for the driver and the runtime: the two overloads would be one function "
    "defined twice. The driver's is for NVIDIA alone now.",
    "Nothing needs to be done where the two do the same.",
    "#include <cuda.h>\n#include <cuda_runtime.h>\nconst char* name(cudaError_t e) { return cudaGetErrorName(e); }\n"
    "const char* name(CUresult e) { return 0; }\n",
    "#include <hip/hip_runtime.h>\nconst char* name(hipError_t e) { return hipGetErrorName(e); }\n",
)
_TWINS = {
    b"CUresult": (b"cudaError_t", b"cudaError"),
    b"CUstream": (b"cudaStream_t",),
    b"CUevent": (b"cudaEvent_t",),
}
NEEDS = frozenset(_TWINS)


def run(context: Context) -> None:
    """Keep the driver's overload from HIP's compiler."""
    vocabulary = context.tokens.vocabulary
    if context.options.language == "hip":
        return
    for driver, runtime in _TWINS.items():
        if driver in vocabulary and not vocabulary.isdisjoint(runtime):
            for index in context.structure.index[driver]:
                _overload(context, index, runtime)


def _overload(context: Context, index: int, runtime: tuple[bytes, ...]) -> None:
    structure, text = context.structure, context.tokens.text
    opener = structure.enclosing(index)
    name = structure.prev_code(opener - 1) if opener is not None and text[opener] == b"(" else -1
    parameters = _parameters(context, name)
    if not parameters or structure.directive_at(index) is not None:
        return
    wanted = [tuple(r if word == text[index] else word for word in parameters) for r in runtime]
    if not any(_parameters(context, other) in wanted for other in structure.index[text[name]] if other != name):
        return
    first, body = context.structure.declaration_start(name), structure.next_code(structure.partner[opener or 0] + 1)
    shown = f"{text[name].decode('utf-8', 'replace')}({text[index].decode()})"
    context.find(TWIN, name, message=f"{shown}: the overload for {runtime[0].decode()} is HIP's, too")
    guard_range(context, first, structure.partner[body] + 1)


def _parameters(context: Context, name: int) -> tuple[bytes, ...]:
    """The words of the parameters' types of a function that is defined at a name; () where none is."""
    structure, text = context.structure, context.tokens.text
    if name < 1 or not is_ident(text[name]):
        return ()
    opener = structure.next_code(name + 1)
    close = structure.partner.get(opener, -1) if context.text(opener) == b"(" else -1
    body = structure.next_code(close + 1) if close > 0 else -1
    if context.text(body) != b"{" or body not in structure.partner:
        return ()
    words: list[bytes] = []
    for argument in structure.split(opener + 1, close):
        inner = [text[i] for i in context.tokens.significant(argument.first, argument.stop)]
        words += inner[:-1] if len(inner) > 1 and is_ident(inner[-1]) else inner
        words.append(b",")
    return tuple(words)

"""Calls that `using namespace` may make a function of the project's own, where clang does not tell."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.model import Confidence, Severity
from hipify.parser.owner import Owner
from hipify.parser.tokens import is_ident
from hipify.rules.context import Context
from hipify.rules.included_names import namespaces_around
from hipify.rules.kinds import FindingKind

MAY_BE_OWN = FindingKind(
    "HPY124",
    Severity.WARNING,
    "call that may be of the project's own function",
    "A namespace of the project has a function of this name for as many arguments, and `using namespace` makes it "
    "visible here: which of the two is called depends on types. The call was translated as CUDA's.",
    "Write the namespace in front of the name (mine::cudaFree, or ::cudaFree), or translate with clang.",
    "#include <cuda_runtime.h>\nnamespace mine { void cudaFree(float& p); }\nusing namespace mine;\n"
    "void f(float* p) { cudaFree(p); }\n",
    "#include <hip/hip_runtime.h>\nnamespace mine { void cudaFree(float& p); }\nusing namespace mine;\n"
    "void f(float* p) { ::hipFree(p); }\n",
)
NEEDS = frozenset((b"using",))


def run(context: Context) -> None:
    """Report the calls behind each `using namespace`."""
    if context.options.language == "hip":
        return
    reported: set[int] = set()
    for namespace, first, stop in _used(context):
        for name, least, most in _functions(context, namespace):
            for index in context.structure.index.get(name, ()):
                if first < index < stop and index not in reported and _may_be(context, index, least, most):
                    reported.add(index)
                    shown = name.decode()
                    message = f"{shown}: may be {namespace.decode('utf-8', 'replace')}::{shown}, by `using namespace`"
                    context.find(MAY_BE_OWN, index, message=message)


def _used(context: Context) -> Iterator[tuple[bytes, int, int]]:
    """The last name of each namespace that is used, and the tokens (first, stop) where it is."""
    structure, text = context.structure, context.text
    for index in structure.index.get(b"using", ()):
        at = structure.next_code(index + 1)
        if text(at) != b"namespace" or not context.is_code(index):
            continue
        name = structure.next_code(at + 1)
        while text(structure.next_code(name + 1)) == b"::" or text(name) == b"::":
            name = structure.next_code(name + 1)
        opener = structure.enclosing(index)
        stop = structure.partner.get(opener, -1) if opener is not None else len(context.tokens.text)
        if is_ident(text(name) or b"0") and text(name) not in (b"std", b"cub", b"thrust"):
            yield text(name), name, stop


def _functions(context: Context, namespace: bytes) -> Iterator[tuple[bytes, int, int]]:
    """The functions of a namespace with names of CUDA's, and how many arguments they take."""
    structure = context.structure
    for name in sorted(context.library.names & context.tokens.vocabulary):
        for own in context.own_names.declared(name):
            if own.is_function and own.in_namespace and namespaces_around(structure, own.token)[-1:] == (namespace,):
                yield name, own.least, own.most
    for name, found in context.included_names.functions.items() if structure.includes else ():
        for declared in found:
            if declared.scopes[-1:] == (namespace,):
                yield name, declared.least, declared.most


def _may_be(context: Context, index: int, least: int, most: int) -> bool:
    """Whether a name is called with as many arguments, is qualified by nothing, and nobody knows whose it is."""
    structure = context.structure
    call = structure.call_at(index)
    if call is None or not least <= len(call.args) <= most:
        return False
    if context.text(structure.prev_code(index - 1)) in (b"::", b".", b"->"):
        return False
    owner, confidence = context.owner(index)
    return owner is not Owner.USER and confidence is not Confidence.CLANG

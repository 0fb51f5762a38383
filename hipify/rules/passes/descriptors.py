"""cuBLASLt descriptors that live on the stack: hipBLASLt only creates them itself, so that variables become handles."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.owner import Owner
from hipify.parser.tokens import is_ident
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind
from hipify.rules.library import map_name

STACK_DESCRIPTOR = FindingKind(
    "HPY708",
    Severity.WARNING,
    "cuBLASLt descriptor on the stack becomes a handle that hipBLASLt creates",
    "hipBLASLt has no functions that initialise a descriptor in place. The variable is a handle now, and what it "
    "refers to is not destroyed when the variable goes.",
    "Destroy the handle at the end of its scope where the code runs often.",
    "#include <cublasLt.h>\nvoid f(cublasStatus_t s) {\n    cublasLtMatmulPreferenceOpaque_t p = {};\n"
    "    s = cublasLtMatmulPreferenceInit(&p);\n}\n",
    "#include <hipblaslt/hipblaslt.h>\nvoid f(hipblasStatus_t s) {\n    hipblasLtMatmulPreference_t p = {};\n"
    "    s = hipblasLtMatmulPreferenceCreate(&p);\n    hipblasLtMatmulPreferenceDestroy(p);\n}\n",
)
_KINDS = ("MatmulDesc", "MatrixLayout", "MatmulPreference", "MatrixTransformDesc")
_BEFORE_ADDRESS = (b"(", b",", b"=", b"return")
NEEDS = frozenset(f"cublasLt{kind}Init".encode() for kind in _KINDS)


def run(context: Context) -> None:
    """Make handles of the variables whose every use is their address."""
    vocabulary = context.tokens.vocabulary
    if not any(f"cublasLt{kind}Init".encode() in vocabulary for kind in _KINDS):
        return
    for kind in _KINDS:
        created = _hip_name(context, f"cublasLt{kind}Create")
        handle = _hip_name(context, f"cublasLt{kind}_t")
        for index in context.structure.index.get(f"cublasLt{kind}Opaque_t".encode(), ()):
            if created and handle and index not in context.claimed and context.owner(index)[0] is not Owner.USER:
                _variables(context, index, kind, handle, created)


def _hip_name(context: Context, name: str) -> bytes:
    api = context.library.get(name.encode())
    return map_name(api, context.target).name.encode() if api is not None else b""


def _variables(context: Context, index: int, kind: str, handle: bytes, created: bytes) -> None:
    """Change one declaration and the uses of its variables, or nothing."""
    structure = context.structure
    names = _declared(context, index)
    brace = structure.enclosing(index)
    close = structure.partner.get(brace, -1) if brace is not None else -1
    uses = [i for n in names for i in structure.index[context.text(n)] if n < i < close]
    addresses = [structure.prev_code(i - 1) for i in uses]
    if not names or not all(_is_address(context, at) for at in addresses):
        return
    context.replace(index, handle)
    context.refer(index, "type", "cublaslt", True)
    initialise = f"cublasLt{kind}Init".encode()
    for use, mark in zip(uses, addresses, strict=True):
        callee = structure.prev_code(structure.prev_code(mark - 1) - 1)
        if context.text(callee) == initialise and context.text(structure.prev_code(mark - 1)) == b"(":
            context.replace(callee, created)
            context.refer(callee, "function", "cublaslt", True)
        else:
            context.edit(context.tokens.start[mark], context.tokens.start[use], b"")
    for name in names:
        shown = context.text(name).decode("utf-8", "replace")
        context.find(STACK_DESCRIPTOR, name, message=f"{shown} becomes a {handle.decode()}, which nothing destroys")


def _declared(context: Context, index: int) -> list[int]:
    """The plain variables that a declaration of the type at `index` has; none for any other form."""
    structure, found = context.structure, []
    at = structure.next_code(index + 1)
    while is_ident(context.text(at) or b"0"):
        found.append(at)
        at = structure.next_code(at + 1)
        if context.text(at) == b"=":
            at = structure.next_code(at + 1)
        if context.text(at) == b"{":
            at = structure.next_code(structure.partner.get(at, at) + 1)
        if context.text(at) == b";":
            return found
        if context.text(at) != b",":
            break
        at = structure.next_code(at + 1)
    return []


def _is_address(context: Context, mark: int) -> bool:
    """Whether the token in front of a use takes its address."""
    before = context.text(context.structure.prev_code(mark - 1))
    return context.text(mark) == b"&" and before in _BEFORE_ADDRESS

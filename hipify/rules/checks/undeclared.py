"""Names that clang finds no declaration of, though it found every header: CUDA's that no table knows, most likely."""

from __future__ import annotations

from hipify.model import Confidence, Severity
from hipify.parser.owner import Owner
from hipify.patterns import lazy
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind
from hipify.rules.library import map_name

UNDECLARED = FindingKind(
    "HPY118",
    Severity.WARNING,
    "name or member that nothing declares",
    "Every header of the file was found, and none declares it, nor does a table of CUDA's names know it: it may belong "
    "to a CUDA release newer than the tables.",
    "Look it up in CUDA's documentation, and port what it does.",
)
_NAME = lazy(r"(?:use of undeclared identifier|unknown type name) '(\w+)'")
_MEMBER = lazy(r"no member named '(\w+)' in '(?:struct )?(\w+)'")
# The shapes of CUDA's names: others that are undeclared come from the file that includes this one.
_SHAPE = lazy(rb"__[a-z][a-z0-9_]*\Z|atomic[A-Z]\w*\Z|cu[A-Z]\w+\Z|cuda[A-Z]\w+\Z|nv[A-Z]\w+\Z|CU[a-z]\w+\Z|CU_\w+\Z")

# CUDA's short names of the functions with `__` in front: HIP has the long ones alone.
_SHORT = frozenset((b"any", b"all", b"ballot"))
_COMPILERS = frozenset(b"__attribute__ __declspec __asm__ __align__ __launch_bounds__ __has_include __typeof__".split())


def run(context: Context) -> None:
    """Report them, each at the places where clang met it."""
    if context.options.language == "hip" or not ("semantics" in vars(context) or _calls_unknown(context)):
        return  # nothing made clang read the file, and nothing needs it to
    semantics = context.semantics
    if semantics is None:
        return
    said = semantics.diagnostics()
    if any(text.endswith("' file not found") for text, _, _ in said):
        return
    reported = {f.start for f in context.analysis.findings}
    for text, in_file, offset in said:
        if in_file and offset not in reported:
            _name(context, text, offset)
            _member(context, text, offset)


def _calls_unknown(context: Context) -> bool:
    """Whether device code calls a function with a name of CUDA's shape that neither a table nor the file has."""
    names = {*context.tokens.beginning((b"__", b"atomic"))} - context.library.names - _COMPILERS
    for name in names | (_SHORT & context.tokens.vocabulary):
        shaped = name in _SHORT or (_SHAPE.match(name) and not context.library.is_hip_name(name))
        if shaped and not context.declared_here(name):
            for index in context.structure.index.get(name, ()):
                if context.structure.call_at(index) is not None and context.functions.in_device(index):
                    return index not in context.claimed
    return False


def _name(context: Context, text: str, offset: int) -> None:
    match = _NAME.match(text)
    name = match[1].encode() if match else b""
    index = context.tokens.index_at(offset)
    if name in _SHORT and context.functions.in_device(index) and context.text(index) == name:
        message = f"{name.decode()}: HIP has it as __{name.decode()} only"
        context.find(UNDECLARED, index, message=message, severity=Severity.ERROR, confidence=Confidence.CLANG)
        return
    if not name or not _SHAPE.match(name) or name in context.library.names or context.declared_here(name):
        return
    if context.text(index) != name or index in context.claimed or context.library.is_hip_name(name):
        return
    if name.startswith(b"__") and not context.functions.in_device(index):
        return
    shown = name.decode()
    context.find(UNDECLARED, index, message=f"{shown}: nothing declares it", confidence=Confidence.CLANG)
    context.refer(index, "unknown", "CUDA", False)


def _in_hip(struct: str, member: str) -> bool:
    """Whether HIP's struct has a member that the tables do not hold."""
    if struct.startswith(("__hip_fp8", "__hip_fp6", "__hip_fp4")):
        return member == "__x"
    if struct == "miopenConvAlgoPerf_t":
        return member in ("time", "memory")
    if struct in ("hipKernelNodeAttrValue", "hipLaunchAttributeValue"):
        return member in ("accessPolicyWindow", "cooperative", "priority")
    return (struct, member) in (
        *(("hipPointerAttribute_t", name) for name in ("isManaged", "memoryType")),  # the second until ROCm 6
        ("hipDeviceProp_t", "reservedSharedMemPerBlock"),
    )


def _member(context: Context, text: str, offset: int) -> None:
    match = _MEMBER.match(text)
    struct = context.library.get(match[2].encode()) if match else None
    if match is None or struct is None:
        return
    index = context.tokens.index_at(offset)
    new = map_name(struct, context.target).name
    if context.text(index) != match[1].encode() or index in context.claimed or not new:
        return
    if context.owner(index)[0] is Owner.API or _in_hip(new, match[1]):
        return
    if any(match[2] == f.struct or f.hip_struct == new for f in context.library.field(match[1].encode())):
        return
    message = f"{match[2]}::{match[1]}: no such member is known, of {match[2]} or of {new}"
    context.find(UNDECLARED, index, message=message, confidence=Confidence.CLANG)

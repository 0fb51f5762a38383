"""Arithmetic on CUdeviceptr: an integer in CUDA, a `void*` in HIP, which nothing can be added to."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.tokens import is_ident
from hipify.rules.context import Context
from hipify.rules.declared import declared_type, type_word
from hipify.rules.kinds import FindingKind

ARITHMETIC = FindingKind(
    "HPY119",
    Severity.NOTE,
    "arithmetic on a CUdeviceptr",
    "CUdeviceptr is an integer, hipDeviceptr_t is a `void*`: bytes are counted by way of a `char*` now.",
    "Nothing needs to be done.",
    "#include <cuda.h>\nCUdeviceptr f(CUdeviceptr p) { return p + 16; }\n",
    "#include <hip/hip_runtime.h>\nhipDeviceptr_t f(hipDeviceptr_t p) { return (char*)p + 16; }\n",
)
_TYPE = b"CUdeviceptr"
_SUM = (b"+", b"-")
_ASSIGNED = (b"+=", b"-=")
_STEPS = (b"++", b"--")
_BITS = (b"&", b"|", b"^", b"%", b"/", b"*", b">>", b"<<", b"&=", b"|=", b"^=", b"%=")
_TWICE = (b"++", b"--", b"&&", b"||", b">>", b"<<", b"==")
_OPERATORS = frozenset((b"+", b"-", b"&", b"|", b"^", b"%", b"/", b"*", b">", b"<", b"["))
_LEFT = (b"+", b"-", b".", b"->", b"::")
_INTEGERS = (b"long", b"size_t", b"uint64_t", b"uintptr_t", b"int64_t", b"intptr_t", b"unsigned", b"ptrdiff_t")


def run(context: Context) -> None:
    """Cast the pointers that are added to, and name what no cast mends."""
    if context.options.language == "hip" or _TYPE not in context.tokens.vocabulary:
        return
    for name in sorted(_names(context)):
        for index in context.structure.index.get(name, ()):
            if _near_operator(context, index) and context.is_code(index) and not type_word(context, index):
                start, stop = _chain(context, index)
                if start >= 0 and _is_pointer(context, index, start, stop):
                    _operand(context, start, stop)


def _near_operator(context: Context, index: int) -> bool:
    """Whether an operator may stand beside the name: most uses are arguments, and done with here."""
    structure = context.structure
    after, before = context.text(structure.next_code(index + 1)), context.text(structure.prev_code(index - 1))
    return after in _OPERATORS or before in _LEFT or (before == b"=" and after in (b";", b","))


def _names(context: Context) -> set[bytes]:
    """The variables, members and parameters of that type which the file declares."""
    structure, found = context.structure, set()
    for at in structure.index.get(_TYPE, ()):
        index = structure.next_code(at + 1)
        while context.text(index) in (b"const", b"&", b"*"):
            index = structure.next_code(index + 1)
        while is_ident(context.text(index) or b"0"):
            found.add(context.text(index))
            index = structure.next_code(index + 1)
            while context.text(index) not in (b",", b";", b")", b":", b"}", b""):
                index = structure.next_code(max(structure.partner.get(index, index), index) + 1)
            if context.text(index) != b",":
                break
            index = structure.next_code(index + 1)
    return found


def _chain(context: Context, index: int) -> tuple[int, int]:
    """The postfix expression that ends with the name and its subscripts, `a.b->name[i]`: first token, and behind it."""
    structure = context.structure
    first, stop = index, structure.next_code(index + 1)
    while context.text(stop) == b"[":
        stop = structure.next_code(structure.partner.get(stop, stop) + 1)
    before = structure.prev_code(first - 1)
    while context.text(before) in (b".", b"->", b"::"):
        first = structure.prev_code(before - 1)
        if not is_ident(context.text(first) or b"0"):
            return -1, -1
        before = structure.prev_code(first - 1)
    return first, stop


def _is_pointer(context: Context, index: int, start: int, stop: int) -> bool:
    """Whether the nearest declaration says so, and clang does not say otherwise."""
    declared = declared_type(context, index)
    if declared not in (_TYPE, b""):
        return False
    end = context.tokens.end(context.structure.prev_code(stop - 1))
    kind = context.semantics.expr_type(context.tokens.start[start], end) if context.semantics is not None else ""
    if not kind:
        return declared == _TYPE and b"*" not in _between(context, index)
    return kind.removeprefix("const ") == "unsigned long long"


def _between(context: Context, index: int) -> list[bytes]:
    """What stands between the type and the name where the file declares it."""
    name = context.text(index)
    for at in context.structure.index.get(_TYPE, ()):
        after = context.tokens.text[at + 1 : at + 8]
        if name in after:
            return after[: after.index(name)]
    return []


def _operator(context: Context, index: int) -> bytes:
    """The operator that begins at a token: `+=` and `++` are two tokens each."""
    both = context.text(index) + context.text(index + 1)
    return both if both in _TWICE or both[1:] == b"=" else context.text(index)


def _operand(context: Context, start: int, stop: int) -> None:
    """Cast one operand as its operator needs it."""
    structure = context.structure
    before = structure.prev_code(start - 1)
    left, right = context.text(before), _operator(context, stop)
    stepped = left + context.text(before - 1) in _STEPS
    begin = context.tokens.start[start]
    if right in _ASSIGNED or stepped:
        context.insert(begin, b"(char*&)")
    elif right in _STEPS:
        context.insert(begin, b"((char*&)")
        context.insert(context.tokens.end(structure.prev_code(stop - 1)), b")")
    elif right in _SUM or (left in _SUM and _ends_operand(context, structure.prev_code(before - 1))):
        context.insert(begin, b"(char*)")
    elif left == b"=" and right in (b";", b",") and _integer_left(context, before):
        context.insert(begin, b"(size_t)")
    elif right in _BITS:
        message = f"`{right.decode()}` on a CUdeviceptr, which is a `void*` in HIP"
        context.find(ARITHMETIC, start, stop, message=message, severity=Severity.ERROR)
        return
    else:
        return
    context.find(ARITHMETIC, start, structure.prev_code(stop - 1) + 1)


def _ends_operand(context: Context, index: int) -> bool:
    text = context.text(index)
    return text in (b")", b"]") or is_ident(text or b"(") or text[:1].isdigit()


def _integer_left(context: Context, assign: int) -> bool:
    name = context.structure.prev_code(assign - 1)
    return (type_word(context, name) or declared_type(context, name)) in _INTEGERS

"""What the host asks of a device and of CUDA by number: compute capabilities, and versions of driver and runtime."""

from __future__ import annotations

import operator
from collections.abc import Callable

from hipify.model import Severity
from hipify.parser.tokens import is_ident
from hipify.rules.context import Context
from hipify.rules.declared import declared_type
from hipify.rules.passes.guards import ARCH_GUARD, VERSION_GUARD

_COMPARE: dict[bytes, Callable[[float, float], bool]] = {
    b"<": operator.lt, b"<=": operator.le, b">": operator.gt, b">=": operator.ge, b"==": operator.eq, b"!=": operator.ne
}  # fmt: skip
_MIRRORED = {b"<": b">", b"<=": b">=", b">": b"<", b">=": b"<=", b"==": b"==", b"!=": b"!="}
# `major.minor` of gfx900 to gfx1201, the oldest and the newest that ROCm knows.
_AMD = tuple((major, minor) for major, most in ((9, 5), (10, 3), (11, 5), (12, 1)) for minor in range(most + 1))
_NEW = 7
_PRINTS = frozenset(b"printf fprintf sprintf snprintf vprintf puts print format to_string".split())
_ATTRIBUTES = (
    b"cudaDevAttrComputeCapabilityMajor",
    b"cudaDevAttrComputeCapabilityMinor",
    b"CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR",
    b"CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR",
    b"cuDeviceComputeCapability",
)
_VERSIONS = (b"cudaRuntimeGetVersion", b"cudaDriverGetVersion", b"cuDriverGetVersion")
_WHY = (
    "On AMD GPUs the two numbers are those of the gfx name (9 and 4 on gfx942, 11 and 0 on gfx1100): they say nothing "
    "of what NVIDIA's GPUs of these numbers can do."
)
_FIX = "Ask for the feature itself with hipDeviceGetAttribute, or read gcnArchName of the properties."
_WHY_VERSION = "HIP gives its own version, 70200000 and more for HIP 7.2, and not CUDA's."
_FIX_VERSION = "Compare with HIP_VERSION, or leave the test to CUDA."
NEEDS = frozenset((b"major", *_ATTRIBUTES, *_VERSIONS))


def run(context: Context) -> None:
    """Report what is decided by such numbers; what is printed only says something else."""
    if context.options.language == "hip":
        return
    for index in context.structure.index.get(b"major", ()):
        if _is_property(context, index) and context.structure.directive_at(index) is None:
            _capability(context, index)
    for name in _ATTRIBUTES:
        for index in context.structure.index.get(name, ()):
            if context.structure.directive_at(index) is None:
                message = f"{name.decode()} gives the numbers of the gfx name on AMD GPUs"
                context.find(ARCH_GUARD, index, message=message, why=_WHY, fix=_FIX, severity=Severity.NOTE)
    for name in _VERSIONS:
        for index in context.structure.index.get(name, ()):
            _version(context, index)


def _is_property(context: Context, index: int) -> bool:
    """Whether token `index` is the member of a variable that the file declares as CUDA's properties."""
    structure = context.structure
    link = structure.prev_code(index - 1)
    if context.text(link) not in (b".", b"->"):
        return False
    return _declared(context, structure.prev_code(link - 1)) == b"cudaDeviceProp"


def _declared(context: Context, at: int) -> bytes:
    while context.text(at) == b"]":
        at = context.structure.prev_code(context.structure.partner.get(at, 0) - 1)
    return declared_type(context, at) if is_ident(context.text(at) or b"0") else b""


def _capability(context: Context, index: int) -> None:
    """One expression with a major number: what it decides on AMD GPUs."""
    structure = context.structure
    first = _start(context, index)
    before, factor, stop = structure.prev_code(first - 1), 0, structure.next_code(index + 1)
    if context.text(stop) in (b"*", b"<<"):
        number = _number(context, structure.next_code(stop + 1))
        factor = 0 if number is None else number if context.text(stop) == b"*" else 1 << min(number, 30)
        stop = _behind_minor(context, structure.next_code(structure.next_code(stop + 1) + 1))
    while context.text(before) == b"(" and context.text(stop) == b")" and factor:
        before, stop = structure.prev_code(before - 1), structure.next_code(stop + 1)
    if _is_printed(context, index, before, stop):
        return
    shown = context.source.data[context.tokens.start[first] : context.tokens.end(index)].decode("utf-8", "replace")
    severity, text = _decides(context, before, stop, factor)
    context.find(ARCH_GUARD, first, index + 1, message=f"{shown}: {text}", why=_WHY, fix=_FIX, severity=severity)


def _start(context: Context, index: int) -> int:
    """The first token of `a.b[i]->major`."""
    structure, at = context.structure, index
    while context.text(structure.prev_code(at - 1)) in (b".", b"->"):
        at = structure.prev_code(structure.prev_code(at - 1) - 1)
        while context.text(at) == b"]":
            at = structure.prev_code(structure.partner.get(at, 0) - 1)
    return at


def _behind_minor(context: Context, at: int) -> int:
    """The token behind `+ prop.minor` at a token; that token where there is none."""
    structure, found = context.structure, at
    if context.text(at) not in (b"+", b"|"):
        return at
    for _ in range(12):
        found = structure.next_code(found + 1)
        if context.text(found) == b"minor":
            return structure.next_code(found + 1)
    return at


def _number(context: Context, at: int) -> int | None:
    text = context.text(at)
    try:
        return int(text, 0) if text[:1].isdigit() else None
    except ValueError:
        return None


def _is_printed(context: Context, index: int, before: int, stop: int) -> bool:
    """Whether a value goes to a stream or a function that prints."""
    structure = context.structure
    if b"<<" in (context.text(before), context.text(stop)):
        return True
    opener = structure.enclosing(index)
    while opener is not None and context.text(opener) == b"(":
        if context.text(structure.prev_code(opener - 1)) in _PRINTS:
            return True
        opener = structure.enclosing(opener)
    return False


def _decides(context: Context, before: int, stop: int, factor: int) -> tuple[Severity, str]:
    """How sure the outcome of a comparison is on AMD GPUs, whichever it is."""
    compare, number = _behind(context, stop)
    if number is None:
        mirrored, number = _in_front(context, before)
        compare = _MIRRORED.get(mirrored, b"")
    if number is None:
        return Severity.WARNING, "a compute capability is used, which is a gfx number on AMD GPUs"
    values = (major * factor + minor if factor else major for major, minor in _AMD)
    outcomes = {_COMPARE[compare](value, number) for value in values}
    if len(outcomes) > 1:
        return Severity.WARNING, "compared as a compute capability, the test holds on some AMD GPUs alone"
    holds = outcomes.pop()
    # Old thresholds ask for what all AMD GPUs have, new ones open paths for NVIDIA's tensor cores and copies.
    opens = holds and compare in (b">", b">=") and number >= _NEW * (factor or 1)
    text = f"compared as a compute capability, the test {'holds' if holds else 'fails'} on every AMD GPU"
    return Severity.WARNING if opens else Severity.NOTE, text


def _version(context: Context, index: int) -> None:
    """A question for CUDA's version; the variable that takes the answer may be compared with a number."""
    structure = context.structure
    call = structure.call_at(index)
    if call is None or not call.args or call.args[0].stop != call.args[0].first + 2:
        return
    name = context.text(call.args[0].first + 1)
    severity, use = Severity.NOTE, "HIP gives its own version"
    for at in structure.index.get(name, ()):
        if at > call.close and _is_compared(context, at):
            line, _ = context.source.position(context.tokens.start[at])
            severity, use = Severity.WARNING, f"HIP gives its own version, which line {line} compares with CUDA's"
            break
    message = f"{context.text(index).decode()}: {use}"
    context.find(VERSION_GUARD, index, message=message, why=_WHY_VERSION, fix=_FIX_VERSION, severity=severity)


def _is_compared(context: Context, at: int) -> bool:
    structure = context.structure
    compared = (_behind(context, structure.next_code(at + 1)), _in_front(context, structure.prev_code(at - 1)))
    return any(number is not None and number >= 1000 for _, number in compared)


def _behind(context: Context, at: int) -> tuple[bytes, int | None]:
    """The comparison at a token and the number behind it; None where there is none."""
    word, then = context.text(at), context.structure.next_code(at + 1)
    if word == b">" and context.text(at + 1) == b"=":  # templates make `>=` two tokens
        word, then = b">=", context.structure.next_code(at + 2)
    return word, _number(context, then) if word in _COMPARE else None


def _in_front(context: Context, at: int) -> tuple[bytes, int | None]:
    """The comparison that ends at a token, and the number in front of it."""
    word, then = context.text(at), at - 1
    if word == b"=" and context.text(at - 1) == b">":
        word, then = b">=", at - 2
    return word, _number(context, context.structure.prev_code(then)) if word in _COMPARE else None

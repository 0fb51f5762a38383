"""What clang says against an integer that has become a pointer, or the other way, and the cast that each needs."""

from __future__ import annotations

from re import Match

from hipify.parser.faults import Fault
from hipify.patterns import lazy

_T = r"'([^']*)'(?: \(aka '([^']*)'\))?"
GIVEN = lazy(
    rf"cannot initialize .* of type {_T} with an [lrx]value of type {_T}"
    rf"|incompatible .*conversion assigning to {_T} from {_T}|assigning to {_T} from incompatible type {_T}"
    rf"|.*reference to type {_T} (?:cannot bind to a value of unrelated|could not bind to an [lrx]value of) type {_T}"
)
CAST = lazy(rf"(?:static_cast|reinterpret_cast|C-style cast|functional-style cast|cast) from (pointer to|{_T})")
CAST_TO = lazy(rf".* (?:to|to smaller type|to pointer type) {_T} (?:is not allowed|casts away|loses)")
CAST_POINTER = lazy(rf"cannot cast from type {_T} to pointer type {_T}")
BINARY = lazy(rf"(?:comparison between|ordered comparison|invalid operands to).*\({_T} and {_T}\)")
CONDITIONAL = lazy(rf"(?:incompatible operand types|pointer/integer type mismatch in conditional).*\({_T} and {_T}\)")
UNARY = lazy(rf"invalid argument type {_T} to unary|statement requires expression of integer type \({_T}")
ARITHMETIC = lazy(r"arithmetic on (?:a )?pointers? to void")
FORMAT = lazy(rf"format specifies type '([^']*)'(?: \(aka '[^']*'\))? but the argument has type {_T}")
UNFIT = lazy(
    rf".*(?:no known conversion from|cannot convert argument of incomplete type) {_T} to {_T} for (\d+)\w\w argument"
)
NUMBER = lazy(r"(?:(?:unsigned|signed|long|short|char|int|bool|float|double|__int128)(?: |$))+")
MADE = lazy(r"in instantiation of function template specialization '.*[:']?\b\w+<(.*)>' requested here")
ADDRESSES = ("void *", "char *")
POINTERS = {
    "void *": b"hipDeviceptr_t",
    "hipfftHandle_t *": b"hipfftHandle",
    "__hip_texture *": b"hipTextureObject_t",
    "__hip_surface *": b"hipSurfaceObject_t",
    "ihipMemGenericAllocationHandle *": b"hipMemGenericAllocationHandle_t",
}
"""What is an integer in CUDA and a pointer in HIP, as clang calls it, and HIP's name for it."""
PLAN = "hipfftHandle_t *"
_WIDE = ("unsigned long long", "unsigned long", "long long", "long")


def is_about(fault: Fault) -> bool:
    """Whether a fault can come of an address that is a pointer."""
    said = [fault.text, *(n.text for n in fault.notes if not n.text.startswith("in instantiation of"))]
    is_direct = len(said) == len(fault.notes) + 1  # the other parse made no instances, and so saw no faults in them
    return is_direct or any(word in text for text in said for word in (*POINTERS, "char *", "pointer"))


def real(match: Match[str], group: int) -> str:
    """The type that a quoted one stands for."""
    return (match[group + 1] or match[group]).replace("struct ", "")


def bare(kind: str) -> str:
    """A type without references and `const` of its own."""
    kind = kind.rstrip("& ")
    while kind.endswith("const"):
        kind = kind.removesuffix("const").rstrip()
    return kind if kind.endswith("*") else kind.removeprefix("const ")


def to_integer(kind: str) -> bytes:
    """The cast that makes an integer of a pointer: cuFFT's handles are signed."""
    return b"(long)" if bare(kind) == PLAN else b"(size_t)"


def to_pointer(kind: str) -> bytes:
    """The cast to one of the pointers; b'' for another type."""
    name = POINTERS.get(bare(kind))
    return b"(" + name + b")" if name is not None else b""


def cast_between(given: str, wanted: str) -> bytes:
    """The cast from one type to another; b'' when none of both is one of the pointers, or none is right."""
    source, target = bare(given), bare(wanted)
    is_changed = wanted.endswith("&") and not wanted.endswith("&&") and "const &" not in wanted
    if is_changed and not wanted.startswith("const "):
        if target in POINTERS and source in _WIDE:
            return b"(" + POINTERS[target] + b"&)"
        return b"(" + target.encode() + b"&)" if source in POINTERS and target in _WIDE else b""
    if target in POINTERS:
        return b"" if source in POINTERS else to_pointer(target)
    if (source in POINTERS or source in ADDRESSES) and NUMBER.fullmatch(target):
        # An `int` holds a plan of cuFFT, but no pointer: what is kept or passed on in one is lost.
        return to_integer(source) if source != PLAN or target in (*_WIDE, "bool") else b""
    inner, outer = _pointee(source), _pointee(target)
    if inner in _WIDE and outer in POINTERS:
        return b"(" + (b"const " if "const" in target else b"") + POINTERS[outer] + b"*)"
    return b"(" + target.replace(" *", "*").encode() + b")" if inner in POINTERS and outer in _WIDE else b""


def _pointee(kind: str) -> str:
    """What a pointer points to, without `const`."""
    return bare(kind.removesuffix("*").rstrip()) if kind.endswith("*") else ""


def conversion(fault: Fault) -> tuple[str, bytes]:
    """The type that a fault says cannot be converted, and the cast that does it."""
    for text in (fault.text, *(n.text for n in fault.notes)):
        if match := UNFIT.match(text):
            given, wanted = real(match, 1), real(match, 3)
        elif match := GIVEN.match(text):
            first = next(k for k in range(1, 17, 4) if match[k])
            given, wanted = real(match, first + 2), real(match, first)
        else:
            continue
        if cast := cast_between(bare(given), bare(wanted)):
            return bare(given), cast
    return "", b""


def split_arguments(arguments: str) -> list[str]:
    """Template arguments, at their own commas."""
    found, depth, begin = [], 0, 0
    for at, letter in enumerate(arguments):
        depth += (letter in "<([") - (letter in ">)]")
        if letter == "," and not depth:
            found.append(arguments[begin:at].strip())
            begin = at + 1
    return [*found, arguments[begin:].strip()]

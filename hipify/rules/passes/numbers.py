"""Numbers that are cast to CUDA's enumerations: HIP numbers some otherwise, so that their enumerators are written."""

from __future__ import annotations

import os
from functools import cache

from hipify.model import Severity
from hipify.parser.owner import Owner
from hipify.patterns import lazy
from hipify.rules.context import Context
from hipify.rules.declared import declared_type, initialiser
from hipify.rules.kinds import FindingKind
from hipify.rules.library import map_name

NUMBER = FindingKind(
    "HPY127",
    Severity.WARNING,
    "number in the place of an enumerator",
    "HIP's enumeration gives other numbers to its enumerators than CUDA's: the number means something else there, or "
    "nothing.",
    "Write the enumerator.",
    "int f(int i) {\n    int value;\n    cudaDeviceGetAttribute(&value, (cudaDeviceAttr)i, 0);\n    return value;\n}\n",
    "int f() {\n    int value;\n    hipDeviceGetAttribute(&value, hipDeviceAttributeMaxPitch, 0);\n"
    "    return value;\n}\n",
)

_TABLE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "numbers.tsv")
_SECOND_NAMES = {b"curandRngType": b"curandRngType_t", b"CUdevice_attribute_enum": b"CUdevice_attribute"}
_INTEGER = lazy(rb"[0-9][0-9']*[uUlL]*\Z|0[xX][0-9a-fA-F']+[uUlL]*\Z")
_INTEGER_TYPES = frozenset(
    b"int unsigned long short char bool size_t uint int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t "
    b"uint64_t".split()
)
_ANY_ALGORITHM = b"CUBLAS_GEMM_DEFAULT"
NEEDS = frozenset(
    b"cudaDeviceAttr cudaDeviceP2PAttr cudaSurfaceBoundaryMode CUdevice_attribute CUdevice_attribute_enum CUmemorytype "
    b"CUdevice_P2PAttribute cublasOperation_t cublasFillMode_t cublasDiagType_t cublasSideMode_t cublasComputeType_t "
    b"cublasGemmAlgo_t cublasStatus_t cublasMath_t curandRngType curandRngType_t cusolverEigMode_t cusolverEigType_t "
    b"cusolverEigRange_t".split()
)


@cache
def _table() -> dict[bytes, dict[int, bytes]]:
    """The numbers of CUDA's enumerators that HIP numbers otherwise, by their types."""
    found: dict[bytes, dict[int, bytes]] = {}
    with open(_TABLE, "rb") as stream:
        lines = stream.read().splitlines()
    for line in lines[1:]:
        kind, number, name = line.split(b"\t")
        found.setdefault(kind, {})[int(number)] = name
    return found


def run(context: Context) -> None:
    """Write the enumerators for numbers that are cast, and report what is cast and no number is seen of."""
    if context.options.language == "hip":
        return
    structure = context.structure
    for kind in sorted(context.tokens.vocabulary & NEEDS):
        names = _table().get(_SECOND_NAMES.get(kind, kind), {})
        for index in structure.index.get(kind, ()):
            operand = _operand(context, index)
            if operand is not None and context.is_code(index) and context.owner(index)[0] is not Owner.USER:
                _rewrite(context, kind, names, *operand)


def _operand(context: Context, kind: int) -> tuple[int, int] | None:
    """The tokens [first, stop) that are cast to a type: `(T)x`, `T(x)`, `T{x}`, `static_cast<T>(x)`."""
    structure = context.structure
    before, after = structure.prev_code(kind - 1), structure.next_code(kind + 1)
    before = structure.prev_code(before - 1) if context.text(before) == b"enum" else before
    if context.text(after) in (b"(", b"{"):
        opener = after
    elif context.text(before) == b"<" and context.text(after) == b">":
        opener = structure.next_code(after + 1)
        if context.text(structure.prev_code(before - 1)) != b"static_cast" or context.text(opener) != b"(":
            return None
    else:
        if context.text(before) != b"(" or context.text(after) != b")":
            return None
        opener = structure.next_code(after + 1)
        if context.text(opener) == b"-":
            return opener, structure.next_code(opener + 1) + 1
        if context.text(opener) != b"(":
            return opener, opener + 1
    close = structure.partner.get(opener)
    return None if close is None else (structure.next_code(opener + 1), structure.prev_code(close - 1) + 1)


def _rewrite(context: Context, kind: bytes, names: dict[int, bytes], first: int, stop: int) -> None:
    inside = list(context.tokens.significant(first, min(stop, len(context.tokens))))
    words = [context.text(i) for i in inside]
    if b"?" in words:
        for start, end in _halves(words):
            _number(context, kind, names, inside[start:end])
        return
    _number(context, kind, names, inside)


def _halves(words: list[bytes]) -> list[tuple[int, int]]:
    """What stands between `?` and `:`, and behind it; nothing where there is more than one of them."""
    if words.count(b"?") != 1 or words.count(b":") != 1:
        return []
    question, colon = words.index(b"?"), words.index(b":")
    return [(question + 1, colon), (colon + 1, len(words))]


def _number(context: Context, kind: bytes, names: dict[int, bytes], tokens: list[int]) -> None:
    """Deal with one operand: a number becomes the enumerator, an integer variable is reported."""
    words = [context.text(i) for i in tokens]
    sign = -1 if words[:1] == [b"-"] else 1
    if len(words) != (2 if sign < 0 else 1):
        return
    if not _INTEGER.match(words[-1]):
        if sign > 0 and declared_type(context, tokens[0]) in _INTEGER_TYPES and not _is_kept(context, tokens[0]):
            message = (
                f"{words[0].decode()} is cast to {kind.decode()}: a number of CUDA's means another enumerator in HIP"
            )
            context.find(NUMBER, tokens[0], message=message)
        return
    value = sign * _value(words[-1])
    name = names.get(value)
    if name is None:
        return
    api = context.library.get(name)
    new = map_name(api, context.target).name if api is not None else ""
    if not new and kind == b"cublasGemmAlgo_t":
        any_one = context.library.get(_ANY_ALGORITHM)
        new = map_name(any_one, context.target).name if any_one is not None else ""
    shown = f"{value} is {name.decode()} as {kind.decode()}"
    if not new:
        context.find(NUMBER, tokens[0], tokens[-1] + 1, message=f"{shown}, which HIP lacks", severity=Severity.ERROR)
        return
    context.edit(context.tokens.start[tokens[0]], context.tokens.end(tokens[-1]), new.encode())
    context.claimed.update(tokens)
    context.find(NUMBER, tokens[0], tokens[-1] + 1, message=f"{shown}: written as {new}", severity=Severity.NOTE)


def _is_kept(context: Context, index: int) -> bool:
    """Whether an integer variable is given an enumerator where it is declared."""
    first = initialiser(context, index)
    return first >= 0 and context.text(first) in context.library.names


def _value(digits: bytes) -> int:
    return int(digits.replace(b"'", b"").rstrip(b"uUlL"), 16 if digits[:2] in (b"0x", b"0X") else 10)

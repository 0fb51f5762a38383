"""Casts for handles that are integers in CUDA and pointers in HIP, where clang tells no types: by declarations."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.scopes import expression_end
from hipify.parser.structure import Argument
from hipify.parser.tokens import is_ident
from hipify.rules.context import Context
from hipify.rules.declared import assigned_words, declared_type, element_of, kept_as, result_word, type_word
from hipify.rules.handle_uses import TAKERS, handle_names
from hipify.rules.passes import device_pointers as pointers

_IN_HIP = {
    b"cufftHandle": b"hipfftHandle",
    b"cudaTextureObject_t": b"hipTextureObject_t",
    b"CUtexObject": b"hipTextureObject_t",
    b"cudaSurfaceObject_t": b"hipSurfaceObject_t",
    b"CUsurfObject": b"hipSurfaceObject_t",
    b"CUmemGenericAllocationHandle": b"hipMemGenericAllocationHandle_t",
}
# What the functions take whose names hold a word; the first that fits.
_BY_TAKER = {
    b"Tex": b"hipTextureObject_t",
    b"Surface": b"hipSurfaceObject_t",
    b"cuMemCreate": b"hipMemGenericAllocationHandle_t",
    b"cuMemRelease": b"hipMemGenericAllocationHandle_t",
    b"cuMem": b"hipDeviceptr_t",
}
# Functions of the driver that take addresses, and the places of those.
_ADDRESSES = {
    **dict.fromkeys(
        b"cuMemFree cuMemAlloc cuMemcpyHtoD cuMemcpyHtoDAsync cuMemsetD8 cuMemsetD16 cuMemsetD32".split(), (0,)
    ),
    **dict.fromkeys((b"cuMemsetD8Async", b"cuMemsetD16Async", b"cuMemsetD32Async"), (0,)),
    **dict.fromkeys((b"cuMemcpyDtoH", b"cuMemcpyDtoHAsync"), (1,)),
    **dict.fromkeys((b"cuMemcpyDtoD", b"cuMemcpyDtoDAsync"), (0, 1)),
}
_NARROW = frozenset(b"int unsigned short uint32_t int32_t".split())
_PAIRS = (b"make_pair", b"make_tuple")
_COMPARISONS = (b"==", b"!=", b"<", b">", b"<=", b">=")
_ASSIGNED_TO = (b";", b",", b")")


def run(context: Context) -> None:
    """Cast handles where integers are wanted and the other way, and report plans that are kept in an `int`."""
    for name in sorted(handle_names(context)):
        for index in context.structure.index.get(name, ()):
            if index not in context.claimed and context.is_code(index):
                _use(context, index)
    for taker in sorted((TAKERS | _ADDRESSES.keys()) & context.tokens.vocabulary):
        for index in context.structure.index[taker]:
            call = context.structure.call_at(index)
            for place in _ADDRESSES.get(taker, (0,)) if call is not None and context.is_code(index) else ():
                if call is not None and place < len(call.args) and not call.args[place].empty:
                    _given(context, taker, call.args[place])
    for index in context.structure.index.get(b"CUdeviceptr", ()):
        _sum_of_cast(context, index)


def _use(context: Context, index: int) -> None:
    structure = context.structure
    kind = type_word(context, index) or declared_type(context, index)
    start, stop = pointers.chain(context, index)
    if start < 0 or kind not in _IN_HIP or _is_pointer(context, index):
        return
    before, right = structure.prev_code(start - 1), pointers.operator_at(context, stop)
    if right == b"=" and (pointers.integer_right(context, stop) or _member_right(context, stop)):
        first = structure.next_code(stop + 1)
        context.insert(context.tokens.start[first], b"(" + _IN_HIP[kind] + b")(")
        context.insert(context.tokens.end(structure.prev_code(expression_end(structure, stop + 1) - 1)), b")")
        context.find(pointers.ARITHMETIC, index, message=_cast_of(context, index))
        return
    if type_word(context, index):
        return
    wanted = _wanted(context, index, before, stop)
    if wanted in _NARROW and kind == b"cufftHandle":
        message = f"{_shown(context, index)} is a pointer in HIP, which does not fit into an integer of 32 bits"
        context.find(pointers.ARITHMETIC, index, message=message, severity=Severity.ERROR)
    elif wanted or _is_compared(context, stop, right) or _is_narrowed(context, before):
        context.insert(context.tokens.start[start], b"(long)" if kind == b"cufftHandle" else b"(size_t)")
        context.find(pointers.ARITHMETIC, index, message=_cast_of(context, index))


def _member_right(context: Context, assign: int) -> bool:
    """Whether an integer of a struct stands alone behind `=`."""
    structure = context.structure
    first, stop = structure.next_code(assign + 1), expression_end(structure, assign + 1)
    name = structure.prev_code(stop - 1)
    if name <= first or not is_ident(context.text(name) or b"0") or pointers.chain(context, name) != (first, stop):
        return False
    return declared_type(context, name) in pointers.INTEGERS and not _is_pointer(context, name)


def _wanted(context: Context, index: int, before: int, stop: int) -> bytes:
    """The word of the integer type that an operand is assigned to, returned or passed as; b'' for none."""
    structure, left, right = context.structure, context.text(before), context.text(stop)
    if left == b"=" and right in _ASSIGNED_TO and context.text(structure.prev_code(before - 1)) not in _COMPARISONS:
        word = _integer(assigned_words(context, before))
    elif left == b"return" and right == b";":
        word = context.text(result_word(context, before))
    elif left in (b"(", b",") and right in (b",", b")"):
        opener = before if left == b"(" else structure.enclosing(stop)
        method = structure.prev_code((opener or 0) - 1)
        outer = structure.enclosing(method) if context.text(method) in _PAIRS and right == b")" else None
        kept = _integer(kept_as(context, method if outer is None else structure.prev_code(outer - 1)))
        return kept or (b"int" if pointers.integer_parameter(context, before, stop) else b"")
    elif left in (b"{", b",") and right in (b",", b"}"):
        word = _integer(_listed(context, before, right))
    else:
        return b""
    return word if word in _NARROW or word in pointers.INTEGERS else b""


def _listed(context: Context, before: int, right: bytes) -> frozenset[bytes]:
    """The words of what a list in braces wants behind token `before`: `m.insert({1, p})`, `pair<int, long> q{1, p}`.

    Of pairs, what is last in the list; of arrays, each.
    """
    structure, text = context.structure, context.text
    opener = before if text(before) == b"{" else structure.enclosing(before)
    if opener is None or text(opener) != b"{":
        return frozenset()
    lead = structure.prev_code(opener - 1)
    if text(lead) == b"=":
        lead = structure.prev_code(lead - 1)
    if text(lead) in (b"(", b","):
        call = lead if text(lead) == b"(" else structure.enclosing(lead)
        return _last(kept_as(context, structure.prev_code((call or 0) - 1)), right)
    if text(lead) == b"]":
        return frozenset((type_word(context, structure.prev_code(structure.partner.get(lead, 0) - 1)),))
    return _last(element_of(context, lead), right) if is_ident(text(lead) or b"0") else frozenset()


def _last(words: frozenset[bytes], right: bytes) -> frozenset[bytes]:
    return words if right == b"}" else frozenset()


def _is_narrowed(context: Context, close: int) -> bool:
    """Whether a cast to an integer of 32 bits, `(int)`, ends in front of an operand."""
    structure = context.structure
    opener = structure.partner.get(close, -1) if context.text(close) == b")" else -1
    words = [context.text(i) for i in context.tokens.significant(opener + 1, close)] if opener >= 0 else []
    lead = context.text(structure.prev_code(opener - 1))
    called = is_ident(lead or b"0") and lead not in (b"return", b"case")
    return bool(words) and not called and all(word in _NARROW for word in words)


def _integer(words: frozenset[bytes]) -> bytes:
    """The integer type that words name, a wide one first; b'' for none."""
    return next((w for w in (*pointers.INTEGERS, *sorted(_NARROW)) if w in words), b"")


def _is_compared(context: Context, stop: int, right: bytes) -> bool:
    """Whether an operand is compared with a number other than zero, ordered, or compared with an integer."""
    if right not in _COMPARISONS:
        return False
    other = context.structure.next_code(stop + len(right) - (context.text(stop) == right) * (len(right) - 1))
    word = context.text(other)
    if right in (b"==", b"!="):
        return word == b"-" or (word[:1].isdigit() and word != b"0") or pointers.is_integer(context, other)
    return word == b"-" or word[:1].isdigit() or pointers.is_integer(context, other)


def _given(context: Context, taker: bytes, argument: Argument) -> None:
    """An integer where one of CUDA's functions wants a handle."""
    structure, first = context.structure, argument.first
    address = context.text(first) == b"&"
    name = structure.prev_code(argument.stop - 1)
    if address:
        first = structure.next_code(first + 1)
    while context.text(name) == b"]":
        name = structure.prev_code(structure.partner.get(name, 0) - 1)
    if not is_ident(context.text(first) or b"0") or not is_ident(context.text(name) or b"0"):
        return
    if pointers.chain(context, name)[0] != first or _is_pointer(context, name):
        return
    word = declared_type(context, name)
    if taker.startswith(b"cufft"):
        if word in _NARROW:
            shown = _shown(context, name)
            message = f"{shown} holds a plan of cuFFT, which is a pointer in HIP: declare it as cufftHandle"
            context.find(pointers.ARITHMETIC, argument.first, argument.stop, message=message, severity=Severity.ERROR)
    elif word in pointers.INTEGERS and word not in _NARROW:
        kind = next(k for part, k in _BY_TAKER.items() if part in taker)
        context.insert(context.tokens.start[argument.first], b"(" + kind + (b"*)" if address else b")"))
        context.find(pointers.ARITHMETIC, argument.first, argument.stop, message=_cast_of(context, name))


def _sum_of_cast(context: Context, index: int) -> None:
    """`(CUdeviceptr)n + 4` of an integer: nothing can be added to a `void*`."""
    structure = context.structure
    opener, close = structure.prev_code(index - 1), structure.next_code(index + 1)
    if context.text(opener) != b"(" or context.text(close) != b")":
        return
    operand = stop = structure.next_code(close + 1)
    while is_ident(context.text(stop) or b"0") or context.text(stop) in (b".", b"->", b"[", b"("):
        stop = structure.next_code(max(structure.partner.get(stop, stop), stop) + 1)
    place = context.tokens.start[opener]
    done = any(edit.start == place for edit in context.analysis.edits)
    if stop > operand and pointers.operator_at(context, stop) in (b"+", b"-") and not done:
        context.insert(place, b"(char*)")
        context.find(pointers.ARITHMETIC, operand, stop)


def _is_pointer(context: Context, index: int) -> bool:
    """Whether the nearest declaration of a name makes it a pointer to handles."""
    structure, places = context.structure, context.structure.index.get(context.text(index), [])
    at = next((i for i in reversed(places) if i <= index and type_word(context, i)), -1)
    return context.text(structure.prev_code(at - 1)) == b"*"


def _shown(context: Context, index: int) -> str:
    return context.text(index).decode("utf-8", "replace")


def _cast_of(context: Context, index: int) -> str:
    return f"{_shown(context, index)}: what is an integer in CUDA is a pointer in HIP: cast"

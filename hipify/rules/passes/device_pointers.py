"""Arithmetic on CUdeviceptr: an integer in CUDA, a `void*` in HIP, which nothing can be added to."""

from __future__ import annotations

from hipify.model import Confidence, Severity
from hipify.parser.scopes import expression_end
from hipify.parser.tokens import is_ident
from hipify.records import NamedTuple
from hipify.rules import declared
from hipify.rules.context import Context
from hipify.rules.declared import declarators, declared_type, is_streamed, parameters, place_of, result_word, type_word
from hipify.rules.handle_uses import as_integers
from hipify.rules.kinds import FindingKind

ARITHMETIC = FindingKind(
    "HPY119",
    Severity.NOTE,
    "arithmetic on a CUdeviceptr",
    "CUdeviceptr is an integer, hipDeviceptr_t is a `void*`: bytes are counted by way of a `char*` now. cuFFT plans, "
    "textures, surfaces and handles of memory are pointers in HIP, too, and are cast where integers are wanted.",
    "Nothing needs to be done.",
    "#include <cuda.h>\nCUdeviceptr f(CUdeviceptr p) { return p + 16; }\n",
    "#include <hip/hip_runtime.h>\nhipDeviceptr_t f(hipDeviceptr_t p) { return (char*)p + 16; }\n",
)
_TYPE = b"CUdeviceptr"
_TAKERS = frozenset(
    b"cuMemFree cuMemAlloc cuMemAllocPitch cuMemAllocManaged cuMemcpyHtoD cuMemcpyDtoH cuMemcpyDtoD "
    b"cuMemcpyHtoDAsync cuMemcpyDtoHAsync cuMemcpyDtoDAsync cuMemcpy cuMemcpyAsync cuMemcpyPeer cuMemcpyPeerAsync "
    b"cuMemcpyAtoD cuMemcpyDtoA cuMemsetD8 cuMemsetD16 cuMemsetD32 cuMemsetD8Async cuMemsetD16Async cuMemsetD32Async "
    b"cuMemsetD2D8 cuMemsetD2D16 cuMemsetD2D32 cuMemAddressReserve cuMemAddressFree cuMemMap cuMemUnmap "
    b"cuMemSetAccess cuMemAllocAsync cuMemAllocFromPoolAsync cuMemFreeAsync cuModuleGetGlobal cuMemGetAddressRange "
    b"cuMemHostGetDevicePointer cuIpcGetMemHandle cuIpcOpenMemHandle cuIpcCloseMemHandle cuPointerGetAttribute "
    b"cuPointerGetAttributes cuPointerSetAttribute cuMemPrefetchAsync cuMemAdvise cuStreamWriteValue32 "
    b"cuStreamWriteValue64 cuStreamWaitValue32 cuStreamWaitValue64 cuTexRefSetAddress cuTexRefSetAddress2D".split()
)
"""Functions of the driver that take addresses: what is given to them may be an integer of another header."""
_SUM = (b"+", b"-")
_ASSIGNED = (b"+=", b"-=")
_STEPS = (b"++", b"--")
_BITS = (b"&", b"|", b"^", b"%", b"/", b"*", b">>", b"<<", b"&=", b"|=", b"^=", b"%=", b"<<=")
_TWICE = (b"++", b"--", b"&&", b"||", b">>", b"<<", b"==", b"!=")
_OPERATORS = frozenset((b"+", b"-", b"&", b"|", b"^", b"%", b"/", b"*", b">", b"<", b"<<", b"<<=", b"["))
_LEFT = (b"+", b"-", b".", b"->", b"::")
_COMPARISONS = (b"<", b">", b"<=", b">=", b"==", b"!=")
INTEGERS = (b"long", b"size_t", b"uint64_t", b"uintptr_t", b"int64_t", b"intptr_t", b"unsigned", b"ptrdiff_t", b"int")
_WIDE = frozenset((b"long", b"size_t", b"uint64_t", b"uintptr_t", b"int64_t", b"intptr_t", b"ptrdiff_t"))


class _Pointers(NamedTuple):
    """The types that are CUdeviceptr, and what is declared with them: here, and (`theirs`) in the project's headers."""

    types: frozenset[bytes]
    variables: frozenset[bytes]
    functions: frozenset[bytes]
    theirs: frozenset[bytes]


def run(context: Context) -> None:
    """Cast the pointers that are added to, and name what no cast mends."""
    if context.options.language == "hip":
        return
    theirs = context.included_names.pointers if context.structure.includes else frozenset()
    words = context.tokens.vocabulary
    is_used = _TYPE in words or not words.isdisjoint(theirs)
    takes = not words.isdisjoint(_TAKERS) or not words.isdisjoint(context.included_names.takers)
    if not is_used and not takes and not as_integers(context):
        return
    pointers = _pointers(context, theirs)
    count, said = len(context.analysis.edits), len(context.analysis.findings)
    if is_used:
        _by_names(context, pointers)
    if context.semantics is not None:
        _by_trial(context, pointers, count, said)
    else:
        from hipify.rules import handle_casts

        handle_casts.run(context)


def _by_names(context: Context, pointers: _Pointers) -> None:
    """The casts that the declarations of this file and of the project's headers ask for."""
    for name in sorted((pointers.variables | pointers.functions | pointers.theirs) & context.tokens.vocabulary):
        for index in context.structure.index.get(name, ()):
            if not context.is_code(index) or type_word(context, index):
                continue
            start, stop = chain(context, index)
            if (
                start >= 0
                and _near_operator(context, start, stop)
                and _is_pointer(context, pointers, index, start, stop)
            ):
                _operand(context, start, stop, pointers.types)
    for word in sorted(pointers.types & context.tokens.vocabulary):
        for index in context.structure.index[word]:
            _conversion(context, index)


def _by_trial(context: Context, pointers: _Pointers, count: int, said: int) -> None:
    """The casts that clang asks for where the addresses are pointers, and what it still rejects then."""
    from hipify.rules.pointer_casts import settle

    names = pointers.variables | pointers.functions | pointers.theirs
    tokens, edits = context.tokens, context.analysis.edits
    trial = settle(context, edits[count:], names, lambda index: is_streamed(context, index))
    edits[count:] = trial.all_edits()
    told = {finding.start for finding in context.analysis.findings[said:]}
    for start, end in sorted({(cast.start, cast.end) for cast in trial.casts}):
        if start not in told:
            told.add(start)
            message = "what is an integer in CUDA is a pointer in HIP: cast"
            context.find_bytes(ARITHMETIC, start, end, message=message, confidence=Confidence.CLANG)
    for place, text in sorted(dict(reversed(trial.left)).items()):
        message = f"what is an integer in CUDA is a pointer in HIP: {text}"
        end = tokens.end(tokens.index_at(place))
        context.find_bytes(
            ARITHMETIC, place, end, message=message, severity=Severity.ERROR, confidence=Confidence.CLANG
        )


def _near_operator(context: Context, start: int, stop: int) -> bool:
    """Whether an operator may stand beside the operand: most uses are arguments of CUDA's functions, and done with."""
    structure = context.structure
    at = structure.prev_code(start - 1)
    after, before = context.text(stop), context.text(at)
    if before in (b"(", b",") and after in (b",", b")"):
        return context.text(structure.prev_code(at - 1)) not in context.library.names
    return (
        after in _OPERATORS
        or before in _LEFT
        or before == b"<<"
        or after in (b"=", b"==", b"!=", b"<=", b">=")
        or (before in (b"=", b"return") and after in (b";", b","))
    )


def _pointers(context: Context, theirs: frozenset[bytes]) -> _Pointers:
    """What the file declares as CUdeviceptr, by that name or by another that it gives to the type."""
    structure = context.structure
    types = {_TYPE} | context.included_names.pointer_types if theirs else {_TYPE}
    variables: set[bytes] = set()
    functions: set[bytes] = set()
    for at in structure.index.get(_TYPE, ()):
        index = structure.next_code(at + 1)
        before = structure.prev_code(at - 1)
        if context.text(before) == b"typedef" and context.text(structure.next_code(index + 1)) == b";":
            types.add(context.text(index))
        elif context.text(before) == b"=" and context.text(index) == b";":
            alias = structure.prev_code(before - 1)
            if context.text(structure.prev_code(alias - 1)) == b"using":
                types.add(context.text(alias))
    for at in sorted(i for word in types for i in structure.index.get(word, ())):
        for index in declarators(context, at, (b"const", b"&", b"*")):
            is_called = context.text(structure.next_code(index + 1)) == b"("
            (functions if is_called else variables).add(context.text(index))
    return _Pointers(frozenset(types), frozenset(variables), frozenset(functions), theirs)


def chain(context: Context, index: int) -> tuple[int, int]:
    """The postfix expression that ends with the name and its subscripts, `a.b->name[i]`: first token, and behind it."""
    structure = context.structure
    first, stop = index, structure.next_code(index + 1)
    while context.text(stop) in (b"[", b"("):
        stop = structure.next_code(structure.partner.get(stop, stop) + 1)
    before = structure.prev_code(first - 1)
    while context.text(before) in (b".", b"->", b"::"):
        first = structure.prev_code(before - 1)
        while context.text(first) in (b"]", b")"):
            first = structure.prev_code(structure.partner.get(first, 0) - 1)
        if not is_ident(context.text(first) or b"0"):
            return -1, -1
        before = structure.prev_code(first - 1)
    return first, stop


def _is_pointer(context: Context, pointers: _Pointers, index: int, start: int, stop: int) -> bool:
    """Whether the nearest declaration says so, and clang does not say otherwise."""
    declared = declared_type(context, index)
    called = context.text(context.structure.next_code(index + 1)) == b"("
    if (declared and declared not in pointers.types) or context.text(context.structure.prev_code(start - 1)) == b"~":
        return False
    if called and context.text(context.structure.prev_code(start - 1)) in pointers.types | {b"&", b"*"}:
        return False  # its declaration
    end = context.tokens.end(context.structure.prev_code(stop - 1))
    kind = context.semantics.expr_type(context.tokens.start[start], end) if context.semantics is not None else ""
    if kind:
        return kind.removeprefix("const ") == "unsigned long long"
    if declared:
        return b"*" not in _between(context, pointers, index)
    known = pointers.theirs | (pointers.functions if called else frozenset())
    return context.text(index) in known


def _between(context: Context, pointers: _Pointers, index: int) -> list[bytes]:
    """What stands between the type and the name where the file declares it."""
    kept: dict[bytes, list[bytes]] = vars(context).setdefault("_between_type_and_name", {})
    if not kept:
        for at in (i for word in pointers.types for i in context.structure.index.get(word, ())):
            after = context.tokens.text[at + 1 : at + 8]
            for place, word in enumerate(after):
                kept.setdefault(word, after[:place])
    return kept.get(context.text(index), [])


def operator_at(context: Context, index: int) -> bytes:
    """The operator that begins at a token: `+=` and `++` are two tokens each."""
    both = context.text(index) + context.text(index + 1)
    return both if both in _TWICE or both[1:] == b"=" else context.text(index)


def _operand(context: Context, start: int, stop: int, types: frozenset[bytes]) -> None:
    """Cast one operand as its operator needs it."""
    structure = context.structure
    before, last = structure.prev_code(start - 1), structure.prev_code(stop - 1)
    left, right = context.text(before), operator_at(context, stop)
    stepped = left + context.text(before - 1) in _STEPS
    begin = context.tokens.start[start]
    if left == b")" and (cast := _written_cast(context, before)) >= 0:
        if context.text(context.structure.next_code(cast + 1)) not in types or right not in _SUM + _ASSIGNED:
            return
        begin, left = context.tokens.start[cast], b""  # `(CUdeviceptr)p + 4`
    masked = left == b"(" or (left in _SUM and context.text(structure.prev_code(before - 1)) != b")")
    if right in _ASSIGNED or stepped:
        context.insert(begin, b"(char*&)")
    elif right in _STEPS:
        context.insert(begin, b"((char*&)")
        context.insert(context.tokens.end(last), b")")
    elif is_streamed(context, start):
        context.insert(begin, b"(size_t)")
    elif right in _SUM and masked and (operator := _masked(context, stop)):
        if context.semantics is None:
            _report(context, start, last, operator)
            return
        context.insert(begin, b"(size_t)")
    elif right in _SUM or (left in _SUM and _ends_operand(context, structure.prev_code(before - 1))):
        context.insert(begin, b"(char*)")
    elif right in _BITS:
        if context.semantics is None:
            _report(context, start, last, right)
            return
        context.insert(begin, b"(size_t&)" if right[-1:] == b"=" else b"(size_t)")
    elif left == b"(" and right == b")" and (word := _cast(context, before)) >= 0:
        if not _WIDE.isdisjoint(context.tokens.text[word:before]):
            context.replace(word, b"reinterpret_cast")
            return
        context.insert(begin, b"(size_t)")  # an `unsigned` has too few bits for a reinterpret_cast
    elif _needs_integer(context, before, stop):
        context.insert(begin, b"(size_t)")
    elif right == b"=" and integer_right(context, stop):
        context.insert(context.tokens.start[structure.next_code(stop + 1)], b"(hipDeviceptr_t)(")
        context.insert(context.tokens.end(structure.prev_code(expression_end(structure, stop + 1) - 1)), b")")
    else:
        return
    context.find(ARITHMETIC, start, last + 1)


def _written_cast(context: Context, close: int) -> int:
    """The `(` of a cast that ends with the parenthesis at `close`, the operand being behind it; -1 when it is none."""
    structure = context.structure
    opener = structure.partner.get(close, -1)
    lead = context.text(structure.prev_code(opener - 1)) if opener >= 0 else b""
    return -1 if opener < 0 or (is_ident(lead or b"0") and lead not in (b"return", b"case")) else opener


def _report(context: Context, start: int, last: int, operator: bytes) -> None:
    message = f"`{operator.decode()}` on a CUdeviceptr, which is a `void*` in HIP"
    context.find(ARITHMETIC, start, last + 1, message=message, severity=Severity.ERROR)


def _masked(context: Context, sign: int) -> bytes:
    """The operator on bits behind the parentheses around a sum, `(p + 255) & ~255`; b'' for none."""
    opener = context.structure.enclosing(sign)
    close = context.structure.partner.get(opener, -1) if opener is not None and context.text(opener) == b"(" else -1
    if close < 0 or is_ident(context.text(context.structure.prev_code((opener or 0) - 1)) or b"0"):
        return b""
    operator = operator_at(context, context.structure.next_code(close + 1))
    return operator if operator in _BITS else b""


def _needs_integer(context: Context, before: int, stop: int) -> bool:
    """Whether the operand stands where an integer is asked for."""
    structure = context.structure
    left, right = context.text(before), operator_at(context, stop)
    if left == b"=" and right in (b";", b","):
        return _integer_left(context, before)
    if right in _COMPARISONS:
        width = 2 if right in (b"==", b"!=", b"<=", b">=") else 1
        other = structure.next_code(stop + (1 if context.text(stop) == right else width))
        literal = context.text(other)[:1].isdigit()
        return (literal and right not in (b"==", b"!=")) or is_integer(context, other)
    if left == b"return" and right == b";":
        return context.text(result_word(context, before)) in INTEGERS
    if left in (b"(", b",") and right in (b",", b")"):
        return integer_parameter(context, before, stop)
    return False


def _cast(context: Context, before: int) -> int:
    """The `static_cast` whose whole operand follows the `(` at `before`; -1 for none."""
    structure = context.structure
    greater = structure.prev_code(before - 1)
    less = structure.angle_start(greater) if context.text(greater) == b">" else None
    word = structure.prev_code(less - 1) if less is not None else -1
    is_integer = less is not None and not set(INTEGERS).isdisjoint(context.tokens.text[less:greater])
    return word if context.text(word) == b"static_cast" and is_integer and context.text(greater - 1) != b"*" else -1


def is_integer(context: Context, index: int) -> bool:
    """Whether a token is a variable of an integer type, and not the start of more."""
    behind = context.text(context.structure.next_code(index + 1))
    if not is_ident(context.text(index) or b"0") or behind in (b".", b"->", b"::", b"(", b"["):
        return False
    return declared_type(context, index) in INTEGERS


def integer_right(context: Context, assign: int) -> bool:
    """Whether nothing but integers and numbers stands behind `=`, a zero alone excepted."""
    stop = expression_end(context.structure, assign + 1)
    words = list(context.structure.tokens.significant(assign + 1, stop))
    text = context.tokens.text
    if not words or [text[i] for i in words] in ([b"0"], [b"NULL"], [b"nullptr"]):
        return False
    first = [text[i] for i in words[:2]]
    if (first[0] in INTEGERS and first[1:] == [b"("]) or (
        first[0] == b"(" and first[1] in INTEGERS and len(words) == 4
    ):
        return True  # `uint64_t(p)`, `(size_t)n`
    return any(is_ident(text[i]) or text[i][:1].isdigit() for i in words) and all(
        text[i] in (b"+", b"-", b"*", b"/") or text[i][:1].isdigit() or is_integer(context, i) for i in words
    )


def integer_parameter(context: Context, before: int, stop: int) -> bool:
    """Whether the operand is a whole argument of a function of the file whose parameter there is an integer."""
    structure = context.structure
    opener = before if context.text(before) == b"(" else structure.enclosing(stop)
    name = structure.prev_code((opener or 0) - 1)
    if opener is None or context.text(opener) != b"(" or not is_ident(context.text(name) or b"0"):
        return False
    if not declared.kept_as(context, name).isdisjoint(INTEGERS):
        return True
    lists = parameters(context, context.text(name))
    if not lists:
        return False
    position = place_of(context, opener, context.structure.prev_code(stop - 1))
    return any(
        0 <= position < len(words)
        and b"*" not in words[position]
        and (b"&" not in words[position] or b"const" in words[position])
        and not words[position].isdisjoint(INTEGERS)
        for words in lists
    )


def _conversion(context: Context, index: int) -> None:
    """`static_cast<CUdeviceptr>(n)` of an integer, and a variable made from integers."""
    structure = context.structure
    less = structure.prev_code(index - 1)
    word = structure.prev_code(less - 1)
    if context.text(less) == b"<" and context.text(word) == b"static_cast" and word not in context.claimed:
        context.replace(word, b"reinterpret_cast")
        return
    name = structure.next_code(index + 1)
    assign = structure.next_code(name + 1)
    if context.text(assign) == b"=" and operator_at(context, assign) == b"=" and integer_right(context, assign):
        context.insert(context.tokens.start[structure.next_code(assign + 1)], b"(hipDeviceptr_t)(")
        context.insert(context.tokens.end(structure.prev_code(expression_end(structure, assign + 1) - 1)), b")")
        context.find(ARITHMETIC, name)


def _ends_operand(context: Context, index: int) -> bool:
    text = context.text(index)
    return text in (b")", b"]") or is_ident(text or b"(") or text[:1].isdigit()


def _integer_left(context: Context, assign: int) -> bool:
    return not declared.assigned_words(context, assign).isdisjoint(INTEGERS)

"""32 used as the number of lanes of a warp."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hipify.model import Severity
from hipify.parser.tokens import is_ident
from hipify.rules.checks.warp_code import Use, WarpCode, warp_code
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

LANE_COUNT = FindingKind(
    "HPY304",
    Severity.WARNING,
    "32 used as the number of lanes of a warp",
    "A wavefront has 64 lanes on gfx9 (Instinct) and 32 on gfx10 to gfx12 (Radeon).",
    "Use warpSize where the built-ins work on whole wavefronts, or --warp preserve, which keeps warps of 32 lanes.",
    "__global__ void k(unsigned* x) { int lane = threadIdx.x & 31; if (__any(lane)) x[0] = 1; }\n",
    "#include <hip/hip_runtime.h>\n"
    "__global__ void k(unsigned* x) { int lane = threadIdx.x & (warpSize - 1); if (__any(lane)) x[0] = 1; }\n",
)
_THREAD = frozenset((b"threadIdx", b"blockDim"))
_LANE_NAME = re.compile(rb"(?i)^(?:get_?)?(?:lane|lane_?id|lane_?idx|lane_?index|warp_?lane|thread_?lane|wlane)$")
_RANKS = frozenset(
    (b"thread_rank", b"num_threads", b"size", b"__lane_id", b"min", b"max", b"int", b"unsigned", b"uint")
)
_RANK_CALLS = _RANKS - {b"min", b"max", b"size"}
_SIZE_NAME = re.compile(
    rb"(?i)^(?:k_?|c_?|cuda_?|num_?|n_?)*(?:warp_?(?:size|sz|threads|width|lanes|dim)|(?:lanes|threads)_?(?:per|in)_?(?:a_?)?warp"
    rb"|warp|wavefront_?size|ptx_?warp_?threads)(?:_?in_?threads|_?v|_?c)?_*$"
)
_STOP = frozenset(
    (b")", b"]", b"}", b";", b",", b"==", b"!=", b"&&", b"||", b"?", b":", b"=", b"&", b"|", b"^", b"<", b">")
)


@dataclass
class _Region:
    """The variables of one function that follow from thread indices, and those that are lane numbers."""

    threads: set[bytes]
    lanes: set[bytes]


def run(context: Context) -> None:
    """Report lane counts written as 32."""
    code = warp_code(context)
    named: set[bytes] = set()
    if any(code.regions.values()):
        for region, matters in code.regions.items():
            if matters:
                _walk(context, code, region, named)
        for use in code.uses:
            _offset(context, code, use)
        _definitions(context, code, named)


def _report(context: Context, code: WarpCode, first: int, stop: int, what: str) -> None:
    severity = code.severity(LANE_COUNT.severity)
    tail = "a wavefront of gfx9 has 64"
    if code.keeps_lanes:
        tail = "right while hipify_warp.h keeps warps of 32 lanes"
    context.find(LANE_COUNT, first, stop, message=f"{what}; {tail}", severity=severity)


def _shown(context: Context, first: int, stop: int) -> str:
    start = context.tokens.start
    return " ".join(context.source.data[start[first] : start[stop]].decode("utf-8", "replace").split())


def _walk(context: Context, code: WarpCode, span: tuple[int, int], named: set[bytes]) -> None:
    """Every operator of a region whose left operand is a thread's place and whose right one is a warp's size."""
    text, structure = context.tokens.text, context.structure
    region = _derived(context, code, span)
    for index in range(*span):
        token = text[index]
        if token == b"[" and _shared_bound(context, code, index, named):
            continue
        if token not in (b"%", b"/", b"&", b">", b"==", b"!=", b"<", b"+"):
            continue
        right, wanted = index + 1, _WANTED.get(token, (32,))
        if token == b">":
            if text[index + 1 : index + 2] != [b">"] or text[index - 1] == b">":
                continue
            right, wanted = index + 2, (5,)
        elif token == b"+":
            if text[index + 1 : index + 2] != [b"="]:
                continue
            right = index + 2
        elif token == b"<" and text[index + 1 : index + 2] == [b"="]:
            right, wanted = index + 2, (31,)
        found = _right(context, code, structure.next_code(right), token in (b"&", b"<"), wanted)
        if found is None or (token == b"<" and not _in_if(context, index)):
            continue
        if not _left(context, region, structure.prev_code(index - 1), token, span[0]):
            continue
        first, stop = found
        named |= {text[i] for i in range(first, stop) if is_ident(text[i])}
        left = structure.prev_code(index - 1)
        what = f"{_operand(context, left)} {_sign(context, index, right)} {_shown(context, first, stop)}"
        _report(context, code, left, stop, f"`{what}` counts 32 lanes")


def _in_if(context: Context, index: int) -> bool:
    """Whether a comparison stands in an `if`: `if (tid < 32)` picks the first warp, a loop's bound does not."""
    opener = context.structure.enclosing(index)
    return opener is not None and context.text(context.structure.prev_code(opener - 1)) == b"if"


_WANTED: dict[bytes, tuple[int, ...]] = {b"&": (31,), b"==": (31,), b"!=": (31,)}


def _sign(context: Context, index: int, right: int) -> str:
    return b"".join(context.tokens.text[index:right]).decode()


def _operand(context: Context, last: int) -> str:
    """The text of the left operand that ends at token `last`, shortened to its last part."""
    structure = context.structure
    first = last
    if context.text(last) == b")":
        first = structure.partner.get(last, last)
    lead = structure.prev_code(first - 1)
    if context.text(lead) == b".":
        first = structure.prev_code(lead - 1)
    return _shown(context, first, last + 1)


def _right(
    context: Context, code: WarpCode, first: int, loose: bool, wanted: tuple[int, ...]
) -> tuple[int, int] | None:
    """The right operand at token `first` if it is a constant of one of the wanted values."""
    text, partner = context.tokens.text, context.structure.partner
    if first >= len(text):
        return None
    stop = partner.get(first, first) + 1 if text[first] == b"(" else first + 1
    if loose:
        while stop < len(text) and text[stop] not in _STOP:
            stop = partner.get(stop, stop) + 1 if text[stop] == b"(" else stop + 1
    elif text[first] == b"(" and is_ident(text[context.structure.next_code(stop)] or b" "):
        return None  # a cast
    if not (text[first][:1].isdigit() or text[first] in (b"(", b"::") or is_ident(text[first])):
        return None
    while text[stop - 1][:1] in (b" ", b"\n") and stop > first + 1:
        stop -= 1
    return (first, stop) if code.values.number(first, stop) in wanted else None


def _left(context: Context, region: _Region, last: int, operator: bytes, floor: int) -> bool:
    """Whether the operand that ends at token `last` is a thread's place: threadIdx, a rank, a lane number."""
    text, structure = context.tokens.text, context.structure
    if last <= floor:
        return False
    lanes_only = operator in (b"==", b"!=", b"+")
    token = text[last]
    if token == b")":
        opener = structure.partner.get(last)
        if opener is None:
            return False
        lead = structure.prev_code(opener - 1)
        if is_ident(text[lead]) and text[lead] not in (b"return", b"if", b"while", b"case"):
            return text[lead] in _RANK_CALLS or bool(_LANE_NAME.match(text[lead]))
        return not lanes_only and any(_places(context, region, opener + 1, last))
    if not is_ident(token):
        return False
    before = structure.prev_code(last - 1)
    if text[before] == b".":
        return not lanes_only and text[structure.prev_code(before - 1)] in _THREAD
    if text[before] in (b"->", b"::"):
        return False
    if operator == b"<":
        return token in region.threads
    return token in region.lanes or (not lanes_only and token in region.threads)


def _places(context: Context, region: _Region, first: int, stop: int) -> Iterator[int]:
    """Tokens of [first, stop) that name a thread's place, not inside subscripts and other functions' calls."""
    text, structure = context.tokens.text, context.structure
    index = first
    while index < stop:
        token = text[index]
        if token == b"[":
            index = structure.partner.get(index, stop)
        elif token == b"(":
            lead = text[structure.prev_code(index - 1)]
            if is_ident(lead) and lead not in _RANKS and lead != b"return":
                index = structure.partner.get(index, stop)
        elif token in _THREAD or token in region.threads or token in region.lanes or token == b"thread_rank":
            yield index
        index += 1


def _derived(context: Context, code: WarpCode, span: tuple[int, int]) -> _Region:
    """One walk over the assignments of a region: which variables follow from thread indices."""
    text, structure = context.tokens.text, context.structure
    region = _Region(set(), set())
    for index in range(*span):
        token = text[index]
        if token != b"=" and not (token == b"(" and _initialises(context, index)):
            if _LANE_NAME.match(token):
                region.lanes.add(token)
            continue
        name = structure.prev_code(index - 1)
        if name <= span[0] or not is_ident(text[name]) or text[name] in (b"operator",):
            continue
        stop = code.values.statement_end(index + 1)
        if token == b"(":
            stop = structure.partner.get(index, index)
        if stop - index < 200 and any(_places(context, region, index + 1, stop)):
            region.threads.add(text[name])
            if _is_lane(context, code, index + 1, stop):
                region.lanes.add(text[name])
    return region


def _initialises(context: Context, opener: int) -> bool:
    """Whether the parenthesis is that of `unsigned tid(threadIdx.x)`."""
    structure = context.structure
    name = structure.prev_code(opener - 1)
    return is_ident(context.text(name) or b" ") and is_ident(context.text(structure.prev_code(name - 1)) or b" ")


def _is_lane(context: Context, code: WarpCode, first: int, stop: int) -> bool:
    """Whether an initialiser takes a remainder by 32 (`% 32`, `& 31`, `% warpSize`) or copies a lane number."""
    text = context.tokens.text
    for index in range(first, stop):
        if text[index] in (b"%", b"&"):
            right = context.structure.next_code(index + 1)
            if text[right] == b"warpSize" or code.values.number(right, right + 1) in (32, 31):
                return True
            if text[right] == b"(" and b"warpSize" in text[right : context.structure.partner.get(right, right)]:
                return True
    words = list(context.tokens.significant(first, stop))
    return len(words) == 1 and bool(_LANE_NAME.match(text[words[0]]))


def _shared_bound(context: Context, code: WarpCode, opener: int, named: set[bytes]) -> bool:
    """`__shared__ T s[BLOCK / 32]`: one element a warp."""
    text, structure = context.tokens.text, context.structure
    close = structure.partner.get(opener)
    if close is None or close - opener > 40:
        return False
    slash = next((i for i in range(opener + 1, close) if text[i] == b"/"), None)
    if slash is None:
        return False
    statement = structure.prev_code(opener - 1)
    for _ in range(12):
        if statement < 0 or text[statement] in (b";", b"{", b"}"):
            return False
        if text[statement] == b"__shared__":
            break
        statement -= 1
    else:
        return False
    found = _right(context, code, structure.next_code(slash + 1), False, (32,))
    if found is None:
        return False
    named |= {text[i] for i in range(*found) if is_ident(text[i])}
    _report(
        context, code, opener, close + 1, f"`{_shown(context, opener, close + 1)}` has an element for 32 lanes each"
    )
    return True


def _offset(context: Context, code: WarpCode, use: Use) -> None:
    """Shuffles without a width whose distance or lane belongs to a warp of 32."""
    argument = use.argument(use.operation.amount) if use.operation.kind == "shuffle" else None
    if argument is None or use.argument(use.operation.width) is not None:
        return
    name = use.operation.name
    number = code.values.number(argument.first, argument.stop)
    if number is None:
        if argument.stop == argument.first + 1 and b"_sync" not in name[:2]:
            _loop(context, code, use, argument.first)
        return
    direct = name in (b"__shfl", b"__shfl_sync")
    if number == (31 if direct else 16):
        what = "lane 31 is taken for the last" if direct else f"a distance of {number} is the widest of 32 lanes"
        _report(context, code, argument.first, argument.stop, f"{name.decode()}: {what}")


def _loop(context: Context, code: WarpCode, use: Use, variable: int) -> None:
    """The bounds of the loop around a shuffle over its distance: from 16 down, or up to 32."""
    text, structure = context.tokens.text, context.structure
    floor = code.region(use.index)[0]
    places = structure.index.get(text[variable], ())
    for index in reversed([i for i in places if floor < i < use.index][-40:]):
        after = structure.next_code(index + 1)
        opener = structure.enclosing(index)
        if text[after] != b"=" or opener is None or text[structure.prev_code(opener - 1)] != b"for":
            continue
        close = structure.partner.get(opener, opener)
        if close > use.index or (opener, close) in _seen(context):
            return
        _seen(context).add((opener, close))
        stop = code.values.statement_end(after + 1)
        if code.values.number(after + 1, stop) == 16:
            _report(context, code, index, stop, f"the loop over `{_shown(context, index, stop)}` spans 32 lanes")
            return
        for at in range(stop, close):
            if text[at] == b"<" and text[structure.prev_code(at - 1)] == text[variable]:
                equal = text[at + 1] == b"="
                found = _right(context, code, structure.next_code(at + 1 + equal), True, (16,) if equal else (32,))
                if found is not None:
                    _report(context, code, at - 1, found[1], f"the loop up to {_shown(context, *found)} spans 32 lanes")
        return


def _seen(context: Context) -> set[tuple[int, int]]:
    seen = vars(context).setdefault("_warp_loops", set())
    assert isinstance(seen, set)
    return seen


def _definitions(context: Context, code: WarpCode, named: set[bytes]) -> None:
    """Macros and constants of value 32 that are named, or were seen to be used, as the warp's size."""
    text, structure = context.tokens.text, context.structure
    for macro in structure.macros:
        name = text[macro.name]
        if (name in named or _SIZE_NAME.match(name)) and macro.parameters is None:
            number = code.values.number(macro.first, macro.stop)
            if number == 32:
                _report(context, code, macro.name, macro.stop, f"{name.decode('utf-8', 'replace')} is 32 lanes")
    for name in sorted(word for word in structure.index if word in named or _SIZE_NAME.match(word)):
        if name in context.own_macros or not is_ident(name):
            continue
        value = code.values.named(name)
        if value is None or value.number != 32:
            continue
        for index in structure.index[name]:
            after = structure.next_code(index + 1)
            if text[after] in (b"=", b"{") and code.values.is_constant_declarator(index):
                stop = code.values.statement_end(after + 1)
                _report(context, code, index, stop, f"{name.decode('utf-8', 'replace')} is 32 lanes")

"""CUB's warp primitives and lane numbers: kept on warps of 32 lanes, where hipCUB's own count in wavefronts of 64."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.parser.structure import Argument
from hipify.records import NamedTuple
from hipify.rules.arch import wavefronts
from hipify.rules.checks.warp_code import WarpCode, warp_code
from hipify.rules.constants import number
from hipify.rules.context import Context

WIDTHS: dict[bytes, tuple[int, bytes]] = {
    # position of the logical width among the template parameters, and what may be left out in front of it
    b"WarpReduce": (1, b""),
    b"WarpScan": (1, b""),
    b"WarpExchange": (2, b""),
    b"WarpLoad": (3, b"hipcub::WARP_LOAD_DIRECT"),
    b"WarpStore": (3, b"hipcub::WARP_STORE_DIRECT"),
    b"WarpMergeSort": (2, b""),
}
_LANE = b"hipify::lane_id()"
_CALLS = {
    b"LaneId": _LANE,
    b"LaneMaskLt": b"((1u << %b) - 1u)" % _LANE,
    b"LaneMaskLe": b"((2u << %b) - 1u)" % _LANE,
    b"LaneMaskGt": b"(~((2u << %b) - 1u))" % _LANE,
    b"LaneMaskGe": b"(~((1u << %b) - 1u))" % _LANE,
}
# Where hipCUB has them at all, they are the whole wavefront's.
HARDWARE = frozenset((b"LaneId", b"WarpId", b"WARP_ALL", b"WARP_ANY", b"WARP_BALLOT"))
_CONSTANTS = {b"CUB_PTX_WARP_THREADS": b"32", b"CUB_PTX_LOG_WARP_THREADS": b"5"}
_OF_ARCH = {b"CUB_WARP_THREADS": b"32", b"CUB_LOG_WARP_THREADS": b"5"}
_DEVICE_WIDTH = b"HIPCUB_DEVICE_WARP_THREADS"
_WORDS = frozenset((*WIDTHS, *_CALLS, *_CONSTANTS, *_OF_ARCH))


class Primitive(NamedTuple):
    """A primitive of the hardware's width: its name token, the `>` of its arguments, and how many those are."""

    name: int
    greater: int
    given: int


NEEDS = _WORDS


def run(context: Context) -> None:
    """Write the width 32 where none is given, and the number of the lane in its warp of 32."""
    words = context.tokens.vocabulary & _WORDS
    if not words or context.options.language == "hip":
        return
    code = warp_code(context)
    for name in sorted(words):
        if name in WIDTHS:
            _widths(context, code, name)
        elif name in _CALLS:
            _lanes(context, code, name)
        elif name not in context.own_macros:
            _constants(context, code, name)


def primitives(context: Context, name: bytes) -> Iterator[Primitive]:
    """The uses of `cub::NAME<...>` whose logical warp has the hardware's width, where that may be 64 lanes."""
    archs = context.options.offload_arch
    if archs and 64 not in wavefronts(archs):
        return
    structure, (position, _) = context.structure, WIDTHS[name]
    for index in structure.index.get(name, ()):
        if not is_cub(context, index):
            continue
        less = structure.next_code(index + 1)
        greater = structure.angle_end(less) if context.text(less) == b"<" else None
        if greater is None:
            continue
        arguments = template_arguments(context, less, greater)
        if len(arguments) > position:
            if number(context, arguments[position]) != 64:
                continue
        elif any(context.text(a.stop - 1)[-1:] == b"." for a in arguments):
            continue
        yield Primitive(index, greater, len(arguments))


def is_cub(context: Context, index: int) -> bool:
    """Whether a name is CUB's: said so, or by a `using namespace cub`."""
    structure = context.structure
    before = structure.prev_code(index - 1)
    if context.text(before) == b"::":
        return context.text(structure.prev_code(before - 1)) == b"cub"
    if context.text(before) in (b"struct", b"class", b".", b"->") or context.declared_here(context.text(index)):
        return False
    return any(context.text(structure.prev_code(i - 1)) == b"namespace" for i in structure.index.get(b"cub", ()))


def template_arguments(context: Context, less: int, greater: int) -> list[Argument]:
    """The arguments between `<` and `>`, nested lists kept whole."""
    structure, text = context.structure, context.tokens.text
    out, depth, first, index = [], 0, less + 1, less + 1
    while index <= greater:
        token = text[index]
        if token in (b"(", b"[", b"{"):
            index = structure.partner.get(index, index)
        elif token == b"<":
            depth += 1
        elif token == b">" and index < greater:
            depth -= 1
        elif index == greater or (token == b"," and depth == 0):
            out.append(Argument(structure.next_code(first), index))
            first = index + 1
        index += 1
    return out


def _widths(context: Context, code: WarpCode, name: bytes) -> None:
    position, left_out = WIDTHS[name]
    for index, greater, given in primitives(context, name):
        missing = position - given
        if not code.keeps_lanes(index) or missing not in (0, 1 if left_out else 0) or not given:
            continue
        text = b", %b, 32" % left_out if missing else b", 32"
        context.insert(context.tokens.start[greater], text)
        code.preserved_cub.add(index)


def _lanes(context: Context, code: WarpCode, name: bytes) -> None:
    """`cub::LaneId()` and the masks made from it, with the scope in front of them."""
    structure = context.structure
    for index in structure.index[name]:
        call = structure.call_at(index)
        if call is None or call.args or not context.is_code(index) or not is_cub(context, index):
            continue
        if not code.keeps_lanes(index):
            continue
        first, before = index, structure.prev_code(index - 1)
        if context.text(before) == b"::":
            first = structure.prev_code(before - 1)
            outer = structure.prev_code(first - 1)
            if context.text(outer) == b"::":
                first = outer
        context.edit(context.tokens.start[first], context.tokens.end(call.close), _CALLS[name])
        context.claimed.update(range(first, call.close + 1))
        context.refer(index, "device", "cub", True)
        _bring(context, code, index)


def _constants(context: Context, code: WarpCode, name: bytes) -> None:
    structure = context.structure
    for index in structure.index[name]:
        call = structure.call_at(index)
        if index in context.claimed or not context.is_code(index) or (name in _OF_ARCH and call is None):
            continue
        if not code.keeps_lanes(index):
            if name == b"CUB_PTX_WARP_THREADS":
                context.replace(index, _DEVICE_WIDTH)
                context.refer(index, "macro", "cub", True)
            continue
        if name in _OF_ARCH and call is not None:
            context.edit(context.tokens.start[index], context.tokens.end(call.close), _OF_ARCH[name])
            context.claimed.update(range(index, call.close + 1))
        else:
            context.replace(index, _CONSTANTS[name])
        context.refer(index, "macro", "cub", True)


def _bring(context: Context, code: WarpCode, index: int) -> None:
    from hipify.rules.passes import warp

    if not code.preserved:
        warp.include(context)
        context.needs_runtime = True
    code.preserved.add(index)

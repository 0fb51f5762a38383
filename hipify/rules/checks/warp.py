"""Lane masks: 32-bit masks given to warp built-ins, and results kept and counted in 32 bits."""

from __future__ import annotations

from bisect import bisect_left

from hipify.model import Confidence, Severity
from hipify.parser.owner import Owner
from hipify.parser.scopes import expression_end
from hipify.parser.structure import Argument
from hipify.parser.tokens import is_ident
from hipify.rules.checks.warp_code import NOTHING_TO_DO, OPERATIONS, Use, WarpCode, warp_code
from hipify.rules.checks.warp_targets import passed_to, pointee_bits, trailing_return_bits
from hipify.rules.constant_expressions import type_bits
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.rules.checks.mask_flow import MaskFlow

NARROW_MASK = FindingKind(
    "HPY301",
    Severity.ERROR,
    "32-bit lane mask given to a warp built-in",
    "HIP's *_sync built-ins take 64-bit masks and refuse a smaller type at compile time; with assertions on, a mask"
    " that is not exactly the set of active lanes traps.",
    "Use --warp preserve (hipify_warp.h keeps 32-lane warps), or a 64-bit mask that names the active lanes.",
    "__global__ void k(float* x) { x[threadIdx.x] += __shfl_down_sync(0xffffffff, x[threadIdx.x], 1); }\n",
    "#include <hip/hip_runtime.h>\n"
    "__global__ void k(float* x) { x[threadIdx.x] += __shfl_down(x[threadIdx.x], 1, 32); }\n",
)
NARROW_RESULT = FindingKind(
    "HPY302",
    Severity.ERROR,
    "lane mask result kept in 32 bits",
    "On AMD the built-in returns 64 bits, one for each lane of a 64-lane wavefront; the upper 32 lanes are lost.",
    "Keep the result in unsigned long long, or use --warp preserve, where each half wavefront gets its own 32 bits.",
    "__global__ void k(unsigned* x, int p) { unsigned m = __ballot(p); x[0] = m; }\n",
    "#include <hip/hip_runtime.h>\n"
    "__global__ void k(unsigned long long* x, int p) { unsigned long long m = __ballot(p); x[0] = m; }\n",
)
NARROW_COUNT = FindingKind(
    "HPY303",
    Severity.ERROR,
    "32-bit bit count of a lane mask",
    "__popc, __ffs, __clz and __brev look at 32 bits; a lane mask has 64 on a 64-lane wavefront.",
    "Use __popcll, __ffsll, __clzll or __brevll on a 64-bit mask, or --warp preserve.",
    "__global__ void k(int* x, int p) { x[0] = __popc(__ballot(p)); }\n",
    "#include <hip/hip_runtime.h>\n__global__ void k(int* x, int p) { x[0] = __popcll(__ballot(p)); }\n",
)
_COUNTS = {b"__popc": b"__popcll", b"__ffs": b"__ffsll", b"__clz": b"__clzll", b"__brev": b"__brevll"}
_ALL_ONES = 0xFFFFFFFF
_ASSIGN = frozenset((b"=", b"|", b"&", b"^"))

NEEDS = frozenset(OPERATIONS)


def run(context: Context) -> None:
    """Report every use of a lane mask that has 32 bits where AMD has 64."""
    code = warp_code(context)
    for use in code.uses:
        _mask(context, code, use)
        _result(context, code, use)
    if any(use.operation.gives_mask for use in code.uses) or not _COUNTS.keys().isdisjoint(context.tokens.vocabulary):
        from hipify.rules.checks.mask_flow import MaskFlow

        flow = MaskFlow(context, code)
        _open_results(context, code, flow)
        _counts(context, code, flow)


def _text(context: Context, argument: Argument) -> str:
    return " ".join(context.argument_bytes(argument).decode("utf-8", "replace").split())


def _mask(context: Context, code: WarpCode, use: Use) -> None:
    argument = use.lane_mask
    if argument is None or not _is_narrow(context, code, argument):
        return
    name = use.operation.name.decode()
    shown = _text(context, argument)
    value = code.values.constant(argument.first, argument.stop)
    if value is not None and value.mask == _ALL_ONES:
        what = f"{shown} (all 32 lanes)" if shown.lower().rstrip("u") != "0xffffffff" else shown
    elif value is not None:
        what = f"{shown} (lanes {value.mask:#x})" if not shown.lower().startswith("0x") else shown
    else:
        what = f"the 32-bit {shown}"
    if use.index in code.preserved:
        message = f"{name} with mask {what}: kept on 32-lane warps by hipify_warp.h"
        context.find(
            NARROW_MASK, use.index, use.call.close + 1, message=message, severity=Severity.NOTE, fix=NOTHING_TO_DO
        )
        return
    if use.index in code.widened:
        message = f"{name}: mask widened to 64 lanes; with assertions on it traps unless all of them are active"
        context.find(NARROW_MASK, use.index, use.call.close + 1, message=message, severity=Severity.WARNING)
        return
    context.find(
        NARROW_MASK,
        use.index,
        use.call.close + 1,
        message=f"{name} gets {what} as its mask; HIP takes 64-bit masks only",
        confidence=_confidence(context, argument),
    )


def _confidence(context: Context, argument: Argument) -> Confidence:
    semantics = context.semantics
    if semantics is None:
        return Confidence.LEXICAL
    start = context.tokens.start
    known = semantics.expr_type(start[argument.first], start[argument.stop])
    return Confidence.CLANG if known else Confidence.LEXICAL


def _is_narrow(context: Context, code: WarpCode, argument: Argument) -> bool:
    """Whether the mask has 32 bits: in CUDA code each mask has, unless its type says 64 or HIP's result type is 64."""
    bits = code.values.bits(argument.first, argument.stop)
    if bits:
        return bits == 32
    first = context.structure.next_code(argument.first)
    if any(use.operation.gives_mask and use.index == first for use in code.uses):
        return first in code.preserved
    return context.options.language != "hip"


def _result(context: Context, code: WarpCode, use: Use) -> None:
    if not use.operation.gives_mask:
        return
    structure = context.structure
    name = use.operation.name.decode()
    before = structure.prev_code(use.index - 1)
    while context.text(before) in (b"(", b")") and _is_cast_or_paren(context, before):
        opener = before if context.text(before) == b"(" else structure.partner[before]
        before = structure.prev_code(opener - 1)
    token = context.text(before)
    after = context.text(structure.next_code(use.call.close + 1))
    target = ""
    if token in (b"=", b"{"):
        target = _narrow_target(context, code, before)
    elif token == b"return":
        target = _narrow_return(context, use.index)
        if not target and trailing_return_bits(context, code, use.index) == 32:
            target = "the result of the lambda"
    elif token in (b"(", b",") and after in (b")", b","):
        target = passed_to(context, code, use)
    elif after in (b"==", b"!=") or token in (b"==", b"!="):
        target = _compared(context, code, use, after, before)
    if not target:
        return
    severity = code.severity(NARROW_RESULT.severity, use.index)
    message, fix = f"{name} gives a bit for each of 64 lanes; {target} keeps 32", ""
    if code.keeps_lanes(use.index):
        message = f"{target} keeps the 32 bits of {name}: right, hipify_warp.h gives those of the 32-lane warp"
        fix = NOTHING_TO_DO
    context.find(NARROW_RESULT, use.index, use.call.close + 1, message=message, severity=severity, fix=fix)


def _is_cast_or_paren(context: Context, index: int) -> bool:
    """Whether a parenthesis in front of a built-in groups it, or is a cast: no call, no condition."""
    structure = context.structure
    if context.text(index) == b"(":
        lead = context.text(structure.prev_code(index - 1))
        return lead in (b"=", b"return", b"(", b"{")
    opener = structure.partner.get(index)
    if opener is None:
        return False
    words = [context.text(i) for i in context.tokens.significant(opener + 1, index)]
    return bool(words) and all(is_ident(w) for w in words) and bool(type_bits(b" ".join(words)))


def _narrow_target(context: Context, code: WarpCode, before: int) -> str:
    """The variable that an assignment or initialiser at `=` or `{` fills, if it has 32 bits."""
    structure = context.structure
    left = structure.prev_code(before - 1)
    while context.text(left) in _ASSIGN:
        left = structure.prev_code(left - 1)
    shown = left
    shown_is_element = context.text(left) == b"]"
    if shown_is_element:
        opener = structure.partner.get(left)
        if opener is None:
            return ""
        left = structure.prev_code(opener - 1)
        shown = left
    if left < 0 or not is_ident(context.text(left)):
        return ""
    kind, _ = code.values.declared_type(left)
    bits = code.values.width(kind)
    if shown_is_element and not bits:
        bits = pointee_bits(context, code, left)
    bits = bits or _width_by_clang(context, code, left)
    if bits != 32 or kind in (b"bool", b"float", b"auto"):
        return ""
    word = context.text(shown).decode("utf-8", "replace")
    return f"{word} ({kind.decode('utf-8', 'replace')})" if kind else word


def _width_by_clang(context: Context, code: WarpCode, name: int) -> int:
    """The width of a variable whose type the file does not spell out, from its next uses."""
    if context.semantics is None:
        return 0
    places = context.structure.index.get(context.text(name), [])
    at = bisect_left(places, name)
    return next((bits for i in places[at : at + 3] if (bits := code.values.bits(i, i + 1))), 0)


def _narrow_return(context: Context, index: int) -> str:
    """The function around a `return`, if it returns 32 bits."""
    function = context.functions.function_at(index)
    if function is None or function.name < 0:
        return ""
    words: list[bytes] = []
    at = context.structure.prev_code(function.name - 1)
    while at >= 0 and is_ident(context.text(at)) and len(words) < 8:
        words.insert(0, context.text(at))
        at = context.structure.prev_code(at - 1)
    kept = [w for w in words if w not in (b"__forceinline__", b"__inline__", b"__noinline__", b"FORCE_INLINE")]
    name = context.text(function.name).decode("utf-8", "replace")
    return f"the result of {name}" if type_bits(b" ".join(kept)) == 32 and b"bool" not in kept else ""


def _compared(context: Context, code: WarpCode, use: Use, after: bytes, before: int) -> str:
    """The 32-bit all-ones constant that a mask is compared with."""
    structure = context.structure
    if after in (b"==", b"!="):
        first = structure.next_code(structure.next_code(use.call.close + 1) + 1)
        stop = first + 1
        while stop < len(context.tokens) and context.text(stop) not in (b")", b";", b"&&", b"||", b"?", b","):
            if context.text(stop) == b"(":
                stop = structure.partner.get(stop, stop)
            stop += 1
    else:
        first = structure.prev_code(before - 1)
        stop = before
    value = code.values.constant(first, stop)
    return "the comparison" if value is not None and value.bits == 32 and value.mask == _ALL_ONES else ""


def _open_results(context: Context, code: WarpCode, flow: MaskFlow) -> None:
    """Calls of lambdas that return masks with all their bits, kept in 32."""
    structure = context.structure
    for index in sorted(flow.wide):
        call, before = structure.call_at(index), structure.prev_code(index - 1)
        target = _narrow_target(context, code, before) if context.text(before) == b"=" else ""
        if target and call is not None and not code.keeps_lanes(index):
            message = (
                f"{context.text(index).decode('utf-8', 'replace')} gives a bit for each of 64 lanes; {target} keeps 32"
            )
            severity = code.severity(NARROW_RESULT.severity, index)
            context.find(NARROW_RESULT, index, call.close + 1, message=message, severity=severity)


def _counts(context: Context, code: WarpCode, flow: MaskFlow) -> None:
    """`__popc` and the like on lane masks."""
    present = [name for name in _COUNTS if name in context.structure.index]
    if not present:
        return
    masks = _masks(context, code, flow)
    for name in present:
        for index in context.structure.index[name]:
            call = context.structure.call_at(index)
            if call is None or len(call.args) != 1 or not context.is_code(index):
                continue
            if context.owner(index)[0] is Owner.USER:
                continue
            region = code.region(index)
            if region not in masks:
                masks[region] = mask_names(context, code, region, flow)
            inner = context.tokens.significant(call.open + 1, call.close)
            if any(
                i in flow.givers or context.text(i) in masks[region] or flow.is_member_use(i)
                for i in inner
                if is_ident(context.text(i))
            ):
                _report_count(context, code, index, call.close)


def _masks(context: Context, code: WarpCode, flow: MaskFlow) -> dict[tuple[int, int], frozenset[bytes]]:
    """The masks of each function that has some, followed from function to function."""
    masks: dict[tuple[int, int], frozenset[bytes]] = {}
    pending = {code.region(index) for index in flow.givers} | flow.handed.keys()
    pending |= {code.region(use.index) for use in code.uses if use.lane_mask is not None}
    for _ in range(3):
        known = {region: set(names) for region, names in flow.handed.items()}
        for region in pending:
            masks[region] = mask_names(context, code, region, flow)
            flow.hand_names(region, masks[region])
        pending = {region for region, names in flow.handed.items() if names != known.get(region)}
    return masks


def _report_count(context: Context, code: WarpCode, index: int, close: int) -> None:
    name = context.text(index)
    severity = code.severity(NARROW_COUNT.severity, index)
    message, fix = f"{name.decode()} counts 32 bits of a lane mask; {_COUNTS[name].decode()} counts 64", ""
    if code.keeps_lanes(index):
        message = f"{name.decode()} on a lane mask: right, the mask is that of a 32-lane warp"
        fix = NOTHING_TO_DO
    context.find(NARROW_COUNT, index, close + 1, message=message, severity=severity, fix=fix)


def mask_names(context: Context, code: WarpCode, region: tuple[int, int], flow: MaskFlow) -> frozenset[bytes]:
    """Variables of a region that hold lane masks: filled by a ballot or match, given as masks, or made from such."""
    text, structure = context.tokens.text, context.structure
    found: set[bytes] = set(flow.handed.get(region, ()))
    for use in code.uses_in(region):
        argument = use.lane_mask
        if argument is not None and argument.stop == argument.first + 1 and is_ident(text[argument.first]):
            found.add(text[argument.first])
    givers = {index for index in flow.givers if region[0] <= index < region[1]}
    for index in givers:
        before = structure.prev_code(index - 1)
        if text[before] == b"=":
            left = structure.prev_code(before - 1)
            if text[left] == b"]":
                left = structure.prev_code(structure.partner.get(left, left) - 1)
            found |= {text[left]} if is_ident(text[left]) else set()
    if found or givers:
        found |= _made_from(context, code, region, frozenset(found), givers)
    return frozenset(name for name in found if name not in context.own_macros)


def _made_from(
    context: Context, code: WarpCode, region: tuple[int, int], masks: frozenset[bytes], givers: set[int]
) -> set[bytes]:
    """Variables that bitwise operations on masks fill (`rest = m & ~low`), read in one walk over the region."""
    text, structure = context.tokens.text, context.structure
    out: set[bytes] = set()
    for index in range(*region):
        if text[index] != b"=":
            continue
        left = structure.prev_code(index - 1)
        if left < 0 or not is_ident(text[left]):
            continue
        stop = expression_end(structure, index + 1)
        inner = list(context.tokens.significant(index + 1, stop))
        if not any(i in givers or text[i] in masks or text[i] in out for i in inner):
            continue
        if all(is_ident(text[i]) or text[i] in b"&|^~()-1+<0" or text[i] in (b"<<", b"1u", b"1U") for i in inner) and (
            not any(text[i] in _COUNTS for i in inner)
        ):
            out.add(text[left])
    return out

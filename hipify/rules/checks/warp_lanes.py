"""32 used as the number of lanes of a warp."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.scopes import expression_end
from hipify.parser.tokens import is_ident
from hipify.patterns import lazy
from hipify.rules.checks.warp_code import EVIDENCE, NOTHING_TO_DO, Use, WarpCode, warp_code
from hipify.rules.checks.warp_threads import Threads
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
_SIZE_NAME = lazy(
    rb"(?i)^(?:k_?|c_?|cuda_?|num_?|n_?)*(?:warp_?(?:size|sz|threads|width|lanes|dim)|(?:lanes|threads)_?(?:per|in)_?(?:a_?)?warp"
    rb"|warp|wavefront_?size|ptx_?warp_?threads)(?:_?in_?threads|_?v|_?c)?_*$"
)
_WARP_NAME = lazy(rb"(?i)warp|lane|wid$|^wid")
# What the constant behind each operator is when it counts the lanes of a warp.
_WANTED = {b"%": 32, b"/": 32, b"<": 32, b"+=": 32, b"&": 31, b"<=": 31, b"==": 31, b"!=": 31, b">>": 5}

NEEDS = EVIDENCE


def run(context: Context) -> None:
    """Report lane counts written as 32."""
    code = warp_code(context)
    _other_size_for_hip(context, code)
    if not any(code.regions.values()):
        return
    named: set[bytes] = set()
    threads = Threads(context, code.values)
    for index in _constants(context, code):
        _operand(context, code, threads, index, named)
    for use in code.uses:
        _offset(context, code, use)
    _definitions(context, code, named)
    _template_defaults(context, code)


def _report(context: Context, code: WarpCode, first: int, stop: int, what: str) -> None:
    severity = code.severity(LANE_COUNT.severity, first)
    tail, fix = "a wavefront of gfx9 has 64", ""
    if code.keeps_lanes(first):
        tail, fix = "right, as --warp preserve keeps warps of 32 lanes", NOTHING_TO_DO
    context.find(LANE_COUNT, first, stop, message=f"{what}; {tail}", severity=severity, fix=fix)


def _shown(context: Context, first: int, stop: int) -> str:
    start = context.tokens.start
    return " ".join(context.source.data[start[first] : start[stop]].decode("utf-8", "replace").split())


def _constants(context: Context, code: WarpCode) -> list[int]:
    """Every token in device code and macro bodies that is worth 5, 31 or 32."""
    wanted = set(_WANTED.values())
    index_of = context.structure.index
    found = []
    for word in index_of:
        if word[:1].isdigit():
            if len(word) < 8 and code.values.word(word) in wanted:
                found += index_of[word]
        elif word in code.values.definitions and (value := code.values.named(word)) is not None:
            found += index_of[word] if value.number in wanted else []
    for word, number in _foreign(context, code).items():
        found += index_of[word] if number in wanted else []
    return sorted(i for i in found if context.functions.in_device(i) or context.structure.macro_at(i) is not None)


def _foreign(context: Context, code: WarpCode) -> dict[bytes, int]:
    """Constants of other files behind `%` or `/`, or named after the warp's size, as clang values them."""
    out: dict[bytes, int] = {}
    if context.semantics is None:
        return out
    structure, text = context.structure, context.tokens.text
    behind = [structure.next_code(i + 1) for sign in (b"%", b"/") for i in structure.index.get(sign, ())]
    behind += [i for word in structure.index if _SIZE_NAME.match(word) for i in structure.index[word][:2]]
    for index in behind:
        if index >= len(text) or not is_ident(text[index]) or text[index] in code.values.definitions:
            continue
        if text[index] not in out and context.functions.in_device(index):
            value = code.values.seen_by_clang(text[index], index)
            if value is not None:
                out[text[index]] = value
    return out


def _operand(context: Context, code: WarpCode, threads: Threads, index: int, named: set[bytes]) -> None:
    """The operation that a constant is the right operand of, if its left operand is a thread's place."""
    text, structure = context.tokens.text, context.structure
    region = code.region(index)
    matters = code.regions.get(region)
    if matters is False:
        return
    first, stop = index, index + 1
    before = structure.prev_code(first - 1)
    if text[before] == b"(" and structure.prev_code(before - 1) > region[0]:
        close = structure.partner.get(before, -1)
        if close - index > 8 or is_ident(text[structure.prev_code(before - 1)]):
            return
        first, stop = before, close + 1
        before = structure.prev_code(before - 1)
    operator, left = _operator(context, before)
    wanted = _WANTED.get(operator)
    if wanted is None or left <= region[0]:
        return
    if operator == b"&" and first == index and text[structure.next_code(stop)] == b"-":
        stop = structure.next_code(structure.next_code(stop) + 1) + 1
    if code.values.number(first, stop) != wanted:
        return
    if operator == b"/" and _shared_bound(context, code, index, left, named):
        return
    if operator in (b"<", b"<=") and not _in_if(context, index):
        return
    is_place = threads.operand(left, region, operator in (b"==", b"!=", b"+="))
    if not is_place and not (operator == b"+=" and threads.starts_at_lane(left, region)):
        return
    if matters is None and not _assigned_to_warp(context, left):
        return
    named |= {text[i] for i in range(first, stop) if is_ident(text[i])}
    what = f"{_left_text(context, left)} {operator.decode()} {_shown(context, first, stop)}"
    _report(context, code, left, stop, f"`{what}` counts 32 lanes")


def _operator(context: Context, last: int) -> tuple[bytes, int]:
    """The binary operator that ends at token `last`, and the token in front of it."""
    text, structure = context.tokens.text, context.structure
    token = text[last]
    if token == b"=" and last > 0 and text[last - 1] == b"+":
        return text[last - 1] + token, structure.prev_code(last - 2)
    if token == b">":
        if last > 1 and text[last - 1] == b">" and text[last - 2] != b">":
            return b">>", structure.prev_code(last - 2)
        return b"", -1
    return token, structure.prev_code(last - 1)


def _assigned_to_warp(context: Context, index: int) -> bool:
    """Whether the statement around token `index` fills a variable that is named after warps or lanes."""
    text, structure = context.tokens.text, context.structure
    for at in range(index, max(index - 40, 0), -1):
        if text[at] in (b";", b"{", b"}"):
            return False
        if text[at] == b"=" and _WARP_NAME.search(text[structure.prev_code(at - 1)]):
            return True
    return False


def _in_if(context: Context, index: int) -> bool:
    """Whether a comparison stands in an `if`: `if (tid < 32)` picks the first warp, a loop's bound does not."""
    opener = context.structure.enclosing(index)
    return opener is not None and context.text(context.structure.prev_code(opener - 1)) == b"if"


def _left_text(context: Context, last: int) -> str:
    """The text of the left operand that ends at token `last`, shortened to its last part."""
    structure = context.structure
    first = structure.partner.get(last, last) if context.text(last) == b")" else last
    lead = structure.prev_code(first - 1)
    if context.text(lead) == b".":
        first = structure.prev_code(lead - 1)
    return _shown(context, first, last + 1)


def _shared_bound(context: Context, code: WarpCode, index: int, left: int, named: set[bytes]) -> bool:
    """`__shared__ T s[BLOCK / 32]`: one element a warp."""
    text, structure = context.tokens.text, context.structure
    opener = structure.prev_code(left - 1)
    if text[left] == b")":
        opener = structure.prev_code(structure.partner.get(left, left) - 1)
    if text[opener] != b"[":
        return False
    for at in range(opener, max(opener - 16, 0), -1):
        if text[at] in (b";", b"{", b"}"):
            return False
        if text[at] == b"__shared__":
            break
    else:
        return False
    named |= {text[index]} if is_ident(text[index]) else set()
    stop = structure.partner.get(opener, opener) + 1
    _report(context, code, opener, stop, f"`{_shown(context, opener, stop)}` has an element for 32 lanes each")
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
        if text[after] != b"=" or opener is None:
            continue
        if text[structure.prev_code(opener - 1)] != b"for":
            stop = expression_end(structure, after + 1)
            loops = any(text[at] in (b"while", b"do", b"for") for at in range(stop, use.index))
            if loops and code.values.number(after + 1, stop) == 16 and (after, stop) not in _seen(context):
                _seen(context).add((after, stop))
                _report(context, code, index, stop, f"the loop from `{_shown(context, index, stop)}` spans 32 lanes")
                return
            continue
        close = structure.partner.get(opener, opener)
        if close > use.index or (opener, close) in _seen(context):
            return
        _seen(context).add((opener, close))
        stop = expression_end(structure, after + 1)
        if code.values.number(after + 1, stop) == 16:
            _report(context, code, index, stop, f"the loop over `{_shown(context, index, stop)}` spans 32 lanes")
            return
        for at in range(stop, close):
            if text[at] in (b"<", b"<=") and text[structure.prev_code(at - 1)] == text[variable]:
                bound = structure.next_code(at + 1)
                end = expression_end(structure, bound)
                if code.values.number(bound, end) == (16 if text[at] == b"<=" else 32):
                    what = f"the loop up to {_shown(context, bound, end)} spans 32 lanes"
                    _report(context, code, structure.prev_code(at - 1), end, what)
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
                stop = expression_end(structure, after + 1)
                _report(context, code, index, stop, f"{name.decode('utf-8', 'replace')} is 32 lanes")


def _template_defaults(context: Context, code: WarpCode) -> None:
    """`template <int W = 32>` of a function whose shuffles name no width, and that counts with W."""
    text, structure = context.tokens.text, context.structure
    for word in structure.index.get(b"template", ()):
        opener = structure.next_code(word + 1)
        close = structure.angle_end(opener, 200) if context.text(opener) == b"<" else None
        for argument in structure.split(opener + 1, close) if close is not None else ():
            words = list(context.tokens.significant(argument.first, argument.stop))
            equals = next((n for n, i in enumerate(words) if text[i] == b"="), 0)
            if equals < 2 or code.values.number(words[equals] + 1, argument.stop) != 32:
                continue
            name = words[equals - 1]
            region = _template_body(context, code, close or opener)
            if region is None or not code.regions.get(region) or not _counts_with(context, code, text[name], region):
                continue
            what = f"{text[name].decode('utf-8', 'replace')} is 32 lanes where nothing else is given"
            _report(context, code, name, argument.stop, what)


def _template_body(context: Context, code: WarpCode, close: int) -> tuple[int, int] | None:
    """The body of the device function that a template's parameter list, which ends at token `close`, belongs to."""
    end = expression_end(context.structure, close + 1)
    return next(((f.body, f.stop) for f in context.functions.all if close < f.body <= end + 1 and f.is_device), None)


def _counts_with(context: Context, code: WarpCode, name: bytes, region: tuple[int, int]) -> bool:
    """Whether warp-level code halves, divides or masks by a template's parameter, and hands it to no shuffle."""
    text, structure = context.tokens.text, context.structure
    places = [i for i in structure.index.get(name, ()) if region[0] < i < region[1]]
    widths = [use.argument(use.operation.width) for use in code.uses_in(region) if use.operation.kind == "shuffle"]
    if any(width is not None and any(width.first <= i < width.stop for i in places) for width in widths):
        return False
    return any(
        context.text(structure.next_code(i + 1)) in (b"/", b">", b"-")
        or text[structure.prev_code(i - 1)] in (b"%", b"/")
        for i in places
    )


def _other_size_for_hip(context: Context, code: WarpCode) -> None:
    """A warp size that is 32 for CUDA and another in code for HIP alone, beside warps that are kept at 32 lanes."""
    if context.options.warp != "preserve" or context.options.language == "hip" or b"32" not in context.structure.index:
        return
    for name in sorted(word for word in context.structure.index if _SIZE_NAME.match(word) and is_ident(word)):
        given = _given(context, code, name)
        others = [(first, stop) for first, stop, number in given if number != 32 and code.is_for_hip(first)]
        if not others or not any(number == 32 and not code.is_for_hip(first) for first, _, number in given):
            continue
        shown = name.decode("utf-8", "replace")
        for first, stop in others:
            message = (
                f"{shown} is 32 for CUDA and another number here, for HIP: the translation keeps warps of 32 lanes"
            )
            fix = "Give it 32 for HIP, too, or translate with --warp native and port what counts in 32."
            context.find(
                LANE_COUNT, first, stop, message=message, severity=code.severity(LANE_COUNT.severity, first), fix=fix
            )


def _given(context: Context, code: WarpCode, name: bytes) -> list[tuple[int, int, int | None]]:
    """The definitions of a macro or constant in the file: where each stands, and its value if that is known."""
    structure, text, values = context.structure, context.tokens.text, code.values
    found = [
        (macro.name, macro.stop, values.number(macro.first, macro.stop))
        for macro in structure.macros
        if text[macro.name] == name and macro.parameters is None
    ]
    for index in structure.index[name]:
        after = structure.next_code(index + 1)
        if after < len(text) and text[after] in (b"=", b"{") and values.is_constant_declarator(index):
            stop = expression_end(structure, after + 1)
            stop = structure.partner.get(after, stop) if text[after] == b"{" else stop
            found.append((index, stop, values.number(after + 1, stop)))
    return found

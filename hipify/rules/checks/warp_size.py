"""`warpSize` where C++ wants a constant."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.tokens import is_ident
from hipify.rules.checks.warp_code import NOTHING_TO_DO, WarpCode, warp_code
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

WARP_SIZE_CONSTANT = FindingKind(
    "HPY305",
    Severity.ERROR,
    "warpSize where a constant is needed",
    "Since ROCm 7.0 warpSize is an object that is read at run time; before, it was a constant that differed between the"
    " host and the device pass.",
    "Use a constant of your own (32 with --warp preserve), or a template parameter chosen on the host.",
    "__global__ void k(float* x) { __shared__ float s[warpSize]; s[0] = x[0]; x[1] = s[0]; }\n",
    "#include <hip/hip_runtime.h>\n__global__ void k(float* x) { __shared__ float s[64]; s[0] = x[0]; x[1] = s[0]; }\n",
)
NEEDS = frozenset((b"warpSize",))


def run(context: Context) -> None:
    """Report warpSize in an array bound, a template argument, a constexpr and the like."""
    if b"warpSize" not in context.structure.index or context.declared_here(b"warpSize"):
        return
    code = warp_code(context)
    for index in context.structure.index[b"warpSize"]:
        before = context.text(context.structure.prev_code(index - 1))
        if before in (b".", b"->", b"::") or not context.is_code(index):
            continue
        where = _constant_place(context, code, index)
        if not where:
            continue
        if index in code.preserved:
            context.find(
                WARP_SIZE_CONSTANT,
                index,
                message=f"warpSize {where}: becomes the constant hipify::warp_size, which is 32",
                severity=Severity.NOTE,
                fix=NOTHING_TO_DO,
            )
            continue
        severity = Severity.ERROR if context.target.at_least(7) else Severity.WARNING
        context.find(
            WARP_SIZE_CONSTANT, index, message=f"warpSize {where}: it is no constant on AMD", severity=severity
        )


def _constant_place(context: Context, code: WarpCode, index: int) -> str:
    """Which constant expression token `index` is part of; '' for none."""
    text, structure = context.tokens.text, context.structure
    directive = structure.directive_at(index)
    if directive is not None:
        return "in a preprocessor condition" if directive.name in (b"if", b"elif") else ""
    before, after = structure.prev_code(index - 1), structure.next_code(index + 1)
    if text[before] in (b"<", b",") and text[after] in (b">", b","):
        start = before if text[before] == b"<" else -1
        if start > 0 and structure.angle_end(start) is not None:
            return "as a template argument"
    if text[before] == b"case":
        return "as a case label"
    opener = structure.enclosing(index)
    if opener is not None and text[opener] == b"[":
        name = structure.prev_code(opener - 1)
        if is_ident(text[name]) and code.values.type_words(name):
            return "as an array bound"
    if opener is not None and text[opener] == b"(":
        lead = text[structure.prev_code(opener - 1)]
        if lead in (b"static_assert", b"alignas", b"__launch_bounds__"):
            return f"in {lead.decode()}"
    at, steps = before, 0
    while at >= 0 and text[at] not in (b";", b"{", b"}") and steps < 60:
        if text[at] == b"constexpr" and context.text(structure.next_code(at + 1)) != b"(":
            return "in a constexpr" if b"=" in text[at:index] else ""
        at, steps = at - 1, steps + 1
    return ""

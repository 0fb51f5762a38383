"""Inline PTX that C++ says exactly is written as C++; what is left is the PTX check's to report."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.functions import AsmStatement
from hipify.parser.structure import Argument
from hipify.parser.tokens import is_blank, is_ident
from hipify.patterns import lazy
from hipify.records import NamedTuple
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind
from hipify.rules.moves import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.rules.ptx_operands import Words

WRITTEN = FindingKind(
    "HPY413",
    Severity.NOTE,
    "inline PTX written as C++",
    "PTX is NVIDIA's virtual ISA. What this statement computes has a form in C++ that is the same to the bit. Of "
    "approximations the result is at least as near as PTX asks, asynchronous copies are made at once, and hints to "
    "caches are gone.",
    "Nothing needs to be done.",
    '__device__ unsigned f(unsigned x) {\n    unsigned r;\n    asm("brev.b32 %0, %1;" : "=r"(r) : "r"(x));\n'
    "    return r;\n}\n",
    "__device__ unsigned f(unsigned x) {\n    return __brev(x);\n}\n",
)
HEADERS = {
    "hipify_ptx::": "hipify_ptx.h",
    "hipify_ptx_float::": "hipify_ptx_float.h",
    "hipify_ptx_warp::": "hipify_ptx_warp.h",
}
ROUNDING = "hipify_rounding.h"
_ROUNDED = lazy(r"\b__[a-z]+_r[zdu]\(")
_OF_LANES = lazy(r"lane|warp|shfl|vote|match|redux|activemask|elect")
_POSTFIX = lazy(rb"\w+(?:\.\w+|->\w+|\[\w+\])*")
_PLACE = lazy(r"\{(\d+)\}")


class Statement(NamedTuple):
    """An `asm` statement: the letters and expressions of its operands, and what it says of the compiler's liberty."""

    constraints: list[str]
    operands: list[Argument]
    volatile: bool
    clobbers: bool
    comments: tuple[int, ...] = ()
    in_kernel: bool = False
    names: tuple[str, ...] = ()
    """What `%[name]` calls the operands; '' for those without a name."""

    @property
    def tied(self) -> dict[int, int]:
        """Operands that share the register of an output: `"0"(x)`."""
        return {i: int(c) for i, c in enumerate(self.constraints) if c.isdigit()}


NEEDS = frozenset((b"asm", b"__asm__", b"__asm"))


def run(context: Context) -> None:
    """Rewrite the statements of device code whose every instruction has exact words in C++."""
    if context.options.language == "hip" or not context.tokens.vocabulary & {b"asm", b"__asm__", b"__asm"}:
        return
    from hipify.rules.checks.ptx import is_for_gpu
    from hipify.rules.conditionals import conditionals_of

    namespaces: set[str] = set()
    for statement in context.asm:
        if not context.is_code(statement.first) or not is_for_gpu(context, statement):
            continue
        if not conditionals_of(context).leaves_out(context.tokens.start[statement.first]):
            namespaces |= _rewrite(context, statement)
    headers = [header for name, header in {**HEADERS, ROUNDING: ROUNDING}.items() if name in namespaces]
    if headers:
        from hipify.rules.passes.builtins import include_helpers

        include_helpers(context, headers)


def can_be_written(context: Context, statement: AsmStatement) -> bool:
    """Whether a statement is PTX that becomes C++."""
    from hipify.rules.checks.ptx import is_for_gpu

    if context.options.language == "hip" or not is_for_gpu(context, statement):
        return False
    before = len(context.moves)
    written = _write(context, statement)
    del context.moves[before:]
    return written is not None


def _write(context: Context, statement: AsmStatement) -> tuple[Statement, list[str], list[Words]] | None:
    """Move a statement's operands into C++ words: the statement as read, its instructions, the words."""
    from hipify.rules.ptx_blocks import pieces
    from hipify.rules.ptx_statements import are_one, write_block
    from hipify.rules.ptx_templates import templates

    read = _read(context, statement)
    texts = [_numbered(read, t) for t in templates(context, statement)] if read is not None else []
    if read is None or not texts:
        return None
    text = texts[0]
    instructions = [piece for piece in pieces(text) if piece not in "{}"]
    lanes = any(_OF_LANES.search(t) for t in texts) and _keeps_lanes(context, statement)
    if len(texts) > 1 and not are_one(read, texts, lanes):
        return None
    written = _expression(context, statement, read, instructions, lanes)
    if written is None:
        written = write_block(context, statement, read, text, lanes)
    return None if written is None else (read, instructions, written)


def _rewrite(context: Context, statement: AsmStatement) -> set[str]:
    """Write one statement as C++, if that is possible; the namespaces of what it needs."""
    made = _write(context, statement)
    if made is None:
        return set()
    read, instructions, written = made
    everything = " ".join(w.text for w in written)
    if "hipify::" in everything or "hipify_ptx_warp::" in everything:
        _include_warp(context, statement)
    remarks = sorted({w.remark for w in written if w.remark})
    shown = "; ".join(instructions)
    shown = shown if len(shown) < 160 else f"{len(instructions)} instructions"
    message = f"inline PTX written as C++: {shown}" + "".join(f" ({remark})" for remark in remarks)
    context.find(WRITTEN, statement.first, statement.stop, message=message)
    context.claimed.add(statement.first)
    context.needs_runtime = True
    clobbers = read.clobbers and any(w.accesses for w in written)
    names = {name for name in HEADERS if name in everything}
    names |= {"hipify_ptx::"} if clobbers else set()
    return names | ({ROUNDING} if _ROUNDED.search(everything) else set())


def _expression(
    context: Context, statement: AsmStatement, read: Statement, instructions: list[str], lanes: bool
) -> list[Words] | None:
    """The statement as one expression, where one instruction alone has operands and has each of them once."""
    from hipify.rules.ptx_words import Writer

    if read.tied or read.comments or not instructions or any(i[0] in "@." for i in instructions):
        return None
    writer = Writer(read.constraints, read.volatile, lanes, kernel=read.in_kernel)
    words: list[Words | None] = [writer.write(instruction) for instruction in instructions]
    written = [_with_carry(w) for w in words if w is not None]
    places = [int(n) for w in written for n in _PLACE.findall(w.text)]
    if len(words) > 1 and any(w.text == "return" for w in written):
        return None
    if len(written) < len(words) or sum(bool(_PLACE.search(w.text)) for w in written) > 1:
        return None
    if any(places.count(n) > 1 and not _simple(context, read.operands[n]) for n in places):
        return None
    parts = [w.text for w in written]
    if read.clobbers and any(w.accesses for w in written):
        parts = ["hipify_ptx::ordered()", *parts, "hipify_ptx::ordered()"]
    body = ", ".join(parts)
    _replace(context, statement, read, f"({body})" if len(parts) > 1 else body)
    return written


def _with_carry(words: Words) -> Words:
    """An instruction of its own has the carry from another statement, or leaves it for one."""
    if not words.carry:
        return words
    from hipify.rules.ptx_operands import CARRY

    return words._replace(text=words.text.replace("ptx_carry", "hipify_ptx::carry()"), remark=CARRY)


def _keeps_lanes(context: Context, statement: AsmStatement) -> bool:
    """Whether the translation keeps warps of 32 lanes here."""
    from hipify.rules.checks.warp_code import warp_code

    return warp_code(context).keeps_lanes(statement.first)


def _include_warp(context: Context, statement: AsmStatement) -> None:
    from hipify.rules.checks.warp_code import warp_code
    from hipify.rules.passes import warp

    if not warp_code(context).preserved:  # else the warp pass has included its header
        warp.include(context)
        warp_code(context).preserved.add(statement.first)


def _read(context: Context, statement: AsmStatement) -> Statement | None:
    """The operands of a statement; None when they are not all of the plain form."""
    tokens, text, structure = context.tokens, context.tokens.text, context.structure
    close = statement.stop - 1
    opener = structure.partner[close]
    words = {text[i] for i in range(statement.first, opener)}
    constraints: list[str] = []
    operands: list[Argument] = []
    comments: list[int] = []
    names: dict[int, str] = {}
    section, at, clobbers = 0, opener + 1, False
    if _has_conditions(context, statement):
        return None
    while at < close:
        token = text[at]
        if token in (b":", b"::"):
            section += len(token)
        elif section in (1, 2) and token[:1] == b'"':
            begin = tokens.next(at + 1, close)
            if text[begin] != b"(" or begin not in structure.partner:
                return None
            constraints.append(token.strip(b'"').decode("latin-1"))
            at = _operand(context, begin, operands, comments)
        elif section in (1, 2) and token == b"[" and is_ident(text[at + 1]) and text[at + 2] == b"]":
            names[len(constraints)] = text[at + 1].decode("latin-1")
            at += 2
        elif section == 2 and is_ident(token) and text[tokens.next(at + 1, close)] == b"(":
            constraints.append("?")  # a macro for the letter of pointers
            at = _operand(context, tokens.next(at + 1, close), operands, comments)
        elif token[:2] in (b"//", b"/*"):
            comments.append(at)
        elif section == 3 and token == b'"memory"':
            clobbers = True
        elif section > 0 and token != b"," and not is_blank(token) and section != 3:
            return None
        at += 1
    volatile = bool(words & {b"volatile", b"__volatile__"}) or not any(c[:1] in "=+" for c in constraints)
    called = tuple(names.get(i, "") for i in range(len(constraints))) if names else ()
    in_kernel = _is_in_kernel(context, statement.first)
    return Statement(constraints, operands, volatile, clobbers, tuple(comments), in_kernel, called)


def _numbered(read: Statement, text: str) -> str:
    """A template with `%[name]` as the number of the operand."""
    for number, name in enumerate(read.names):
        text = text.replace(f"%[{name}]", f"%{number}") if name else text
    return text


def _is_in_kernel(context: Context, index: int) -> bool:
    """Whether a statement stands in a kernel's own body, so that `return` ends the thread: in no lambda or class."""
    structure, text = context.structure, context.text
    function = context.functions.function_at(index)
    if function is None or not function.is_kernel:
        return False
    brace = structure.enclosing(index)
    while brace is not None and brace != function.body:
        before = structure.prev_code(brace - 1)
        if text(before) == b")" and before in structure.partner:
            before = structure.prev_code(structure.partner[before] - 1)
            if text(before) not in (b"if", b"for", b"while", b"switch", b"constexpr"):
                return False
        elif text(before) not in (b"else", b"do", b"{", b"}", b";", b":"):
            return False
        brace = structure.enclosing(brace)
    return brace is not None


def _has_conditions(context: Context, statement: AsmStatement) -> bool:
    """Whether directives stand among the operands, or with comments among the strings."""
    structure, text = context.structure, context.tokens.text
    inside = range(structure.partner[statement.stop - 1] + 1, statement.stop)
    colon = next((i for i in inside if text[i] in (b":", b"::") and not structure.directive_at(i)), statement.stop)
    if structure.directive_at(statement.first) is not None or not structure.directives_between(inside[0], inside[-1]):
        return False
    comments = any(text[i][:2] in (b"//", b"/*") for i in inside)
    return comments or bool(structure.directives_between(colon, statement.stop))


def _operand(context: Context, opener: int, operands: list[Argument], comments: list[int]) -> int:
    """Read the operand in parentheses, and comments around it; the closing one."""
    tokens, end = context.tokens, context.structure.partner[opener]
    operand = Argument(tokens.next(opener + 1, end), tokens.prev(end - 1) + 1)
    operands.append(operand)
    around = (*range(opener + 1, operand.first), *range(operand.stop, end))
    comments.extend(i for i in around if tokens.text[i][:2] in (b"//", b"/*"))
    return end


def _simple(context: Context, operand: Argument) -> bool:
    """Whether an operand may be written twice: a name or a number."""
    return operand.stop - operand.first == 1


def _replace(context: Context, statement: AsmStatement, read: Statement, text: str) -> None:
    start = context.tokens.start
    parts: list[bytes | Span] = []
    last = 0
    in_macro = context.structure.macro_at(statement.first) is not None
    for match in _PLACE.finditer(text):
        operand = read.operands[int(match[1])]
        before = text[last : match.start()]
        wrapped = before.endswith("(") and text[match.end() : match.end() + 1] == ")"
        plain = wrapped or (not in_macro and _POSTFIX.fullmatch(context.argument_bytes(operand)) is not None)
        parts += [before.encode(), b"" if plain else b"(", (start[operand.first], start[operand.stop])]
        parts.append(b"" if plain else b")")
        last = match.end()
    parts.append(text[last:].encode())
    begin, end = start[statement.first], context.tokens.end(statement.stop - 1)
    context.move(begin, end, (p for p in parts if p))

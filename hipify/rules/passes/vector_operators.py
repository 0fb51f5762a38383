"""Operators that a program defines on `float4` and its like: HIP's vector types bring their own, and the two clash."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.initialisers import VECTORS
from hipify.parser.structure import Argument
from hipify.patterns import lazy
from hipify.records import NamedTuple
from hipify.rules.conditionals import conditionals_of
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

VECTOR_OPERATOR = FindingKind(
    "HPY707",
    Severity.ERROR,
    "operator on a vector type that HIP defines too",
    "HIP's vector types have it, component by component: a use with these operands is ambiguous, and the compiler "
    "rejects it.",
    "Remove the definition where it works by components; else make it a named function.",
    "#include <cuda_runtime.h>\n__device__ float2 operator*(float2 a, float2 b) {\n"
    "    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);\n}\n",
    "#include <hip/hip_runtime.h>\n__device__ float2 complex_product(float2 a, float2 b) {\n"
    "    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);\n}\n",
)

_VECTOR = lazy(rb"(?:u?char|u?short|u?int|u?long|u?longlong|float|double)([1-4])")
_DIMENSIONS = (b"x", b"y", b"z", b"w")
_PLATFORM = b"__HIP_PLATFORM_AMD__"


class _Operator(NamedTuple):
    """A definition: its tokens [first, stop), the operator's name token, and whether HIP's does the same."""

    first: int
    stop: int
    name: int
    shown: str
    same: bool


NEEDS = frozenset((b"operator",))


def run(context: Context) -> None:
    """Keep definitions that HIP's equal away from its compiler, report the others."""
    if b"operator" not in context.tokens.vocabulary or context.options.language == "hip":
        return
    kinds = _kinds(context)
    found = [o for i in context.structure.index[b"operator"] if (o := _read(context, i, kinds)) is not None]
    if not found:
        return
    conditionals = conditionals_of(context)
    found = [o for o in found if not conditionals.leaves_out(context.tokens.start[o.first])]
    for operator in found:
        if operator.same:
            message = f"{operator.shown}: HIP has it, the file's own is for NVIDIA alone now"
            context.find(VECTOR_OPERATOR, operator.name, message=message, severity=Severity.NOTE)
        else:
            message = f"{operator.shown} clashes with HIP's own, which works by components"
            context.find(VECTOR_OPERATOR, operator.name, message=message)
    for first, stop in _groups(context, [o for o in found if o.same]):
        guard_range(context, first, stop)


def _kinds(context: Context) -> dict[bytes, bytes]:
    """The vector types that the file names, and its own names for them, each with the type."""
    names = {name for name in VECTORS.keys() & context.tokens.vocabulary if _VECTOR.fullmatch(name)}
    if not names:
        return {}
    from hipify.rules.vector_lists import Reader

    return {name: vector.name.encode() for name, vector in Reader(context, names).types.items()}


def _made(context: Context, word: bytes, kinds: dict[bytes, bytes]) -> bytes:
    """A word of a body; where it is a macro with the name of a vector type, the function that it calls."""
    if word not in kinds:
        return word
    macros = [m for m in context.structure.macros if m.parameters and context.text(m.name) == word]
    calls = [[context.text(i) for i in context.tokens.significant(m.first, m.stop)] for m in macros]
    given = [
        b"".join(words[1:]) == b"(" + b",".join(m.parameters or ()) + b")"
        for m, words in zip(macros, calls, strict=True)
    ]
    all_make = all(words and words[0].startswith(b"make_") for words in calls)
    return b"make_" + kinds[word] if macros and all(given) and all_make else word


def _read(context: Context, index: int, kinds: dict[bytes, bytes]) -> _Operator | None:
    """The definition at an `operator` token, when it is of a form that clashes."""
    structure, text = context.structure, context.tokens.text
    at = structure.next_code(index + 1)
    symbol = b""
    while at < len(text) and text[at] in (b"*", b"/", b"+", b"-", b"=", b"~", b"%"):
        symbol += text[at]
        at = structure.next_code(at + 1)
    close = structure.partner.get(at) if context.text(at) == b"(" else None
    body = structure.next_code(close + 1) if close is not None else -1
    end = structure.partner.get(body) if context.text(body) == b"{" else None
    if close is None or end is None or not _free(context, index):
        return None
    parameters = [_parameter(context, p, kinds) for p in structure.split(at + 1, close)]
    if not _clashes(symbol, parameters):
        return None
    first = _start(context, index)
    if first is None or structure.directives_between(first, end):
        return None
    kind = parameters[0][0] if parameters[0] is not None else b""
    words = [_made(context, text[i], kinds) for i in context.tokens.significant(body + 1, end)]
    names = [p[2] for p in parameters if p is not None]
    shown = f"operator{symbol.decode()} on {kind.decode()}"
    return _Operator(first, end + 1, index, shown, _by_components(symbol, kind, names, words))


def _free(context: Context, index: int) -> bool:
    """Whether the definition is no member: only namespaces are open around it."""
    structure = context.structure
    brace = structure.enclosing(index)
    while brace is not None:
        before = structure.prev_code(brace - 1)
        words = [context.text(before), context.text(structure.prev_code(before - 1))]
        if b"namespace" not in words and not words[0].startswith(b'"C'):
            return False
        brace = structure.enclosing(brace)
    return True


def _parameter(context: Context, argument: Argument, kinds: dict[bytes, bytes]) -> tuple[bytes, bool, bytes] | None:
    """(type, whether it is a reference that can be written through, name) of a vector parameter."""
    text = context.tokens.text
    words = [text[i] for i in context.tokens.significant(argument.first, argument.stop)]
    constant = b"const" in words
    words = [w for w in words if w not in (b"const", b"__restrict__", b"volatile")]
    reference = b"&" in words
    words = [w for w in words if w != b"&"]
    if len(words) != 2 or words[0] not in kinds:
        return None
    return kinds[words[0]], reference and not constant, words[1]


def _clashes(symbol: bytes, parameters: list[tuple[bytes, bool, bytes] | None]) -> bool:
    """Whether HIP has a function, and no template, of the same operands."""
    kinds = {p[0] for p in parameters if p is not None}
    if None in parameters or len(kinds) != 1:
        return False
    if len(parameters) == 1:
        return symbol in (b"-", b"~")
    writes = parameters[0] is not None and parameters[0][1]
    if len(symbol) == 2 and symbol[1:] == b"=" and symbol != b"==":
        return len(parameters) == 2 and writes
    return len(parameters) == 2 and symbol in (b"*", b"/")


def _start(context: Context, index: int) -> int | None:
    """The first token of the declaration; None for a template."""
    structure, at = context.structure, index
    while (before := structure.prev_code(at - 1)) >= 0:
        token = context.text(before)
        if token in (b";", b"}", b"{", b":"):
            break
        if token == b">" or structure.directives_between(before, at):
            return None if token == b">" else at
        at = before
    return at


def _by_components(symbol: bytes, kind: bytes, names: list[bytes], words: list[bytes]) -> bool:
    """Whether a body does to each component what the operator does to a number."""
    match = _VECTOR.fullmatch(kind)
    if match is None:
        return False
    parts = _DIMENSIONS[: int(match[1])]
    body = b"".join(words)
    if len(names) == 1:
        made = b",".join(symbol + names[0] + b"." + p for p in parts)
        return body == b"returnmake_" + kind + b"(" + made + b");"
    a, b = names
    if not symbol.endswith(b"="):
        made = b",".join(a + b"." + p + symbol + b + b"." + p for p in parts)
        return body in (b"returnmake_" + kind + b"(" + made + b");", b"return{" + made + b"};")
    short = b"".join(a + b"." + p + symbol + b + b"." + p + b";" for p in parts)
    plain = symbol[:-1]
    long = b"".join(a + b"." + p + b"=" + a + b"." + p + plain + b + b"." + p + b";" for p in parts)
    whole = a + b"=" + a + plain + b + b";"
    return body in (x + tail for x in (short, long, whole) for tail in (b"", b"return" + a + b";"))


def _groups(context: Context, operators: list[_Operator]) -> list[tuple[int, int]]:
    """Definitions with nothing but blanks between them, as one range."""
    out: list[tuple[int, int]] = []
    for operator in sorted(operators, key=lambda o: o.first):
        if out and context.tokens.next(out[-1][1]) == operator.first:
            out[-1] = (out[-1][0], operator.stop)
        else:
            out.append((operator.first, operator.stop))
    return out


def guard_range(context: Context, first: int, stop: int, condition: bytes = b"#ifndef " + _PLATFORM) -> None:
    """`#ifndef __HIP_PLATFORM_AMD__`, or another condition, around tokens [first, stop), each on a line of its own."""
    tokens, data, line_end = context.tokens, context.source.data, context.source.newline
    start, end = tokens.start[first], tokens.start[stop]
    line = context.source.line_starts[context.source.position(start)[0] - 1]
    if data[line:start].strip(b" \t\xef\xbb\xbf"):
        context.insert(start, line_end + condition + line_end)
    else:
        context.insert(max(line, context.source.bom_length), condition + line_end)
    rest = data[end : data.find(b"\n", end) if b"\n" in data[end:] else len(data)]
    context.insert(end, line_end + b"#endif" + (line_end if rest.strip() else b""))

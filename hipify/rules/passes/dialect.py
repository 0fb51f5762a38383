"""C++ that nvcc lets pass with a warning, or none, and that clang, hipcc's compiler, rejects.

clang has read the CUDA source already: what it says of the language itself it will say of the translation too.
"""

from __future__ import annotations

from hipify.model import Confidence, Severity
from hipify.parser.scopes import Scopes
from hipify.parser.tokens import Kind, is_ident, kind_of
from hipify.patterns import lazy
from hipify.rules.context import Context
from hipify.rules.declared import type_word
from hipify.rules.kinds import FindingKind

NARROWED = FindingKind(
    "HPY612",
    Severity.ERROR,
    "initialiser in braces that clang does not narrow",
    "nvcc and gcc warn of an integer or floating-point value that a type in braces may not hold; for clang it is an "
    "error.",
    "Write the conversion out, as in static_cast<int>(value).",
    "#include <cuda_runtime.h>\n#define LIST(v) {1, v + v}\nint f(long n) { int a[2] = LIST(n); return a[0]; }\n",
    "#include <hip/hip_runtime.h>\nint f(long n) { int a[2] = {static_cast<int>(n), 1}; return a[0]; }\n",
)
SIZED_AT_RUN_TIME = FindingKind(
    "HPY613",
    Severity.ERROR,
    "array of variable size with an initialiser",
    "gcc, nvcc's host compiler, takes it; clang does not.",
    "Give the array a constant size, or fill it with a loop or memset.",
    "#include <cuda_runtime.h>\nint f(int n) { int a[n] = {0}; return a[0]; }\n",
    "#include <hip/hip_runtime.h>\nint f(int n) { int a[n]; for (int i = 0; i < n; i++) a[i] = 0; return a[0]; }\n",
)
_NARROWING = lazy(
    r"(?:non-constant-expression|type '.+'|constant expression evaluates to .+ which) cannot be narrowed "
    r"(?:from type '[^']+'(?: \(aka '[^']+'\))? )?to (?:type )?'([^']+)'(?: \(aka '([^']+)'\))?"
)
_SIZED = "variable-sized object may not be initialized"
# A list with a name in it, behind what a list follows, or behind an array's size with one: then clang is worth asking.
_LIST = lazy(rb"(?:[=\w\])>,({]|return)\s*\{[^{};]*[A-Za-z_][^{};]*\}|\[\s*[a-z_][^\]\n]*\]\s*=?\s*\{")
_SUFFIXED = (lazy(rb'"([A-Z_a-z][A-Za-z0-9_$\x80-\xff]*)'), lazy(rb"'([A-Z_a-z][A-Za-z0-9_$\x80-\xff]*)"))
_STANDARD_SUFFIXES = frozenset(b"s sv h min ms us ns i il if d y".split())


def run(context: Context) -> None:
    """Write conversions and spaces where clang wants them; report arrays of variable size with an initialiser."""
    if context.options.language == "hip" or context.source.path.endswith(".c"):
        return
    _suffixes(context)
    if "semantics" not in vars(context) and not (context.options.clang and _is_worth_asking(context)):
        return
    semantics = context.semantics
    if semantics is None:
        return
    seen: set[int] = set()
    for text, in_file, offset in semantics.diagnostics():
        if in_file and offset not in seen and (narrowing := _NARROWING.match(text)):
            seen.add(offset)
            _narrow(context, offset, narrowing[2] or narrowing[1])
        elif in_file and text == _SIZED:
            index = context.tokens.index_at(offset)
            context.find(SIZED_AT_RUN_TIME, index, confidence=Confidence.CLANG)


def _is_worth_asking(context: Context) -> bool:
    """Whether a file that clang has not read so far is CUDA, and has lists that may narrow."""
    is_cuda = context.needs_runtime or context.source.has_cuda_name
    return is_cuda and _LIST.search(context.source.data) is not None


def _suffixes(context: Context) -> None:
    """`"%"PRIu64`: clang, unlike gcc, takes the macro for a literal's suffix and stops."""
    tokens, words = context.tokens, context.tokens.vocabulary
    for match in (found for pattern in _SUFFIXED for found in pattern.finditer(context.source.data)):
        if match[1] not in words and context.structure.as_spelled:
            continue  # the first word of a string
        place = match.start() + 1
        index = tokens.index_at(place)
        suffix = tokens.text[index]
        if tokens.start[index] != place or not is_ident(suffix) or suffix[:1] == b"_" or suffix in _STANDARD_SUFFIXES:
            continue  # most are the first letter of a string
        literal = tokens.text[index - 1]
        if len(literal) > 1 and kind_of(literal) in (Kind.STRING, Kind.CHAR) and context.is_code(index - 1):
            context.insert(place, b" ")


def _narrow(context: Context, offset: int, kind: str) -> None:
    """Write out the conversion of the initialiser that begins at a byte, or report it."""
    structure = context.structure
    index = context.tokens.index_at(offset)
    before = structure.prev_code(index - 1)
    opener = before if context.text(before) == b"{" else structure.enclosing(index)
    if opener is not None and context.text(opener) == b"{" and _is_vector(context, opener):
        return  # a class with constructors in HIP: they convert
    if opener is None or context.text(opener) != b"{" or not _begins(context, before):
        _report(context, index, kind)
        return
    argument = next((a for a in structure.arguments(opener) or () if a.first <= index < a.stop), None)
    if argument is None or _in_template(context, opener) or structure.directive_at(index) is not None:
        _report(context, index, kind)
        return
    words = context.tokens.text[argument.first : argument.stop]
    if b"_Float16" in words:
        return  # somebody has written it for HIP
    if len(words) == 1 and words[0] in context.library.names:
        return  # an enumerator of CUDA's: clang is given its name, not its value
    start = context.tokens.start
    context.insert(start[index], b"static_cast<%s>(" % kind.encode(), Confidence.CLANG)
    context.insert(start[argument.stop], b")", Confidence.CLANG)


def _report(context: Context, index: int, kind: str) -> None:
    context.find(NARROWED, index, message=f"narrowed to {kind} in braces", confidence=Confidence.CLANG)


def _begins(context: Context, before: int) -> bool:
    """Whether an initialiser stands behind this token: behind `{`, `,`, or the `=` of `.member =` and `[3] =`."""
    structure, word = context.structure, context.text(before)
    if word != b"=":
        return word in (b"{", b",")
    named = structure.prev_code(before - 1)
    return context.text(named) == b"]" or context.text(structure.prev_code(named - 1)) == b"."


def _is_vector(context: Context, opener: int) -> bool:
    """Whether a list is seen to be that of a vector such as float4, or of one in an array of them."""
    structure = context.structure
    at = structure.prev_code(opener - 1)
    if context.text(at) in (b"{", b","):
        outer = structure.enclosing(opener)
        return outer is not None and context.text(outer) == b"{" and _is_vector(context, outer)
    if context.text(at) == b"=":
        at = structure.prev_code(at - 1)
    while context.text(at) == b"]":
        at = structure.prev_code(structure.partner.get(at, 0) - 1)
    from hipify.parser.initialisers import vector_of

    named = (vector_of(word.decode("utf-8", "replace")) for word in (context.text(at), type_word(context, at)))
    return any(vector is not None and vector.size and not vector.bits for vector in named)


def _in_template(context: Context, brace: int) -> bool:
    """Whether a list stands in a template: other instances have other types."""
    scopes, around = Scopes(context.structure), context.structure.enclosing(brace)
    while around is not None:
        if context.text(around) == b"{" and context.text(scopes.statement(around)) == b"template":
            return True
        around = context.structure.enclosing(around)
    return False

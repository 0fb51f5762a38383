"""Default arguments that a class template's members get where they are defined: nvcc takes them, clang does not."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.structure import Argument
from hipify.parser.tokens import is_ident
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind
from hipify.rules.moves import Span
from hipify.rules.redeclared import Declaration, Redeclared

DEFAULT_ARGUMENT = FindingKind(
    "HPY615",
    Severity.NOTE,
    "default argument at the definition of a class template's member",
    "nvcc takes it there; clang wants default arguments of a template's members in the class.",
    "Nothing needs to be done: the argument stands in the class now.",
    "#include <cuda_runtime.h>\ntemplate <class T> struct A { __device__ int f(int n); };\n"
    "template <class T> __device__ int A<T>::f(int n = 3) { return n; }\n",
    "#include <hip/hip_runtime.h>\ntemplate <class T> struct A { __device__ int f(int n = 3); };\n"
    "template <class T> __device__ int A<T>::f(int n) { return n; }\n",
)
NEEDS = frozenset((b"template",))


def run(context: Context) -> None:
    """Carry the default arguments of definitions into the class, or report them."""
    words = context.tokens.vocabulary
    if context.options.language == "hip" or b"template" not in words or b"::" not in words:
        return
    text, structure, reader = context.tokens.text, context.structure, None
    for link in structure.index.get(b"::", ()):
        opener = link + 2
        if text[opener : opener + 1] != [b"("] or not is_ident(text[link + 1]):
            continue
        if b"=" not in text[opener : structure.partner.get(opener, opener)]:
            continue
        reader = reader or Redeclared(context)
        definition = reader.read(link + 1)
        if definition is not None and definition.has_body and definition.form == "template":
            _settle(context, reader, definition)


def _settle(context: Context, reader: Redeclared, definition: Declaration) -> None:
    """Carry each default argument to the declaration in the class."""
    declared = [
        d
        for d in reader.of(context.text(definition.name))
        if d.name != definition.name and d.scope == definition.scope and reader.same_parameters(d, definition)
    ]
    for number, parameter in enumerate(definition.parameters):
        equals = _equals(context, parameter)
        if equals < 0:
            continue
        other = declared[0].parameters[number] if len(declared) == 1 else None
        if other is None or _equals(context, other) >= 0:
            message = "default argument of a template's member outside of the class: clang takes none there"
            context.find(DEFAULT_ARGUMENT, equals, parameter.stop, message=message, severity=Severity.ERROR)
            continue
        names = dict(zip(definition.names, declared[0].names, strict=False))
        _carry(context, parameter, equals, other, names)
        context.find(DEFAULT_ARGUMENT, equals, parameter.stop)


def _carry(context: Context, parameter: Argument, equals: int, other: Argument, names: dict[bytes, bytes]) -> None:
    """Move a default argument, with the class's names for the parameters of its template."""
    tokens, structure = context.tokens, context.structure
    first, last = structure.next_code(equals + 1), structure.prev_code(parameter.stop - 1)
    parts: list[bytes | Span] = [b" = "]
    begin = tokens.start[first]
    for index in range(first, last + 1):
        word = tokens.text[index]
        if names.get(word, word) != word and tokens.text[index - 1] not in (b".", b"->", b"::"):
            parts += [(begin, tokens.start[index]), names[word]]
            begin = tokens.end(index)
    parts.append((begin, tokens.end(last)))
    behind = tokens.end(structure.prev_code(other.stop - 1))
    blank = tokens.text[equals - 1].isspace()
    gone = tokens.start[equals - 1 if blank else equals]
    context.move(behind, behind, parts)
    context.move(gone, tokens.end(last))


def _equals(context: Context, parameter: Argument) -> int:
    """The `=` in front of a default argument; -1 for none."""
    text, partner = context.tokens.text, context.structure.partner
    index = parameter.first
    while index < parameter.stop:
        if text[index] == b"=":
            return index
        index = max(partner.get(index, index), index) + 1
    return -1

"""Names of a program's own that HIP's headers declare and CUDA's do not: `__smid`, `__lanemask_lt`, `texture`, `MASK1`.

Where all uses stand in one source file the program's name changes, a macro of HIP's is undefined in front of them;
elsewhere the clash is named at its line.
"""

from __future__ import annotations

import re

from hipify.model import Severity
from hipify.parser.scopes import TAGS, Scopes, definition_end
from hipify.parser.structure import Argument
from hipify.parser.tokens import is_ident
from hipify.rules.conditionals import conditionals_of
from hipify.rules.context import Context
from hipify.rules.declared import parameter_words
from hipify.rules.hip_names import Known, known
from hipify.rules.kinds import FindingKind
from hipify.rules.redeclared import Declaration, Redeclared
from hipify.rules.searching import matches, starts_line

OWN_NAME = FindingKind(
    "HPY126",
    Severity.ERROR,
    "name of the program's own that HIP's headers declare",
    "CUDA's headers do not have the name and HIP's do: the compiler rejects the second declaration, or takes HIP's.",
    "Give it another name everywhere.",
    "#include <cuda_runtime.h>\n__device__ unsigned __smid() { return 0; }\n"
    "__global__ void k(unsigned* p) { *p = __smid(); }\n",
    "#include <hip/hip_runtime.h>\n__device__ unsigned my_smid() { return 0; }\n"
    "__global__ void k(unsigned* p) { *p = my_smid(); }\n",
)

NEEDS = frozenset(known())

_HEADERS = (".h", ".cuh", ".hpp", ".hh", ".hxx", ".inl", ".inc", ".tcc", ".impl")
_SAME = {
    b"unsigned": b"unsigned int",
    b"uint": b"unsigned int",
    b"uint32_t": b"unsigned int",
    b"int32_t": b"int",
    b"signed": b"int",
    b"unsigned long": b"uint64_t",
    b"unsigned long long": b"uint64_t",
    b"unsigned long long int": b"uint64_t",
    b"unsigned long int": b"uint64_t",
    b"size_t": b"uint64_t",
}
_QUALIFIERS = frozenset((b"const", b"volatile", b"__restrict__", b"restrict", b"__restrict", b"typename", b"struct"))


def run(context: Context) -> None:
    """Rename or report the program's own declarations of HIP's names."""
    if context.options.language == "hip":
        return
    has_cuda = context.needs_runtime or bool(context.analysis.references)
    for name in sorted(context.tokens.vocabulary & NEEDS):
        what = known()[name]
        if name in context.own_macros or not (has_cuda or name.startswith(b"__")):
            continue
        if what.kind in ("macro", "call"):
            _undefine(context, name, what)
        elif clashes := [i for i in _declarations(context, name, what) if not _is_left_out(context, i)]:
            _part(context, name, clashes)


def _is_left_out(context: Context, index: int) -> bool:
    around = context.branches.around(index)
    return bool(around) and conditionals_of(context).leaves_out(context.tokens.start[index])


# -- functions and types


def _declarations(context: Context, name: bytes, what: Known) -> list[int]:
    """The name tokens of declarations at the outermost level that cannot stand beside HIP's."""
    reader = Redeclared(context)
    functions = [d for d in reader.of(name) if d.scope in ((), (b"",)) and d.form in ("plain", "template")]
    found = {d.name for d in functions if what.kind == "type" or _same_parameters(context, d, what)}
    taken = {d.name for d in functions}
    for own in context.own_names.declared(name):
        if own.is_global and not own.is_function and own.token not in taken:
            found.add(own.token)
    for index in context.structure.index.get(name, ()):
        if index not in found and _is_type(context, reader.scopes, index, what):
            found.add(index)
    if what.kind == "type":
        found = {i for i in found if not _is_same_type(context, reader.scopes, i, what)}
    return sorted(found)


def _same_parameters(context: Context, declaration: Declaration, what: Known) -> bool:
    """Whether one of HIP's functions takes the same types; a template of as many parameters counts."""
    own = [_plain(context, p) for p in declaration.parameters]
    own = [] if own == [{b"void"}] else own
    for types in what.types:
        if b"..." in types:
            if declaration.form == "template":
                return True
            continue
        if len(own) != len(types):
            continue
        if declaration.form == "plain" and all(
            _SAME.get(hip, hip) in mine for mine, hip in zip(own, types, strict=True)
        ):
            return True
    return False


def _plain(context: Context, parameter: Argument) -> set[bytes]:
    """What the type of a parameter may be, as HIP's are written: with its last word, and without."""
    words = [word for word in parameter_words(context, parameter) if word not in _QUALIFIERS]
    joined = {b" ".join(words), b" ".join(words[:-1]) if words and is_ident(words[-1]) else b""}
    return {_SAME.get(each, each) for each in joined if each}


def _is_type(context: Context, scopes: Scopes, index: int, what: Known) -> bool:
    """Whether a class or an alias of this name is declared at the outermost level by token `index`."""
    structure, text = context.structure, context.text
    after, before = text(structure.next_code(index + 1)), text(structure.prev_code(index - 1))
    if structure.directive_at(index) is not None or scopes.scope(index)[0] != "global":
        return False
    if before in TAGS:
        return after in (b"{", b":", b"final") or (after == b";" and what.kind == "type")
    if before == b"using":
        return after == b"="
    return after in (b";", b",") and text(scopes.statement(index)) == b"typedef"


def _is_same_type(context: Context, scopes: Scopes, index: int, what: Known) -> bool:
    """Whether `typedef` or `using` says of a name what HIP says."""
    structure, tokens = context.structure, context.tokens
    first = scopes.statement(index)
    if context.text(first) == b"using":
        words = tokens.text[index + 1 : definition_end(structure, index)]
        made = b" ".join(w for w in words if w.strip() and w != b"=")
    elif context.text(first) == b"typedef":
        made = b" ".join(w for w in tokens.text[structure.next_code(first + 1) : index] if w.strip())
    else:
        return False
    return any(_SAME.get(made, made) == _SAME.get(hip, hip) for types in what.types for hip in types)


def _part(context: Context, name: bytes, clashes: list[int]) -> None:
    """Give the program's function or type another name where all uses are in sight, else report it."""
    shown = name.decode()
    is_header = context.source.path.endswith(_HEADERS)
    if is_header or context.embedded or context.included_names.mentions(name):
        for index in clashes:
            context.find(OWN_NAME, index, message=f"{shown} is declared by HIP's headers, too: not by CUDA's")
        return
    new = b"own_" + name.lstrip(b"_")
    while new in context.tokens.vocabulary:
        new += b"_"
    message = f"{shown} is {new.decode()} now: HIP's headers declare {shown}, CUDA's do not"
    context.find(OWN_NAME, clashes[0], message=message, severity=Severity.NOTE, fix="Nothing needs to be done.")
    for index in context.structure.index.get(name, ()):
        if index not in context.claimed and context.is_code(index) and _is_meant(context, index):
            context.replace(index, new)


def _is_meant(context: Context, index: int) -> bool:
    """Whether a token speaks of the outermost declaration, not of a member, a local name or a macro's parameter."""
    structure, text = context.structure, context.text
    macro = structure.macro_at(index)
    if macro is not None and text(index) in (macro.parameters or ()):
        return False
    link = structure.prev_code(index - 1)
    if text(link) in (b".", b"->", b"##", b"#") or text(structure.next_code(index + 1)) == b"##":
        return False
    if text(link) == b"::" and is_ident(text(structure.prev_code(link - 1)) or b"0"):
        return False
    own = context.own_names.at(index)
    return own is None or own.is_global or own.is_function


# -- macros


def _undefine(context: Context, name: bytes, what: Known) -> None:
    """Undefine a macro of HIP's in front of the first use of a name that the program declares."""
    structure = context.structure
    uses = [
        i for i in structure.index.get(name, ()) if structure.directive_at(i) is None and _may_expand(context, i, what)
    ]
    if not uses or not (context.own_names.declared(name) or context.included_names.mentions(name)):
        return
    if any(_defines(path, name) for path in context.included_names.paths):
        return
    first = next((i for i in uses if not _is_left_out(context, i)), -1)
    if first < 0:
        return
    place = first
    while (opener := structure.enclosing(place)) is not None:
        place = opener
    place = Scopes(structure).statement(place)
    start, newline = context.tokens.start[place], context.source.newline
    at_line_start = start in (0, context.source.bom_length) or context.source.data[start - 1 : start] == b"\n"
    context.insert(start, (b"" if at_line_start else newline) + b"#undef " + name + newline)
    message = f"{name.decode()} is a macro of HIP's headers: undefined in front of the program's own"
    context.find(OWN_NAME, first, message=message, severity=Severity.NOTE, fix="Nothing needs to be done.")


def _may_expand(context: Context, index: int, what: Known) -> bool:
    return what.kind == "macro" or context.text(context.structure.next_code(index + 1)) == b"("


def _defines(path: str, name: bytes) -> bool:
    """Whether a header makes a macro of its own of a name."""
    from hipify.rules.included_names import text_of

    data = text_of(path)
    if name not in data:
        return False
    define = re.compile(rb"#[ \t]*define[ \t]+" + name + rb"\b")
    return next(matches(define, data, starts_line), None) is not None

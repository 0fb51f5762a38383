"""Functions whose declarations differ in `__host__` and `__device__`: one function for nvcc, several for clang."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.source import Source
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.rules.redeclared import Declaration, Redeclared

EXECUTION_SPACE = FindingKind(
    "HPY614",
    Severity.NOTE,
    "declarations of a function that differ in where it runs",
    "nvcc takes a function for all that its declarations say together, and lets a specialisation differ from its "
    "template. For clang they are different functions: definitions do not match, or functions are never defined.",
    "Nothing needs to be done: the declarations say the same now.",
    "#include <cuda_runtime.h>\n__device__ int f(int a);\nint f(int a) { return a; }\n",
    "#include <hip/hip_runtime.h>\n__host__ __device__ int f(int a);\n__host__ __device__ int f(int a) { return a; }\n",
)
_HOST, _DEVICE = b"__host__", b"__device__"
_BOTH = frozenset((_HOST, _DEVICE))
_INLINE = frozenset(b"inline static constexpr __forceinline__ __inline__ __inline".split())


def run(context: Context) -> None:
    """Say the same of a function wherever it is declared."""
    if context.options.language == "hip":
        return
    headers = context.included_names.device if context.structure.includes else []
    marks = {_DEVICE, *context.attribute_macros}
    if marks.isdisjoint(context.tokens.vocabulary) and not headers:
        return
    from hipify.rules.redeclared import Redeclared

    reader = Redeclared(context)
    for name in reader.marked() if not marks.isdisjoint(context.tokens.vocabulary) else ():
        found = reader.of(name)
        if len(found) > 1:
            _settle(context, reader, found)
    for path, names in headers:
        _compare(context, reader, path, names & context.tokens.vocabulary)


def _compare(context: Context, reader: Redeclared, path: str, names: frozenset[bytes]) -> None:
    """Give the file's definitions what a header says of the functions."""
    header: Redeclared | None = None
    for name in sorted(names):
        own = [d for d in reader.of(name) if d.has_body and d.attributes is not None and not d.in_class]
        for d in own if all(b"__global__" not in _spaces(d) for d in own) else ():
            header = header or _header(context, path)
            there = [o for o in header.of(name) if o.attributes is not None and o.form in ("plain", "template")]
            if d.form == "special":
                _follow(context, d, [o for o in there if _may_be_of(d, o)])
                continue
            same = [o for o in there if _may_be_one(o, d) and not o.has_body and header.same_parameters(o, d, reader)]
            spaces = {_spaces(o) for o in same}
            if len(spaces) == 1 and (wanted := spaces.pop()) != _spaces(d):
                if _spaces(d) == _BOTH:
                    _tell(context, d, wanted, "a header")
                else:
                    _write(context, d, wanted)


def _header(context: Context, path: str) -> Redeclared:
    try:
        with open(path, "rb") as stream:
            data = stream.read()
    except OSError:
        data = b""
    from hipify.rules.redeclared import Redeclared

    return Redeclared(Context(Source(data, path), context.options))


def _settle(context: Context, reader: Redeclared, found: list[Declaration]) -> None:
    known = [d for d in found if d.attributes is not None and b"__global__" not in d.attributes]
    known = [d for d in known if b"constexpr" not in context.tokens.text[d.first : d.name]]
    plain = [d for d in known if d.form in ("plain", "template")]
    done: set[int] = set()
    for declaration in plain:
        if declaration.name in done:
            continue
        same = [d for d in plain if _may_be_one(d, declaration) and reader.same_parameters(d, declaration)]
        done.update(d.name for d in same)
        one_branch = all(d.branches == declaration.branches for d in same)
        if one_branch and sum(d.has_body for d in same) < 2:
            union = frozenset().union(*(_spaces(d) for d in same))
            for d in same:
                _write(context, d, union)
    for d in known:
        if d.form in ("special", "instance"):
            _follow(context, d, [p for p in plain if _may_be_of(d, p)])


def _may_be_one(one: Declaration, other: Declaration) -> bool:
    """Whether two declarations may be of one function; a class template's members are no templates in its body."""
    return one.scope == other.scope and (one.form == other.form or bool(one.scope))


def _may_be_of(special: Declaration, primary: Declaration) -> bool:
    """Whether a specialisation or instance is one of a template, or of a member of one."""
    scope = tuple(word.split(b"<")[0] for word in special.scope)
    is_member = any(b"<" in word for word in special.scope)
    return (
        len(special.parameters) == len(primary.parameters)
        and (is_member or primary.form == "template")
        and primary.scope[-len(scope) or len(primary.scope) :] == scope
    )


def _spaces(declaration: Declaration) -> frozenset[bytes]:
    return declaration.attributes or frozenset((_HOST,))


def _follow(context: Context, special: Declaration, templates: list[Declaration]) -> None:
    """Give a specialisation or instance what its template has."""
    if not templates:
        return
    wanted = frozenset().union(*(_spaces(t) for t in templates))
    has = _spaces(special)
    if has == wanted:
        return
    if has < wanted and all(_spaces(t) in (wanted, has) for t in templates):
        _write(context, special, wanted)
        return
    _tell(context, special, wanted, "its template")


def _tell(context: Context, declaration: Declaration, wanted: frozenset[bytes], where: str) -> None:
    name = context.text(declaration.name).decode("utf-8", "replace")
    message = f"{name} is {_shown(_spaces(declaration))} here, in {where} {_shown(wanted)}: no match for clang"
    context.find(EXECUTION_SPACE, declaration.name, message=message, severity=Severity.ERROR)


def _shown(spaces: frozenset[bytes]) -> str:
    return " ".join(word.decode() for word in (_HOST, _DEVICE) if word in spaces)


def _write(context: Context, declaration: Declaration, wanted: frozenset[bytes]) -> None:
    """Add what a declaration lacks; a specialisation is compiled for the other side only where that needs it."""
    written = declaration.attributes or frozenset()
    if _spaces(declaration) == wanted:
        return
    words = [word for word in (_HOST, _DEVICE) if word in wanted and word not in written]
    has_inline = not _INLINE.isdisjoint(context.tokens.text[declaration.first : declaration.name])
    if declaration.form == "special" and declaration.has_body and not has_inline and wanted == _BOTH:
        words.append(b"inline")
    context.insert(context.tokens.start[declaration.first], b"".join(word + b" " for word in words))
    name = context.text(declaration.name).decode("utf-8", "replace")
    message = f"{name} is declared as {_shown(wanted)} everywhere now"
    context.find(EXECUTION_SPACE, declaration.name, message=message)

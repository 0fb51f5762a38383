"""Classes made of a vector type and something else: HIP's vector types bring operators of their own."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.initialisers import VECTORS
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

VECTOR_BASE = FindingKind(
    "HPY715",
    Severity.WARNING,
    "vector type beside another base class",
    "CUDA's vector types are plain structures. HIP's have member operators ([], -, +=, ...): where another base class "
    "has the same, their use in the derived class is ambiguous and does not compile.",
    "Hold the vector as a member, or say `using OtherBase::operator[];` and so on for each operator in the class.",
    "template <class T> struct Ops { T operator-() const; };\nstruct V : Ops<V>, float3 {};\n",
    "#include <hip/hip_runtime.h>\ntemplate <class T> struct Ops { T operator-() const; };\n"
    "struct V : Ops<V> { float x, y, z; };\n",
)
_BEFORE = frozenset((b",", b":", b"public", b"protected", b"private", b"virtual"))
_FAR = 120
NEEDS = frozenset(VECTORS)


def run(context: Context) -> None:
    """Report each class that has a vector type for one of several base classes."""
    if context.options.language == "hip" or not {b"struct", b"class"} & context.tokens.vocabulary:
        return
    structure = context.structure
    for name in sorted(VECTORS.keys() & context.tokens.vocabulary):
        for index in structure.index[name]:
            if context.text(structure.prev_code(index - 1)) not in _BEFORE:
                continue
            if context.text(structure.next_code(index + 1)) not in (b",", b"{"):
                continue
            derived = _derived(context, index)
            if derived and not context.declared_here(name):
                message = (
                    f"{derived} derives from {name.decode()} and another class: HIP's {name.decode()} has operators"
                )
                context.find(VECTOR_BASE, index, message=message)


def _derived(context: Context, index: int) -> str:
    """The class in whose list of several bases a token stands; '' when it stands in none."""
    structure, text = context.structure, context.tokens.text
    colon = at = structure.prev_code(index - 1)
    depth = 0
    for _ in range(_FAR):
        if at < 0 or text[at] in (b";", b"{", b"}", b"(", b"=", b"?"):
            return ""
        depth += text[at].count(b">") - text[at].count(b"<")
        if depth < 0:  # an argument of a template
            return ""
        if text[at] == b":":
            colon = at
        elif text[at] in (b"struct", b"class"):
            break
        at = structure.prev_code(at - 1)
    else:
        return ""
    if text[colon] != b":":
        return ""
    several = text[structure.prev_code(index - 1)] == b"," or text[structure.next_code(index + 1)] == b","
    several = several or b"," in text[colon:index]
    return text[structure.next_code(at + 1)].decode("utf-8", "replace") if several else ""

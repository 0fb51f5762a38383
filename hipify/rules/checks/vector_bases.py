"""Classes made of a vector type and something else: HIP's vector types bring operators of their own."""

from __future__ import annotations

from bisect import bisect_left

from hipify.model import Severity
from hipify.parser.initialisers import VECTORS
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

VECTOR_BASE = FindingKind(
    "HPY715",
    Severity.WARNING,
    "vector type beside another base class",
    "CUDA's vector types are plain structures. HIP's have member operators ([], -, +=, ...): where another base class "
    "has the same, their use in the derived class is ambiguous and does not compile; where the class converts to a "
    "number, HIP takes the vector's operators and not the number's.",
    "Hold the vector as a member, or say `using OtherBase::operator[];` and so on for each operator in the class.",
    "template <class T> struct Ops { T operator-() const; };\nstruct V : Ops<V>, float3 {};\n",
    "#include <hip/hip_runtime.h>\ntemplate <class T> struct Ops { T operator-() const; };\n"
    "struct V : Ops<V> { float x, y, z; };\n",
)
_BEFORE = frozenset((b",", b":", b"public", b"protected", b"private", b"virtual"))
_NUMBERS = frozenset(
    b"char short int long unsigned signed float double size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t "
    b"uint64_t uint ulong".split()
)
_FAR = 120
NEEDS = frozenset(VECTORS)


def run(context: Context) -> None:
    """Report each class that has a vector type for one of several base classes, or converts to something else."""
    if context.options.language == "hip" or not {b"struct", b"class"} & context.tokens.vocabulary:
        return
    structure = context.structure
    for name in sorted(VECTORS.keys() & context.tokens.vocabulary):
        for index in structure.index[name]:
            if context.text(structure.prev_code(index - 1)) not in _BEFORE:
                continue
            if context.text(structure.next_code(index + 1)) not in (b",", b"{"):
                continue
            derived, several = _derived(context, index)
            if not derived or context.declared_here(name):
                continue
            base, target = name.decode(), b"" if several else _converts(context, index)
            if several:
                message = f"{derived} derives from {base} and another class: HIP's {base} has operators"
                context.find(VECTOR_BASE, index, message=message)
            elif target:
                message = (
                    f"{derived} derives from {base} and converts to {target.decode('utf-8', 'replace')}: HIP takes "
                    f"{base}'s own operators before those of what it converts to"
                )
                context.find(VECTOR_BASE, index, message=message)


def _converts(context: Context, index: int) -> bytes:
    """The number that a class converts to by itself, of whose base classes the last stands at `index`; b"" if none."""
    structure = context.structure
    brace = structure.next_code(index + 1)
    stop = structure.partner.get(brace, brace)
    uses = structure.index.get(b"operator", ())
    for at in uses[bisect_left(uses, brace) :]:
        if at >= stop:
            break
        word = context.text(structure.next_code(at + 1))
        explicit = context.text(structure.prev_code(at - 1)) == b"explicit"
        if word in _NUMBERS and not explicit:
            return word
    return b""


def _derived(context: Context, index: int) -> tuple[str, bool]:
    """The class in whose list of bases a token stands ('': none), and whether the list names several."""
    structure, text = context.structure, context.tokens.text
    colon = at = structure.prev_code(index - 1)
    depth = 0
    for _ in range(_FAR):
        if at < 0 or text[at] in (b";", b"{", b"}", b"(", b"=", b"?"):
            return "", False
        depth += text[at].count(b">") - text[at].count(b"<")
        if depth < 0:  # an argument of a template
            return "", False
        if text[at] == b":":
            colon = at
        elif text[at] in (b"struct", b"class"):
            break
        at = structure.prev_code(at - 1)
    else:
        return "", False
    if text[colon] != b":":
        return "", False
    several = text[structure.prev_code(index - 1)] == b"," or text[structure.next_code(index + 1)] == b","
    several = several or b"," in text[colon:index]
    return text[structure.next_code(at + 1)].decode("utf-8", "replace"), several

"""Lists in braces for structs whose members HIP has in another order: the members are named."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.owner import Owner
from hipify.parser.structure import Argument
from hipify.parser.tokens import is_ident
from hipify.rules.context import Context
from hipify.rules.declared import declared_type
from hipify.rules.kinds import FindingKind
from hipify.rules.library import map_name

MEMBER_ORDER = FindingKind(
    "HPY129",
    Severity.NOTE,
    "list for a struct whose members HIP has in another order",
    "HIP's struct has the members of CUDA's in the order of the alphabet: a list without names gives them to the wrong "
    "ones. The names are written now, in CUDA's order, of which clang may warn (-Wreorder-init-list).",
    "Nothing needs to be done, or assign the members one by one.",
    "void f(cudaMemsetParams*);\nvoid g(float* d) {\n    cudaMemsetParams p = {d, 0, 1, 4, 16, 1};\n    f(&p);\n}\n",
    "void f(hipMemsetParams*);\nvoid g(float* d) {\n    hipMemsetParams p = {};\n    p.dst = d;\n    f(&p);\n}\n",
)

_KERNEL = b"func gridDim blockDim sharedMemBytes kernelParams extra"
_MEMSET = b"dst pitch value elementSize width height"
_WINDOW = b"base_ptr num_bytes hitRatio hitProp missProp"
_INSTANTIATE = b"flags uploadStream errNode_out result_out"
_EDGE = b"from_port to_port type"
_ATTRIBUTES = (
    b"sharedSizeBytes constSizeBytes localSizeBytes maxThreadsPerBlock numRegs ptxVersion binaryVersion cacheModeCA "
    b"maxDynamicSharedSizeBytes preferredShmemCarveout"
)
# HIP's names in CUDA's order; a member of three that are one in HIP stands there three times.
_ORDERS = {
    name: tuple(order.split())
    for names, order in (
        (b"cudaKernelNodeParams", _KERNEL),
        (
            b"CUDA_KERNEL_NODE_PARAMS CUDA_KERNEL_NODE_PARAMS_v1 CUDA_KERNEL_NODE_PARAMS_v2",
            _KERNEL.replace(b"gridDim blockDim", b"gridDim gridDim gridDim blockDim blockDim blockDim"),
        ),
        (b"cudaMemsetParams cudaMemsetParamsV2 CUDA_MEMSET_NODE_PARAMS CUDA_MEMSET_NODE_PARAMS_v1", _MEMSET),
        (b"cudaAccessPolicyWindow CUaccessPolicyWindow CUaccessPolicyWindow_v1", _WINDOW),
        (b"cudaGraphInstantiateParams CUDA_GRAPH_INSTANTIATE_PARAMS", _INSTANTIATE),
        (b"cudaGraphEdgeData CUgraphEdgeData", _EDGE),
        (b"cudaFuncAttributes", _ATTRIBUTES),
    )
    for name in names.split()
}
_NOTHING = frozenset((b"0", b"NULL", b"nullptr"))
_NEXT = 32
NEEDS = frozenset(_ORDERS)


def run(context: Context) -> None:
    """Name the members in every list that the file gives to such a struct."""
    if context.options.language == "hip":
        return
    structure, done = context.structure, set[int]()
    for kind in sorted(context.tokens.vocabulary & NEEDS):
        for word in (kind, *_second_names(context, kind)):
            for index in structure.index.get(word, ()):
                if context.is_code(index) and (word != kind or context.owner(index)[0] is not Owner.USER):
                    for brace in _lists(context, index):
                        if brace not in done:
                            _name(context, kind, brace)
                        done.add(brace)


def _second_names(context: Context, kind: bytes) -> list[bytes]:
    """What the file calls a struct besides: `using P = kind;`, `typedef kind P;`."""
    structure, found = context.structure, []
    for index in structure.index.get(kind, ()):
        before, after = structure.prev_code(index - 1), structure.next_code(index + 1)
        lead = structure.prev_code(before - 1)
        if context.text(before) == b"=" and context.text(structure.prev_code(lead - 1)) == b"using":
            found.append(context.text(lead))
        elif context.text(before) == b"typedef" and context.text(structure.next_code(after + 1)) == b";":
            found.append(context.text(after))
    return [name for name in found if is_ident(name)]


def _lists(context: Context, kind: int) -> list[int]:
    """The braces behind a type's word: `T{`, `(T){`, `T a = {`, `T a{`, of each declarator, and in those of arrays."""
    structure, found = context.structure, list[int]()
    at = structure.next_code(kind + 1)
    if context.text(at) == b")" and context.text(structure.prev_code(kind - 1)) == b"(":
        at = structure.next_code(at + 1)
    if context.text(at) in (b">", b","):
        return _held(context, at)
    if context.text(at) == b"{":
        lead = context.text(structure.prev_code(kind - 1))
        if lead == b"->":
            return _returned(context, at)
        return [] if lead in (b"struct", b"class", b"union", b"enum") else [at]
    for _ in range(_NEXT):
        if not is_ident(context.text(at) or b"0"):
            break
        found += _assigned(context, at, context.text(kind))
        at, is_array = structure.next_code(at + 1), False
        if context.text(at) == b"(" and at in structure.partner:
            return found + _returned(context, structure.next_code(structure.partner[at] + 1))
        while context.text(at) == b"[" and at in structure.partner:
            at, is_array = structure.next_code(structure.partner[at] + 1), True
        at = structure.next_code(at + 1) if context.text(at) == b"=" else at
        if context.text(at) == b"{" and at in structure.partner:
            items = structure.split(at + 1, structure.partner[at]) if is_array else ()
            found += [i.first for i in items if context.text(i.first) == b"{"] if is_array else [at]
            at = structure.next_code(structure.partner[at] + 1)
        if context.text(at) != b",":
            break
        at = structure.next_code(at + 1)
    return found


def _held(context: Context, at: int) -> list[int]:
    """The braces of what a container holds: `std::vector<T> v = {{…}, {…}}`, `std::array<T, 2> a = {{{…}, {…}}}`."""
    structure = context.structure
    if context.text(at) == b",":
        at = structure.next_code(structure.next_code(at + 1) + 1)
    name = structure.next_code(at + 1)
    if context.text(at) != b">" or not is_ident(context.text(name) or b"0"):
        return []
    brace = structure.next_code(name + 1)
    brace = structure.next_code(brace + 1) if context.text(brace) == b"=" else brace
    if context.text(brace) == b"{" and context.text(structure.next_code(brace + 1)) == b"{":
        inner = structure.next_code(brace + 1)
        brace = inner if context.text(structure.next_code(inner + 1)) == b"{" else brace
        items = structure.split(brace + 1, structure.partner.get(brace, brace + 1))
        return [item.first for item in items if context.text(item.first) == b"{"]
    return []


def _assigned(context: Context, name: int, kind: bytes) -> list[int]:
    """The braces that are assigned to a variable behind its declaration: `p = {…}`."""
    structure, found = context.structure, list[int]()
    for index in structure.index.get(context.text(name), ()):
        brace = structure.next_code(structure.next_code(index + 1) + 1)
        is_whole = context.text(structure.prev_code(index - 1)) in (b";", b"{", b"}", b")", b"*")
        is_assigned = context.text(structure.next_code(index + 1)) == b"=" and context.text(brace) == b"{"
        if index > name and is_whole and is_assigned and declared_type(context, index) == kind:
            found.append(brace)
    return found


def _returned(context: Context, body: int) -> list[int]:
    """The braces that a function's body returns: `return {…};`."""
    structure = context.structure
    close = structure.partner.get(body, -1) if context.text(body) == b"{" else -1
    braces = (structure.next_code(i + 1) for i in structure.index.get(b"return", ()) if body < i < close)
    return [brace for brace in braces if context.text(brace) == b"{"]


def _name(context: Context, kind: bytes, brace: int) -> None:
    close = context.structure.partner.get(brace)
    items = [i for i in context.structure.split(brace + 1, close) if not i.empty] if close is not None else []
    words = [context.tokens.text[i.first : i.stop] for i in items]
    if not items or words[0][0] == b"." or (len(items) == 1 and words[0][0] in _NOTHING and len(words[0]) == 1):
        return
    api = context.library.get(kind)
    new = map_name(api, context.target).name if api is not None else ""
    if not new:
        return  # the struct's own name is reported
    order = _ORDERS[kind]
    if len(items) > len(order) or any(b"..." in word for word in words):
        message = f"{new} has its members in another order than {kind.decode()}, and not all of this list"
        context.find(MEMBER_ORDER, brace, message=message, severity=Severity.ERROR)
        return
    for place, item in enumerate(items):
        _write(context, order, place, item, is_last=place + 1 == len(items))
    context.find(MEMBER_ORDER, brace, message=f"members named: {new} has them in another order than {kind.decode()}")


def _write(context: Context, order: tuple[bytes, ...], place: int, item: Argument, *, is_last: bool) -> None:
    """The name in front of one value; braces around those that are one member in HIP."""
    name = order[place]
    is_first = place == 0 or order[place - 1] != name
    is_one = order.count(name) == 1
    if is_first:
        context.insert(context.tokens.start[item.first], b"." + name + (b" = " if is_one else b" = {"))
    if not is_one and (is_last or order[place + 1] != name):
        context.insert(context.tokens.end(item.stop - 1), b"}")

"""Members of cooperative groups that HIP has for fewer types, or in later releases only, become functions.

Votes are there from ROCm 7 on; shuffles take numbers, where CUDA's take whatever may be copied byte by byte.
"""

from __future__ import annotations

from hipify.model import Confidence, Severity
from hipify.parser.launches import callee_before
from hipify.parser.structure import Call
from hipify.patterns import lazy
from hipify.rules.context import Context
from hipify.rules.passes.builtins import include_helpers
from hipify.rules.passes.features import GROUP_HEADERS, GROUP_MEMBER, GROUP_MEMBERS

HEADER = "hipify_cooperative_groups.h"
# Member: how many arguments it has in CUDA.
_VOTES = {b"any": 1, b"all": 1, b"ballot": 1, b"match_any": 1, b"match_all": 2}
_SHUFFLES = {b"shfl": 2, b"shfl_up": 2, b"shfl_down": 2, b"shfl_xor": 2}
_NUMBER = lazy(r"(?:(?:unsigned|signed) )?(?:bool|char|short|int|long|long long|float|double|__int128)\Z|enum ")
_PARTITION = b"binary_partition"

NEEDS = frozenset((b"cooperative_groups*", b'"cooperative_groups*'))


def run(context: Context) -> None:
    """Call the helper header's functions in place of the members; report what needs the header's insides."""
    if context.options.language == "hip":
        return
    if b"cooperative_groups" in context.tokens.vocabulary:
        _insides(context)
    if not any(include.name.startswith(b"cooperative_groups") for include in context.structure.includes):
        return
    done = [_rewrite(context, index, call) for index, call in _members(context, _SHUFFLES) if _is_class(context, call)]
    if not context.target.at_least(7):
        done += [_rewrite(context, index, call) for index, call in _members(context, _VOTES)]
        done.append(_tiles(context))
        _tell_partitions(context)
    if any(done):
        context.needs_runtime = True
        if not _is_included(context):
            include_helpers(context, [HEADER])


def _insides(context: Context) -> None:
    """Report what code takes from `cooperative_groups::details`, and leave out the inline namespace of the version."""
    structure, text, index_of = context.structure, context.text, context.structure.index
    inner = [i for name in (b"details", b"experimental", b"__v1") for i in index_of.get(name, ())]
    groups = {b"cooperative_groups"}
    for index in index_of.get(b"namespace", ()) if inner else ():
        name = structure.next_code(index + 1)
        stop = structure.next_code(name + 1)
        words = context.tokens.text[stop : stop + 8]
        if text(stop) == b"=" and b"cooperative_groups" in words and b"details" not in words:
            groups.add(text(name))
    for index in inner:
        link, after = structure.prev_code(index - 1), structure.next_code(index + 1)
        if text(link) != b"::" or text(structure.prev_code(link - 1)) not in groups or not context.is_code(index):
            continue
        member = text(structure.next_code(after + 1)) if text(after) == b"::" else b""
        if text(index) == b"__v1" and member:
            context.edit(context.tokens.start[index], context.tokens.end(after), b"")
        elif text(index) == b"details" and not (member and context.declared_here(member)):
            message = f"{text(structure.prev_code(link - 1)).decode()}::details is the inside of CUDA's library"
            context.find(GROUP_MEMBER, index, message=message)
            context.refer(index, "namespace", "cooperative_groups", False)
        elif text(index) == b"experimental" and member not in GROUP_MEMBERS:
            message = (
                f"{text(structure.prev_code(link - 1)).decode()}::experimental: HIP's groups have no such namespace"
            )
            context.find(GROUP_MEMBER, index, message=message, fix="Leave it out where tiles have at most 32 threads.")
            context.refer(index, "namespace", "cooperative_groups", False)


def _is_included(context: Context) -> bool:
    """Whether the helper header stands in place of one of CUDA's, in no `#if`."""
    paths = context.branches.path
    return any(i.name in GROUP_HEADERS and not paths[i.directive.first] for i in context.structure.includes)


def _is_class(context: Context, call: Call) -> bool:
    """Whether what a call hands over is a structure, by clang's word."""
    if context.semantics is None:
        return False
    name = context.semantics.expr_type(*context.argument_range(call.args[0])).removeprefix("const ")
    return bool(name) and "*" not in name and not _NUMBER.match(name) and not name.startswith("type-parameter")


def _tell_partitions(context: Context) -> None:
    """Report partitions by a predicate."""
    for index in context.structure.index.get(_PARTITION, ()):
        if index in context.claimed or not context.is_code(index) or context.declared_here(_PARTITION):
            continue
        if context.structure.call_at(index) is not None:
            _tell_partition(context, index)


def _tiles(context: Context) -> bool:
    """Whether tiles need the helper header: ROCm 6 has no tiles of tiles, ROCm 5's own tell neither size nor rank."""
    structure, needed = context.structure, False
    blocks = _blocks(context)
    for index in structure.index.get(b"tiled_partition", ()):
        call = structure.call_at(index)
        templated = context.text(structure.next_code(index + 1)) == b"<"
        if call is None or not templated or not context.is_code(index) or len(call.args) != 1:
            continue
        if not context.target.at_least(6):
            context.claimed.add(index)
            context.replace(index, b"hipify_tiled_partition")
            needed = True
        elif context.argument_bytes(call.args[0]).strip() not in blocks:
            needed = needed or b"this_thread_block" not in context.argument_bytes(call.args[0])
    for index in structure.index.get(b"thread_block_tile", ()) if not context.target.at_least(6) else ():
        _tell_parent(context, index)
    return needed


def _blocks(context: Context) -> set[bytes]:
    """The names that are thread blocks, by their declarations."""
    structure, found = context.structure, set()
    for index in structure.index.get(b"this_thread_block", ()):
        before = structure.prev_code(index - 1)
        while context.text(before) in (b"::", b"cg", b"cooperative_groups"):
            before = structure.prev_code(before - 1)
        if context.text(before) == b"=":
            found.add(context.text(structure.prev_code(before - 1)))
    for index in structure.index.get(b"thread_block", ()):
        behind = structure.next_code(index + 1)
        while context.text(behind) in (b"&", b"const"):
            behind = structure.next_code(behind + 1)
        found.add(context.text(behind))
    return found


def _tell_parent(context: Context, index: int) -> None:
    """Report a tile whose type names its parent: ROCm 5 declares its size, rank and sync twice."""
    structure = context.structure
    opener = structure.next_code(index + 1)
    closer = structure.angle_end(opener, 40) if context.text(opener) == b"<" else None
    if closer is None or index in context.claimed or not context.is_code(index):
        return
    if b"," in (context.text(i) for i in range(opener, closer)):
        label = context.target.label
        message = (
            f"thread_block_tile with its parent's type: ROCm {label} declares its size, thread_rank and sync twice"
        )
        context.find(GROUP_MEMBER, index, message=message, fix="Leave the parent's type out.")


def _members(context: Context, members: dict[bytes, int]) -> list[tuple[int, Call]]:
    """The calls of some members, in device code."""
    found = []
    for name, count in members.items():
        for index in context.structure.index.get(name, ()):
            if index in context.claimed or not context.is_code(index):
                continue
            call = context.structure.call_at(index)
            link = context.text(context.structure.prev_code(index - 1))
            if call is None or link not in (b".", b"->") or len(call.args) != count or call.args[0].empty:
                continue
            if context.functions.in_device(index) and not _is_own_member(context, name):
                found.append((index, call))
    return found


def _is_own_member(context: Context, name: bytes) -> bool:
    """Whether the file declares a function of that name; a variable may be called so beside it."""
    structure = context.structure
    return any(context.declares(i) and structure.call_at(i) is not None for i in structure.index.get(name, ()))


def _rewrite(context: Context, index: int, call: Call) -> bool:
    """`group.any(x)` becomes `cooperative_groups::hipify_any(group, x)`."""
    structure, tokens = context.structure, context.tokens
    link = structure.prev_code(index - 1)
    macro = structure.macro_at(index)
    group = callee_before(structure, link, macro.first if macro is not None else 0)
    context.claimed.add(index)
    context.refer(index, "device_function", "cooperative_groups", group is not None)
    if group is None:
        message = f"{context.text(index).decode()}: ROCm {context.target.label} has no such member of a group"
        context.find(GROUP_MEMBER, index, message=message)
        return False
    star = b"*" if context.text(link) == b"->" else b""
    start = b"cooperative_groups::hipify_" + context.text(index) + b"(" + star
    context.insert(tokens.start[group.first], start, Confidence.LEXICAL)
    context.edit(tokens.start[link], tokens.end(call.open), b", ")
    return True


def _tell_partition(context: Context, index: int) -> None:
    context.claimed.add(index)
    context.refer(index, "device_function", "cooperative_groups", context.target.at_least(6))
    name, label = _PARTITION.decode(), context.target.label
    if context.target.at_least(6):
        message = f"{name}: ROCm {label} declares it only when HIP_ENABLE_WARP_SYNC_BUILTINS is defined"
        fix = "Compile with -DHIP_ENABLE_WARP_SYNC_BUILTINS."
        context.find(GROUP_MEMBER, index, message=message, fix=fix, severity=Severity.WARNING)
    else:
        context.find(GROUP_MEMBER, index, message=f"{name}: ROCm {label} does not have it")

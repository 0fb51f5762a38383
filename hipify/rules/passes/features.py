"""Features of newer NVIDIA GPUs: named for what they are, and ported where ROCm has a library with the same calls."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.owner import Owner
from hipify.parser.structure import Include
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind
from hipify.rules.library import map_name
from hipify.rules.passes.builtins import header_text
from hipify.rules.passes.includes import delete_line

WMMA = FindingKind(
    "HPY404",
    Severity.WARNING,
    "tensor core fragments (nvcuda::wmma)",
    "rocWMMA has the same functions. A wavefront of gfx9 has 64 lanes, so that a fragment takes 64 threads where CUDA "
    "takes 32; fragment shapes and element layouts differ by GPU.",
    "Launch 64 threads for each warp on gfx9, and check that the fragment's shape exists there. In a kernel with "
    "fragments warpSize stays the wavefront's size, with --warp preserve too.",
    "#include <mma.h>\n",
    "#include <rocwmma/rocwmma.hpp>\n",
)
WMMA_MISSING = FindingKind(
    "HPY405",
    Severity.ERROR,
    "part of nvcuda::wmma that rocWMMA does not have",
    "rocWMMA has no one-bit and four-bit fragments, and other shapes for some types.",
    "Use a shape and type that rocWMMA has (16x16x16 is on every GPU).",
    "void f() { using T = nvcuda::wmma::experimental::precision::b1; }\n",
    "#include <rocwmma/rocwmma.hpp>\n",
)
CLUSTER = FindingKind(
    "HPY406",
    Severity.ERROR,
    "thread block cluster",
    "AMD GPUs have no clusters and no distributed shared memory under these names.",
    "Exchange through global memory, or use larger blocks.",
    "__global__ void __cluster_dims__(2, 1, 1) f(int* p) { *p = 1; }\n",
    "__global__ void f(int* p) { *p = 1; }\n",
)
TENSOR_MAP = FindingKind(
    "HPY408",
    Severity.ERROR,
    "tensor map (TMA)",
    "AMD GPUs have no tensor memory accelerator with this interface.",
    "Load the tile with ordinary loads into LDS.",
    "void f(CUtensorMap* m);\n",
    "void f(float* tile);\n",
)
ASYNC_BARRIER = FindingKind(
    "HPY410",
    Severity.ERROR,
    "barrier object or asynchronous copy",
    "AMD GPUs have no barrier object in shared memory that copies could signal.",
    "Copy, then __syncthreads(); one barrier for the whole block.",
    "__device__ void f(__mbarrier_t* b) { __mbarrier_init(b, 32); }\n",
    "__device__ void f() { __syncthreads(); }\n",
)
GROUP_MEMBER = FindingKind(
    "HPY412",
    Severity.ERROR,
    "part of cooperative groups that HIP does not have",
    "HIP's cooperative groups declare no such member: hipcc will not compile the line.",
    "Compute it: blockIdx and gridDim give a grid's blocks, `if (group.thread_rank() == 0)` one thread of a group.",
    "#include <cooperative_groups.h>\n"
    "__global__ void f(unsigned* p) { *p = cooperative_groups::this_grid().num_blocks(); }\n",
    "__global__ void f(unsigned* p) { *p = gridDim.x * gridDim.y * gridDim.z; }\n",
)
ADDRESS_SPACE = FindingKind(
    "HPY411",
    Severity.ERROR,
    "conversion between address spaces",
    "The result is an address for PTX. On AMD GPUs a generic pointer works in every address space.",
    "Port the PTX that takes the address; the conversion goes with it.",
    "__device__ unsigned f(const void* p) { return __cvta_generic_to_local(p); }\n",
    "__device__ const void* f(const void* p) { return p; }\n",
)
LAUNCH_FEATURE = FindingKind(
    "HPY204",
    Severity.ERROR,
    "launch attribute that HIP does not have",
    "HIP launches kernels in stream order: no programmatic dependent launch, no clusters, no launch from a graph on "
    "the device.",
    "Leave the attribute out.",
    "void f(cudaLaunchAttribute* a) { a->id = cudaLaunchAttributeProgrammaticStreamSerialization; }\n",
    "void f(hipLaunchAttribute* a) { a->id = hipLaunchAttributeCooperative; }\n",
)
GRAPH_NODE = FindingKind(
    "HPY205",
    Severity.ERROR,
    "graph feature that HIP does not have",
    "HIP graphs have no conditional nodes and no launch from the device.",
    "Choose on the host between graphs, or launch the body from a host loop.",
    "void f(cudaGraphConditionalHandle* h);\n",
    "void f(hipGraph_t* g);\n",
)

_PREFIXES = (
    (b"__cluster", CLUSTER),
    (b"cuTensorMap", TENSOR_MAP),
    (b"CUtensorMap", TENSOR_MAP),
    (b"CU_TENSOR_MAP_", TENSOR_MAP),
    (b"__mbarrier", ASYNC_BARRIER),
    (b"__pipeline_", ASYNC_BARRIER),
    (b"__cvta_", ADDRESS_SPACE),
    (b"cudaLaunchAttribute", LAUNCH_FEATURE),
    (b"CU_LAUNCH_ATTRIBUTE_", LAUNCH_FEATURE),
    (b"cudaGraphCond", GRAPH_NODE),
    (b"CU_GRAPH_COND_", GRAPH_NODE),
    (b"CUgraphConditional", GRAPH_NODE),
    (b"cuGraphConditional", GRAPH_NODE),
    (b"cudaGraphSetConditional", GRAPH_NODE),
    (b"cudaGraphNodeTypeConditional", GRAPH_NODE),
    (b"cudaGraphKernelNodePort", GRAPH_NODE),
)
_STARTS = tuple(prefix for prefix, _ in _PREFIXES)
GROUP_MEMBERS = {
    b"this_cluster": CLUSTER,
    b"cluster_group": CLUSTER,
    b"map_shared_rank": CLUSTER,
    b"query_shared_rank": CLUSTER,
    b"barrier_arrive": ASYNC_BARRIER,
    b"barrier_wait": ASYNC_BARRIER,
    b"block_rank": GROUP_MEMBER,
    b"num_blocks": GROUP_MEMBER,
    b"dim_blocks": GROUP_MEMBER,
    b"block_index": GROUP_MEMBER,
    b"labeled_partition": GROUP_MEMBER,
    b"invoke_one": GROUP_MEMBER,
    b"invoke_one_broadcast": GROUP_MEMBER,
    b"block_tile_memory": GROUP_MEMBER,
    b"reduce_update_async": GROUP_MEMBER,
    b"reduce_store_async": GROUP_MEMBER,
}
# Members that other classes have, too: a grid's only when called without arguments in device code.
_GRID_MEMBERS = (b"block_rank", b"num_blocks", b"dim_blocks", b"block_index")
_TILE_FIX = "Use the thread block with sync() and shared memory, or tiles of fewer threads."
GROUP_HEADERS = (b"cooperative_groups/reduce.h", b"cooperative_groups/scan.h", b"cooperative_groups/memcpy_async.h")
_GROUP_HEADER = "hipify_cooperative_groups.h"
_ROCWMMA = b"rocwmma/rocwmma.hpp"
_WMMA_MISSING = (b"experimental", b"bmma_sync", b"precision")

NEEDS = frozenset(
    (
        *(start + b"*" for start in _STARTS),
        *(b"cooperative_groups*", b'"cooperative_groups*', b"cudaGraphExecUpdateResultInfo"),
        *(b"nvcuda", b"mma", b'"mma.h"'),
    )
)


def run(context: Context) -> None:
    """Report the features, port what can be."""
    if context.options.language == "hip":
        return
    vocabulary = context.tokens.vocabulary
    for name in context.tokens.beginning(_STARTS):
        _feature(context, name)
    includes = {include.name for include in context.structure.includes}
    if any(name.startswith(b"cooperative_groups") for name in includes):
        _groups(context)
    if {b"cudaGraphExecUpdateResultInfo", b"cudaGraphExecUpdate"} <= vocabulary:
        _update_info(context)
    if b"nvcuda" in vocabulary or b"mma.h" in includes:
        _wmma(context)


def _feature(context: Context, name: bytes) -> None:
    """Take over a name that the tables have no counterpart for."""
    api = context.library.get(name)
    if api is None or map_name(api, context.target).name:
        return
    kind = next(kind for prefix, kind in _PREFIXES if name.startswith(prefix))
    shown = name.decode()
    for index in _uses(context, name):
        context.claimed.add(index)
        context.find(kind, index, message=f"{shown}: {kind.title}", confidence=context.owner(index)[1])
        context.refer(index, api.kind, api.library, False)


def _update_info(context: Context) -> None:
    """The result type of cudaGraphExecUpdate, where the call itself is reported as an error."""
    name = b"cudaGraphExecUpdateResultInfo"
    for index in _uses(context, name):
        context.claimed.add(index)
        message = f"{name.decode()}: hipGraphExecUpdate gives a node and a result instead, see the call"
        context.find(GRAPH_NODE, index, message=message, severity=Severity.WARNING)
        context.refer(index, "type", "runtime", False)


def _uses(context: Context, name: bytes) -> list[int]:
    return [
        i
        for i in context.structure.index.get(name, ())
        if i not in context.claimed and context.is_code(i) and context.owner(i)[0] is not Owner.USER
    ]


def _groups(context: Context) -> None:
    """Cooperative groups: the collectives' headers become our own, clusters are reported."""
    found = [i for i in context.structure.includes if i.name in GROUP_HEADERS]
    _replace_includes(context, found, b'"' + _GROUP_HEADER.encode() + b'"')
    if found:
        context.analysis.helper_headers[_GROUP_HEADER] = header_text(_GROUP_HEADER)
        context.needs_runtime = True
    for name, kind in GROUP_MEMBERS.items():
        for index in context.structure.index.get(name, ()):
            before = context.text(context.structure.prev_code(index - 1))
            if (
                before in (b"::", b".", b"->")
                and context.is_code(index)
                and index not in context.claimed
                and (name not in _GRID_MEMBERS or _asks_group(context, index))
            ):
                context.claimed.add(index)
                context.find(kind, index, message=f"{name.decode()}: {kind.title}")
                context.refer(index, "device_function", "cooperative_groups", False)

    if not {b"tiled_partition", b"thread_block_tile"}.isdisjoint(context.tokens.vocabulary):
        _large_tiles(context)
    renamed = {b"dim_threads": b"group_dim"}
    if not context.target.at_least(7):
        renamed[b"num_threads"] = b"size"
    for name, new in renamed.items():
        for index in context.structure.index.get(name, ()):
            if _asks_group(context, index) and index not in context.claimed and context.is_code(index):
                context.replace(index, new)
                context.refer(index, "device_function", "cooperative_groups", True)


def _large_tiles(context: Context) -> None:
    """Tiles of more threads than a wavefront has: CUDA makes them of several warps, with shared memory."""
    from hipify.rules.arch import wavefronts
    from hipify.rules.constants import lexical_number

    structure, text = context.structure, context.text
    narrow = 32 in wavefronts(context.options.offload_arch)
    for name in (b"tiled_partition", b"thread_block_tile"):
        for index in structure.index.get(name, ()):
            opener = structure.next_code(index + 1)
            close = structure.angle_end(opener, 40) if text(opener) == b"<" else structure.partner.get(opener)
            if close is None or not context.is_code(index):
                continue
            sizes = [a for a in structure.split(opener + 1, close) if not a.empty]
            size = sizes[0 if text(opener) == b"<" else -1] if sizes else None
            threads = lexical_number(context, size.first, size.stop) if size is not None else None
            if threads is None or threads < 64 or (threads == 64 and not narrow):
                continue
            message = f"{name.decode()} of {threads} threads: HIP's tiles have at most the lanes of a wavefront"
            message += f", {32 if narrow else 64}"
            context.find(GROUP_MEMBER, index, close + 1, message=message, fix=_TILE_FIX)


def _asks_group(context: Context, index: int) -> bool:
    """Whether this calls a member without arguments in device code, one that is not the user's own."""
    call = context.structure.call_at(index)
    member = context.text(context.structure.prev_code(index - 1)) in (b".", b"->")
    if call is None or not member or any(not argument.empty for argument in call.args):
        return False
    return context.functions.in_device(index) and not context.declared_here(context.text(index))


def _in_one_block(context: Context, first: Include, second: Include) -> bool:
    """Whether only includes stand between two, so that no branch has the second without the first."""
    between = context.structure.directives_between(first.directive.first, second.directive.first)
    return all(directive.name == b"include" for directive in between)


def _replace_includes(context: Context, includes: list[Include], text: bytes) -> None:
    """Write another header, the first time; the same again is taken out. What the includes' pass said is withdrawn."""
    starts = {include.start for include in includes}
    lines = {context.source.position(start)[0] for start in starts}
    analysis = context.analysis
    edited = {e.start for e in analysis.edits}
    last: Include | None = None
    for include in includes:
        if include.start + 1 in edited or include.start in edited:
            continue
        if last is not None and _in_one_block(context, last, include):
            delete_line(context, include)
        else:
            context.edit(include.start, include.end, text)
            last = include
    analysis.findings = [f for f in analysis.findings if f.id not in ("HPY106", "HPY108") or f.start not in starts]
    analysis.references = [
        r._replace(converted=True) if r.kind == "include" and r.line in lines else r for r in analysis.references
    ]


def _wmma(context: Context) -> None:
    """`nvcuda::wmma` becomes rocWMMA, whose functions have the same names."""
    row = context.library.header(b"mma.h")
    has_library = row is not None and context.target.label in row.roc_seen.split(",")
    if not has_library:
        return
    found = [i for i in context.structure.includes if i.name == b"mma.h"]
    _replace_includes(context, found, b"<" + _ROCWMMA + b">")
    for include in found:
        context.find_bytes(
            WMMA, include.start, include.end, message="nvcuda::wmma becomes rocWMMA: 64 threads a fragment on gfx9"
        )
    structure = context.structure
    for index in structure.index.get(b"nvcuda", ()):
        if index not in context.claimed and context.is_code(index):
            _namespace(context, index)
    for index in structure.index.get(b"wmma", ()):
        scope = structure.next_code(index + 1)
        member = structure.next_code(scope + 1)
        if context.text(scope) == b"::" and context.text(member) in _WMMA_MISSING:
            shown = context.text(member).decode()
            context.find(WMMA_MISSING, member, message=f"wmma::{shown}: rocWMMA does not have it")


def _namespace(context: Context, index: int) -> None:
    """`using namespace nvcuda` and `nvcuda::wmma`, in any place."""
    structure, tokens = context.structure, context.tokens
    scope = structure.next_code(index + 1)
    before = structure.prev_code(index - 1)
    if context.text(scope) == b"::":
        member = structure.next_code(scope + 1)
        if context.text(member) != b"wmma":
            return
        start = before if context.text(before) == b"::" else index
        context.edit(tokens.start[start], tokens.end(member), b"rocwmma")
        context.claimed.update((index, member))
        context.refer(index, "namespace", "wmma", True)
    elif context.text(before) == b"namespace":
        using = structure.prev_code(before - 1)
        if context.text(using) == b"using" and context.text(scope) == b";":
            context.edit(tokens.start[using], tokens.end(index), b"namespace wmma = rocwmma")
            context.claimed.add(index)
            context.refer(index, "namespace", "wmma", True)

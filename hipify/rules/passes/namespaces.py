"""Namespaces of CUDA's template libraries: cub becomes hipcub, thrust's CUDA backend becomes its HIP backend."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.owner import Owner
from hipify.patterns import lazy
from hipify.rules.context import Context
from hipify.rules.cub_scopes import stands_for_cub, uses_of
from hipify.rules.headers import require
from hipify.rules.kinds import FindingKind
from hipify.rules.library import map_name

MISSING_MEMBER = FindingKind(
    "HPY701",
    Severity.ERROR,
    "CUB or Thrust name that hipCUB or rocThrust does not have",
    "hipCUB, or rocThrust, declares no such name: hipcc will not compile the line.",
    "Use the rocPRIM primitive, or another hipCUB algorithm.",
    "#include <cub/cub.cuh>\nusing Found = cub::DeviceFind;\n",
    "#include <hipcub/hipcub.hpp>\nusing Found = hipcub::DeviceReduce;\n",
)
CUDA_NAMESPACE = FindingKind(
    "HPY702",
    Severity.ERROR,
    "CUDA C++ library namespace without a ROCm counterpart",
    "libcu++ features under this name are no part of ROCm.",
    "Use the HIP or standard C++ facility, or libhipcxx where it has the header.",
    "__device__ void f(cuda::barrier<cuda::thread_scope_block>& b) { b.arrive_and_wait(); }\n",
)
THRUST_HEADER = FindingKind(
    "HPY709",
    Severity.NOTE,
    "Thrust header added",
    "CUDA's Thrust headers include each other more freely than those of rocThrust before ROCm 7: the algorithm's own "
    "header is included now.",
    "Nothing needs to be done.",
)
# Algorithms by the header that declares them.
_THRUST_HEADERS: dict[str, bytes] = {
    "sequence": b"sequence",
    "tabulate": b"tabulate",
    "generate": b"generate generate_n",
    "fill": b"fill fill_n",
    "gather": b"gather gather_if",
    "scatter": b"scatter scatter_if",
    "reverse": b"reverse reverse_copy",
    "replace": b"replace replace_if replace_copy replace_copy_if",
    "unique": b"unique unique_copy unique_by_key unique_by_key_copy",
    "sort": b"sort stable_sort sort_by_key stable_sort_by_key is_sorted",
    "scan": b"inclusive_scan exclusive_scan inclusive_scan_by_key exclusive_scan_by_key",
    "reduce": b"reduce reduce_by_key",
    "transform": b"transform transform_if",
    "transform_reduce": b"transform_reduce",
    "extrema": b"min_element max_element minmax_element",
    "inner_product": b"inner_product",
    "logical": b"all_of any_of none_of",
}
_THRUST_NAMES = {name: header for header, names in _THRUST_HEADERS.items() for name in names.split()}
# What the headers of libhipcxx declare under the namespace, whose name it keeps.
_THRUST_INNER = {b"cuda_cub": b"hip_rocprim", b"cuda_category": b"hip_category"}
_THRUST_OUTER = (b"thrust", b"system")
# Names of CUDA's Thrust by the ROCm release whose rocThrust has them first; never, where it is none.
_THRUST_LATE: dict[bytes, tuple[int, ...]] = {
    b"tabulate_output_iterator": (7,),
    b"make_tabulate_output_iterator": (7,),
    b"not_fn": (7,),
    b"universal_host_pinned_vector": (7,),
    b"universal_host_pinned_allocator": (),
    b"offset_iterator": (),
    b"make_offset_iterator": (),
    b"strided_iterator": (),
    b"make_strided_iterator": (),
    b"shuffle_iterator": (),
    b"make_shuffle_iterator": (),
}
_SCOPES = (b"::", b"thrust")
# Said behind `using namespace thrust`: nothing else of the name `cuda` has these.
_THRUST_MEMBERS = (b"par", b"par_nosync", b"tag", b"execution_policy")
_SYSTEM = b"THRUST_DEVICE_SYSTEM_CUDA"
# Not the enumerators (BLOCK_LOAD_DIRECT): hipCUB's are the same.
_SPELLED = lazy(rb"[A-Z][a-z]\w*\Z")
_UNSURE = Severity.WARNING
# What is not for a program's use in CUB, and differs in hipCUB.
_INNER = (b"detail", b"internal")
_GET, _CALL = "Call hip%s.", "Call hipCUB's Device%s, which chooses its own tuning."
_INSTEAD = {
    "CurrentDevice": _GET % "GetDevice",
    "DeviceCount": _GET % "GetDeviceCount",
    "DeviceCountCachedValue": _GET % "GetDeviceCount",
    "DeviceCountUncached": _GET % "GetDeviceCount",
    "SwitchDevice": _GET % "SetDevice",
    "SyncStream": _GET % "StreamSynchronize",
    "PtxVersion": _GET % "GetDeviceProperties",
    "SmVersion": _GET % "GetDeviceProperties",
    "MaxSmOccupancy": _GET % "OccupancyMaxActiveBlocksPerMultiprocessor",
    "CTA_SYNC_AND": "Call __syncthreads_and.",
    "CTA_SYNC_OR": "Call __syncthreads_or.",
    "ThreadTrap": "Call __builtin_trap.",
    "FMUL_RZ": "Call __fmul_rz.",
    "FFMA_RZ": "Call __fmaf_rz.",
    "SHFL_IDX_SYNC": "Call __shfl.",
    "SHFL_UP_SYNC": "Call __shfl_up.",
    "SHFL_DOWN_SYNC": "Call __shfl_down.",
}
# What libcu++ and the CUDA C++ runtime have in `cuda::`: other names there are a project's own (OpenCV's cuda::GpuMat).
_IN_CUDA = lazy(
    r"(?:std|mr|ptx|device|experimental|execution|atomic\w*|thread_scope\w*|memory_order\w*|barrier\w*|make_pipeline"
    r"|pipeline\w*|latch|counting_semaphore|binary_semaphore|annotated_ptr|access_property|associate_access_property"
    r"|apply_access_property|discard_memory|aligned_size_t|memcpy_async\w*|stream|stream_ref|event|event_ref|timed_event"
    r"|get_stream\w*|device_ref|device_memory_\w+|devices|physical_device|proclaim_\w+|ceil_div|round_up|round_down"
    r"|ilog2|ilog10|isqrt|ceil_ilog2|maximum|minimum|is_power_of_two|next_power_of_two|prev_power_of_two|bit_\w+"
    r"|bitfield_\w+|bitmask|fast_mod_div|mul_hi|uabs|neg|add_overflow|sub_overflow|div_overflow|overflow_\w+|narrow\w*"
    r"|(?:host|device|managed|restrict|shared_memory)_(?:mdspan|accessor)|is_\w+_(?:mdspan|accessor)\w*|get_property"
    r"|has_property\w*|property_with_value|forward_property|warp_\w+|address_space|is_address_from|is_object_from"
    r"|align_up|align_down|is_aligned|ptr_\w+|(?:counting|constant|transform\w*|zip\w*|permutation|strided|shuffle"
    r"|tabulate\w*|discard)_iterator|make_\w+_iterator|arch_\w+|compute_capability\w*|hierarchy\w*|make_hierarchy"
    r"|grid_dims|block_dims|cluster_dims|make_config|kernel_config|launch|dynamic_shared_memory|cooperative_launch"
    r"|buffer|make_buffer|(?:device|pinned|managed)_buffer|cuda_error|static_for|for_each_canceled_block|argument"
    r"|no_init\w*|copy_bytes|fill_bytes|philox\w+|pcg64\w*)\Z"
)
_LIBHIPCXX = lazy(r"(?:std|atomic\w*|thread_scope\w*|memory_order\w*|mr|stream_ref)\Z")

NEEDS = frozenset((*_THRUST_INNER, _SYSTEM, b"cub", b"cuda", b"nvtx3", b"thrust", b'"thrust/*'))


def run(context: Context) -> None:
    """Rename `cub::` and `thrust::cuda::`, report `cuda::`."""
    _cub(context)
    _thrust(context)
    if not context.target.at_least(7) and any(i.name.startswith(b"thrust/") for i in context.structure.includes):
        _thrust_headers(context)
    _libcudacxx(context)
    _nvtx(context)


def _cub(context: Context) -> None:
    structure = context.structure
    for index in structure.index.get(b"cub", ()):
        if not context.is_code(index) or index in context.claimed:
            continue
        if structure.directive_at(index) is not None and (macro := stands_for_cub(context, index)) is not None:
            context.replace(index, b"hipcub")
            context.refer(index, "namespace", "cub", True)
            for member in uses_of(context, macro):
                _member(context, member)
            continue
        before = context.text(structure.prev_code(index - 1))
        after = structure.next_code(index + 1)
        scope = context.text(after) == b"::"
        alias = b"" if scope else _alias(context, index)
        if not scope and before != b"namespace" and not alias:
            continue
        if before == b"namespace" and context.text(after) == b"=":
            continue  # a name of the program's own: `namespace cub = hipcub;`
        for use in structure.index.get(alias, ()) if alias else ():
            if context.text(structure.next_code(use + 1)) == b"::" and context.is_code(use):
                _member(context, structure.next_code(structure.next_code(use + 1) + 1))
        if before in (b".", b"->") or (before == b"::" and _qualified(context, index)):
            continue
        context.replace(index, b"hipcub")
        context.needs_runtime = True
        context.refer(index, "namespace", "cub", True)
        if scope:
            _member(context, structure.next_code(after + 1))
        elif before == b"namespace" and context.text(after) == b";":
            _unqualified(context)


def _unqualified(context: Context) -> None:
    """What hipCUB lacks, behind `using namespace cub;`: the names may be another library's, too."""
    structure, library = context.structure, context.library
    for name in sorted(context.tokens.vocabulary):
        if not _SPELLED.match(name) or (api := library.get(b"cub::" + name)) is None:
            continue
        if map_name(api, context.target).name or context.declared_here(name):
            continue
        for index in structure.index[name]:
            if context.is_code(index) and context.text(structure.prev_code(index - 1)) not in (b"::", b".", b"->"):
                message = f"{name.decode()}: CUB's, with `using namespace cub`, is not in hipCUB"
                context.find(MISSING_MEMBER, index, message=message, fix=_fix(name), severity=_UNSURE)


def _alias(context: Context, index: int) -> bytes:
    """The name in `namespace NAME = cub` and `namespace NAME = ::cub`, of which `index` is the last token."""
    structure = context.structure
    at = structure.prev_code(index - 1)
    if context.text(at) == b"::":
        at = structure.prev_code(at - 1)
    name = structure.prev_code(at - 1)
    is_alias = context.text(at) == b"=" and context.text(structure.prev_code(name - 1)) == b"namespace"
    return context.text(name) if is_alias else b""


def _qualified(context: Context, index: int) -> bool:
    before = context.structure.prev_code(index - 1)
    left = context.text(context.structure.prev_code(before - 1))
    return left[:1].isalpha() or left[:1] == b"_"


def _member(context: Context, index: int) -> None:
    name = context.text(index)
    api = context.library.get(b"cub::" + name) or None
    if api is None:
        if name in _INNER and context.text(context.structure.next_code(index + 1)) == b"::":
            message = f"cub::{name.decode()} is CUB's own business: hipCUB's is not the same"
            context.find(MISSING_MEMBER, index, message=message, severity=_UNSURE)
        elif _SPELLED.match(name) and not context.declared_here(name):
            context.find(MISSING_MEMBER, index, message=f"cub::{name.decode()}: no table knows it", severity=_UNSURE)
            context.refer(index, "unknown", "cub", False)
        return
    mapping = map_name(api, context.target)
    if not mapping.name:
        context.find(MISSING_MEMBER, index, message=f"cub::{name.decode()}: hipCUB does not have it", fix=_fix(name))
        context.refer(index, api.kind, "cub", False)
        context.claimed.add(index)
        return
    new = mapping.name.rpartition("::")[2].encode()
    context.claimed.add(index)
    if new != name:
        context.replace(index, new)


def _fix(name: bytes) -> str:
    """What to write instead of a name that hipCUB lacks; "" if there is no better advice than the kind's."""
    text = name.decode()
    if text.startswith("Dispatch"):
        return _CALL % text.removeprefix("Dispatch")
    return _INSTEAD.get(text, "")


def _thrust(context: Context) -> None:
    structure = context.structure
    for index in structure.index.get(b"cuda", ()):
        if context.is_code(index) and _is_thrust_backend(context, index):
            context.replace(index, b"hip")
            context.refer(index, "namespace", "thrust", True)
    for name, new in _THRUST_INNER.items():
        for index in structure.index.get(name, ()):
            before = structure.prev_code(index - 1)
            scoped = context.text(before) == b"::" and context.text(structure.prev_code(before - 1)) in _THRUST_OUTER
            alone = name == b"cuda_cub" and (_scopes(context, index) or context.text(before) == b"namespace")
            if context.is_code(index) and (scoped or (alone and context.text(before) not in (b"::", b".", b"->"))):
                context.replace(index, new)
                context.refer(index, "namespace", "thrust", True)
    for index in structure.index.get(_SYSTEM, ()):
        if index not in context.claimed and context.is_code(index):
            context.replace(index, b"THRUST_DEVICE_SYSTEM_HIP")
    for name in _THRUST_LATE.keys() & context.tokens.vocabulary:
        _late(context, name, _THRUST_LATE[name])
    if b"experimental" in structure.index and b"cuda" in structure.index:
        _pinned(context)


def _late(context: Context, name: bytes, since: tuple[int, ...]) -> None:
    if since and context.target.at_least(*since):
        return
    structure = context.structure
    for index in structure.index[name]:
        scope = structure.prev_code(index - 1)
        left = structure.prev_code(scope - 1)
        if context.text(scope) == b"::" and context.text(left) == b"thrust" and context.is_code(index):
            which = f"rocThrust has it since ROCm {since[0]}" if since else "rocThrust does not have it"
            context.find(MISSING_MEMBER, left, index + 1, message=f"thrust::{name.decode()}: {which}")


def _is_thrust_backend(context: Context, index: int) -> bool:
    """Whether a `cuda` token names the namespace thrust::cuda or thrust::system::cuda."""
    structure = context.structure
    before = structure.prev_code(index - 1)
    outer = structure.prev_code(before - 1)
    if context.text(before) == b"::":
        left = context.text(outer)
        return left == b"thrust" or (left == b"system" and context.text(structure.prev_code(outer - 1)) in _SCOPES)
    if context.text(before) == b"namespace":  # `namespace thrust { namespace cuda {`
        brace = structure.enclosing(index)
        return brace is not None and context.text(structure.prev_code(brace - 1)) in _THRUST_OUTER
    member = structure.next_code(structure.next_code(index + 1) + 1)
    if context.text(member) in _THRUST_MEMBERS and _scopes(context, index):
        return any(context.text(structure.prev_code(i - 1)) == b"namespace" for i in structure.index.get(b"thrust", ()))
    return False


def _scopes(context: Context, index: int) -> bool:
    return context.text(context.structure.next_code(index + 1)) == b"::"


def _pinned(context: Context) -> None:
    """`thrust::cuda::experimental::pinned_allocator<T>` is an allocator of a memory resource in rocThrust."""
    structure, start, found = context.structure, context.tokens.start, False
    for index in structure.index[b"experimental"]:
        inner = structure.prev_code(structure.prev_code(index - 1) - 1)
        name = structure.next_code(structure.next_code(index + 1) + 1)
        if context.text(inner) != b"cuda" or inner not in context.claimed or not _scopes(context, index):
            continue
        less = structure.next_code(name + 1)
        greater = structure.angle_end(less) if context.text(less) == b"<" else None
        scope = structure.prev_code(inner - 1)
        if context.text(name) != b"pinned_allocator" or greater is None or context.text(scope) != b"::":
            message = f"thrust::cuda::experimental::{context.text(name).decode()}: rocThrust does not have it"
            context.find(MISSING_MEMBER, index, name + 1, message=message)
            continue
        first = inner
        while context.text(scope) == b"::" and context.text(structure.prev_code(scope - 1)) in _THRUST_OUTER:
            first = structure.prev_code(scope - 1)
            scope = structure.prev_code(first - 1)
        context.analysis.edits = [e for e in context.analysis.edits if e.start != start[inner]]
        context.edit(start[first], context.tokens.end(name), b"thrust::mr::stateless_resource_allocator")
        context.insert(start[greater], b", thrust::system::hip::universal_host_pinned_memory_resource")
        found = True
    if found:
        require(context, ("thrust/mr/allocator.h", "thrust/system/hip/memory_resource.h"))


def _thrust_headers(context: Context) -> None:
    """Include the headers of algorithms that the file uses and does not include."""
    structure = context.structure
    present = {include.name for include in structure.includes}
    missing: dict[str, int] = {}
    for name in sorted(_THRUST_NAMES.keys() & context.tokens.vocabulary):
        header = f"thrust/{_THRUST_NAMES[name]}.h"
        for index in structure.index[name] if header.encode() not in present else ():
            scope = structure.prev_code(index - 1)
            if context.text(scope) == b"::" and context.text(structure.prev_code(scope - 1)) == b"thrust":
                missing.setdefault(header, index)
    for header, index in sorted(missing.items()):
        context.find(THRUST_HEADER, index, message=f"thrust::{context.text(index).decode()}: <{header}> added")
    require(context, missing)


def _libcudacxx(context: Context) -> None:
    structure = context.structure
    if b"cuda" not in structure.index:
        return
    included, undeclared = _includes_libcudacxx(context), not context.declared_here(b"cuda")
    for index in structure.index.get(b"cuda", ()):
        after = structure.next_code(index + 1)
        if index in context.claimed or not context.is_code(index) or context.text(after) != b"::":
            continue
        if context.text(structure.prev_code(index - 1)) in (b"::", b".", b"->") and _qualified(context, index):
            continue
        owner, confidence = context.owner(index)
        member = structure.next_code(after + 1)
        if owner is Owner.USER or not (included or undeclared):
            continue
        name = context.text(member).decode("utf-8", "replace")
        if not included and _IN_CUDA.match(name) is None:
            continue
        with_library = _LIBHIPCXX.match(name) is not None
        place = "libhipcxx has it, which ROCm does not ship" if with_library else "neither ROCm nor libhipcxx has it"
        context.find(
            CUDA_NAMESPACE,
            index,
            member + 1,
            message=f"cuda::{name} is libcu++'s: {place}",
            confidence=confidence,
            severity=Severity.WARNING if with_library else None,
        )
        context.refer(index, "namespace", "libcu++", False)


def _nvtx(context: Context) -> None:
    """Report NVTX's classes for C++: roctx, which its header becomes, has C functions alone."""
    structure = context.structure
    for index in structure.index.get(b"nvtx3", ()):
        after = structure.next_code(index + 1)
        scope, before = context.text(after) == b"::", context.text(structure.prev_code(index - 1))
        if not context.is_code(index) or context.text(after) == b"{" or not (scope or before in (b"namespace", b"=")):
            continue
        last = structure.next_code(after + 1) if scope else index
        shown = f"nvtx3::{context.text(last).decode('utf-8', 'replace')}" if scope else "namespace nvtx3"
        message = f"{shown} is NVTX's for C++: roctx has no classes"
        fix = "Call roctxRangePushA and roctxRangePop, or write a class that does."
        context.find(CUDA_NAMESPACE, index, last + 1, message=message, fix=fix)
        context.refer(index, "namespace", "nvtx", False)


def _includes_libcudacxx(context: Context) -> bool:
    """Whether a header of libcu++ is included: theirs have no ending, unlike a project's own "cuda/filter.hpp"."""
    return any(i.name.startswith(b"cuda/") and b"." not in i.name for i in context.structure.includes)

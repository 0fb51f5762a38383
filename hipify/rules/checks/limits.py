"""Sizes and hints that mean something else on AMD: shared memory, launch bounds, carve-outs, block sizes."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.owner import Owner
from hipify.parser.structure import Argument, Call
from hipify.rules.constants import number, size_of
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

LDS_BYTES = 64 * 1024
_LARGE_LDS = {"gfx950": 160 * 1024}

SHARED_TOO_LARGE = FindingKind(
    "HPY508",
    Severity.ERROR,
    "more than 64 KiB of shared memory for a block",
    "LDS holds 64 KiB for a workgroup on AMD GPUs (160 KiB on gfx950): the compiler rejects more as a static array, "
    "the launch fails with more dynamic shared memory.",
    "Use smaller tiles, or registers for part of the data.",
    "__global__ void f(float* o) {\n    __shared__ float tile[20000];\n    o[0] = tile[threadIdx.x];\n}\n",
    "__global__ void f(float* o) {\n    __shared__ float tile[10000];\n    o[0] = tile[threadIdx.x];\n}\n",
)
SHARED_LIMIT = FindingKind(
    "HPY509",
    Severity.WARNING,
    "opt-in for more dynamic shared memory",
    "CUDA asks for it above 48 KiB. AMD GPUs have 64 KiB for a workgroup (160 KiB on gfx950) and need no opt-in; a "
    "size tuned for NVIDIA's 99 or 227 KiB fails at the launch.",
    "Choose the size by hipDeviceProp_t::sharedMemPerBlock.",
    "void f(int bytes) { cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes); }\n",
    "void f() {}\n",
)
CACHE_HINT = FindingKind(
    "HPY510",
    Severity.NOTE,
    "preference for shared memory or cache that AMD ignores",
    "LDS and cache are separate on AMD GPUs: carve-outs, cache preferences and bank sizes have no effect.",
    "Nothing needs to be done.",
    "void f() { cudaFuncSetCacheConfig(k, cudaFuncCachePreferShared); }\n",
    "void f() {}\n",
)
LAUNCH_BOUNDS = FindingKind(
    "HPY511",
    Severity.NOTE,
    "second argument of __launch_bounds__",
    "CUDA reads it as blocks per multiprocessor, HIP as wavefronts per execution unit (SIMD): the same number asks for "
    "another occupancy, and so for other register limits.",
    "Use (blocks * threads / wavefront size) / 4 on CDNA, or leave it out.",
    "__global__ void __launch_bounds__(256, 4) f(int* p) { *p = 1; }\n",
    "__global__ void __launch_bounds__(256) f(int* p) { *p = 1; }\n",
)
BLOCK_TOO_LARGE = FindingKind(
    "HPY513",
    Severity.ERROR,
    "more than 1024 threads in a block",
    "AMD GPUs run at most 1024 work items in a workgroup: the launch fails.",
    "Use smaller blocks.",
    "void f() { k<<<1, 2048>>>(); }\n",
    "void f() { hipLaunchKernelGGL(k, dim3(2), dim3(1024), 0, 0); }\n",
)

_CACHE_CALLS = (
    b"cudaFuncSetCacheConfig",
    b"cudaDeviceSetCacheConfig",
    b"cudaThreadSetCacheConfig",
    b"cudaDeviceSetSharedMemConfig",
    b"cudaFuncSetSharedMemConfig",
    b"cuFuncSetCacheConfig",
    b"cuFuncSetSharedMemConfig",
    b"cuCtxSetCacheConfig",
    b"cuCtxSetSharedMemConfig",
)
_CARVEOUT = (b"cudaFuncAttributePreferredSharedMemoryCarveout", b"CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT")
_DYNAMIC = (b"cudaFuncAttributeMaxDynamicSharedMemorySize", b"CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES")


def run(context: Context) -> None:
    """Report every such size and hint."""
    vocabulary = context.tokens.vocabulary
    _cache_hints(context)
    for name in _DYNAMIC:
        for index in context.structure.index.get(name, ()) if name in vocabulary else ():
            _opt_in(context, index)
    if b"__launch_bounds__" in vocabulary:
        _launch_bounds(context)
    if b"__shared__" in vocabulary:
        _static_shared(context)
    for launch in context.launches:
        if len(launch.config) > 2 and not launch.config[2].empty:
            _dynamic_shared(context, launch.config[2])
        if len(launch.config) > 1:
            _block(context, launch.config[1])


def _lds(context: Context) -> int:
    """The LDS size of a workgroup: the largest of the architectures asked for."""
    archs = [a.partition(":")[0] for a in context.options.offload_arch]
    return max((_LARGE_LDS.get(a, LDS_BYTES) for a in archs), default=LDS_BYTES)


def _calls(context: Context, name: bytes) -> list[Call]:
    found = (context.structure.call_at(i) for i in context.structure.index.get(name, ()) if context.is_code(i))
    return [c for c in found if c is not None and context.owner(c.name)[0] is not Owner.USER]


def _cache_hints(context: Context) -> None:
    for name in _CACHE_CALLS:
        for call in _calls(context, name) if name in context.tokens.vocabulary else ():
            context.find(CACHE_HINT, call.name, message=f"{name.decode()} has no effect on AMD GPUs")
    for name in _CARVEOUT:
        for index in context.structure.index.get(name, ()):
            context.find(CACHE_HINT, index, message="a shared memory carve-out has no effect on AMD GPUs")


def _opt_in(context: Context, index: int) -> None:
    """`cudaFuncSetAttribute(kernel, …MaxDynamicSharedMemorySize, bytes)`."""
    opener = context.structure.enclosing(index)
    name = context.structure.prev_code(opener - 1) if opener is not None else -1
    call = context.structure.call_at(name) if name >= 0 else None
    if call is None or len(call.args) < 3 or context.text(name) not in (b"cudaFuncSetAttribute", b"cuFuncSetAttribute"):
        return
    size = number(context, call.args[-1])
    if size is None:
        context.find(SHARED_LIMIT, name, call.close + 1)
    elif size > _lds(context):
        _too_large(context, call.args[-1].first, call.args[-1].stop, size)


def _too_large(context: Context, first: int, stop: int, size: int) -> None:
    limit = _lds(context) // 1024
    context.find(SHARED_TOO_LARGE, first, stop, message=f"{size} bytes of shared memory: a block has {limit} KiB")


def _dynamic_shared(context: Context, argument: Argument) -> None:
    size = number(context, argument)
    if size is not None and size > _lds(context):
        _too_large(context, argument.first, argument.stop, size)


def _static_shared(context: Context) -> None:
    """Add up the arrays of each kernel; report the one that goes over the limit."""
    totals: dict[int, int] = {}
    for index in context.structure.index[b"__shared__"]:
        size, stop = _declared_size(context, index)
        if size is None:
            continue
        function = context.functions.function_at(index)
        key = function.body if function is not None else -index
        before = totals.get(key, 0)
        totals[key] = before + size
        if before <= _lds(context) < totals[key]:
            _too_large(context, index, stop, totals[key])


def _declared_size(context: Context, index: int) -> tuple[int | None, int]:
    """Bytes that `__shared__ T name[a][b];` takes, None when that is not known; and where its declarator ends."""
    structure, words = context.structure, []
    if context.text(structure.prev_code(index - 1)) == b"extern":
        return None, index
    at = structure.next_code(index + 1)
    while context.text(at)[:1].isalpha() or context.text(at)[:1] in (b"_", b"*"):
        words.append(context.text(at))
        at = structure.next_code(at + 1)
    size = size_of(words[:-1]) if len(words) > 1 else None
    if context.text(at) != b"[" or size is None:
        return None, index
    while context.text(at) == b"[":
        close = structure.partner.get(at)
        inner = structure.split(at + 1, close) if close is not None else ()
        count = number(context, inner[0]) if len(inner) == 1 else None
        if close is None or count is None:
            return None, index
        size *= count
        at = structure.next_code(close + 1)
    return size, at


def _launch_bounds(context: Context) -> None:
    for call in _calls(context, b"__launch_bounds__"):
        if len(call.args) > 1 and not call.args[1].empty and number(context, call.args[1]) not in (0, 1):
            shown = context.argument_bytes(call.args[1]).decode("utf-8", "replace")
            message = f"__launch_bounds__: {shown} is wavefronts per SIMD on HIP, not blocks per multiprocessor"
            context.find(LAUNCH_BOUNDS, call.args[1].first, call.args[1].stop, message=message)


def _block(context: Context, argument: Argument) -> None:
    threads = _threads(context, argument)
    if threads is not None and threads > 1024:
        message = f"{threads} threads in a block: the limit is 1024"
        context.find(BLOCK_TOO_LARGE, argument.first, argument.stop, message=message)


def _threads(context: Context, argument: Argument) -> int | None:
    if context.text(argument.first) == b"dim3":
        call = context.structure.call_at(argument.first)
        if call is None or call.close + 1 != argument.stop:
            return None
        total = 1
        for part in call.args:
            count = number(context, part)
            if count is None:
                return None
            total *= count
        return total
    return None if argument.empty else number(context, argument)

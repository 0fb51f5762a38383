"""Memory that works on AMD under other conditions: managed memory, prefetch and advice, mapped host memory."""

from __future__ import annotations

from hipify.model import Severity
from hipify.parser.owner import Owner
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

MANAGED = FindingKind(
    "HPY504",
    Severity.NOTE,
    "managed memory",
    "Pages move to the GPU only where it supports XNACK and HSA_XNACK=1 is set (MI200, MI300); elsewhere the memory "
    "stays on the host and kernels read it over the bus. Windows has none.",
    "Measure; where it is slow, use hipMalloc with copies.",
    "void f(float** p) { cudaMallocManaged(p, 1024); }\n",
    "void f(float** p) { hipMalloc(p, 1024); }\n",
)
ADVICE = FindingKind(
    "HPY505",
    Severity.NOTE,
    "prefetch of, or advice about, managed memory",
    "Without XNACK there is nothing to move, and the call may report that it is not supported.",
    "Do not take an error of this call for a failure.",
    "void f(float* p) { cudaMemPrefetchAsync(p, 1024, 0, 0); }\n",
    "void f(float* p) {}\n",
)
MAPPED = FindingKind(
    "HPY507",
    Severity.NOTE,
    "mapped host memory",
    "It is fine-grained and uncached on AMD GPUs: every access crosses the bus, and floating-point atomics on it are "
    "ignored by the hardware on several of them.",
    "Copy what is read more than once; keep atomics out of it.",
    "void f(float** d, float* h) { cudaHostGetDevicePointer(d, h, 0); }\n",
    "void f(float* d, const float* h) { hipMemcpy(d, h, 4, hipMemcpyHostToDevice); }\n",
)

_CALLS = {
    b"cudaMallocManaged": MANAGED,
    b"cuMemAllocManaged": MANAGED,
    b"cudaMemPrefetchAsync": ADVICE,
    b"cuMemPrefetchAsync": ADVICE,
    b"cudaMemPrefetchAsync_v2": ADVICE,
    b"cudaMemAdvise": ADVICE,
    b"cudaMemAdvise_v2": ADVICE,
    b"cuMemAdvise": ADVICE,
    b"cudaHostGetDevicePointer": MAPPED,
    b"cuMemHostGetDevicePointer": MAPPED,
}
NEEDS = frozenset((*_CALLS, b"__managed__"))


def run(context: Context) -> None:
    """Note each call and each managed variable."""
    for name in sorted(context.tokens.vocabulary & _CALLS.keys()):
        for index in context.structure.index[name]:
            call = context.structure.call_at(index) if context.is_code(index) else None
            if call is None:
                continue
            owner, confidence = context.owner(index)
            if owner is not Owner.USER:
                kind = _CALLS[name]
                context.find(kind, index, message=f"{name.decode()}: {kind.title}", confidence=confidence)
    for index in context.structure.index.get(b"__managed__", ()):
        if context.is_code(index):
            context.find(MANAGED, index, message="__managed__ variable")

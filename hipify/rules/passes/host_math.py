"""Mathematics functions that CUDA has on both sides and HIP on the device alone: a helper header has the others."""

from __future__ import annotations

from functools import cache

from hipify.model import Severity
from hipify.parser.owner import Owner
from hipify.patterns import lazy
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind
from hipify.rules.passes.builtins import header_text, include_helpers
from hipify.rules.passes.min_max import is_plain_call, sides

HEADER = "hipify_hostmath.h"
_DEFINITION = lazy(rb"^HIPIFY_HOST [\w ]+? (\w+)\(")
_MISSING = frozenset(
    name + ending for name in (b"erfinv", b"erfcinv", b"erfcx", b"normcdfinv") for ending in (b"", b"f")
)

NO_HOST_VERSION = FindingKind(
    "HPY121",
    Severity.ERROR,
    "mathematics function that HIP has on the device alone",
    "CUDA declares it for host code, too; hipcc finds no function that may be called there.",
    "Use one of a mathematics library on the host (Boost.Math has all of them).",
    "#include <cuda_runtime.h>\ndouble f(double x) { return erfinv(x); }\n",
    "#include <hip/hip_runtime.h>\n#include <cmath>\ndouble f(double x) { return std::erf(x); }\n",
)


@cache
def _provided() -> frozenset[bytes]:
    """The functions that the header has."""
    lines = header_text(HEADER).split(b"\n")
    return frozenset(m[1] for line in lines if (m := _DEFINITION.match(line)) is not None)


def run(context: Context) -> None:
    """Include the header where a call of the host needs it; report what has no host version at all."""
    if context.options.language == "hip":
        return
    vocabulary = context.tokens.vocabulary
    found = sorted(vocabulary & _provided()), sorted(vocabulary & _MISSING)
    if not any(found) or not (context.needs_runtime or context.source.has_cuda_name):
        return
    if any(_on_host(context, name) for name in found[0]):
        context.needs_runtime = True
        include_helpers(context, [HEADER])
    for name in found[1]:
        for index in _on_host(context, name):
            message = f"{name.decode()} is called on the host; HIP has it on the device alone"
            context.find(NO_HOST_VERSION, index, message=message)


def _on_host(context: Context, name: bytes) -> list[int]:
    """The calls of a function of CUDA's in code of the host."""
    if context.declared_here(name):
        return []
    calls = (i for i in context.structure.index.get(name, ()) if is_plain_call(context, i) and sides(context, i)[1])
    return [i for i in calls if context.structure.directive_at(i) is None and context.owner(i)[0] is not Owner.USER]

"""`__launch_bounds__` with three arguments, which HIP's macro does not take."""

from __future__ import annotations

from hipify.model import Severity
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

CLUSTER_BOUNDS = FindingKind(
    "HPY512",
    Severity.NOTE,
    "third argument of __launch_bounds__ removed",
    "It bounds the size of thread block clusters, which AMD GPUs do not have; HIP's macro takes two arguments at most.",
    "Nothing needs to be done.",
    "__global__ void __launch_bounds__(256, 1, 2) f(int* p) { *p = 1; }\n",
    "__global__ void __launch_bounds__(256) f(int* p) { *p = 1; }\n",
)
NEEDS = frozenset((b"__launch_bounds__",))


def run(context: Context) -> None:
    """Take it away."""
    if context.options.language == "hip" or b"__launch_bounds__" in context.own_macros:
        return
    for index in context.structure.index.get(b"__launch_bounds__", ()):
        call = context.structure.call_at(index)
        if call is None or len(call.args) != 3 or not context.is_code(index) or call.args[1].empty:
            continue
        start = context.tokens.start
        context.move(start[call.args[1].stop], start[call.close])
        context.find(CLUSTER_BOUNDS, call.args[2].first, call.args[2].stop)

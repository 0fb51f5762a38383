"""`__maxnreg__(64)` of CUDA 12.4: a number of NVIDIA's registers, which AMD's compiler has no word for."""

from __future__ import annotations

from hipify.model import Severity
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

REGISTER_LIMIT = FindingKind(
    "HPY515",
    Severity.NOTE,
    "limit of registers removed",
    "__maxnreg__ counts the registers of NVIDIA's multiprocessors. AMD's compiler derives its limit from the number of "
    "threads in a block, which __launch_bounds__ tells.",
    "Say __launch_bounds__(threads) where the kernel is slow.",
    "__global__ void __maxnreg__(64) f(int* p) { *p = 1; }\n",
    "__global__ void __launch_bounds__(256) f(int* p) { *p = 1; }\n",
)
_WORD = b"__maxnreg__"


def run(context: Context) -> None:
    """Take the attribute out."""
    if _WORD in context.own_macros or context.options.language == "hip":
        return
    for index in context.structure.index.get(_WORD, ()):
        call = context.structure.call_at(index)
        directive = context.structure.directive_at(index)
        if call is None or (directive is not None and directive.name != b"define"):
            continue
        end = context.tokens.end(call.close)
        blank = context.text(call.close + 1)
        end += len(blank) if blank and not blank.strip(b" \t") else 0
        context.edit(context.tokens.start[index], end, b"")
        context.claimed.add(index)
        context.refer(index, "qualifier", "device", True)
        limit = context.source.data[context.tokens.start[index] : context.tokens.end(call.close)]
        context.find(REGISTER_LIMIT, index, call.close + 1, message=f"{limit.decode('utf-8', 'replace')} removed")

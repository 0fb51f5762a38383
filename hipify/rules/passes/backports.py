"""Names that the target's ROCm does not have yet and a small header can give it: ROCm 5's hipBLAS and hipSPARSE.

The names pass writes the later name (`supplied` says which); here the headers are included where they are needed. They
also hold overloads: before ROCm 6 hipBLAS took data types of its own where translations write HIP's.
"""

from __future__ import annotations

import re
from functools import cache

from hipify.parser.owner import Owner
from hipify.patterns import lazy
from hipify.rules.library import Mapping, map_name
from hipify.rules.passes.builtins import header_text, include_helpers
from hipify.rules.target import Target, label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.rules.context import Context

# The headers, by the letters that CUDA's names begin with, and the release that needs them no more.
_HEADERS = {"cublas": "hipify_hipblas.h", "cusparse": "hipify_hipsparse.h"}
_SINCE = (6, 0)
_LATER = "6.4"
_NEW = lazy(
    rb"^(?:static inline \w+(?: char\*)? |    |typedef \w+ |\} )((?:hip(?:blas|sparse)|HIPBLAS_)\w+)(?:\(| = |;)", re.M
)
_OVERLOAD = lazy(rb"^static inline \w+ HIPIFY_EX\((\w+)\)", re.M)


@cache
def _names(header: str) -> tuple[frozenset[str], frozenset[str]]:
    """What a header adds to a library of ROCm 5: names that it lacks, and functions that take newer types."""
    text = header_text(header)
    return tuple(frozenset(n.decode() for n in found.findall(text)) for found in (_NEW, _OVERLOAD))  # type: ignore[return-value]


def supplied(mapping: Mapping, target: Target) -> Mapping:
    """The mapping of a name that a header of ours supplies for this target; every other one as it is."""
    if mapping.problem != "too_new" or target.rocm >= _SINCE:
        return mapping
    header, name = _HEADERS.get(mapping.api.library, ""), mapping.api.hip_in(_LATER)
    if not header or name not in _names(header)[0]:
        return mapping
    note = f"{name} is of ROCm {_LATER}; for {label(target.rocm)} {header} provides it."
    return mapping._replace(name=name, problem="supplied", note=note)


def run(context: Context) -> None:
    """Include the headers that supply names or overloads of the file's calls."""
    if context.target.rocm >= _SINCE or context.options.language == "hip":
        return
    found = {header for prefix, header in _HEADERS.items() if _needs(context, prefix, header)}
    if found:
        include_helpers(context, sorted(found))


def _needs(context: Context, prefix: str, header: str) -> bool:
    start = (prefix.encode(), prefix.upper().encode())
    for name in context.tokens.beginning(start):
        api = context.library.get(name)
        if api is None:
            continue
        mapping = supplied(map_name(api, context.target), context.target)
        wanted = mapping.problem == "supplied" or (not mapping.problem and mapping.name in _names(header)[1])
        if wanted and any(_is_used(context, index) for index in context.structure.index.get(name, ())):
            return True
    return False


def _is_used(context: Context, index: int) -> bool:
    return context.is_code(index) and context.owner(index)[0] is not Owner.USER

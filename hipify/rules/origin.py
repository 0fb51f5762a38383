"""Whether a source is HIP already: then nothing in it is anybody's to rewrite."""

from __future__ import annotations

import re

from hipify.model import Options, Reference
from hipify.patterns import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.rules.context import Analysis

_HIP = lazy(rb"^[ \t]*#[ \t]*include[ \t]*[<\"]hip/|\bhip[A-Z]\w+[ \t]*[(;*&]", re.MULTILINE)
_ALWAYS_CUDA = ("include", "namespace", "unknown", "macro")


def is_hip(data: bytes, analysis: Analysis, options: Options) -> bool:
    """Whether a source that was read as CUDA names HIP's headers or functions, and nothing that is CUDA's alone."""
    if not analysis.edits or b"hip" not in data or not _HIP.search(data):
        return False
    return not any(_is_cudas(reference, options) for reference in analysis.references)


def _is_cudas(reference: Reference, options: Options) -> bool:
    """Whether a name is CUDA's and not HIP's: `cudaFree`, and not `__shfl_down` or a kernel that is launched."""
    from hipify.rules.library import Library, map_name
    from hipify.rules.target import Target

    if reference.kind in _ALWAYS_CUDA:
        return True
    api = Library.default().get(reference.name.encode("utf-8", "surrogateescape"))
    return api is not None and map_name(api, Target.from_options(options)).name != reference.name

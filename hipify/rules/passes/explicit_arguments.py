"""Template arguments in front of calls that are templates in CUDA's C++ API, and plain functions in HIP's."""

from __future__ import annotations

from hipify.parser.owner import Owner
from hipify.rules.context import Context

_NO_TEMPLATES = frozenset(
    b"cudaFuncGetAttributes cudaFuncGetName cudaFuncSetAttribute cudaFuncSetCacheConfig cudaFuncSetSharedMemConfig "
    b"cudaGetKernel cudaGraphAddMemcpyNodeFromSymbol cudaGraphAddMemcpyNodeToSymbol "
    b"cudaGraphExecMemcpyNodeSetParamsFromSymbol cudaGraphExecMemcpyNodeSetParamsToSymbol "
    b"cudaGraphMemcpyNodeSetParamsFromSymbol cudaGraphMemcpyNodeSetParamsToSymbol cudaHostGetDevicePointer "
    b"cudaLaunchCooperativeKernel cudaLaunchKernel cudaStreamAttachMemAsync cudaUserObjectCreate".split()
)
NEEDS = _NO_TEMPLATES


def run(context: Context) -> None:
    """Take the `<void(int*)>` of `cudaLaunchKernel<void(int*)>(kernel, …)` away: what is called is given already."""
    if context.options.language == "hip":
        return
    structure, start = context.structure, context.tokens.start
    for name in sorted(_NO_TEMPLATES & context.tokens.vocabulary):
        for index in structure.index.get(name, ()):
            less = structure.next_code(index + 1)
            if context.text(less) != b"<" or not context.is_code(index) or context.owner(index)[0] is Owner.USER:
                continue
            greater = structure.angle_end(less)
            if greater is not None and context.text(structure.next_code(greater + 1)) == b"(":
                context.move(start[less], context.tokens.end(greater))

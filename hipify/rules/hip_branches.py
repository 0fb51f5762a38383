"""Branches that no CUDA build enters: what the program wrote for HIP itself."""

from __future__ import annotations

from bisect import bisect_right

from hipify.parser.conditions import DEFINED, UNDEFINED, UNKNOWN, Chain, Environment, MacroValue, condition_value
from hipify.patterns import lazy
from hipify.rules.conditionals import conditionals_of, joined
from hipify.rules.context import Context

_HIP = lazy(rb"(?:\w*_)?(?:HIP(?:CC)?|ROCM|HCC|AMD(?:GPU|GCN)?)(?:_\w*)?\Z|__gfx\w+\Z")
_WIDE = frozenset(b"64 63 64u 63u 64U 63U __popcll __ffsll __clzll uint64_t long".split())
_WIDE_MASK = lazy(rb"0[xX][fF]{16}|~0[uU]?[lL][lL]")
_NVIDIA = (b"NVIDIA", b"NVCC")


def hip_branches(context: Context) -> list[tuple[int, int]]:
    """The token ranges [first, stop) that only a build for HIP compiles, in order and none inside another."""
    names = {n for n in context.tokens.vocabulary if _HIP.match(n) and not n.rstrip(b"_").endswith(_NVIDIA)}
    if not names or not context.structure.directives:
        return []
    cuda, hip = _environment(names, UNDEFINED), _environment(names, DEFINED)
    found: list[tuple[int, int]] = []
    for chain in conditionals_of(context).chains:
        for_cuda, for_hip = _left_out(context, chain, cuda), _left_out(context, chain, hip)
        found += [
            (branch.first, branch.stop)
            for branch, without, within in zip(chain.branches, for_cuda, for_hip, strict=True)
            if without and not within
        ]
    return joined(found)


def counts_in_64(context: Context, ranges: list[tuple[int, int]]) -> bool:
    """Whether code in the ranges knows of 64 lanes: else its author only wrote HIP's names for warps of 32."""
    text = context.tokens.text
    words = {word for first, stop in ranges for word in text[first:stop]}
    return bool(words & _WIDE) or any(_WIDE_MASK.match(word) for word in words)


def inside(ranges: list[tuple[int, int]], index: int) -> bool:
    """Whether a token stands in one of the ranges."""
    at = bisect_right(ranges, (index, 1 << 62)) - 1
    return at >= 0 and index < ranges[at][1]


def _environment(names: set[bytes], value: MacroValue) -> Environment:
    return lambda name: value if name in names else UNKNOWN


def _left_out(context: Context, chain: Chain, environment: Environment) -> list[bool]:
    """For each branch whether a compiler is sure to pass it over."""
    out, entered = [], False
    for branch in chain.branches:
        value = condition_value(context.structure, branch.directive, environment)
        out.append(entered or value is False)
        entered = entered or value is True
    return out

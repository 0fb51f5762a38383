"""Attributes that `#ifdef __CUDA_ARCH__` gives functions in the device pass alone: nvcc's passes never compare them."""

from __future__ import annotations

from hipify.parser.conditions import Branch, condition_value
from hipify.records import NamedTuple
from hipify.rules.conditionals import Conditionals, Guard

_HOST, _DEVICE = b"__host__", b"__device__"
_WORDS = frozenset(
    b"__host__ __device__ __forceinline__ __noinline__ __inline__ __inline inline static extern constexpr".split()
)


class Sided(NamedTuple):
    """What a chain marks for one side at a time: the `__device__`s that lack `__host__`, and whether that can be put
    right where the chain stands (it holds nothing else)."""

    alone: list[int]
    only: bool
    names: tuple[bytes, ...]
    entered: bool
    """Whether HIP takes the guard's own branch once its condition knows of both passes."""


def sided(conditionals: Conditionals, guard: Guard) -> Sided | None:
    """The attributes of a chain that differ between nvcc's passes; None where it holds none."""
    text, directive = conditionals.structure.tokens.text, guard.branch.directive
    if b"__CUDA_ARCH__" not in text[directive.body : directive.stop] or guard.position or len(guard.chain.branches) > 2:
        return None
    if not any(_DEVICE in text[b.first : b.stop] for b in guard.chain.branches):
        return None
    device, host = (_branch(conditionals, guard, on_device) for on_device in (True, False))
    if device is None or device is host:
        return None
    marks, only = _attributes(conditionals, device)
    others, rest = _attributes(conditionals, host) if host is not None else ({}, True)
    found = {
        name: words
        for name, words in marks.items()
        if _DEVICE in (said := {text[i] for i in words})
        and (name in others or (not name and len(marks) == 1 and not others))
        and not ({_HOST, _DEVICE} <= said and {_HOST, _DEVICE} <= {text[i] for i in others.get(name, ())})
    }
    if not found:
        return None
    alone = [i for words in found.values() for i in words if text[i] == _DEVICE and not _has_host(text, words)]
    only = only and rest and found.keys() == marks.keys() and others.keys() <= found.keys()
    return Sided(alone, only, tuple(n for n in found if n), device is guard.branch)


def _has_host(text: list[bytes], words: list[int]) -> bool:
    return any(text[i] == _HOST for i in words)


def _branch(conditionals: Conditionals, guard: Guard, device: bool) -> Branch | None:
    """The branch that a pass of HIP's takes once the chain's tests know HIP's macros."""
    environment = conditionals.environment(device, widened=True)
    for branch in guard.chain.branches:
        value = condition_value(conditionals.structure, branch.directive, environment)
        if value is None:
            return None
        if value:
            return branch
    return None


def _attributes(conditionals: Conditionals, branch: Branch) -> tuple[dict[bytes, list[int]], bool]:
    """The macros of a branch that stand for attributes (b"": bare attributes), and whether it holds nothing else."""
    structure, tokens = conditionals.structure, conditionals.structure.tokens
    found: dict[bytes, list[int]] = {}
    only, at = True, tokens.next(branch.first, branch.stop)
    while at < branch.stop:
        directive = structure.directive_at(at)
        macro = structure.macro_at(at)
        if directive is None:
            only = only and tokens.text[at] in _WORDS
            found.setdefault(b"", []).append(at)
            at = tokens.next(at + 1, branch.stop)
            continue
        words = list(tokens.significant(macro.first, macro.stop)) if macro is not None else []
        if macro is not None and macro.parameters is None and all(tokens.text[i] in _WORDS for i in words):
            found[tokens.text[macro.name]] = words
        else:
            only = False
        at = tokens.next(max(directive.stop, at + 1), branch.stop)
    if not only:
        found.pop(b"", None)
    return found, only

"""CUDA's version and architecture macros outside `#if`: names that HIP's compiler has never heard of."""

from __future__ import annotations

from hipify.model import Severity
from hipify.rules.conditionals import conditionals_of
from hipify.rules.context import Context
from hipify.rules.guard_macros import EXISTENCE, GUARD_WORDS, GuardKind, guard_kind
from hipify.rules.kinds import FindingKind
from hipify.rules.passes.guards import ARCH_GUARD, COMPILER_GUARD, VERSION_GUARD
from hipify.rules.stages import HELD_IN_HEADERS

NEEDS = GUARD_WORDS | {HELD_IN_HEADERS}


def run(context: Context) -> None:
    """Report each use in code or in a macro's body, and where such a macro stands in code."""
    conditionals = conditionals_of(context)
    holders: dict[bytes, tuple[bytes, FindingKind]] = {}
    for name in sorted(conditionals.guard_names - context.own_macros):
        kind = guard_kind(name)
        finding = {GuardKind.VERSION: VERSION_GUARD, GuardKind.ARCH: ARCH_GUARD}.get(kind or GuardKind.COMPILER)
        for index in context.structure.index.get(name, ()):
            directive = context.structure.directive_at(index)
            other = directive is not None and directive.name not in (b"define", b"pragma")
            if index in context.claimed or other:
                continue
            before = context.text(context.structure.prev_code(index - 1))
            if before in (b".", b"->", b"::", b"defined") or (directive is not None and _tested(context, index)):
                continue
            shown = name.decode()
            use = f"use {EXISTENCE[name].decode()}" if name in EXISTENCE else "HIP has no such number"
            if directive is not None and directive.name == b"define" and not _left_out(context, directive.first):
                holders[context.text(context.tokens.next(directive.body))] = name, finding or COMPILER_GUARD
            context.find(
                finding or COMPILER_GUARD,
                index,
                message=f"{shown} is undefined on HIP: {use}",
                severity=Severity.WARNING if directive is not None else Severity.ERROR,
            )

    if holders:
        _uses(context, holders)
    if context.structure.includes and context.included_names.holders:
        _uses_of_headers(context)


def _uses_of_headers(context: Context) -> None:
    """Report a header's macros that hold a guard macro's number where they stand in code."""
    conditionals = conditionals_of(context)
    for name, holder in sorted(conditionals.holders.items()):
        if not holder.theirs or holder.only_asks or name not in context.tokens.vocabulary:
            continue
        kind = {GuardKind.VERSION: VERSION_GUARD, GuardKind.ARCH: ARCH_GUARD}.get(
            guard_kind(holder.held[0]) or GuardKind.COMPILER, COMPILER_GUARD
        )
        for index in context.structure.index[name]:
            before = context.text(context.structure.prev_code(index - 1))
            if index in context.claimed or context.structure.directive_at(index) is not None:
                continue
            if context.is_code(index) and before not in (b".", b"->", b"::"):
                context.claimed.add(index)
                message = f"{name.decode()}, a header's, holds {holder.held[0].decode()}, which is undefined on HIP"
                context.find(kind, index, message=message, severity=Severity.ERROR)


def _uses(context: Context, holders: dict[bytes, tuple[bytes, FindingKind]]) -> None:
    """Report the macros that hold a guard macro where they stand in code: there the compiler meets it."""
    structure = context.structure
    entered = _widened(context)
    for macro in structure.macros:  # another definition may be the one that HIP takes
        name = context.text(macro.name)
        body = context.tokens.text[macro.first : macro.stop]
        others = any(first <= macro.name < stop for first, stop in entered)
        if name in holders and holders[name][0] not in body and not others and not _left_out(context, macro.name):
            del holders[name]
    while more := {
        context.text(macro.name): holders[word]
        for macro in structure.macros
        for word in holders.keys() & set(context.tokens.text[macro.first : macro.stop])
        if context.text(macro.name) not in holders
    }:
        holders |= more
    for macro in structure.macros:
        name = context.text(macro.name)
        for index in structure.index[name] if name in holders else ():
            called = macro.parameters is None or structure.call_at(index) is not None
            if called and index not in context.claimed and structure.directive_at(index) is None:
                context.claimed.add(index)
                held, kind = holders[name]
                message = f"{name.decode()} holds {held.decode()}, which is undefined on HIP"
                context.find(kind, index, message=message, severity=Severity.ERROR)


def _widened(context: Context) -> list[tuple[int, int]]:
    """The branches [first, stop) behind one that asks for HIP, too, now: HIP's device code takes that one."""
    conditionals = conditionals_of(context)
    found = []
    for chain in conditionals.chains if conditionals.widened else ():
        at = next((i for i, b in enumerate(chain.branches) if b.directive.first in conditionals.widened), None)
        found += [(b.first, b.stop) for b in chain.branches[at + 1 :]] if at is not None else []
    return found


def _left_out(context: Context, index: int) -> bool:
    return conditionals_of(context).leaves_out(context.tokens.start[index])


def _tested(context: Context, index: int) -> bool:
    """Whether a macro's body only asks `defined(X)`: the macro is for `#if`."""
    tokens = context.tokens
    before = tokens.prev(index - 1)
    return tokens.text[before] == b"(" and tokens.text[tokens.prev(before - 1)] == b"defined"

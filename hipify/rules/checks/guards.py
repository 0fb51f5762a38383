"""CUDA's version and architecture macros outside `#if`: names that HIP's compiler has never heard of."""

from __future__ import annotations

from hipify.model import Severity
from hipify.rules.conditionals import EXISTENCE, GuardKind, conditionals_of, guard_kind
from hipify.rules.context import Context
from hipify.rules.passes.guards import ARCH_GUARD, COMPILER_GUARD, VERSION_GUARD


def run(context: Context) -> None:
    """Report each use in code or in a macro's body."""
    conditionals = conditionals_of(context)
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
            context.find(
                finding or COMPILER_GUARD,
                index,
                message=f"{shown} is undefined on HIP: {use}",
                severity=Severity.WARNING if directive is not None else Severity.ERROR,
            )


def _tested(context: Context, index: int) -> bool:
    """Whether a macro's body only asks `defined(X)`: the macro is for `#if`."""
    tokens = context.tokens
    before = tokens.prev(index - 1)
    return tokens.text[before] == b"(" and tokens.text[tokens.prev(before - 1)] == b"defined"

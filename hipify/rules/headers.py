"""Includes that rules ask for: headers that a call needs, and the user's own header rules."""

from __future__ import annotations

from collections.abc import Iterable

from hipify.rules.context import Context
from hipify.rules.language import Rule


def rewrite(context: Context, rules: Iterable[Rule]) -> None:
    """Carry out the user's header rules; the includes that they decide are claimed."""
    by_name = {rule.name.encode(): rule for rule in reversed(list(rules))}
    for include in context.structure.includes:
        rule = by_name.get(include.name)
        if rule is None or include.directive.first in context.claimed:
            continue
        context.claimed.add(include.directive.first)
        if rule.kind == "header" and rule.template is not None:
            context.edit(include.start + 1, include.end - 1, rule.template.callee[0][1].encode())
            context.refer(include.directive.first, "include", "user", True, include.name)
        elif rule.kind == "header_drop":
            start = context.tokens.start
            stop = include.directive.stop
            behind = context.tokens.end(stop) if stop < len(context.tokens) else start[stop]
            context.edit(start[include.directive.first], behind, b"")
            context.refer(include.directive.first, "include", "user", True, include.name)


def require(context: Context, names: Iterable[str]) -> None:
    """Include headers that the file does not include yet, behind its last include."""
    present = {_becomes(context, i.name) for i in context.structure.includes}
    missing = [n for n in names if n not in present]
    if not missing:
        return
    line_end = context.source.newline
    lines = b"".join(b"#include <" + n.encode() + b">" + line_end for n in missing)
    offset = _behind_last_include(context)
    if offset is None:
        from hipify.rules.passes.includes import _insertion_point

        offset = _insertion_point(context)
    data = context.source.data
    at_line_start = offset in (0, context.source.bom_length) or data[offset - 1 : offset] == b"\n"
    context.insert(offset, lines if at_line_start else line_end + lines)


def _becomes(context: Context, name: bytes) -> str:
    api = context.library.header(name)
    return (api.hip_in(context.target.label) if api is not None else "") or name.decode("utf-8", "replace")


def _behind_last_include(context: Context) -> int | None:
    """The byte behind the line of the last include that stands in no `#if`; None when there is none."""
    depth, last = 0, None
    for directive in context.structure.directives:
        if directive.name in (b"if", b"ifdef", b"ifndef"):
            depth += 1
        elif directive.name == b"endif":
            depth -= 1
        elif directive.name == b"include" and depth == 0:
            last = directive
    if last is None:
        return None
    tokens = context.tokens
    return tokens.end(last.stop) if last.stop < len(tokens) else tokens.start[last.stop]

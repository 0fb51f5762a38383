"""Includes that rules ask for: headers that a call needs, and the user's own header rules."""

from __future__ import annotations

import os
from collections.abc import Iterable

from hipify.included import TOOLKIT
from hipify.parser.brackets import Directive
from hipify.parser.structure import Include
from hipify.rules.context import Context
from hipify.rules.language import Rule
from hipify.rules.library import HeaderApi, Library

STRING_FUNCTIONS = tuple(
    b"memset memcpy memmove memcmp memchr memccpy memrchr mempcpy memmem strlen strnlen strcmp strncmp strcasecmp "
    b"strncasecmp strcoll strxfrm strcpy strncpy stpcpy stpncpy strcat strncat strstr strcasestr strchr strrchr "
    b"strchrnul strspn strcspn strpbrk strtok strtok_r strsep strdup strndup strerror strerror_r strsignal bzero "
    b"bcopy".split()
)
"""What <string.h> declares, which nvcc includes with every file and hip/hip_runtime.h does not."""


class _WithRules(Library):
    """The tables, with what rules say of some headers in front."""

    def __init__(self, tables: Library, own: dict[bytes, HeaderApi | None]) -> None:
        self.__dict__.update(tables.__dict__)
        self._own = own

    def header(self, path: bytes) -> HeaderApi | None:
        """What an include path becomes; None when it stays."""
        return self._own[path] if path in self._own else super().header(path)


def is_beside(path: str, include: bytes) -> bool:
    """Whether the folder of a source holds an included file."""
    return os.path.isfile(os.path.join(os.path.dirname(path), include.decode("utf-8", "surrogateescape")))


def is_in_project(context: Context, include: bytes) -> bool:
    """Whether the source's folder or an include folder holds a file; folders of a CUDA toolkit do not count."""
    if is_beside(context.source.path, include):
        return True
    name = include.decode("utf-8", "surrogateescape")
    return any(
        os.path.isfile(os.path.join(folder, name)) and not os.path.isfile(os.path.join(folder, TOOLKIT))
        for folder in context.options.include_dirs
    )


def rewrite(context: Context, rules: Iterable[Rule]) -> None:
    """Let header rules decide: the include pass sees them as rows of the table; a project's own file is edited here."""
    by_name = {rule.name.encode(): rule for rule in reversed(list(rules))}
    if not by_name:
        return
    own: dict[bytes, HeaderApi | None] = {name: _row(context, rule) for name, rule in by_name.items()}
    for include in context.structure.includes:
        rule = by_name.get(include.name)
        if rule is None or rule.kind != "header" or include.angled or not is_beside(context.source.path, include.name):
            continue
        own[include.name] = None
        context.edit(include.start + 1, include.end - 1, _new_name(rule))
        context.refer(include.directive.first, "include", "user", True, include.name)
    context.library = _WithRules(context.library, own)


def _new_name(rule: Rule) -> bytes:
    return rule.template.callee[0][1].encode() if rule.template is not None else b""


def _row(context: Context, rule: Rule) -> HeaderApi | None:
    if rule.kind == "header_keep":
        return None
    known = context.library.header(rule.name.encode())
    library, label = known.library if known is not None else "user", context.target.label
    if rule.kind == "header_drop":
        return HeaderApi(rule.name, library, "", "", "drop", "", "", "")
    return HeaderApi(rule.name, library, _new_name(rule).decode(), "", "mapped", "", label, "")


def require(context: Context, names: Iterable[str], behind: Include | None = None) -> None:
    """Include headers that the file does not include yet, behind its last include, or behind a given one."""
    present = {_becomes(context, i.name) for i in context.structure.includes}
    missing = [n for n in names if n not in present]
    if not missing:
        return
    line_end = context.source.newline
    lines = b"".join(b"#include <" + n.encode() + b">" + line_end for n in missing)
    offset = behind_line(context, behind.directive) if behind is not None else _behind_last_include(context)
    if offset is None:
        from hipify.rules.passes.includes import insertion_point

        offset = insertion_point(context)
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
    return behind_line(context, last) if last is not None else None


def behind_line(context: Context, directive: Directive) -> int:
    tokens = context.tokens
    return tokens.end(directive.stop) if directive.stop < len(tokens) else tokens.start[directive.stop]

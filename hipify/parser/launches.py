"""Kernel launches `callee<<<grid, block, shared, stream>>>(args)`, in every form that C++ allows."""

from __future__ import annotations

from hipify.parser.structure import KEYWORDS, Argument, Structure
from hipify.parser.tokens import is_ident
from hipify.records import NamedTuple

_STATEMENT_STARTS = frozenset((b";", b"{", b"}", b"else", b"do", b":"))


class Launch(NamedTuple):
    """One launch, as token indices.

    `callee` is the whole callee expression [first, stop); `less` is the `<<<` token and `greater` the first of the
    three `>`; `open` and `close` are the parentheses of the kernel's arguments (both -1 when none follow).
    `statement` tells whether the launch is a statement of its own, as a macro that expands to one needs.
    """

    callee: Argument
    less: int
    config: tuple[Argument, ...]
    greater: int
    open: int
    close: int
    args: tuple[Argument, ...]
    templated: bool
    statement: bool
    in_macro: bool
    split_by_directive: bool


def find_launches(structure: Structure) -> list[Launch]:
    """Every launch of a file, nested ones (in a lambda argument) included, in order of their `<<<`."""
    out = []
    for less in structure.index.get(b"<<<", ()):
        launch = _read(structure, less)
        if launch is not None:
            out.append(launch)
    return out


def _read(structure: Structure, less: int) -> Launch | None:
    tokens = structure.tokens
    directive = structure.directive_at(less)
    if directive is not None and directive.name == b"include":
        return None
    macro = structure.macro_at(less)
    floor = macro.first if macro is not None else 0
    callee = callee_before(structure, less, floor)
    greater = _closing(structure, less)
    if callee is None or greater is None:
        return None
    config = structure.split(less + 1, greater)
    opener = structure.next_code(greater + 3)
    close = -1
    if opener < len(tokens) and tokens.text[opener] == b"(":
        close = structure.partner.get(opener, -1)
    if close < 0:
        opener = -1
    args = structure.split(opener + 1, close) if close > 0 else ()
    last = close if close > 0 else greater + 2
    split = any(callee.first < d.first <= last for d in structure.directives_between(callee.first, last))
    return Launch(
        callee,
        less,
        config,
        greater,
        opener,
        close,
        args,
        tokens.text[callee.stop - 1] == b">",
        _is_statement(structure, callee.first, last, floor, macro.stop if macro else None),
        macro is not None,
        split,
    )


def _closing(structure: Structure, less: int) -> int | None:
    """The first of the three `>` that close the configuration opened at `less`."""
    text, partner = structure.tokens.text, structure.partner
    index, stop = less + 1, len(text)
    directive = structure.directive_at(less)
    if directive is not None:
        stop = directive.stop
    while index < stop:
        token = text[index]
        if token in (b"(", b"[", b"{"):
            index = partner.get(index, stop)
        elif token == b">" and text[index : index + 3] == [b">"] * 3:
            run = 3
            while index + run < stop and text[index + run] == b">":
                run += 1
            follower = structure.next_code(index + run)
            if run > 3 or _not_scope(text, follower):
                return index + run - 3
            index += run - 1
        elif token in (b";", b")", b"]", b"}", b"<<<"):
            return None
        index += 1
    return None


def _not_scope(text: list[bytes], index: int) -> bool:
    return index >= len(text) or text[index] != b"::"


def callee_before(structure: Structure, less: int, floor: int) -> Argument | None:
    """The callee expression that ends before the `<<<` at `less`: name, member, element, dereference or call."""
    tokens, text = structure.tokens, structure.tokens.text
    stop = structure.prev_code(less - 1) + 1
    at = _primary(structure, stop - 1, floor)
    while at is not None and at > floor:
        before = structure.prev_code(at - 1)
        if before < floor:
            break
        link = text[before]
        if link == b"template":
            at = before
            continue
        if link == b"##" and before > floor:
            at = _primary(structure, tokens.prev(before - 1), floor)
        elif link == b"::":
            left = structure.prev_code(before - 1)
            deeper = _primary(structure, left, floor) if left >= floor and text[left] not in KEYWORDS else None
            if deeper is None or (not is_ident(text[left]) and text[left] != b">"):
                return Argument(before, stop)
            at = deeper
        elif link in (b".", b"->", b"->*"):
            at = _primary(structure, structure.prev_code(before - 1), floor)
        else:
            break
    return None if at is None or at < floor else Argument(at, stop)


def _primary(structure: Structure, index: int, floor: int) -> int | None:
    """First token of the name, template-id, call, element or parenthesis that ends at token `index`."""
    text, partner = structure.tokens.text, structure.partner
    while index >= floor:
        token = text[index]
        if token == b">":
            start = structure.angle_start(index, floor)
            index = structure.prev_code(start - 1) if start is not None else -1
            if index < floor or not is_ident(text[index]):
                return None
            return index
        if token == b"]":
            opener = partner.get(index)
            if opener is None:
                return None
            index = structure.prev_code(opener - 1)
        elif token == b")":
            opener = partner.get(index)
            if opener is None:
                return None
            before = structure.prev_code(opener - 1)
            if before >= floor and text[before] == b")" and (word := _decltype(structure, before, floor)) is not None:
                return word
            if before >= floor and text[before] == b"}" and (start := _lambda(structure, before, floor)) is not None:
                return start
            callable_ = before >= floor and (is_ident(text[before]) or text[before] in (b">", b"]", b")"))
            if not callable_ or text[before] in KEYWORDS:
                return opener
            if text[before] == b")" and not _is_postfix(structure, before, floor):
                return opener
            index = before
        else:
            return index if is_ident(token) and token not in KEYWORDS else None
    return None


def _decltype(structure: Structure, close: int, floor: int) -> int | None:
    """The word of a `decltype(kernel)` that ends at `close`: what is in parentheses behind it is cast to that type."""
    word = structure.prev_code(structure.partner.get(close, 0) - 1)
    return word if word >= floor and structure.tokens.text[word] in (b"decltype", b"__typeof__", b"typeof") else None


def _lambda(structure: Structure, close: int, floor: int) -> int | None:
    """The `[` of a lambda whose body ends at `close`, as in `[](int i) { return kernels[i]; }(3)<<<1, 32>>>(p)`."""
    text, partner = structure.tokens.text, structure.partner
    index = structure.prev_code(partner.get(close, 0) - 1)
    while index > floor and (is_ident(text[index]) or text[index] in (b")", b"->", b"::", b"*", b"&", b">", b"<")):
        index = structure.prev_code((partner.get(index, 0) if text[index] == b")" else index) - 1)
    opener = partner.get(index, -1) if index > floor and text[index] == b"]" else -1
    before = structure.prev_code(opener - 1) if opener > floor else -1
    is_subscript = before >= floor and (text[before] in (b"]", b")") or is_ident(text[before]))
    return None if opener < floor or (is_subscript and text[before] not in KEYWORDS) else opener


def _is_postfix(structure: Structure, close: int, floor: int) -> bool:
    """Whether the parenthesis that closes at `close` belongs to an expression, not to `if (...)` or a macro call."""
    opener = structure.partner.get(close, -1)
    before = structure.prev_code(opener - 1) if opener > floor else -1
    return before >= floor and is_ident(structure.tokens.text[before]) and structure.tokens.text[before] not in KEYWORDS


def _is_statement(structure: Structure, first: int, last: int, floor: int, stop: int | None) -> bool:
    """Whether tokens [first, last] are an expression statement, judged by what stands before and behind."""
    text = structure.tokens.text
    before = structure.prev_code(first - 1)
    if before >= floor and stop is not None and before < floor:
        before = -1
    if before >= floor:
        token = text[before]
        if token == b")":
            opener = structure.partner.get(before, -1)
            word = structure.prev_code(opener - 1)
            if opener < 0 or word < 0 or not is_ident(text[word]) or text[word] in (b"sizeof", b"return"):
                return False
        elif token not in _STATEMENT_STARTS or (token == b":" and _in_ternary(structure, before)):
            return False
    after = structure.next_code(last + 1)
    if stop is not None and after >= stop:
        return True
    return after >= len(text) or text[after] == b";" or (stop is not None and text[after] == b"}")


def _in_ternary(structure: Structure, colon: int) -> bool:
    """Whether the `:` belongs to `?:` and not to a label."""
    text = structure.tokens.text
    for index in range(colon - 1, max(colon - 200, -1), -1):
        if text[index] in (b";", b"{", b"}", b"case", b"default"):
            return False
        if text[index] == b"?":
            return True
    return False

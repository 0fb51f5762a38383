"""Strings that code looks for or compares with, rather than passes on."""

from __future__ import annotations

from hipify.rules.context import Context

_COMPARE = frozenset(
    b"find rfind find_first_of compare contains count starts_with ends_with startswith endswith startsWith endsWith "
    b"strcmp strncmp strcasecmp strncasecmp strstr memcmp has_suffix has_prefix HasSuffix HasPrefix erase".split()
)
_FAR = 60


def is_compared(context: Context, index: int) -> bool:
    """Whether the string at a token is one side of `==` or `!=`, or an argument of a function that compares."""
    structure, text = context.structure, context.tokens.text
    before, after = structure.prev_code(index - 1), structure.next_code(index + 1)
    if after >= len(text):
        return False
    if text[before] in (b"==", b"!=") or text[after] in (b"==", b"!="):
        return True
    for _ in range(_FAR):
        if before <= 0 or text[before] in (b";", b"{", b"}"):
            return False
        if text[before] == b"(":
            return text[structure.prev_code(before - 1)] in _COMPARE
        if text[before] in (b")", b"]"):
            before = structure.partner.get(before, before)
        before = structure.prev_code(before - 1)
    return False

"""How options are written in build files: quotes around values, values behind short names, several in one."""

from __future__ import annotations

from collections.abc import Iterable

_CLANGS = {"-export-dynamic": "-rdynamic"}
"""Options that g++ takes in another spelling than clang."""
_WITH_COMMAS = ("-Wl", "-Wa", "-Wp")


def host_options(value: str) -> list[str]:
    """The host compiler's options in one value: commas and blanks separate them, but those inside `-Wl,` stay."""
    items: list[str] = []
    for item in value.split(","):
        if items and items[-1].split(",", 1)[0] in _WITH_COMMAS:
            items[-1] += f",{item}"
        else:
            items += [_CLANGS.get(word, word) for word in item.split()]
    return items


def bare(value: str) -> str:
    """A value without the quotes around it."""
    text = value.replace('\\"', '"')
    while len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    return text


def unquoted(value: str) -> str:
    """A value without the quotes around it, with those inside it as a shell's word without quotes needs them."""
    for quote in ('\\"', "'", '"', '\\"'):
        if len(value) >= 2 * len(quote) and value.startswith(quote) and value.endswith(quote):
            value = value[len(quote) : -len(quote)]
            value = value.replace('"', '\\"') if quote == "'" else value.replace('\\\\\\"', '\\"')
    return value


def fits(short: str, rest: str) -> bool:
    """Whether what follows a short option can be its value: `-lineinfo` is no `-l`, `-time` no `-t`."""
    if short == "-O":
        return rest in ("0", "1", "2", "3", "s", "fast", "g", "z")
    if short == "-t":
        return rest.isdecimal()
    if short == "-m":
        return False
    return bool(rest) and (short != "-x" or rest in ("cu", "c", "c++"))


def same_command(made: Iterable[str], old: Iterable[str]) -> bool:
    """Whether two spellings are one: `-I dir` and `-Idir`."""
    return "".join(made).replace(" ", "") == "".join(old).replace(" ", "")

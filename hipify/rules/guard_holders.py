"""Macros of a project that hold macros which tell of CUDA: `#define ON_DEVICE defined(__CUDA_ARCH__)`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from hipify.records import NamedTuple
from hipify.rules.context import Context
from hipify.rules.guard_macros import EXISTENCE, HIP_WORD
from hipify.rules.included_names import Macro

_ROUNDS = 8  # macros in macros that are defined behind them


class Holder(NamedTuple):
    """A macro of the project whose body has a macro that tells of CUDA."""

    words: tuple[bytes, ...] | None
    """The body; None for a macro with parameters or several definitions."""
    held: tuple[bytes, ...]
    only_asks: bool
    """Whether the body asks no more than `defined(X)`, of macros that have one of HIP's beside them."""
    theirs: bool
    """Whether a header defines it."""


def find_holders(context: Context, theirs: Collection[Macro], is_guard: Callable[[bytes], bool]) -> dict[bytes, Holder]:
    """The macros of a file, and of its headers, that hold a guard macro in each of their definitions."""
    text, tokens, own = context.tokens.text, context.tokens, context.own_macros
    given: dict[bytes, list[Macro]] = {}
    for macro in context.structure.macros:
        words = tuple(text[i] for i in tokens.significant(macro.first, macro.stop))
        given.setdefault(text[macro.name], []).append(Macro(text[macro.name], macro.parameters is not None, words))
    for their in theirs:
        if their.name not in own:
            given.setdefault(their.name, []).append(their)
    found: dict[bytes, Holder] = {}
    for _ in range(_ROUNDS):
        count = len(found)
        for name, macros in given.items():
            if name not in found and (holder := _holder(macros, found, name not in own, own, is_guard)) is not None:
                found[name] = holder
        if len(found) == count:
            break
    return found


def _holder(
    macros: list[Macro],
    found: dict[bytes, Holder],
    theirs: bool,
    own: Collection[bytes],
    is_guard: Callable[[bytes], bool],
) -> Holder | None:
    held: dict[bytes, None] = {}
    only_asks = True
    for macro in macros:
        here = [w for w in macro.words if w in found or (w not in own and is_guard(w))]
        if not here or any(HIP_WORD.search(word) for word in macro.words):
            return None
        only_asks &= _only_asks(macro.words, here) and all(w in EXISTENCE for w in here)
        for word in here:
            held.update(dict.fromkeys(found[word].held if word in found else (word,)))
    alone = len(macros) == 1 and not macros[0].is_called
    return Holder(macros[0].words if alone else None, tuple(held), only_asks, theirs)


def _only_asks(words: Sequence[bytes], names: Collection[bytes]) -> bool:
    """Whether each of these names stands behind `defined` in a body."""
    return all(
        words[i - 1 : i] == (b"defined",) or words[i - 2 : i] == (b"defined", b"(")
        for i, word in enumerate(words)
        if word in names
    )

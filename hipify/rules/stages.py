"""The passes and checks in their order, each imported for the first source that has one of the words it needs.

A module may say `NEEDS`: words without which a source is none of its business (`cuTensorMap*`: words that
begin so, `*warp*`: that have it in them, in small letters or large).
What the modules say is kept in the user's cache, as importing all of them takes longer than reading a short source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from types import ModuleType

from hipify.rules.context import Context
from hipify.rules.kinds import modules
from hipify.rules.remembered import remembered

# The guards first: what they widen decides what HIP's passes see. What claims tokens runs before what takes the rest.
_ORDER = (
    *(
        "guards",
        "member_order",
        "explicit_arguments",
        "calls",
        "launches",
        "includes",
        "cub_warp",
        "namespaces",
        "cub_wrapped",
        "fields",
        "pasting",
        "warp",
        "ptx",
    ),
    *("conventions", "descriptors", "builtins", "features", "library_values", "names"),
)

_Numbers = dict[bytes, list[int]]


HELD_IN_HEADERS = b"(macros of headers)"
"""What stages need that deal with a header's macros, if those hold macros that tell of CUDA: no word of a source."""


class Stage:
    """One pass or check, by its module's name."""

    __slots__ = ("module", "needs", "run")

    def __init__(self, module: str, needs: Iterable[bytes] | None) -> None:
        self.module = module
        self.needs = needs if needs is None else frozenset(needs)
        self.run: Callable[[Context], None] = self._first

    @property
    def name(self) -> str:
        """The name that tells it from others."""
        return self.module.rpartition(".")[2]

    def _first(self, context: Context) -> None:
        self.run = import_module(self.module).run
        self.run(context)


def wanted(context: Context) -> Iterator[Stage]:
    """The stages that may have something to say about a source, in the order in which they run."""
    always, words, by_word, by_start, by_part = _needs()
    vocabulary = context.tokens.vocabulary
    numbers = always.union(*[by_word[word] for word in words & vocabulary])
    for word in context.tokens.beginning(by_start):
        numbers.update(*(of for start, of in by_start.items() if word.startswith(start)))
    # Tokens are the bytes of the file, but for words that a splice cuts in two.
    small = (context.source.data if context.structure.as_spelled else b"\n".join(vocabulary)).lower()
    numbers.update(*(of for part, of in by_part.items() if part in small))
    if context.structure.includes and context.included_names.holders:
        numbers.update(by_word[HELD_IN_HEADERS])
    found = stages()
    for number in sorted(numbers):
        yield found[number]


@cache
def _needs() -> tuple[set[int], frozenset[bytes], _Numbers, _Numbers, _Numbers]:
    """The stages, by their places in the order, that run always; all words; who needs a word, a beginning, a part."""
    always: set[int] = set()
    found: tuple[_Numbers, _Numbers, _Numbers] = ({}, {}, {})
    for number, stage in enumerate(stages()):
        if stage.needs is None:
            always.add(number)
        for word in stage.needs or ():
            form = (word[-1:] == b"*") + (word[:1] == b"*") if len(word) > 2 else 0
            found[form].setdefault(word.strip(b"*") if form else word, []).append(number)
    return always, frozenset(found[0]), *found


@cache
def stages() -> tuple[Stage, ...]:
    """All of them, in the order in which they run."""
    return tuple(Stage(name, needs) for name, needs in remembered("stages", _read))


def _read() -> list[tuple[str, list[bytes] | None]]:
    """The modules and their words."""
    found = sorted((module for module in modules() if hasattr(module, "run")), key=_rank)
    needs = [getattr(module, "NEEDS", None) for module in found]
    return [(module.__name__, words and sorted(words)) for module, words in zip(found, needs, strict=True)]


def _rank(module: ModuleType) -> tuple[int, int, str]:
    name = module.__name__.rsplit(".", 1)[-1]
    is_check = ".checks." in module.__name__
    return is_check, _ORDER.index(name) if name in _ORDER else len(_ORDER), name

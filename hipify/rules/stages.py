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
    *("guards", "calls", "launches", "includes", "cub_warp", "namespaces", "fields", "pasting", "warp", "ptx"),
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
    numbers = _woken(context.tokens.vocabulary)
    if context.structure.includes and context.included_names.holders:
        numbers.update(_needs()[1][HELD_IN_HEADERS])
    for number, stage in enumerate(stages()):
        if stage.needs is None or number in numbers:
            yield stage


# Most words of a file were in files before it, and most of all words wake no stage.
_quiet: set[bytes] = set()
_waking: dict[bytes, frozenset[int]] = {}
_REMEMBERED, _LONGEST = 30_000, 48


def _woken(vocabulary: frozenset[bytes]) -> set[int]:
    """The stages that words wake, by their places in the order."""
    words = vocabulary - _quiet
    known = words & _waking.keys()
    found = _looked_up(words - known)
    if len(_quiet) + len(_waking) < _REMEMBERED:
        _waking.update((word, numbers) for word, numbers in found.items() if len(word) <= _LONGEST)
        _quiet.update(word for word in words - known if word not in found and len(word) <= _LONGEST)
    return set().union(*found.values(), *(_waking[word] for word in known))


def _looked_up(vocabulary: frozenset[bytes]) -> dict[bytes, frozenset[int]]:
    """Those of the words that wake stages, with the stages."""
    words, by_word, by_start, by_part = _needs()
    found: dict[bytes, set[int]] = {word: set(by_word[word]) for word in words & vocabulary}
    heads = {start[:2] for start in by_start}
    for word in [word for word in vocabulary if word[:2] in heads]:
        for start, numbers in by_start.items():
            if word.startswith(start):
                found.setdefault(word, set()).update(numbers)
    small = b"\n".join(vocabulary).lower()
    for part, numbers in by_part.items():
        for word in [word for word in vocabulary if part in word.lower()] if part in small else ():
            found.setdefault(word, set()).update(numbers)
    return {word: frozenset(numbers) for word, numbers in found.items()}


@cache
def _needs() -> tuple[frozenset[bytes], _Numbers, _Numbers, _Numbers]:
    """The words that stages need, and the stages by their places in the order: by words, beginnings, and parts."""
    found: tuple[_Numbers, _Numbers, _Numbers] = ({}, {}, {})
    for number, stage in enumerate(stages()):
        for word in stage.needs or ():
            form = (word[-1:] == b"*") + (word[:1] == b"*") if len(word) > 2 else 0
            found[form].setdefault(word.strip(b"*") if form else word, []).append(number)
    return frozenset(found[0]), *found


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

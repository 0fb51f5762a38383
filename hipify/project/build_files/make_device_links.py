"""Device-link steps of makefiles (`nvcc -dlink`), and the commands of host compilers that link what they make.

hipcc links device code in the link of the program alone, which hence cannot be left to g++: what made the device link
makes that, too.
"""

from __future__ import annotations

from collections.abc import Iterable

from hipify.project.build_files.make_sources import Sources
from hipify.project.build_files.words import Word

STEP = frozenset(("-dlink", "--device-link"))


class DeviceLinks:
    """The objects of a makefile's device-link steps. A step: its compiler, its words, its rule."""

    def __init__(self, sources: Sources, steps: Iterable[tuple[Word, list[Word], str]]) -> None:
        self._sources = sources
        self._made: dict[str, str] = {}
        for compiler, command, rule in steps:
            words = self._words(command, rule)
            if not STEP.isdisjoint(words):
                names = [after for word, after in zip(words, [*words[1:], ""], strict=False) if word == "-o"]
                names += [word[2:] for word in words if word.startswith("-o") and len(word) > 2]
                self._made.update((name, compiler.text) for name in names)

    def compiler_of(self, command: list[Word], rule: str) -> str:
        """Who made the device link that a command links with; '' where none is among its objects."""
        if not self._made:
            return ""
        return next((self._made[word] for word in self._words(command, rule) if word in self._made), "")

    def _words(self, command: list[Word], rule: str) -> list[str]:
        """The words of a command, variables and make's own `$@`, `$^` and `$<` followed."""
        targets, _, needs = rule.partition(":")
        own = {"$@": targets, "$^": needs, "$+": needs, "$<": needs.split()[0] if needs.split() else ""}
        text = " ".join(own.get(word.text.strip("\"'"), word.text) for word in command)
        return list(self._sources.expand(text))

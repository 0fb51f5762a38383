"""What the commands of a makefile compile, as far as it says itself: its rules, its variables, its patterns."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from hipify.patterns import lazy

_SOURCE = lazy(r"\.(?:cu|c|cc|cpp|cxx|c\+\+|C|hip)\Z")
_WHOLE = lazy(r"\$(?:\((\w[\w.-]*)\)|\{(\w[\w.-]*)\})")
_WILDCARD = lazy(r"\$[({]wildcard[ \t]+([^(){}]*)[)}]")
_SUFFIX_RULE = lazy(r"\A[ ]*(\.(?:cu|c|cc|cpp|cxx|c\+\+|C))(?:\.o)?[ \t]*:(?!=)")
_REFERENCE = lazy(r"\$[({](\w[\w.-]*)[)}]")
_DEPTH = 8


class Sources:
    """The sources of a makefile's commands. `values` holds all that each variable is ever given."""

    def __init__(self, text: str, folder: str, values: Mapping[str, Sequence[str]], hosts: Sequence[str]) -> None:
        self._text = text
        self._folder = folder
        self._values = values
        self._hosts = hosts

    def of(self, command: str, rule: str) -> list[str]:
        """The names and patterns of sources that a command compiles in a rule's recipe."""
        suffix = _SUFFIX_RULE.match(rule)
        needs = rule.partition(":")[2].lstrip(":").replace("|", " ") if ":" in rule else ""
        found = [f"*{suffix[1]}"] if suffix is not None else []
        return found + [word for word in self.expand(f"{command} {needs}") if _SOURCE.search(word)]

    def expand(self, text: str, depth: int = 0) -> Iterator[str]:
        """The words of a text with plain references to variables of this file followed."""
        text = _WILDCARD.sub(lambda m: m[1], text)
        for word in text.split():
            whole = _WHOLE.fullmatch(word)
            values = self._values.get(whole[1] or whole[2]) if whole is not None else None
            if values is None or depth > _DEPTH:
                yield word.strip("\"'")
            else:
                for value in values:
                    yield from self.expand(value, depth + 1)

    def hosts_in(self, sources: Sequence[str]) -> set[str]:
        """Which of the project's sources for a host compiler are among these names and patterns."""
        return {host for source in sources for host in self._fitting(source)}

    def _fitting(self, source: str) -> Iterator[str]:
        if not re.search(r"[%*?$]", source):
            full = posixpath.normpath(posixpath.join(self._folder, source))
            found = [host for host in self._hosts if host == full]
            if not found and self._searches:
                found = [host for host in self._hosts if posixpath.basename(host) == posixpath.basename(source)]
            yield from found
            return
        pattern = re.compile(self._pattern(source))
        inside = len(self._folder) + 1 if self._folder else 0
        for host in self._hosts:
            below = not self._folder or host.startswith(f"{self._folder}/")
            if pattern.fullmatch(host[inside:] if below else host):
                yield host

    def _pattern(self, source: str) -> str:
        """A regular expression for what a pattern's name may be; variables that hold one word are followed."""
        single = {name: values[0].strip() for name, values in self._values.items() if len(values) == 1}
        for _ in range(_DEPTH):
            source = _REFERENCE.sub(lambda m: single[m[1]] if " " not in single.get(m[1], " ") else m[0], source)
        source = _REFERENCE.sub("*", source).removeprefix("./")
        parts = re.split(r"([%*?])", source)
        return ("(?:.*/)?" if "/" not in source else "") + "".join(
            ".*" if part in ("%", "*") else "." if part == "?" else re.escape(part) for part in parts
        )

    @cached_property
    def _searches(self) -> bool:
        """Whether make looks for sources in other folders, too."""
        return re.search(r"(?m)^[ ]*(?:VPATH\b|vpath\b)", self._text) is not None

    def named(self, host: str) -> bool:
        """Whether the makefile's text names a source, or the object that is made of it."""
        path = posixpath.relpath(host, self._folder or ".")
        stem = posixpath.splitext(path)[0]
        names = f"{re.escape(path)}|{re.escape(stem)}\\.o"
        return re.search(rf"(?<![\w/.-])(?:\./)?(?:{names})(?![\w])", self._text) is not None

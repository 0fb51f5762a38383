"""The `#if` branches that each directive of a file stands in."""

from __future__ import annotations

from bisect import bisect_right

from hipify.parser.structure import Structure

BranchPath = tuple[tuple[int, int], ...]
"""(token of the `#if`, number of the branch) from the outside in; the include guard of the file does not count."""


class Branches:
    """Where code stands among the conditionals of one file."""

    def __init__(self, structure: Structure) -> None:
        self._starts = [d.first for d in structure.directives]
        self.guard = include_guard(structure)
        self.path: dict[int, BranchPath] = {}
        stack: list[tuple[int, int]] = []
        for d in structure.directives:
            if d.name in (b"if", b"ifdef", b"ifndef"):
                stack.append((d.first, 0))
            elif d.name in (b"else", b"elif", b"elifdef", b"elifndef") and stack:
                stack[-1] = (stack[-1][0], stack[-1][1] + 1)
            elif d.name == b"endif" and stack:
                stack.pop()
            self.path[d.first] = tuple(s for s in stack if s[0] != self.guard)

    def covered(self, first: int, earlier: list[int]) -> bool:
        """Whether one of the earlier directives is always seen when the directive at token `first` is."""
        mine = self.path[first]
        return any(mine[: len(self.path[e])] == self.path[e] for e in earlier)

    def around(self, index: int) -> BranchPath:
        """The branches around token `index`."""
        at = bisect_right(self._starts, index) - 1
        return self.path[self._starts[at]] if at >= 0 else ()


def include_guard(structure: Structure) -> int | None:
    """The `#ifndef` of a classic include guard at the head of the file."""
    directives, tokens = structure.directives, structure.tokens
    if len(directives) < 3 or directives[0].name not in (b"ifndef", b"if") or directives[1].name != b"define":
        return None
    tested = [tokens.text[i] for i in tokens.significant(directives[0].body, directives[0].stop)]
    name = tokens.text[tokens.next(directives[1].body, directives[1].stop)]
    return directives[0].first if name in tested and tokens.next(0) == directives[0].first else None

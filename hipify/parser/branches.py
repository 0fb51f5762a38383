"""The `#if` branches that each directive of a file stands in."""

from __future__ import annotations

from bisect import bisect_right

from hipify.parser.structure import Structure

BranchPath = tuple[tuple[int, int], ...]
"""(token of the `#if`, number of the branch) from the outside in; the include guard of the file does not count."""


class _Place:
    """A branch, and the one around it: the paths of conditionals that are nested deeply are made when asked for."""

    __slots__ = ("around", "branch")

    def __init__(self, branch: tuple[int, int], around: _Place | None) -> None:
        self.branch = branch
        self.around = around


class _Paths(dict[int, BranchPath]):
    """The path of each directive by its first token."""

    def __init__(self, places: dict[int, _Place | None], guard: int | None) -> None:
        self._places = places
        self._guard = guard

    def __missing__(self, first: int) -> BranchPath:
        found, place = [], self._places[first]
        while place is not None:
            if place.branch[0] != self._guard:
                found.append(place.branch)
            place = place.around
        path = self[first] = tuple(reversed(found))
        return path


class Branches:
    """Where code stands among the conditionals of one file."""

    def __init__(self, structure: Structure) -> None:
        self._starts = [d.first for d in structure.directives]
        self.guard = include_guard(structure)
        places: dict[int, _Place | None] = {}
        self.path = _Paths(places, self.guard)
        inner: _Place | None = None
        for d in structure.directives:
            if d.name in (b"if", b"ifdef", b"ifndef"):
                inner = _Place((d.first, 0), inner)
            elif d.name in (b"else", b"elif", b"elifdef", b"elifndef") and inner is not None:
                inner = _Place((inner.branch[0], inner.branch[1] + 1), inner.around)
            elif d.name == b"endif" and inner is not None:
                inner = inner.around
            places[d.first] = inner

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

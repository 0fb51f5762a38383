"""Where each word of a file stands: looked up for the few words that somebody asks about."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict

from hipify.parser.tokens import Tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _collections_abc import dict_items, dict_values
    from typing import Any

_NOT_INDEXED = frozenset((b" ", b"\n", b"(", b")", b",", b";", b"=", b"*", b"+", b"-", b".", b"&"))
# Looking at every token once costs as much as searching the file for so many words.
_SEARCHES = 24


class Places(dict[bytes, list[int]]):
    """Token indices by token text; blanks and the most frequent punctuation are left out.

    Keys are there from the start, in no order; a value is found when it is first asked for.
    """

    def __init__(self, tokens: Tokens, data: bytes) -> None:
        """`data` are the bytes of the file; empty when tokens are spelled otherwise there."""
        super().__init__(dict.fromkeys(tokens.vocabulary))  # type: ignore[arg-type]  # None: not looked for yet
        for text in _NOT_INDEXED:
            self.pop(text, None)
        self._tokens = tokens
        self._data = data
        self._left = _SEARCHES if data else 0

    def get(self, name: bytes, default: Any = None) -> Any:
        """The places of a word, `default` for one that the file lacks."""
        found = dict.get(self, name, default)
        return self._find(name) if found is None and name in self else found

    def __getitem__(self, name: bytes) -> list[int]:
        found: list[int] | None = dict.__getitem__(self, name)
        return self._find(name) if found is None else found

    def values(self) -> dict_values[bytes, list[int]]:
        """All places, by word."""
        self._find_all()
        return super().values()

    def items(self) -> dict_items[bytes, list[int]]:
        """All words with their places."""
        self._find_all()
        return super().items()

    def _find(self, name: bytes) -> list[int]:
        if not self._left:
            self._find_all()
            return dict.__getitem__(self, name)
        self._left -= 1
        found = self[name] = self._searched(name)
        return found

    def _searched(self, name: bytes) -> list[int]:
        """The tokens that are this word: quicker than looking at all tokens."""
        text, start, find = self._tokens.text, self._tokens.start, self._data.find
        found, length, at = [], len(name), find(name)
        index = 0
        while at >= 0:
            index = bisect_left(start, at, index)
            if start[index] == at and text[index] == name:
                found.append(index)
                at = find(name, at + length)
            else:
                at = find(name, at + 1)
        return found

    def _find_all(self) -> None:
        if self._left < 0:
            return
        self._left = -1
        found: defaultdict[bytes, list[int]] = defaultdict(list)
        for index, text in enumerate(self._tokens.text):
            if text not in _NOT_INDEXED:
                found[text].append(index)
        self.update(found)

"""What declarations stand in: namespaces, classes, blocks and lists, and where those end. Read from tokens alone."""

from __future__ import annotations

from hipify.parser.extents import definition_end
from hipify.parser.structure import Structure
from hipify.parser.tokens import is_ident

TAGS = (b"struct", b"class", b"union", b"enum")
STARTS = (b";", b"{", b"}", b"")
"""What a statement follows; nothing is the start of the file."""
ACCESS = (b"public", b"private", b"protected", b"default")
_BEHIND_LIST = frozenset(b"const noexcept override final volatile & && mutable".split())


class Scopes:
    """The brackets of one file as scopes of declarations."""

    def __init__(self, structure: Structure) -> None:
        self._structure = structure

    def behind(self, close: int) -> int:
        """The token behind a parameter list and what may follow it: `const`, `noexcept(…)`, `-> type`."""
        structure = self._structure
        at = structure.next_code(close + 1)
        for _ in range(24):
            word = self._text(at)
            if word in _BEHIND_LIST:
                at = structure.next_code(at + 1)
            elif word == b"(" and at in structure.partner:
                at = structure.next_code(structure.partner[at] + 1)
            elif word == b"->":
                at = structure.next_code(at + 1)
                while self._text(at) not in (b"{", b";", b"=", b""):
                    at = structure.next_code(structure.partner.get(at, at) + 1 if self._text(at) == b"(" else at + 1)
                return at
            else:
                return at
        return at

    def scope(self, index: int) -> tuple[str, int]:
        """What a declaration at token `index` stands in, and its opening bracket."""
        while True:
            opener = self._structure.enclosing(index)
            if opener is None:
                return "global", -1
            if self._text(opener) != b"{":
                return "list", opener
            kind = self.kind(opener)
            if kind != "linkage":
                return kind, opener
            index = opener

    def kind(self, brace: int) -> str:
        """What a `{` opens: a namespace, class, enum, linkage specification, block, or a list of values."""
        structure = self._structure
        before = structure.prev_code(brace - 1)
        if self._text(before)[:1] == b'"':
            return "linkage"
        if self._text(before) in (b"=", b"(", b",", b"return", b"["):
            return "list"
        if self._text(before) in (b")", b"else", b"do", b"try", b"{", b"}", b";"):
            return "block"
        first = self.statement(brace)
        words = [structure.tokens.text[i] for i in structure.tokens.significant(first, brace)]
        if b"namespace" in words:
            return "namespace"
        if b"(" not in words or words[0] in (*TAGS, b"template"):
            if b"enum" in words:
                return "enum"
            if any(tag in words for tag in TAGS):
                return "class"
        return "block" if b"(" in words or before < 0 else "list" if len(words) > 1 else "block"

    def statement(self, index: int) -> int:
        """The first token of the statement that token `index` stands in."""
        structure, at = self._structure, index
        for _ in range(96):
            before = structure.prev_code(at - 1)
            word = self._text(before)
            if word in STARTS or structure.directives_between(before, at):
                return at
            if word == b":" and self._text(structure.prev_code(before - 1)) in ACCESS:
                return at
            at = structure.partner.get(before, before) if word in (b")", b"]") else before
        return at

    def members(self, brace: int) -> list[tuple[int, int]]:
        """Where a class's members are known: in its body and its functions' bodies outside, and in derived classes."""
        found, classes = [], [brace]
        for opener in classes:
            found += [(opener, self._structure.partner.get(opener, opener)), *self._members_outside(opener)]
            classes += [derived for derived in self._derived(opener) if derived not in classes]
        return found

    def _derived(self, brace: int) -> list[int]:
        """The `{` of each class whose bases name this one, where C++ looks into that base."""
        structure, found = self._structure, []
        name = self._class_name(brace)
        for at in structure.index.get(name, ()) if name else ():
            before = self._text(structure.prev_code(at - 1))
            if at < brace or before not in (b":", b",", b"virtual", *ACCESS):
                continue
            first, opener = self.statement(at), at
            while self._text(opener) not in (b"{", b";", b"(", b")", b""):
                opener = structure.next_code(opener + 1)
            if self._text(opener) != b"{" or self._text(first) not in (b"template", *TAGS):
                continue
            dependent = self._text(first) == b"template" and self._text(structure.next_code(at + 1)) == b"<"
            if not dependent and self.kind(opener) == "class":
                found.append(opener)
        return found

    def _class_name(self, brace: int) -> bytes:
        structure = self._structure
        name = b""
        for i in structure.tokens.significant(self.statement(brace), brace):
            word = structure.tokens.text[i]
            if word in (b":", b"final"):
                break
            if is_ident(word) and word not in TAGS:
                name = word
        return name

    def _members_outside(self, brace: int) -> list[tuple[int, int]]:
        """The bodies of a class's functions that stand outside of it."""
        structure, found = self._structure, []
        name = self._class_name(brace)
        for at in structure.index.get(name, ()) if name else ():
            link = structure.next_code(at + 1)
            if at > brace and self._text(link) == b"::":
                call = structure.call_at(structure.next_code(link + 1))
                behind = self.behind(call.close) if call is not None else -1
                if call is not None and self._text(behind) in (b"{", b":"):
                    found.append((call.open, definition_end(structure, behind)))
        return found

    def _text(self, index: int) -> bytes:
        return self._structure.tokens.text[index] if 0 <= index < len(self._structure.tokens) else b""

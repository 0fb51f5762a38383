"""What declarations stand in, and where expressions, statements and definitions end.

Read from tokens alone: macros without a `;` may mislead.
"""

from __future__ import annotations

from hipify.parser.structure import Structure
from hipify.parser.tokens import is_ident

TAGS = (b"struct", b"class", b"union", b"enum")
STARTS = (b";", b"{", b"}", b"")
"""What a statement follows; nothing is the start of the file."""
ACCESS = (b"public", b"private", b"protected", b"default")
_OPENING = (b"(", b"[", b"{")
_CLOSING = (b";", b",", b")", b"]", b"}")
_WITH_HEAD = (b"if", b"for", b"while", b"switch", b"catch")
_BARE = (b"else", b"do", b"try")
_TYPE_WORDS = frozenset(
    b"void int float double char bool short long unsigned signed auto size_t inline static extern const constexpr "
    b"virtual friend struct class enum union namespace using typename class".split()
)
_BEHIND_ATTRIBUTE = frozenset((b"noexcept", b"__attribute__", b"throw", b"requires", b"__declspec"))
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
        return _text(self._structure, index)


def expression_end(structure: Structure, at: int) -> int:
    """The `;`, `,` or closing bracket that ends the expression which holds token `at`, or its directive's end."""
    text, partner = structure.tokens.text, structure.partner
    directive = structure.directive_at(at)
    stop = directive.stop if directive is not None else len(text)
    while at < stop:
        token = text[at]
        if token in _OPENING:
            at = partner.get(at, stop)
        elif token in _CLOSING:
            return at
        at += 1
    return stop


def definition_end(structure: Structure, at: int) -> int:
    """The `}` of the first body, or the `;`, behind the start of a definition; the number of tokens when none comes."""
    text, size = structure.tokens.text, len(structure.tokens)
    initialisers = at < size and text[at] == b":"
    while at < size:
        word = text[at]
        if word == b";":
            return at
        if word == b"{":
            before = _text(structure, structure.prev_code(at - 1))
            if not initialisers or not (before == b">" or is_ident(before or b"0")):
                return structure.partner.get(at, size)
        at = structure.next_code((structure.partner.get(at, at) if word in _OPENING else at) + 1)
    return size


def statement_end(structure: Structure, at: int) -> int:
    """The last token of the statement that begins at token `at`: with its branches, and the body of a loop."""
    pending: list[bytes] = []  # the heads whose statements have not ended yet, outer ones first
    while True:
        inner = _inner(structure, at)
        if inner > at:
            word = _text(structure, at)
            if word in _WITH_HEAD or word in _BARE:
                pending.append(word)
            at = inner
            continue
        stop = _simple_end(structure, at)
        while pending:
            head = pending.pop()
            behind = structure.next_code(stop + 1)
            word = _text(structure, behind)
            if (head, word) == (b"do", b"while"):
                stop = _simple_end(structure, behind)
            elif (head, word) in ((b"if", b"else"), (b"try", b"catch"), (b"catch", b"catch")):
                at = behind
                break
        else:
            return stop


def _inner(structure: Structure, at: int) -> int:
    """The statement behind a head, label or attribute; the token itself when it is none of these."""
    word = _text(structure, at)
    behind = structure.next_code(at + 1)
    if word in _BARE:
        return behind
    if word in _WITH_HEAD:
        behind = structure.next_code(behind + 1) if _text(structure, behind) == b"constexpr" else behind
        return structure.next_code(structure.partner.get(behind, behind) + 1)
    if word == b"[" and _text(structure, behind) == b"[":
        return structure.next_code(structure.partner.get(at, at) + 1)
    if word == b"case":
        while behind < len(structure.tokens) and _text(structure, behind) not in (b":", *_CLOSING):
            token = _text(structure, behind)
            behind = structure.next_code((structure.partner.get(behind, behind) if token in _OPENING else behind) + 1)
    if _text(structure, behind) == b":" and is_ident(word or b"0"):
        return structure.next_code(behind + 1)
    return at


def _simple_end(structure: Structure, at: int) -> int:
    """The end of a statement that is a block, `FOREACH(...) {`, or runs to its `;`."""
    text, size, first = structure.tokens.text, len(structure.tokens), at
    if _text(structure, at) == b"{":
        return structure.partner.get(at, at)
    block = -1  # where the braces of a macro with arguments may open
    while at < size - 1 and text[at] not in (b";", b"}"):
        if at == block and text[at] == b"{":
            return structure.partner.get(at, at)
        close = structure.partner.get(at, at) if text[at] in _OPENING else at
        if text[at] == b"(" and structure.prev_code(at - 1) == first and is_ident(text[first]):
            block = structure.next_code(close + 1)
        at = close + 1
    return at


def declares(structure: Structure, index: int) -> bool:
    """Whether token `index` is the name in a declaration: a type or another declarator's word stands before it."""
    before = _text(structure, structure.prev_code(index - 1))
    after = _text(structure, structure.next_code(index + 1))
    if before in (b"struct", b"class", b"enum", b"union"):
        return after in (b"{", b":", b"final")
    if before in (b"namespace", b"using"):
        return True
    if before in (b"{", b",") and after in (b"=", b",", b"}") and _in_enum(structure, index):
        return True
    if before in _TYPE_WORDS:
        named = after == b"(" and _is_attribute(structure, index)
        return not named and after in (b"(", b"=", b";", b",", b"[", b"{", b")")
    if before in (b"*", b"&", b">") or before[:1].isalpha() or before[:1] == b"_":
        if after == b"(":
            opener = structure.next_code(index + 1)
            close = structure.partner.get(opener)
            behind = _text(structure, structure.next_code(close + 1)) if close is not None else b""
            return behind in (b"{", b"const", b"noexcept", b"override", b"try")
        is_word = before[:1].isalpha() or before[:1] == b"_"
        return (
            is_word
            and before not in (b"return", b"else", b"case", b"typename", b"new", b"throw", b"goto")
            and (after in (b"=", b";", b"["))
        )
    return False


def _is_attribute(structure: Structure, index: int) -> bool:
    """Whether a word with a list stands in front of a function's name: `void __maxnreg__(64) kernel(int n)`."""
    close = structure.partner.get(structure.next_code(index + 1))
    name = structure.next_code(close + 1) if close is not None else len(structure.tokens)
    word = _text(structure, name)
    return (
        is_ident(word or b"0")
        and word not in _BEHIND_ATTRIBUTE
        and _text(structure, structure.next_code(name + 1)) == b"("
    )


def _in_enum(structure: Structure, index: int) -> bool:
    """Whether token `index` stands directly in the braces of an `enum`."""
    opener = structure.enclosing(index)
    at, steps = (opener if opener is not None and _text(structure, opener) == b"{" else -1), 0
    while at > 0 and steps < 8:
        at, steps = structure.prev_code(at - 1), steps + 1
        if _text(structure, at) == b"enum":
            return True
        if _text(structure, at) in (b";", b"}", b"{", b")", b"=", b"("):
            return False
    return False


def _text(structure: Structure, index: int) -> bytes:
    return structure.tokens.text[index] if 0 <= index < len(structure.tokens) else b""

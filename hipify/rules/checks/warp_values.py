"""What an expression is worth and how wide it is: by clang where it knows, else by the file's own definitions."""

from __future__ import annotations

from functools import cached_property

from hipify.parser.scopes import expression_end
from hipify.parser.tokens import is_ident
from hipify.rules.constant_expressions import SKIPPED, NotConstantError, Reader, Value, bits_of, literal, type_bits
from hipify.rules.context import Context

_CONST_WORDS = frozenset((b"const", b"constexpr"))


class Values:
    """Constants and declared types of one file."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._names: dict[bytes, Value | None] = {}
        self._foreign: dict[bytes, int | None] = {}
        self._types: dict[tuple[bytes, int], tuple[bytes, int]] = {}

    def constant(self, first: int, stop: int) -> Value | None:
        """The value of the expression in tokens [first, stop); None when it is no constant that can be known."""
        tokens = self.context.tokens
        try:
            reader = Reader(self.named, [tokens.text[i] for i in tokens.significant(first, stop)])
            value = reader.expression(0)
            if reader.at == len(reader.words):
                return value
        except (NotConstantError, ZeroDivisionError, ValueError, RecursionError):
            pass
        semantics = self.context.semantics
        if semantics is None or first >= stop:
            return None
        number = semantics.constant(tokens.start[first], tokens.start[stop])
        return None if number is None else Value(number, 64 if not -(2**31) <= number < 2**32 else 32)

    def word(self, word: bytes) -> int | None:
        """What a number token is worth."""
        try:
            return literal(word).number
        except (NotConstantError, ValueError):
            return None

    @cached_property
    def definitions(self) -> frozenset[bytes]:
        """Names that the file gives a value: its macros, and what follows `const`, `constexpr` and `enum`."""
        text, structure = self.context.tokens.text, self.context.structure
        found = set(self.context.own_macros)
        for word in (b"const", b"constexpr", b"enum"):
            for index in structure.index.get(word, ()):
                stop = index + 16
                for at in range(index + 1, min(stop, len(text))):
                    if text[at] in (b"=", b"{") and is_ident(text[structure.prev_code(at - 1)]):
                        found.add(text[structure.prev_code(at - 1)])
                        if word == b"enum" and text[at] == b"{":
                            found.update(t for t in text[at : structure.partner.get(at, at)] if is_ident(t))
                    elif text[at] in (b";", b")", b"}"):
                        break
        return frozenset(found)

    def seen_by_clang(self, word: bytes, index: int) -> int | None:
        """The value of a name of another file at token `index`, if clang knows it; asked once a name."""
        semantics = self.context.semantics
        if semantics is None:
            return None
        if word not in self._foreign:
            start = self.context.tokens.start
            self._foreign[word] = semantics.constant(start[index], start[index + 1])
        return self._foreign[word]

    def number(self, first: int, stop: int) -> int | None:
        """The plain number of a constant expression."""
        value = self.constant(first, stop)
        return None if value is None else value.number

    def named(self, name: bytes) -> Value | None:
        """The value of a macro, constant or enumerator that this file defines; None when it has none or several."""
        if name not in self._names:
            self._names[name] = None  # a definition that needs itself is none
            self._names[name] = self._define(name)
        return self._names[name]

    def _define(self, name: bytes) -> Value | None:
        context, structure = self.context, self.context.structure
        found: set[Value] = set()
        if name in context.own_macros:
            for macro in structure.macros:
                if context.tokens.text[macro.name] == name:
                    value = None if macro.parameters is not None else self.constant(macro.first, macro.stop)
                    if value is None:
                        return None
                    found.add(value)
        else:
            for index in structure.index.get(name, ()):
                after = structure.next_code(index + 1)
                if context.text(after) in (b"=", b"{") and (bits := self.is_constant_declarator(index)):
                    end = expression_end(structure, after + 1)
                    if context.text(after) == b"{":
                        end = structure.partner.get(after, end)
                    value = self.constant(after + 1, end)
                    if value is None:
                        return None
                    found.add(Value(value.number, bits))
        return found.pop() if len(found) == 1 else None

    def is_constant_declarator(self, index: int) -> int:
        """The width of the constant that is declared at token `index`; 0 when none is."""
        words = self.type_words(index)
        if words and (_CONST_WORDS & set(words) or words[0] == b"enum"):
            return bits_of(words) or 32
        structure = self.context.structure
        before = structure.prev_code(index - 1)
        if self.context.text(before) in (b"{", b","):
            opener = before if self.context.text(before) == b"{" else structure.enclosing(index)
            if opener is not None and self.context.text(opener) == b"{":
                lead = structure.prev_code(opener - 1)
                for _ in range(6):  # enum, enum class, enum Name, enum Name : unsigned
                    if self.context.text(lead) == b"enum":
                        return 32
                    lead = structure.prev_code(lead - 1)
        return 0

    def type_words(self, index: int) -> list[bytes]:
        """The words of the type in front of a declared name, `*` and `&` included; empty when none stand there."""
        structure, text = self.context.structure, self.context.tokens.text
        words: list[bytes] = []
        at = structure.prev_code(index - 1)
        while at >= 0 and len(words) < 12:
            token = text[at]
            if token == b">":
                start = structure.angle_start(at)
                if start is None:
                    break
                at = start
                words.insert(0, b"<>")
            elif is_ident(token) or token in (b"*", b"&", b"::", b"&&"):
                words.insert(0, token)
            else:
                break
            at = structure.prev_code(at - 1)
        if not words or not is_ident(words[0]) or words[0] in (b"return", b"else", b"case", b"goto", b"delete", b"new"):
            return []
        return words

    def declared_type(self, index: int) -> tuple[bytes, int]:
        """The type that the variable at token `index` was declared with, and the declarator's token (-1: not found).

        The nearest declaration in front of the token counts.
        """
        name = self.context.tokens.text[index]
        function = self.context.functions.device_function(index)
        key = (name, function[0] if function else -1)
        if key not in self._types:
            self._types[key] = self._declaration(name, index)
        return self._types[key]

    def _declaration(self, name: bytes, index: int) -> tuple[bytes, int]:
        context, structure = self.context, self.context.structure
        places = [i for i in structure.index.get(name, ()) if i <= index]
        for place in reversed(places[-64:]):
            if context.text(structure.next_code(place + 1)) not in (b"=", b";", b",", b")", b"{", b"(", b"[", b":"):
                continue
            words = self.type_words(place)
            if not words and context.text(structure.prev_code(place - 1)) == b",":
                words = self._list_type(place)
            words = [w for w in words if w not in SKIPPED]
            if (words and words[-1] not in (b"*", b"&&", b"&")) or words[-1:] == [b"&"]:
                if words[-1:] == [b"&"]:
                    words.pop()
                if all(is_ident(w) or w in (b"::", b"<>") for w in words):
                    return b" ".join(words), place
        return b"", -1

    def _list_type(self, index: int) -> list[bytes]:
        """The type of a later declarator of `unsigned a = 1, b;`."""
        structure, text, partner = self.context.structure, self.context.tokens.text, self.context.structure.partner
        at = structure.prev_code(index - 1)
        for _ in range(200):
            token = text[at] if at >= 0 else b";"
            if token in (b")", b"]", b"}") and at in partner:
                if token == b"}" and text[structure.prev_code(partner[at] - 1)] not in (b"=", b","):
                    break
                at = partner[at]
            elif token in (b";", b"{", b"}", b"(", b":"):
                break
            at -= 1
        first = structure.next_code(at + 1)
        words: list[bytes] = []
        while first < index and is_ident(text[first]):
            words.append(text[first])
            first = structure.next_code(first + 1)
        return words[:-1] if len(words) > 1 and (text[at] if at >= 0 else b"") != b"(" else []

    def width(self, kind: bytes, depth: int = 0) -> int:
        """The width of a type as it is written, the file's own aliases followed; 0 when unknown."""
        known = type_bits(kind)
        if known or not kind.replace(b"_", b"").isalnum() or depth > 3:
            return known
        structure, text = self.context.structure, self.context.tokens.text
        for index in structure.index.get(kind, ())[:20]:
            before = structure.prev_code(index - 1)
            after = structure.next_code(index + 1)
            words: list[bytes] = []
            if text[before] == b"using" and self.context.text(after) == b"=":
                first, stop = after + 1, expression_end(structure, after + 1)
                words = [text[i] for i in self.context.tokens.significant(first, stop)]
            elif self.context.text(after) == b";":
                words = self.type_words(index)
                words = words[1:] if words[:1] == [b"typedef"] else []
            if words and all(is_ident(w) or w == b"::" for w in words):
                return self.width(b" ".join(words), depth + 1)
        return 0

    def bits(self, first: int, stop: int) -> int:
        """The width of an expression's value, 32 or 64; 0 when it cannot be told."""
        value = self._lexical_bits(first, stop)
        if value:
            return value
        semantics = self.context.semantics
        start = self.context.tokens.start
        kind = semantics.expr_type(start[first], start[stop]) if semantics is not None and first < stop else None
        return bits_of(kind.encode().split()) if kind else 0

    def _lexical_bits(self, first: int, stop: int) -> int:
        tokens = self.context.tokens
        constant = self._lexical_constant(first, stop)
        if constant is not None:
            return constant.bits
        if self._holds_wide(first, stop):
            return 64
        words = [i for i in tokens.significant(first, stop) if is_ident(tokens.text[i])]
        widths = {self.width(self.declared_type(i)[0]) for i in words}
        signs = {tokens.text[i] for i in range(first, stop)}
        if len(words) == 1 and b"(" not in signs:
            return widths.pop()
        return 64 if 64 in widths and signs.isdisjoint((b"(", b"[", b"<<", b">", b"?", b",")) else 0

    def _holds_wide(self, first: int, stop: int) -> bool:
        """Whether a number or a cast of 64 bits makes an expression that wide: not as a distance of a shift."""
        structure, text = self.context.structure, self.context.tokens.text
        for index in self.context.tokens.significant(first, stop):
            token = text[index]
            if token[:1].isdigit():
                try:
                    is_wide = literal(token).bits == 64
                except (NotConstantError, ValueError):
                    continue
                if is_wide and text[structure.prev_code(index - 1)] not in (b"<<", b">", b"[", b","):
                    return True
            elif index == first and token == b"(" and (close := structure.partner.get(index, stop)) < stop - 1:
                if type_bits(b" ".join(text[i] for i in self.context.tokens.significant(index + 1, close))) == 64:
                    return True
            elif token == b"static_cast" and index == first:
                less = structure.next_code(index + 1)
                opener = next((i for i in range(less, stop) if text[i] == b"("), stop)
                if type_bits(b" ".join(t for t in text[less:opener] if t not in (b"<", b">"))) == 64:
                    return True
        return False

    def _lexical_constant(self, first: int, stop: int) -> Value | None:
        tokens = self.context.tokens
        try:
            reader = Reader(self.named, [tokens.text[i] for i in tokens.significant(first, stop)])
            value = reader.expression(0)
            return value if reader.at == len(reader.words) else None
        except (NotConstantError, ZeroDivisionError, ValueError, RecursionError):
            return None

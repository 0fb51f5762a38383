"""The declarations of one function in a file: what they say about where it runs, and their parameters."""

from __future__ import annotations

from collections.abc import Iterator

from hipify.parser.branches import BranchPath
from hipify.parser.functions import attribute_macros
from hipify.parser.scopes import TAGS, Scopes
from hipify.parser.structure import KEYWORDS, Argument
from hipify.parser.tokens import is_ident
from hipify.records import NamedTuple
from hipify.rules.context import Context
from hipify.rules.declared import parameter_words

_NO_NAMES = (b"__launch_bounds__", b"__attribute__", b"__declspec", b"alignas", b"decltype", b"noexcept", b"defined")
_QUALIFIERS = (b"const", b"__restrict__", b"restrict")
_NO_TYPES = frozenset(b"return else case goto throw delete new typename co_return operator".split())
_NO_DECLARATION = frozenset((b";", b"{", b"}", b"=", b")", b"["))
_OPERATORS = frozenset(bytes((c,)) for c in b"=(,+-/%?!<|.;:{}[")
_STOPS = frozenset((b";", b"{", b"}"))
_BITS = {b"__host__": 1, b"__device__": 2, b"__global__": 4}
_BEHIND = (b"{", b";", b":", b"=", b"try")
_OWN_WORDS = frozenset(b"const volatile struct class enum union typename".split())
_BUILT_IN = frozenset(b"int char bool float double short long unsigned signed void auto size_t".split())


class Declaration(NamedTuple):
    """A declaration or definition of a function; `form` is plain, template, special (`<>`) or instance.

    `first` is the token where the words for its result begin; `attributes` is None where an unknown macro may be some.
    """

    name: int
    names: tuple[bytes, ...]
    """The parameters of the templates around it, which may be called otherwise elsewhere."""
    scope: tuple[bytes, ...]
    form: str
    first: int
    parameters: tuple[Argument, ...]
    attributes: frozenset[bytes] | None
    has_body: bool
    in_class: bool
    branches: BranchPath


class Redeclared:
    """Finds the declarations of functions in one file."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.scopes = Scopes(context.structure)
        self.macros = attribute_macros(context.structure, context.attribute_macros)

    def marked(self) -> list[bytes]:
        """The names of functions with an attribute at one of their declarations, and that may have more of these."""
        structure = self.context.structure
        found: dict[bytes, None] = {}
        for word in (w for w, said in self.macros.items() if b"__global__" not in said):
            for mark in structure.index.get(word, ()):
                if name := self._name_behind(mark):
                    found[name] = None
        return [name for name in found if len(structure.index.get(name, ())) > 1 and self._differ(name)]

    def _name_behind(self, mark: int) -> bytes:
        """The word in front of the first parentheses behind an attribute, or b''."""
        text = self.context.tokens.text
        last = special = b""
        for index in range(mark + 1, min(mark + 48, len(text))):
            word = text[index]
            if word == b"<":
                special = last
            elif word == b"(":
                last = special if last == b">" else last
                is_name = is_ident(last or b"0") and last not in KEYWORDS and last not in _NO_NAMES
                return last if is_name and text[index + 1 : index + 2] != [b"*"] else b""
            if word in _NO_DECLARATION:
                return b""
            if word[0] not in b" \t\r\n/":
                last = word
        return b""

    def _candidates(self, name: bytes) -> Iterator[int]:
        """The tokens of this name that may be declarations, going by what stands in front of them."""
        text = self.context.tokens.text
        for index in self.context.structure.index.get(name, ()):
            at = index - 1
            while at > 0 and text[at][0] in b" \t\r\n":
                at -= 1
            if (text[at][:1] not in _OPERATORS or text[at] == b"::") and text[at] not in _NO_TYPES:
                yield index

    def _differ(self, name: bytes) -> bool:
        """Whether these tokens look like declarations with different attributes, at first sight."""
        text, seen = self.context.tokens.text, set()
        for index in self._candidates(name):
            found = 0
            for at in range(index - 1, max(index - 48, -1), -1):
                word = text[at]
                if word in _STOPS:
                    break
                if word in self.macros:
                    found |= sum(_BITS[a] for a in self.macros[word])
            seen.add(found)
        return len(seen) > 1

    def of(self, name: bytes) -> list[Declaration]:
        """Every declaration of functions of this name."""
        found = (self.read(index) for index in self._candidates(name))
        return [declaration for declaration in found if declaration is not None]

    def read(self, name: int) -> Declaration | None:
        """The declaration whose name token `name` is; None when it is none, or stands in a macro or a function."""
        context, structure = self.context, self.context.structure
        before = context.text(structure.prev_code(name - 1))
        if before in _NO_TYPES or not (before in (b"*", b"&", b">", b"::", b"~") or is_ident(before or b"0")):
            return None
        call = structure.call_at(name)
        if call is None or structure.directive_at(name) is not None:
            return None
        behind = context.text(self.scopes.behind(call.close))
        if behind not in _BEHIND or self.scopes.scope(name)[0] not in ("global", "namespace", "class"):
            return None
        form, first, names = self._head(name)
        if before in (b"*", b"&", b"::") and context.text(first) in (b"return", b"delete", b"throw"):
            return None
        is_friend = b"friend" in context.tokens.text[first:name]
        around, outer = self._around(name, is_friend)
        return Declaration(
            name,
            (*outer, *names),
            (*around, *self._qualifiers(name, names)),
            form,
            first,
            tuple(a for a in call.args if not a.empty),
            self._attributes(first, name),
            behind in (b"{", b":", b"try"),
            self.scopes.scope(name)[0] == "class",
            context.branches.around(name),
        )

    def _head(self, name: int) -> tuple[str, int, list[bytes]]:
        """The form of the declaration around a name, where its own words begin, and its templates' parameters."""
        context, structure = self.context, self.context.structure
        at, form = self.scopes.statement(name), "plain"
        names: list[bytes] = []
        if context.text(at) == b"extern" and context.text(structure.next_code(at + 1))[:1] == b'"':
            at = structure.next_code(structure.next_code(at + 1) + 1)
        while context.text(at) == b"template":
            less = structure.next_code(at + 1)
            close = structure.angle_end(less) if context.text(less) == b"<" else None
            if close is None:
                return "instance", less, names
            inner = structure.split(less + 1, close)
            own = [n for a in inner if not a.empty and (n := self._parameter_name(a))]
            form = "template" if form == "template" or own else "special"
            names += own
            at = structure.next_code(close + 1)
        return form, at, names

    def _parameter_name(self, parameter: Argument) -> bytes:
        words = parameter_words(self.context, parameter)
        return words[-1] if words and is_ident(words[-1]) else b""

    def _around(self, name: int, is_friend: bool) -> tuple[list[bytes], list[bytes]]:
        """The namespaces and classes around a token, the outermost first, and the parameters of their templates."""
        context, structure = self.context, self.context.structure
        found: list[bytes] = []
        names: list[bytes] = []
        kind, opener = self.scopes.scope(name)
        while kind in ("namespace", "class"):
            if kind == "namespace":
                word = context.text(structure.prev_code(opener - 1))
                found.append(b"" if word == b"namespace" else word)
            elif not is_friend:
                found.append(self._class_name(opener))
                names = self._head(opener)[2] + names
            kind, opener = self.scopes.scope(opener)
        return found[::-1], names

    def _class_name(self, opener: int) -> bytes:
        """A class's name, with what it is specialised for."""
        _, first, names = self._head(opener)
        structure, name = self.context.structure, b""
        index = first
        while index < opener:
            word = self.context.text(index)
            if word == b"<" and (close := structure.angle_end(index)) is not None:
                return name + self._written(index, close + 1, names)
            if word in (b":", b"final"):
                break
            if is_ident(word) and word not in TAGS:
                name = word
            index = structure.next_code(structure.partner.get(index, index) + 1 if word == b"(" else index + 1)
        return name

    def _qualifiers(self, name: int, names: list[bytes]) -> list[bytes]:
        """What stands in front of a name: `A<T, 2>::` is another class than the `A<T, N>::` of every T and N."""
        context, structure, found = self.context, self.context.structure, []
        link = structure.prev_code(name - 1)
        if context.text(link) == b"~":
            link = structure.prev_code(link - 1)
        while context.text(link) == b"::":
            at, written = structure.prev_code(link - 1), b""
            if context.text(at) == b">" and (less := structure.angle_start(at)) is not None:
                plain = [self._parameter_name(a) for a in structure.split(less + 1, at)]
                if plain != names[: len(plain)] or not plain:
                    written = self._written(less, at + 1, names)
                at = structure.prev_code(less - 1)
            found.append(context.text(at) + written)
            link = structure.prev_code(at - 1)
        return found[::-1]

    def _written(self, first: int, stop: int, names: list[bytes]) -> bytes:
        """Template arguments as text, template parameters as their numbers."""
        text = self.context.tokens.text
        words = [text[i] for i in self.context.tokens.significant(first, stop)]
        return b" ".join(b"$%d" % names.index(w) if w in names else w for w in words)

    def _attributes(self, first: int, name: int) -> frozenset[bytes] | None:
        text = self.context.tokens.text
        found: frozenset[bytes] = frozenset()
        for index in self.context.tokens.significant(first, name):
            word = text[index]
            if word in self.macros:
                found |= self.macros[word]
            elif word.isupper() and len(word) > 2 and word not in self.context.own_macros:
                return None
        return found

    def same_parameters(self, one: Declaration, other: Declaration, reader: Redeclared | None = None) -> bool:
        """Whether two declarations take the same types, as far as they are written alike; `reader` is the other's."""
        if len(one.parameters) != len(other.parameters):
            return False
        pairs = zip(one.parameters, other.parameters, strict=True)
        there = reader or self
        return all(not self._types(a, one.names).isdisjoint(there._types(b, other.names)) for a, b in pairs)

    def _types(self, parameter: Argument, names: tuple[bytes, ...]) -> set[tuple[bytes, ...]]:
        """A parameter's type, with and without what may be its name."""
        words = [word for word in parameter_words(self.context, parameter) if word not in _QUALIFIERS]
        words = [b"$%d" % names.index(w) if w in names else w for w in words]
        found = {tuple(words)}
        if (
            len(words) > 1
            and is_ident(words[-1])
            and words[-1] not in _BUILT_IN
            and words[-2] not in (b"::", *_OWN_WORDS)
        ):
            found.add(tuple(words[:-1]))
        return found

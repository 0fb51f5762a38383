"""Kernels, device functions and `asm` statements, read from tokens."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import cached_property

from hipify.parser.structure import Structure
from hipify.parser.tokens import is_ident
from hipify.records import NamedTuple

_NO_NAMES = frozenset((b"template", b"decltype", b"__launch_bounds__"))
_ATTRIBUTES = (b"__global__", b"__device__", b"__host__")


class Function(NamedTuple):
    """A function or lambda with a body, as token indices; `name` is -1 for a lambda, `attributes` as written."""

    name: int
    first: int
    body: int
    stop: int
    attributes: frozenset[bytes]

    @property
    def is_kernel(self) -> bool:
        """Whether it is a `__global__` function."""
        return b"__global__" in self.attributes

    @property
    def is_device(self) -> bool:
        """Whether its body runs on the device (also when it may run on the host too)."""
        return b"__device__" in self.attributes or self.is_kernel


class AsmStatement(NamedTuple):
    """An `asm` statement: tokens [first, stop), and the indices of its template string tokens."""

    first: int
    stop: int
    strings: tuple[int, ...]


_NO_MACROS: Mapping[bytes, frozenset[bytes]] = {}


def attribute_macros(
    structure: Structure, included: Mapping[bytes, frozenset[bytes]] = _NO_MACROS
) -> dict[bytes, frozenset[bytes]]:
    """The macros that stand for CUDA function attributes (`#define DEV __device__ inline`): the file's and headers'."""
    text, vocabulary = structure.tokens.text, structure.tokens.vocabulary
    out: dict[bytes, frozenset[bytes]] = {name: frozenset((name,)) for name in _ATTRIBUTES}
    out.update((name, said) for name, said in included.items() if name in vocabulary)
    if vocabulary.isdisjoint(out):
        return out
    for macro in structure.macros:
        if macro.parameters is not None:
            continue
        body = frozenset(text[macro.first : macro.stop])
        found = frozenset(attribute for word in body if word in out for attribute in out[word])
        if found and not body & {b"(", b"{", b";"} - ({b"("} if b"__attribute__" in body else set()):
            name = text[macro.name]
            out[name] = out.get(name, frozenset()) | found
    return out


class Functions:
    """The device-side functions of a file, answering which one a token stands in."""

    def __init__(
        self,
        structure: Structure,
        macros: Mapping[bytes, frozenset[bytes]] = _NO_MACROS,
        for_host_alone: Callable[[int], bool] | None = None,
    ) -> None:
        """`for_host_alone` tells whether a conditional keeps a token from the device's compiler."""
        self.structure = structure
        self._for_host_alone = for_host_alone
        self._macros = attribute_macros(structure, macros)
        self.all = self._find()
        self._bodies = sorted((f.body, f.stop) for f in self.all if f.is_device)
        self._starts = [b for b, _ in self._bodies]

    @cached_property
    def by_name(self) -> dict[bytes, list[Function]]:
        """Those that have a name."""
        found: dict[bytes, list[Function]] = {}
        for function in self.all:
            if function.name >= 0:
                found.setdefault(self.structure.tokens.text[function.name], []).append(function)
        return found

    def _find(self) -> list[Function]:
        macros, index = self._macros, self.structure.index
        marks = sorted(i for name in macros for i in index.get(name, ()))
        found: dict[int, Function] = {}
        for mark in marks:
            directive = self.structure.directive_at(mark)
            if directive is not None and directive.name != b"define":
                continue
            function = self._read(mark, macros)
            if function is None:
                continue
            if earlier := found.get(function.body):
                both = earlier.attributes | function.attributes
                function = Function(function.name, earlier.first, function.body, function.stop, both)
            found[function.body] = function
        return [found[body] for body in sorted(found)]

    def _read(self, mark: int, macros: dict[bytes, frozenset[bytes]]) -> Function | None:
        """The function whose attribute is token `mark`; None for a declaration, a variable or a lone macro."""
        structure, text, partner = self.structure, self.structure.tokens.text, self.structure.partner
        macro = structure.macro_at(mark)
        limit = macro.stop if macro is not None else len(text)
        index, name, seen_list = mark + 1, -1, False
        while index < limit:
            token = text[index]
            if token == b"(":
                before = structure.prev_code(index - 1)
                if not seen_list and before > mark and is_ident(text[before]) and text[before] not in macros:
                    if text[before] not in (b"__launch_bounds__", b"__attribute__", b"__declspec", b"alignas"):
                        name, seen_list = before, True
                elif before == mark or text[before] in macros or text[before] == b"]":
                    seen_list = True  # the parameter list of a lambda, attributes in front
                elif not seen_list and (named := self._name_before(before, mark)) >= 0:
                    name, seen_list = named, True
                index = partner.get(index, limit)
            elif token == b"{":
                stop = partner.get(index)
                if stop is None or (not seen_list and name < 0 and not self._is_lambda(mark)):
                    return None
                if seen_list and self._initialises_member(index, name):
                    index = stop
                else:
                    return Function(name, mark, index, stop, macros[text[mark]])
            elif token in (b";", b"}", b")") or (token == b"=" and self._operator(index - 1, mark) < 0):
                return None
            index += 1
        return None

    def _name_before(self, at: int, mark: int) -> int:
        """The name in `name<int>(` and `operator+(` whose last token in front of `(` is `at`; -1 for none."""
        structure, text = self.structure, self.structure.tokens.text
        if (found := self._operator(at, mark)) >= 0:
            return found
        depth = 0
        while at > mark:
            if text[at] == b">":
                depth += 1
            elif text[at] == b"<":
                depth -= 1
                if depth == 0:
                    name = structure.prev_code(at - 1)
                    if (found := self._operator(name, mark)) >= 0:
                        return found
                    return name if name > mark and is_ident(text[name]) and text[name] not in _NO_NAMES else -1
            elif text[at] in (b";", b"{", b"}") or depth == 0:
                return -1
            else:
                partner = structure.partner.get(at, at)
                at = partner if partner < at else at
            at = structure.prev_code(at - 1)
        return -1

    def _operator(self, at: int, mark: int) -> int:
        """The word `operator` when the signs that end at token `at` follow it; -1 otherwise."""
        structure, text = self.structure, self.structure.tokens.text
        for _ in range(4):
            if at <= mark or text[at] == b"operator":
                return at if at > mark else -1
            if is_ident(text[at]) or text[at] in (b")", b";", b"}", b"{"):
                return -1
            at = structure.prev_code(at - 1)
        return -1

    def _is_lambda(self, mark: int) -> bool:
        before = self.structure.prev_code(mark - 1)
        return before >= 0 and self.structure.tokens.text[before] in (b"]", b")")

    def _initialises_member(self, brace: int, name: int) -> bool:
        """Whether `{` opens a member initialiser (`C() : x{1} {`) and not the body."""
        before = self.structure.prev_code(brace - 1)
        text = self.structure.tokens.text
        if name < 0 or before < 0 or not is_ident(text[before]) or text[before] in (b"const", b"noexcept", b"override"):
            return False
        lead = self.structure.prev_code(before - 1)
        return lead > name and text[lead] in (b":", b",")

    def in_device(self, index: int) -> bool:
        """Whether token `index` stands in the body of a kernel or device function."""
        return self.device_function(index) is not None

    def device_function(self, index: int) -> tuple[int, int] | None:
        """Body tokens (open brace, close brace) of a device function around token `index`."""
        at = bisect_right(self._starts, index) - 1
        for back in range(at, max(at - 8, -1), -1):  # lambdas nest a few deep at most
            body, stop = self._bodies[back]
            if body < index < stop:
                return None if self._for_host_alone is not None and self._for_host_alone(index) else (body, stop)
        return None

    def function_at(self, index: int) -> Function | None:
        """The innermost device function or kernel around token `index`."""
        body = self.device_function(index)
        return next((f for f in self.all if body and f.body == body[0]), None)


def find_asm(structure: Structure) -> list[AsmStatement]:
    """Every `asm` statement with a parenthesised template, in order."""
    tokens, text = structure.tokens, structure.tokens.text
    out = []
    for word in (b"asm", b"__asm__", b"__asm"):
        for first in structure.index.get(word, ()):
            at = tokens.next(first + 1)
            while at < len(text) and text[at] in (b"volatile", b"__volatile__", b"goto", b"inline"):
                at = tokens.next(at + 1)
            if at >= len(text) or text[at] != b"(":
                continue
            close = structure.partner.get(at)
            if close is None:
                continue
            out.append(AsmStatement(first, close + 1, tuple(_template(structure, at, close))))
    return sorted(out, key=lambda a: a.first)


def _template(structure: Structure, opener: int, close: int) -> list[int]:
    """String tokens of the template, up to the first `:` outside brackets."""
    text = structure.tokens.text
    strings = []
    for index in structure.tokens.significant(opener + 1, close):
        if text[index] in (b":", b"::"):
            break
        if text[index][-1:] == b'"' or text[index][:1] == b'"':
            strings.append(index)
    return strings

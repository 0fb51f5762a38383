"""What the tokens say about the type of a variable, where clang has no answer."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator

from hipify.parser.structure import Argument
from hipify.parser.tokens import is_ident
from hipify.rules.context import Context

_BETWEEN = (b"*", b"&", b"const", b"volatile", b"__restrict__", b"restrict")
_STATEMENTS = (b"if", b"for", b"while", b"switch", b"catch", b"constexpr")
_BLOCKS = (b"else", b"do", b"try", b"{", b"}", b";", b":", b"")
_BEHIND_DECLARATOR = frozenset((b",", b";", b")", b"}", b"<", b""))
_DECLARATORS = 16
_NEAR = 64
_KEEPERS = frozenset(b"push_back emplace_back push_front emplace_front push emplace insert assign resize".split())
_NO_TYPES = (b"return", b"case", b"goto", b"throw", b"delete", b"else", b"typename")


def declared_type(context: Context, index: int, name: bytes = b"") -> bytes:
    """The type's word in the nearest declaration in front of an identifier; b'' when none is seen.

    With a name it is that of the identifier, of which nothing stands at token `index`.
    """
    places = context.structure.index.get(name or context.text(index), [])
    for at in reversed(places[: bisect_left(places, index)][-64:]):
        word = type_word(context, at)
        if word:
            return word
    return b""


def type_word(context: Context, index: int) -> bytes:
    """The type's word when token `index` declares a variable, member or parameter of a named type; b'' otherwise."""
    structure = context.structure
    if context.text(structure.next_code(index + 1)) not in (b";", b",", b"=", b")", b"[", b"{", b":"):
        return b""
    at = structure.prev_code(index - 1)
    steps = 0
    while at >= 0 and steps < 32:
        word = context.text(at)
        if word == b",":
            at = structure.prev_code(at - 1)  # the declarator in front of this one: `T a, *b`
            if context.text(at) in (b"]", b"}"):
                at = structure.prev_code(structure.partner.get(at, 0) - 1)
            if context.text(at) == b"=":  # `T a = {}, *b`
                at = structure.prev_code(at - 1)
            at = structure.prev_code(at - 1) if is_ident(context.text(at) or b"0") else -1
        elif word in _BETWEEN:
            at = structure.prev_code(at - 1)
        else:
            break
        steps += 1
    word = context.text(at)
    if word == b">":
        return b">"
    return word if word and is_ident(word) and word not in _NO_TYPES else b""


def aliased(context: Context, word: bytes) -> bytes:
    """The word that a name of the file's own stands for: `using word = T;`, `typedef T word;`; b'' if it does not."""
    structure = context.structure
    for at in context.structure.index.get(word, ()):
        before, after = structure.prev_code(at - 1), structure.next_code(at + 1)
        if context.text(before) == b"using" and context.text(after) == b"=":
            kind = structure.next_code(after + 1)
            kind = structure.next_code(kind + 1) if context.text(kind) in (b"const", b"struct", b"enum") else kind
            return context.text(kind) if context.text(structure.next_code(kind + 1)) == b";" else b""
        lead = context.text(structure.prev_code(before - 1))
        if context.text(after) == b";" and lead in (b"typedef", b"struct", b"enum", b"const"):
            return context.text(before)
    return b""


def initialiser(context: Context, index: int) -> int:
    """The first word of what the nearest declaration in front of an identifier gives it, `auto a = f(…)`; or -1."""
    structure = context.structure
    places = structure.index.get(context.text(index), [])
    for at in reversed(places[: bisect_left(places, index)][-_NEAR:]):
        if type_word(context, at):
            first = structure.next_code(structure.next_code(at + 1) + 1)
            while context.text(first) in (b"*", b"&", b"::", b"("):
                first = structure.next_code(first + 1)
            return first if context.text(structure.next_code(at + 1)) in (b"=", b"{", b"(") else -1
    return -1


def returned_type(context: Context, function: bytes, wanted: Collection[bytes]) -> bytes:
    """The one of the wanted types that the file declares a function to return; b'' if it declares none such."""
    structure = context.structure
    for at in structure.index.get(function, ()):
        if context.text(structure.next_code(at + 1)) != b"(":
            continue
        before = structure.prev_code(at - 1)
        while context.text(before) in _BETWEEN:
            before = structure.prev_code(before - 1)
        if context.text(before) in wanted:
            return context.text(before)
    return b""


def element_of(context: Context, name: int) -> frozenset[bytes]:
    """The words of the last argument of the template that a variable is of: of `std::map<K, int> m`, `int`.

    None for pointers and for what has arguments itself.
    """
    structure = context.structure
    places = structure.index.get(context.text(name), [])
    here = bisect_left(places, name)
    for at in (*reversed(places[max(here - _NEAR, 0) : here]), *places[here : here + _NEAR]):
        word = type_word(context, at)
        close = structure.prev_code(at - 1)
        while context.text(close) in _BETWEEN:
            close = structure.prev_code(close - 1)
        is_called = context.text(structure.next_code(at + 1)) == b"(" and context.text(close) == b">"
        less = structure.angle_start(close) if word == b">" or is_called else None
        if less is not None:
            words = [context.text(i) for i in context.tokens.significant(less + 1, close)]
            last = len(words) - next((n for n, w in enumerate(reversed(words)) if w == b","), len(words))
            return frozenset(words[last:]) if {b"<", b"*"}.isdisjoint(words[last:]) else frozenset()
        if word:
            break
    return frozenset()


def kept_as(context: Context, method: int) -> frozenset[bytes]:
    """The words of what a container holds, where token `method` puts something into it: `v.push_back(p)`."""
    structure = context.structure
    link = structure.prev_code(method - 1)
    if context.text(method) not in _KEEPERS or context.text(link) not in (b".", b"->"):
        return frozenset()
    return element_of(context, structure.prev_code(link - 1))


def assigned_words(context: Context, assign: int) -> frozenset[bytes]:
    """The words of the type of what stands in front of `=`: of a variable, or of an element of one."""
    structure = context.structure
    name = structure.prev_code(assign - 1)
    if context.text(name) != b"]":
        return frozenset((type_word(context, name) or declared_type(context, name),))
    name = structure.prev_code(structure.partner.get(name, 0) - 1)
    return element_of(context, name) or frozenset((declared_type(context, name),))


def declarators(context: Context, kind: int, between: Collection[bytes]) -> Iterator[int]:
    """The names that are declared behind a type's word, token `kind`; of a list of parameters only that one's.

    `between` is what may stand between the type and the first name.
    """
    structure = context.structure
    is_parameter = context.text(structure.enclosing(kind) or -1) == b"("
    at = structure.next_code(kind + 1)
    while context.text(at) in between:
        at = structure.next_code(at + 1)
    for _ in range(_DECLARATORS):
        if not is_ident(context.text(at) or b"0"):
            return
        yield at
        at, called = structure.next_code(at + 1), False
        while context.text(at) not in _BEHIND_DECLARATOR:
            if called and context.text(at) in (b"{", b":"):
                return  # the body of a function, and no list
            called = called or context.text(at) == b"("
            at = structure.next_code(max(structure.partner.get(at, at), at) + 1)
        if is_parameter or context.text(at) != b",":
            return
        at = structure.next_code(at + 1)


def result_word(context: Context, index: int) -> int:
    """The last token of the type in front of the name of the function around token `index`; -1 in a lambda or class."""
    structure, brace = context.structure, context.structure.enclosing(index)
    while brace is not None:
        before = structure.prev_code(brace - 1)
        while context.text(before) in (b"const", b"noexcept"):
            before = structure.prev_code(before - 1)
        if context.text(before) == b")":
            name = structure.prev_code(structure.partner.get(before, 0) - 1)
            if not is_ident(context.text(name) or b"0"):
                return -1
            if context.text(name) not in _STATEMENTS:
                return structure.prev_code(name - 1)
        elif context.text(before) not in _BLOCKS:
            return -1
        brace = structure.enclosing(brace)
    return -1


def parameters(context: Context, name: bytes) -> list[list[frozenset[bytes]]]:
    """The parameter lists of the functions of this name that the file seems to declare, as the words of each one."""
    kept: dict[bytes, list[list[frozenset[bytes]]]] = vars(context).setdefault("_parameters", {})
    if name not in kept:
        structure, found = context.structure, []
        for at in structure.index.get(name, ()):
            before = structure.prev_code(at - 1)
            lead = context.text(before)
            if (lead in (b"*", b"&", b">") or is_ident(lead or b"0")) and lead not in _NO_TYPES:
                call = structure.call_at(at)
                if call is not None:
                    found.append([frozenset(context.tokens.text[a.first : a.stop]) for a in call.args])
        kept[name] = found
    return kept[name]


def parameter_words(context: Context, parameter: Argument) -> list[bytes]:
    """The words of a parameter, of a function or a template, without its default argument."""
    text = context.tokens.text
    words = [text[i] for i in context.tokens.significant(parameter.first, parameter.stop)]
    return words[: words.index(b"=")] if b"=" in words else words


def place_of(context: Context, opener: int, index: int) -> int:
    """The number of the argument that token `index` stands in; -1 when the arguments cannot be told apart."""
    arguments = context.structure.arguments(opener) or ()
    return next((k for k, a in enumerate(arguments) if a.first <= index < a.stop), -1)


def is_streamed(context: Context, index: int) -> bool:
    """Whether an operand stands behind `<<`, alone or in a sum: a stream prints an integer otherwise than a pointer."""
    structure, text = context.structure, context.tokens.text
    at = structure.prev_code(index - 1)
    for _ in range(16):
        word = text[at] if at >= 0 else b""
        if word == b"<<":
            return True
        if word in (b")", b"]"):
            at = structure.partner.get(at, 0)
        elif not (word in (b"+", b"-", b".", b"->", b"::") or word[:1].isdigit() or is_ident(word or b"0")):
            return False
        at = structure.prev_code(at - 1)
    return False


def template_parameters(context: Context) -> set[bytes]:
    """The names of all template parameters of the file."""
    structure, found = context.structure, set()
    for index in structure.index.get(b"template", ()):
        less = structure.next_code(index + 1)
        end = structure.angle_end(less) if context.text(less) == b"<" else None
        for argument in structure.split(less + 1, end) if end is not None else ():
            words = parameter_words(context, argument)
            if len(words) > 1 and is_ident(words[-1]):
                found.add(words[-1])
    return found

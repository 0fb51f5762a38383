"""Names of members in front of which no `.` stands: handed to macros that put one there, behind `T::`, in offsetof."""

from __future__ import annotations

from hipify.parser.structure import Argument, Macro
from hipify.parser.tokens import is_ident
from hipify.records import NamedTuple
from hipify.rules.context import Context

_ACCESS = (b".", b"->")
IN_FRONT = frozenset((b"::", b",", b"("))
"""What stands in front of a member's name where no object does."""
_LINKS = frozenset((*_ACCESS, b"::"))
_ROUNDS = 4
_OFFSET = frozenset((b"offsetof", b"__builtin_offsetof"))


class Base(NamedTuple):
    """What a macro's body has in front of the dot: a word (b'' for none), or the parameter of that number."""

    word: bytes
    parameter: int


class Handed(NamedTuple):
    """The object or type whose member a macro's argument is; its token, if the call hands that over, too, or -1."""

    word: bytes
    token: int


_Members = dict[bytes, dict[int, Base]]


def scope_of(context: Context, index: int) -> bytes:
    """The word whose member token `index` names without an object: `T::member`, `offsetof(T, member)`."""
    structure = context.structure
    before = structure.prev_code(index - 1)
    if context.text(before) == b"::":
        word = context.text(structure.prev_code(before - 1))
        return word if is_ident(word or b"0") else b""
    if context.text(before) != b"," or _OFFSET.isdisjoint(context.tokens.vocabulary):
        return b""
    opener = structure.enclosing(index)
    name = structure.prev_code(opener - 1) if opener is not None else -1
    if context.text(name) not in _OFFSET or (call := structure.call_at(name)) is None or len(call.args) != 2:
        return b""
    words = [context.text(i) for i in context.tokens.significant(call.args[0].first, call.args[0].stop)]
    return words[-1] if call.args[1].first == index and words and is_ident(words[-1]) else b""


def handed(context: Context, index: int) -> Handed | None:
    """The object whose member token `index` is, when it is handed to a macro that puts it behind a dot."""
    kept = members(context)
    if not kept:
        return None
    structure = context.structure
    after = context.text(structure.next_code(index + 1))
    if after not in (b",", b")") or context.text(structure.prev_code(index - 1)) not in (b",", b"("):
        return None
    opener = structure.enclosing(index)
    name = structure.prev_code(opener - 1) if opener is not None else -1
    if not is_ident(context.text(name) or b"0") or (call := structure.call_at(name)) is None:
        return None
    place = next((n for n, a in enumerate(call.args) if (a.first, a.stop) == (index, index + 1)), -1)
    for macro in _callees(context, name):
        if (base := kept.get(macro, {}).get(place)) is not None:
            return _of_call(context, base, call.args, index)
    return None


def given(context: Context, macro: bytes, place: int, depth: int = _ROUNDS) -> list[int]:
    """The words that are handed to a macro at a place: by calls, other macros, and lists that are given its name."""
    structure, found = context.structure, list[int]()
    for index in structure.index.get(macro, ()):
        if (outer := structure.macro_at(index)) is not None and outer.name == index:
            continue
        if (call := structure.call_at(index)) is not None:
            for token in _word_at(call.args, place):
                outer = structure.macro_at(token)
                if outer is None or context.text(token) not in (outer.parameters or ()):
                    found.append(token)
                elif depth:
                    number = (outer.parameters or ()).index(context.text(token))
                    found += given(context, context.text(outer.name), number, depth - 1)
            continue
        opener = structure.enclosing(index)
        name = structure.prev_code(opener - 1) if opener is not None else -1
        listing = next(
            (m for m in structure.macros if m.parameters and context.text(m.name) == context.text(name)), None
        )
        call = structure.call_at(name) if listing is not None else None
        number = next((n for n, a in enumerate(call.args) if a.first == index), -1) if call is not None else -1
        if listing is not None and 0 <= number < len(listing.parameters or ()):
            word = (listing.parameters or ())[number]
            items = [structure.call_at(i) for i in structure.index.get(word, ()) if listing.first <= i < listing.stop]
            found += [token for item in items if item is not None for token in _word_at(item.args, place)]
    return found


def _word_at(args: tuple[Argument, ...], place: int) -> list[int]:
    """The token that an argument is, if it is one token."""
    return [args[place].first] if place < len(args) and args[place].stop == args[place].first + 1 else []


def _of_call(context: Context, base: Base, args: tuple[Argument, ...], index: int) -> Handed:
    """The object in front of the dot, as the call has it."""
    if base.parameter < 0:
        return Handed(base.word, -1)
    argument = args[base.parameter] if base.parameter < len(args) else None
    inside = context.tokens.significant(argument.first, argument.stop) if argument is not None else ()
    token = next((i for i in reversed(list(inside)) if is_ident(context.text(i))), -1)
    return Handed(context.text(token), token)


def _callees(context: Context, name: int) -> list[bytes]:
    """The macros that a call may be of: what it names, or what is given for a list's parameter (`X(warpSize)`)."""
    word, macro = context.text(name), context.structure.macro_at(name)
    if macro is None or word not in (macro.parameters or ()):
        return [word]
    number, found = (macro.parameters or ()).index(word), []
    for use in context.structure.index.get(context.text(macro.name), ()):
        call = context.structure.call_at(use) if use != macro.name else None
        if call is not None and number < len(call.args) and call.args[number].stop == call.args[number].first + 1:
            found.append(context.text(call.args[number].first))
    return found


def members(context: Context) -> _Members:
    """The parameters that the file's macros put behind a dot, and what is in front of it."""
    kept: _Members | None = vars(context).get("_member_parameters")
    if kept is None:
        kept = vars(context)["_member_parameters"] = {}
        macros = [m for m in context.structure.macros if m.parameters] if context.has_member_macros else []
        for macro in macros:
            _read(context, macro, kept)
        for _ in range(_ROUNDS if kept else 0):
            if not sum(_pass_on(context, macro, kept) for macro in macros):
                break
    return kept


def _read(context: Context, macro: Macro, found: _Members) -> None:
    tokens, parameters = context.tokens, macro.parameters or ()
    for at in range(macro.first, macro.stop):
        if tokens.text[at] not in _LINKS:
            continue
        member, word = tokens.text[tokens.next(at + 1, macro.stop)], _word_before(context, at)
        if member in parameters and (word or tokens.text[at] != b"::"):
            number = parameters.index(word) if word in parameters else -1
            found.setdefault(tokens.text[macro.name], {})[parameters.index(member)] = Base(word, number)


def _word_before(context: Context, link: int) -> bytes:
    """The word in front of a `.`, `->` or `::` of a macro's body: `p.`, `(p).`, `((T*)0)->`; b'' for none."""
    tokens = context.tokens
    before = tokens.prev(link - 1)
    if tokens.text[before] != b")":
        return tokens.text[before] if is_ident(tokens.text[before] or b"0") else b""
    inside = tokens.significant(context.structure.partner.get(before, before), before)
    return next((tokens.text[i] for i in reversed(list(inside)) if is_ident(tokens.text[i])), b"")


def _pass_on(context: Context, macro: Macro, found: _Members) -> bool:
    """Take over what the macros that this one uses do with its parameters; whether something was new."""
    text, parameters, is_new = context.tokens.text, macro.parameters or (), False
    for at in range(macro.first, macro.stop):
        if text[at] not in found or text[at] == text[macro.name] or (call := context.structure.call_at(at)) is None:
            continue
        for place, base in list(found[text[at]].items()):
            argument = call.args[place] if place < len(call.args) else None
            if argument is None or argument.stop != argument.first + 1 or text[argument.first] not in parameters:
                continue
            word = _of_call(context, base, call.args, at).word
            own = found.setdefault(text[macro.name], {})
            number = parameters.index(text[argument.first])
            is_new = is_new or number not in own
            own[number] = Base(word, parameters.index(word) if word in parameters else -1)
    return is_new

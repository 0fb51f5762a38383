"""Carries out one rule on one call: every argument that stays, stays where it is with its comments and line breaks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from hipify.model import Confidence
from hipify.parser.structure import Argument, Call
from hipify.patterns import lazy
from hipify.records import NamedTuple
from hipify.rules.context import Context
from hipify.rules.declared import declared_type
from hipify.rules.language import Piece, Rule
from hipify.rules.moves import Move, Span

Slot = list["bytes | int"]
"""One argument to write: new text, and the positions of arguments of the call."""

_CAST = lazy(rb"(?:reinterpret|static)_cast<([^<>]*(?:<[^<>]*>)?[^<>]*)>\(\Z")
_MACRO = lazy(rb"[A-Z][A-Z0-9_]*\(")
_SQUEEZE = lazy(rb"\s+")
_SPACES = (b" ", b"\t")
_NULLS = (b"nullptr", b"NULL", b"0")


class Site(NamedTuple):
    """One call that a rule rewrites."""

    context: Context
    call: Call
    confidence: Confidence
    group: int

    @property
    def args(self) -> tuple[Argument, ...]:
        """The arguments of the call."""
        return self.call.args

    def start(self, token: int) -> int:
        """The byte offset of a token."""
        return self.context.tokens.start[token]

    def span(self, argument: int) -> Span:
        """The bytes of an argument."""
        return self.start(self.args[argument].first), self.start(self.args[argument].stop)

    def text(self, argument: int) -> bytes:
        """The bytes of an argument as written."""
        return self.context.argument_bytes(self.args[argument])

    def move(self, start: int, end: int, parts: Iterable[bytes | Span] = (), outer: bool = False) -> None:
        """Replace bytes by parts; by nothing when there are none."""
        self.context.moves.append(Move(start, end, tuple(parts), self.group, outer, self.confidence))


def rewrite(site: Site, rule: Rule) -> None:
    """Rewrite the call as the rule says. The caller has checked that the rule applies."""
    template, callee = rule.template, b""
    if template is not None and template.slots is None and _is_text(rule):
        _replace_call(site, _resolve(site, rule, template.callee), template.block)
        return
    if template is not None:
        callee = b"".join(p for p in _resolve(site, rule, template.callee) if isinstance(p, bytes))
        if callee != site.context.text(site.call.name):
            site.context.replace(site.call.name, callee, site.confidence)
    site.context.claimed.add(site.call.name)
    if template is not None and template.slots is not None:
        slots = [s for slot in template.slots for s in _slots(site, rule, slot)]
    else:
        slots = _act(site, rule)
    if site.context.target.roc:
        from hipify.rules.roc_types import with_casts

        slots = with_casts(site, callee, slots)
    write_arguments(site, [without_needless_wrap(site, slot) for slot in slots])


def _is_text(rule: Rule) -> bool:
    """Whether a template that is no call replaces the whole call: a name alone only renames it."""
    callee = rule.template.callee if rule.template else ()
    alone = len(callee) == 1 and callee[0][0] == "text" and re.fullmatch(r"(?:::)?\w+(?:::\w+)*", callee[0][1])
    return not alone


def _slots(site: Site, rule: Rule, pieces: tuple[Piece, ...]) -> Iterator[Slot]:
    if pieces == (("rest", ""),):
        for at in range(len(rule.parameters or ()), len(site.args)):
            yield [at]
    else:
        yield _resolve(site, rule, pieces)


def _resolve(site: Site, rule: Rule, pieces: tuple[Piece, ...]) -> Slot:
    """The pieces of a template with this call's arguments in their places."""
    out: Slot = []
    for kind, value in pieces:
        if kind == "text":
            out.append(value.encode())
        elif kind == "targs":
            out.append(_template_arguments(site))
        elif kind == "rest":
            rest = range(len(rule.parameters or ()), len(site.args))
            out += [piece for at in rest for piece in ((b", ", at) if at != rest.start else (at,))]
        else:
            at = rule.parameters.index(value) if rule.parameters is not None else int(value) - 1
            out += _reference(site, rule, kind, at)
    return out


def _template_arguments(site: Site) -> bytes:
    """What stands between the angle brackets behind the callee."""
    first = site.call.name + 1
    return site.context.source.data[site.start(first) : site.start(site.call.open)].strip()[1:-1]


def _reference(site: Site, rule: Rule, kind: str, at: int) -> Slot:
    if at >= len(site.args) or site.args[at].empty:
        return [rule.defaults[at].encode()] if at < len(rule.defaults) else []
    if kind == "type":
        semantics, argument = site.context.semantics, site.args[at]
        known = semantics.expr_type(*site.context.argument_range(argument)) if semantics is not None else ""
        return [known.encode()] if known else [b"std::decay_t<decltype(", at, b")>"]
    if kind == "unquote":
        return [site.text(at).strip(b'"').removeprefix(b"#").strip()]
    return [at]


def type_of(context: Context, argument: Argument) -> str:
    """The type of an argument as clang sees it, else as its declaration says; '' when neither is known."""
    if argument.empty:
        return ""
    known = context.semantics.expr_type(*context.argument_range(argument)) if context.semantics is not None else ""
    if known:
        return known
    if argument.stop == argument.first + 1:
        return declared_type(context, argument.first).decode("utf-8", "replace")
    if argument.stop == argument.first + 2 and context.text(argument.first) == b"&":
        word = declared_type(context, argument.first + 1).decode("utf-8", "replace")
        return f"{word} *" if word else ""
    return ""


def _act(site: Site, rule: Rule) -> list[Slot]:
    """The arguments after the actions of a rule, one after the other."""
    slots: list[tuple[int, Slot]] = [(i, [i]) for i in range(len(site.args))]

    def place(origin: str) -> int:
        return next((k for k, (o, _) in enumerate(slots) if o == int(origin)), -1)

    for kind, *operands in rule.actions:
        if kind == "add":
            text, where = operands
            at = len(slots) if where == "end" else min(int(where), len(slots))
            slots.insert(at, (-1, [text.encode()]))
            continue
        if kind == "copy":
            where = operands[1]
            if int(operands[0]) < len(site.args):
                slots.insert(len(slots) if where == "end" else int(where), (-1, [int(operands[0])]))
            continue
        at = place(operands[0])
        if at < 0:
            continue
        origin, slot = slots[at]
        if kind == "drop":
            del slots[at]
        elif kind == "swap" and (other := place(operands[1])) >= 0:
            slots[at], slots[other] = slots[other], slots[at]
        elif kind == "move":
            slots.insert(int(operands[1]), slots.pop(at))
        elif kind == "wrap":
            slots[at] = origin, [f"{operands[1]}(".encode(), *slot, b")"]
        elif kind == "cast":
            slots[at] = origin, [_cast(operands[1]), *slot, b")"]
        elif kind == "set":
            slots[at] = origin, [operands[1].encode()]
    return [slot for _, slot in slots]


def _cast(to: str) -> bytes:
    return f"{'reinterpret' if to.endswith('*') else 'static'}_cast<{to}>(".encode()


def without_needless_wrap(site: Site, slot: Slot) -> Slot:
    """The slot without a wrapping that the argument already has, and with C's casts in C."""
    if len(slot) != 3 or not isinstance(slot[0], bytes) or not isinstance(slot[1], int) or slot[2] != b")":
        return slot
    text, prefix = site.text(slot[1]), slot[0]
    if _SQUEEZE.sub(b"", text).startswith(_SQUEEZE.sub(b"", prefix)) and text.endswith(b")"):
        return [slot[1]]
    if _MACRO.fullmatch(prefix) and _has_bare_comma(site, slot[1]):
        return [prefix + b"(", slot[1], b"))"]
    cast = _CAST.match(prefix)
    if prefix[:1] == b"(" and _SQUEEZE.sub(b"", text).startswith(_SQUEEZE.sub(b"", prefix[:-1])):
        return [slot[1]]
    if cast is None:
        return slot
    to, squeezed = _SQUEEZE.sub(b"", cast[1]), _SQUEEZE.sub(b"", text)
    if text in _NULLS and prefix.startswith(b"reinterpret"):
        return [slot[1]]
    if squeezed.startswith((b"(" + to + b")", b"(" + to.removeprefix(b"const") + b")")):
        return [slot[1]]
    if site.context.source.path.endswith(".c"):
        return [b"(" + cast[1] + b")(", slot[1], b")"]
    return slot


def _has_bare_comma(site: Site, argument: int) -> bool:
    """Whether the preprocessor would split the argument: a comma outside of parentheses."""
    at, text = site.args[argument].first, site.context.tokens.text
    while at < site.args[argument].stop:
        if text[at] == b"(":
            at = site.context.structure.partner.get(at, at)
        elif text[at] == b",":
            return True
        at += 1
    return False


def write_arguments(site: Site, slots: list[Slot]) -> None:
    """Make the argument list of a call say `slots`."""
    wanted = [piece for slot in slots for piece in slot if isinstance(piece, int)]
    for at in set(range(len(site.args))) - set(wanted):
        site.context.claimed.update(range(site.args[at].first, site.args[at].stop))
    if all(a < b for a, b in pairwise(wanted)):
        _in_order(site, slots, wanted)
    else:
        _permuted(site, slots)


def _in_order(site: Site, slots: list[Slot], wanted: list[int]) -> None:
    """Arguments keep their order: text goes between them, dropped ones go away."""
    between = _between(slots)
    args, context = site.args, site.context
    if not wanted:
        _delete(site, site.call.open + 1, site.call.close)
        context.insert(site.start(site.call.open + 1), _joined(between[0]), site.confidence)
        return
    if wanted[0] > 0:
        _drop(site, args[0].first, args[wanted[0]].first, range(wanted[0]))
    context_insert(site, args[wanted[0]].first, _joined(between[0]))
    for (left, right), pieces in zip(pairwise(wanted), between[1:], strict=False):
        if None not in pieces:
            site.move(site.span(left)[1], site.span(right)[0], (_joined(pieces), *_comments(site, left, right)), True)
            continue
        cut = pieces.index(None)
        context_insert(site, args[left].stop, _joined(pieces[:cut]))
        if right > left + 1:
            _drop(site, args[left + 1].first, args[right].first, range(left + 1, right))
        context_insert(site, args[right].first, _joined(pieces[cut + 1 :]))
    last = wanted[-1]
    context_insert(site, args[last].stop, _joined(between[-1]))
    if last + 1 < len(args):
        _drop(site, args[last].stop, args[-1].stop, range(last + 1, len(args)))


def context_insert(site: Site, token: int, text: bytes) -> None:
    """Insert text in front of a token."""
    if text:
        site.context.insert(site.start(token), text, site.confidence)


def _between(slots: list[Slot]) -> list[list[bytes | None]]:
    """The new text before, between and behind the arguments of `slots`; None stands for a comma."""
    out: list[list[bytes | None]] = [[]]
    for number, slot in enumerate(slots):
        if number:
            out[-1].append(None)
        for piece in slot:
            if isinstance(piece, int):
                out.append([])
            else:
                out[-1].append(piece)
    return out


def _joined(pieces: list[bytes | None]) -> bytes:
    return b"".join(b", " if p is None else p for p in pieces)


def _drop(site: Site, first: int, stop: int, dropped: Iterable[int]) -> None:
    """Delete the dropped arguments in tokens [first, stop) with their commas; comments stay."""
    at = first
    for number in dropped:
        argument = site.args[number]
        _delete(site, at, argument.first)
        if not argument.empty:
            site.move(*site.span(number))
        at = argument.stop
    _delete(site, at, stop)


def _delete(site: Site, first: int, stop: int) -> None:
    """Delete tokens [first, stop) but for comments, the spaces in front of the first, and the blanks behind it."""
    text = site.context.tokens.text
    comment = next((i for i in range(first, stop) if text[i][:2] in (b"//", b"/*") or text[i][:1] == b"\\"), stop)
    end = comment
    if comment < stop and end > first and text[end - 1][:1] in _SPACES and text[first - 1][:1] not in _SPACES:
        end -= 1
    if first < end:
        site.move(site.start(first), site.start(end), (), True)
    for at in range(comment, stop):
        if text[at] == b",":
            site.move(site.start(at), site.start(at + 1), (), True)


def _comments(site: Site, left: int, right: int) -> list[bytes]:
    """The comments between two arguments, as comments that need no line of their own."""
    text = site.context.tokens.text
    gap = range(site.args[left].stop, site.args[right].first)
    return [b" " + as_block(text[i]) for i in gap if text[i][:2] in (b"//", b"/*")]


def as_block(comment: bytes) -> bytes:
    """A comment in the form that may stand in the middle of a line."""
    if comment[:2] == b"/*":
        return comment
    return b"/*" + comment[2:].rstrip().replace(b"*/", b"* /") + b" */"


def _permuted(site: Site, slots: list[Slot]) -> None:
    """Arguments change places: each place is filled anew, commas and line breaks stay."""
    places = len(site.args)
    used: set[int] = set()
    for at in range(places):
        if at >= len(slots):
            _drop(site, site.args[len(slots) - 1].stop, site.args[-1].stop, range(len(slots), places))
            break
        parts = list(_parts(site, slots[at], at, used))
        if at == places - 1:
            for extra in slots[places:]:
                parts += [b", ", *_parts(site, extra, -1, used)]
        if parts != [site.span(at)]:
            site.move(*site.span(at), parts)


def _parts(site: Site, slot: Slot, place: int, used: set[int]) -> Iterator[bytes | Span]:
    for piece in slot:
        if isinstance(piece, bytes):
            yield piece
        elif piece == place or piece in used:
            yield site.span(piece)
        else:
            used.add(piece)
            before, behind = _attached(site, piece)
            for comment in before:
                yield _take(site, comment) + b" "
            yield site.span(piece)
            for comment in behind:
                yield b" " + _take(site, comment)


def _take(site: Site, comment: int) -> bytes:
    """Remove a comment where it is, and the spaces in front of it; gives its text."""
    text = site.context.tokens.text
    first = comment - 1 if text[comment - 1][:1] in (b" ", b"\t") else comment
    site.move(site.start(first), site.start(comment + 1), (), True)
    return as_block(text[comment])


def _attached(site: Site, number: int) -> tuple[list[int], list[int]]:
    """The comments that speak of an argument: in front of it, and behind it up to its line's end."""
    args, call = site.args, site.call
    left = args[number - 1].stop if number else call.open + 1
    right = args[number + 1].first if number + 1 < len(args) else call.close
    before = _gap_comments(site, left, args[number].first, number > 0)[1]
    behind = _gap_comments(site, args[number].stop, right, number + 1 < len(args))[0]
    return before, behind


def _gap_comments(site: Site, first: int, stop: int, shared: bool) -> tuple[list[int], list[int]]:
    """The comments of a gap that belong to the argument on its left, and to that on its right."""
    text = site.context.tokens.text
    comments = [i for i in range(first, stop) if text[i][:2] in (b"//", b"/*")]
    if not shared:
        return comments, comments
    comma = next((i for i in range(first, stop) if text[i] == b","), stop)
    line = next((i for i in range(comma, stop) if text[i] in (b"\n", b"\r\n") or text[i][:1] == b"\\"), comma)
    return [i for i in comments if i < line], [i for i in comments if i >= line]


def _replace_call(site: Site, pieces: Slot, block: bool) -> None:
    """Put text with arguments in it in the place of the whole call, or of the statement that it is."""
    context, call = site.context, site.call
    first, last = call.name, call.close
    before = context.structure.prev_code(call.name - 1)
    if context.text(before) == b"::":
        first = before
    if block:
        last = context.structure.next_code(call.close + 1)
    used: set[int] = set()
    parts: list[bytes | Span] = list(_parts(site, pieces, -1, used))
    context.claimed.update(range(first, call.name + 1))
    for number in set(range(len(site.args))) - used:
        context.claimed.update(range(site.args[number].first, site.args[number].stop))
    site.move(site.start(first), site.start(last + 1), parts, True)

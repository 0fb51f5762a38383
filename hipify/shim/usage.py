"""What one file needs of the shim: the engine's edits, sorted into what a header can do and what it cannot."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from hipify.emit import rewriter
from hipify.model import Edit, Options, Severity
from hipify.parser.owner import Owner
from hipify.parser.source import Source
from hipify.parser.structure import Call, Include
from hipify.rules import rulebook
from hipify.rules.conditionals import Conditionals, conditionals_of
from hipify.rules.context import Context
from hipify.rules.engine import steps
from hipify.rules.library import HeaderApi
from hipify.rules.moves import Move, compose
from hipify.rules.passes.includes import toolkit_header
from hipify.shim.records import WORDS, FileUsage, Header, Obstacle, Place, Rename

_NAME = re.compile(rb"[A-Za-z_]\w*\Z")
_QUALIFIED = re.compile(rb"[A-Za-z_]\w*(?:::[A-Za-z_]\w*)+\Z")
_INSERTED = re.compile(rb'#include [<"]([^>"]+)[>"]')
_ALIAS = re.compile(rb"namespace (\w+) = ([\w:]+)\Z")
# The findings about includes: the shim brings the headers.
_ABOUT_INCLUDES = frozenset(("HPY106", "HPY108", "HPY109", "HPY607", "HPY608", "HPY609", "HPY902"))
_THRUST = "thrust/execution_policy.h"
_ABOUT_ADDRESSES = "HPY112"
_ARGUMENTS = "calls"
# The passes whose edits are about other things than the API's names.
_NO_NAMES = frozenset(("guards", "keywords", "launches", "pasting", "strings", "vector_operators"))


def read(data: bytes, path: str, options: Options, brought: Iterable[str] = ()) -> FileUsage:
    """Look at one file. `brought` are the CUDA headers that the shim's header brings, when the file includes it."""
    return _Reader(data, path, options, brought).usage


class _Reader:
    def __init__(self, data: bytes, path: str, options: Options, brought: Iterable[str]) -> None:
        self.usage = FileUsage(path)
        self._end = len(data)
        # Behind the file, so that places stay: what matters to the engine is that it includes them.
        data += b"".join(b"\n#include <" + name.encode() + b">\n" for name in brought)
        self._said: list[tuple[str, Edit]] = []
        self._moves: list[tuple[str, Move]] = []
        edits = moves = 0
        for name, context in steps(Source(data, path), options):
            self._said += [(name, edit) for edit in context.analysis.edits[edits:]]
            self._moves += [(name, move) for move in context.moves[moves:]]
            edits, moves = len(context.analysis.edits), len(context.moves)
        self._context: Context = context
        self._conditionals: Conditionals = conditionals_of(context)
        self._names = {name for name in rulebook.load(options.rule_files).names if name in context.tokens.vocabulary}
        self._renamed: set[int] = set()
        self._opened = 0, b"#if !defined(__HIP_PLATFORM_AMD__)"
        self._calls: dict[int, list[bytes]] = {}
        self._sort()

    def _sort(self) -> None:
        """Put each edit where it belongs."""
        for name, edit in self._said:
            if edit.start >= self._end:  # an include that the engine adds may go behind the last one there is
                self.usage.required |= {m[1].decode() for m in [_INSERTED.match(edit.text)] if m and name != "includes"}
            elif not self._conditionals.leaves_out(edit.start):
                self._one(name, edit)
        for name, move in self._moves:
            if not self._conditionals.leaves_out(move.start):
                self._moved(name, move)
        for index, texts in sorted(self._calls.items()):
            if any(text not in (b"HIP_SYMBOL(", b")", b"") for text in texts):
                self._argument_obstacle(index)
        self._includes()
        self._own_names()
        self._findings()

    def _place(self, offset: int) -> Place:
        line, column = self._context.source.position(offset)
        return Place(self.usage.path, line, column)

    def _token(self, start: int, end: int) -> int:
        """The identifier that takes up just these bytes; -1 when none does."""
        tokens = self._context.tokens
        index = tokens.index_at(start)
        whole = tokens.start[index] == start and tokens.end(index) == end
        return index if whole and _NAME.match(_plain(tokens.text[index])) else -1

    def _one(self, name: str, edit: Edit) -> None:
        data = self._context.source.data
        if name == "includes":
            return
        if (inserted := _INSERTED.match(edit.text)) is not None and edit.start == edit.end:
            self.usage.required.add(inserted[1].decode())
            return
        if data[edit.start : edit.start + 1] in (b"<", b'"') and _INSERTED.match(b"#include " + edit.text):
            self.usage.required.add(edit.text[1:-1].decode())
            return
        if (alias := _ALIAS.match(edit.text)) is not None and name == "features":
            self.usage.namespaces[f"nvcuda::{alias[1].decode()}"] = alias[2].decode()
            return
        if name == "guards":
            self._condition(edit.start)
            return
        if edit.start == edit.end and (line := edit.text.strip()).startswith((b"#if", b"#endif")):
            self._around(name, edit.start, line)
            return
        index = self._token(edit.start, edit.end)
        text = _plain(edit.text)
        if index >= 0 and name not in _NO_NAMES and (_NAME.match(text) or _QUALIFIED.match(text)):
            self._rename(name, index, text)
        elif name == _ARGUMENTS and (call := self._call_around(edit.start, edit.end)) is not None:
            self._calls.setdefault(call, []).append(edit.text)
        elif edit.start != edit.end or edit.text:
            self._obstacle(name, edit.start, edit.end, _change(data[edit.start : edit.end], edit.text))

    def _condition(self, offset: int) -> None:
        """A directive that asks for nvcc: said once, whatever it takes to change it."""
        source = self._context.source
        start = source.line_starts[source.position(offset)[0] - 1]
        obstacle = self._made("guards", start, offset, "")
        asked = " ".join(_text(source.data[start:]).partition("\n")[0].split())
        if all(o.place != obstacle.place for o in self.usage.obstacles):
            self.usage.obstacles.append(replace(obstacle, message=f"{asked}: HIP's compiler does not define this"))

    def _around(self, name: str, offset: int, line: bytes) -> None:
        """A conditional that the engine puts around some lines: said where they begin."""
        if line.startswith(b"#if"):
            self._opened = offset, line
            return
        start, condition = self._opened
        lines = _text(self._context.source.data[start:offset]).strip("\n").splitlines()
        shown = lines if len(lines) < 8 else [*lines[:3], "...", *lines[-2:]]
        message = f"HIP has this itself: keep these {len(lines)} lines from it"
        guard = "\n".join((_text(condition), *shown, "#endif"))
        self.usage.obstacles.append(Obstacle(self._place(start), WORDS.get(name, name), message, guard))

    def _moved(self, name: str, move: Move) -> None:
        call = self._call_around(move.start, move.end)
        if call is None:
            self._obstacle(name, move.start, move.end, "the call is written anew")
        else:
            self._calls.setdefault(call, []).append(b"moved")

    def _rename(self, name: str, index: int, text: bytes) -> None:
        old = _plain(self._context.tokens.text[index])
        self._renamed.add(index)
        place = self._place(self._context.tokens.start[index])
        if name == "namespaces" and self._context.text(self._context.structure.next_code(index + 1)) == b"::":
            outer = self._outer(index)
            self.usage.namespaces[outer + old.decode()] = outer + text.decode()
            if outer.startswith("thrust::"):
                self.usage.required.add(_THRUST)
            return
        if name == "fields" or (b"::" in text and not old.startswith(b"__")):
            message = f"{old.decode()} becomes {text.decode()}, and a macro would change other uses of the word"
            start = self._context.tokens.start[index]
            self._obstacle(name, start, self._context.tokens.end(index), message)
            return
        self.usage.renames.append(Rename(old.decode(), text.decode(), place, name == "names"))
        before = self._context.text(self._context.structure.prev_code(index - 1))
        if before in (b"struct", b"enum", b"union", b"class", b"typename"):
            self.usage.elaborated.add(old.decode())

    def _outer(self, index: int) -> str:
        """The namespaces in front of a name, as they stand there."""
        structure = self._context.structure
        link = structure.prev_code(index - 1)
        if self._context.text(link) != b"::":
            return ""
        outer = structure.prev_code(link - 1)
        name = self._context.text(outer)
        return self._outer(outer) + name.decode() + "::" if _NAME.match(name) else ""

    def _call_around(self, start: int, end: int) -> int | None:
        """The innermost call of a function with rules that holds these bytes; its name's token."""
        best: tuple[int, int] | None = None
        tokens = self._context.tokens
        for call in self._rule_calls:
            first, last = tokens.start[call.name], tokens.end(call.close)
            if first <= start and end <= last and (best is None or first >= best[0]):
                best = first, call.name
        return best[1] if best else None

    @property
    def _rule_calls(self) -> list[Call]:
        found: list[Call] | None = self.__dict__.get("_found_calls")
        if found is None:
            structure = self._context.structure
            indices = sorted(i for name in self._names for i in structure.index.get(name, ()))
            calls = (structure.call_at(i) for i in indices)
            found = self.__dict__["_found_calls"] = [call for call in calls if call is not None]
        return found

    def _argument_obstacle(self, index: int) -> None:
        tokens = self._context.tokens
        call = self._context.structure.call_at(index)
        assert call is not None
        name = _plain(tokens.text[index]).decode()
        start, end = tokens.start[index], tokens.end(call.close)
        message = f"{name}: HIP's form of this call has other arguments"
        self.usage.calls.append((name, self._made("calls", start, end, message)))

    def _obstacle(self, name: str, start: int, end: int, message: str) -> None:
        self.usage.obstacles.append(self._made(name, start, end, message))

    def _made(self, name: str, start: int, end: int, message: str) -> Obstacle:
        return Obstacle(self._place(start), WORDS.get(name, name), message, self._guard(start, end))

    def _guard(self, start: int, end: int) -> str:
        """The lines around some bytes, for both platforms."""
        source = self._context.source
        first, last = source.position(start)[0] - 1, source.position(max(start, end - 1))[0] - 1
        data = source.data
        starts = source.line_starts
        while first and data[: starts[first]].rstrip(b"\r\n").endswith(b"\\"):
            first -= 1
        stop = starts[last + 1] if last + 1 < len(starts) else len(data)
        while data[starts[first] : stop].rstrip(b"\r\n").endswith(b"\\") and last + 2 < len(starts):
            last += 1
            stop = starts[last + 1]
        old = data[starts[first] : stop]
        if old.lstrip().startswith((b"#if", b"#elif")):
            return _text(self._translated(starts[first], stop)).strip("\n")
        new = self._translated(starts[first], stop)
        lines = ["#if defined(__HIP_PLATFORM_AMD__)", _text(new).strip("\n"), "#else", _text(old).strip("\n"), "#endif"]
        return "\n".join(lines)

    def _translated(self, start: int, stop: int) -> bytes:
        """Bytes of the file as the engine would write them."""
        if "_composed" not in self.__dict__:
            edits = compose(self._context.source.data, self._context.analysis.edits, self._context.moves)
            self.__dict__["_composed"] = [edit for edit in edits if not _INSERTED.match(edit.text)]
        inside = [
            edit._replace(start=edit.start - start, end=edit.end - start)
            for edit in self.__dict__["_composed"]
            if start <= edit.start and edit.end <= stop and not (edit.start == edit.end == stop)
        ]
        data = self._context.source.data[start:stop]
        return rewriter.apply(data, rewriter.in_order(inside, len(data)))

    def _includes(self) -> None:
        self.usage.uses = self._context.needs_runtime or bool(self.usage.renames or self.usage.calls)
        for include in self._context.structure.includes:
            if not include.angled:
                self.usage.quoted.add(include.name.decode("utf-8", "replace").rpartition("/")[2])
            api = toolkit_header(self._context, include)
            if api is None or self._conditionals.leaves_out(include.start):
                continue
            conditional = bool(self._context.branches.path[include.directive.first])
            name = include.name.decode("utf-8", "surrogateescape")
            self.usage.hip_headers[name] = self._hip_header(api, include)
            if include.start < self._end:
                self.usage.headers.append(Header(name, self._place(include.start), conditional))

    def _hip_header(self, api: HeaderApi, include: Include) -> str:
        for _, edit in self._said:
            if edit.start == include.start and edit.text[:1] in (b"<", b'"'):
                return edit.text[1:-1].decode()  # a pass put another in its place
        return api.hip_in(self._context.target.label)

    def _own_names(self) -> None:
        """Where the file has names as its own that are the API's elsewhere, here or in another file."""
        context = self._context
        text = context.tokens.text
        for macro in context.structure.macros:
            if text[macro.name] in context.library.names:
                self.usage.own_macros[_plain(text[macro.name]).decode()] = self._place(context.tokens.start[macro.name])
        for name in sorted(context.library.names & context.tokens.vocabulary):
            for index in context.structure.index.get(name, ()):
                if index in self._renamed or not context.is_code(index):
                    continue
                if not self._conditionals.leaves_out(context.tokens.start[index]):
                    self._whose(name, index)

    def _whose(self, name: bytes, index: int) -> None:
        owner, _ = self._context.owner(index)
        shown = name.decode()
        if owner is Owner.API:
            if (api := self._context.library.get(name)) is not None:
                self.usage.libraries.add(api.library)
        elif shown not in self.usage.own_macros and (owner is Owner.USER or self._context.declares(index)):
            self.usage.own.setdefault(shown, []).append(self._place(self._context.tokens.start[index]))

    def _findings(self) -> None:
        for finding in self._context.analysis.findings:
            place = Place(self.usage.path, finding.line, finding.column)
            if finding.id in _ABOUT_INCLUDES or finding.start >= self._end:
                continue
            if finding.id == _ABOUT_ADDRESSES:
                name = self._context.source.data[finding.start : finding.end].decode("utf-8", "replace")
                self.usage.addresses.append((name, Obstacle(place, "address", finding.message, finding.fix)))
            elif finding.severity is Severity.ERROR:
                word = self._context.source.data[finding.start : finding.end].decode("utf-8", "replace")
                known = word if finding.id in ("HPY101", "HPY102", "HPY103", "HPY110") else ""
                self.usage.obstacles.append(Obstacle(place, finding.id, finding.message, finding.fix, known))
            else:
                self.usage.others += 1


def _plain(text: bytes) -> bytes:
    """A token without line splices."""
    return re.sub(rb"\\\r?\n", b"", text)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")


def _change(old: bytes, new: bytes) -> str:
    """An edit in words."""
    before, after = (" ".join(_text(text).split()) for text in (old, new))
    if not before:
        return f"{after} is added"
    return f"{before} becomes {after}" if after else f"{before} goes"

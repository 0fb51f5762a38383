"""What clang knows about one parsed file, asked by byte offset: meanings, types, constants, device code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import cached_property

from hipify.parser.libclang_fast import CONTINUE, VISITOR, Cursor, LibClang, Range, Type
from hipify.parser.owner import Owner
from hipify.parser.tokens import Tokens, spelling
from hipify.patterns import lazy
from hipify.records import NamedTuple

_DECLARATIONS = range(1, 40)
_FUNCTION_KINDS = frozenset((8, 21, 24, 25, 26, 30))  # function, method, constructor, destructor, conversion, template
_OVERLOADED = 49
_DECLARATOR = lazy(rb"\w++(?:\s|/\*.*?\*/)*(?:[*&]\s*)*[A-Za-z_]", re.DOTALL)
_FIELD, _FUNCTION, _VARIABLE, _METHOD, _TEMPLATE = 6, 8, 9, 21, 30
_TRANSLATION_UNIT = 350
_INVALID = frozenset((0, 70, 71, 72, 73))
_MACRO_DEFINITION, _MACRO_EXPANSION, _INCLUSION = 501, 502, 503
_DEVICE_ATTRIBUTE, _GLOBAL_ATTRIBUTE, _HOST_ATTRIBUTE = 413, 414, 415
_PLACELESS = frozenset((*range(40, 51), _MACRO_DEFINITION, _MACRO_EXPANSION, _INCLUSION))
_UNEXPOSED, _CALL, _CONSTRUCTOR = 100, 103, 24
_CONSTRUCTORS = frozenset((24, 25, 26))


class Unit:
    """A parsed translation unit, given back to libclang when nobody holds it any more."""

    def __init__(self, clang: LibClang, index: int, handle: int, release: Callable[[], None]) -> None:
        self.clang = clang
        self.index = index
        self.handle = handle
        self.release = release

    def __del__(self) -> None:
        self.release()


class Places(NamedTuple):
    """The header that declares CUDA, and the folders of headers that belong to neither CUDA nor the user."""

    declarations: str
    neutral: tuple[str, ...]


class Semantics:
    """The answers of clang about one file. Everything is asked lazily; nothing walks a header."""

    def __init__(self, unit: Unit, tokens: Tokens, path: bytes, places: Places) -> None:
        self._unit = unit
        self._clang = unit.clang
        self._tokens = tokens
        self._places = places
        self._main: int | None = self._clang.clang_getFile(unit.handle, path)
        self._owner_of_file: dict[int | None, Owner] = {None: Owner.UNKNOWN, self._main: Owner.USER}
        self._owners: dict[int, Owner] = {}
        self.counters: Counter[str] = Counter(parses=1)

    # -- identifiers

    def owner(self, offset: int) -> Owner:
        """Whom the identifier token at this byte belongs to; UNKNOWN where clang saw nothing or is not sure."""
        found = self._owners.get(offset)
        if found is None:
            found = self._owners[offset] = self._find_owner(offset)
        return found

    def _find_owner(self, offset: int) -> Owner:
        name = self._name_at(offset)
        cursor = self._cursor(offset)
        kind = cursor.kind
        if kind == _MACRO_DEFINITION:
            return Owner.USER if self._spelling(cursor) == name and self._starts_at(cursor, offset) else Owner.UNKNOWN
        if kind == _OVERLOADED:
            return self._owner_of_overloads(cursor, name)
        if kind in _DECLARATIONS and self._starts_at(cursor, offset):
            return Owner.USER if self._names(cursor, name) and not self._is_doubtful(cursor) else Owner.UNKNOWN
        target = self._clang.clang_getCursorReferenced(cursor)
        if target.kind in _INVALID or not self._names(target, name):
            return Owner.UNKNOWN
        return self._owner_of_declaration(target)

    def _owner_of_overloads(self, cursor: Cursor, name: str) -> Owner:
        owners = set()
        for i in range(self._clang.clang_getNumOverloadedDecls(cursor)):
            declared = self._clang.clang_getOverloadedDecl(cursor, i)
            if self._names(declared, name):
                owners.add(self._owner_of_declaration(declared))
        return owners.pop() if len(owners) == 1 else Owner.UNKNOWN

    def _owner_of_declaration(self, cursor: Cursor) -> Owner:
        location = self._clang.clang_getCursorLocation(cursor)
        file, _ = self._clang.place(location)
        owner = self._owner_of_file.get(file)
        if owner is None:
            path = self._clang.text(self._clang.clang_getFileName(file))
            owner = Owner.USER
            if path == self._places.declarations:
                owner = Owner.API
            elif path.startswith(self._places.neutral) or self._clang.clang_Location_isInSystemHeader(location):
                owner = Owner.UNKNOWN  # the C library's `printf` is neither the user's nor CUDA's alone
            self._owner_of_file[file] = owner
        return Owner.UNKNOWN if owner is Owner.USER and self._is_doubtful(cursor) else owner

    def _is_doubtful(self, cursor: Cursor) -> bool:
        """Whether a declaration may be clang's misreading after an error.

        It begins with its own name (a call that was met outside functions), or it is invalid: in `EXPORT dim3 grid;` an
        unknown `EXPORT` is taken for a type, and `dim3` for what is declared. In the main file the tokens say which;
        in a header another name behind it does.
        """
        in_main = self._clang.place(self._clang.clang_getCursorLocation(cursor))[0] == self._main
        if cursor.kind not in (_FUNCTION, _VARIABLE, _FIELD, _METHOD, _TEMPLATE):
            return False
        if self._clang.clang_isInvalidDeclaration(cursor) and (in_main or self._is_before_declarator(cursor)):
            return True
        clang = self._clang
        start = clang.clang_getRangeStart(clang.clang_getCursorExtent(cursor))
        return clang.place(start) == clang.place(clang.clang_getCursorLocation(cursor))

    def _is_before_declarator(self, cursor: Cursor) -> bool:
        """Whether the name of a declaration has a declarator behind it, as only a type has."""
        file, offset = self._clang.place(self._clang.clang_getCursorLocation(cursor))
        return _DECLARATOR.match(self._clang.text_behind(self._unit.handle, file, offset, 256)) is not None

    def _names(self, cursor: Cursor, name: str) -> bool:
        spelled = self._spelling(cursor)
        if spelled == name:
            return True
        return bool(cursor.kind in (*_CONSTRUCTORS, 30) and spelled.split("<")[0].lstrip("~") == name)

    def _spelling(self, cursor: Cursor) -> str:
        return self._clang.text(self._clang.clang_getCursorSpelling(cursor))

    def _starts_at(self, cursor: Cursor, offset: int) -> bool:
        file, start = self._clang.place(self._clang.clang_getCursorLocation(cursor))
        return start == offset and file == self._main

    def _name_at(self, offset: int) -> str:
        return spelling(self._tokens.text[self._tokens.index_at(offset)]).decode("utf-8", "replace")

    def _cursor(self, offset: int) -> Cursor:
        self.counters["cursors"] += 1
        clang, unit = self._clang, self._unit.handle
        cursor: Cursor = clang.clang_getCursor(unit, clang.clang_getLocationForOffset(unit, self._main, offset))
        return cursor

    # -- expressions

    def expr_type(self, start: int, end: int) -> str:
        """The canonical type of the expression that spans exactly these bytes; '' when clang has none."""
        cursor = self._expression(start, end)
        if cursor is None:
            return ""
        clang = self._clang
        kind = clang.clang_getCanonicalType(clang.clang_getCursorType(cursor))
        text = clang.text(clang.clang_getTypeSpelling(kind)) if kind.kind else ""
        return "" if text.startswith("<") else text

    def constant(self, start: int, end: int) -> int | None:
        """The integer that the expression spanning exactly these bytes always has; None when there is none.

        Values of CUDA's own enumerators are placeholders: ask about masks and sizes, not about API flags.
        """
        cursor = self._expression(start, end)
        if cursor is None:
            return None
        clang = self._clang
        result = clang.clang_Cursor_Evaluate(cursor)
        if not result:
            return None
        try:
            if clang.clang_EvalResult_getKind(result) != 1:
                return None
            if clang.clang_EvalResult_isUnsignedInt(result):
                return int(clang.clang_EvalResult_getAsUnsigned(result))
            return int(clang.clang_EvalResult_getAsLongLong(result))
        finally:
            clang.clang_EvalResult_dispose(result)

    def _expression(self, start: int, end: int) -> Cursor | None:
        """The expression as written (no implicit conversion around it) that spans exactly these bytes."""
        cursor = self._cursor(start)
        if self._is_code(cursor) and self._span(cursor) == (start, end):
            return cursor
        scope = self._scope(start)
        chain = list(self._spanning(scope, start, end)) if scope is not None else []
        return next((node for node in chain if not self._is_conversion(node)), chain[-1] if chain else None)

    def _is_conversion(self, node: Cursor) -> bool:
        """Whether a node is most likely not written: an implicit cast, or a constructor called to convert."""
        if node.kind == _CALL:
            return bool(self._clang.clang_getCursorReferenced(node).kind == _CONSTRUCTOR)
        return bool(node.kind == _UNEXPOSED)

    @staticmethod
    def _is_code(cursor: Cursor) -> bool:
        return bool(99 < cursor.kind < 200)

    def _span(self, cursor: Cursor) -> tuple[int, int] | None:
        """The bytes of a cursor in the main file."""
        clang = self._clang
        extent: Range = clang.clang_getCursorExtent(cursor)
        file, start = clang.place(clang.clang_getRangeStart(extent))
        end_file, end = clang.place(clang.clang_getRangeEnd(extent))
        return (start, end) if file == end_file == self._main else None

    def _spanning(self, node: Cursor, start: int, end: int) -> Iterator[Cursor]:
        """The expressions of these bytes, outer ones first; a macro's call site lies around several of its children."""
        for child, span in self._children(node):
            if span is None or span[0] > start or end > span[1]:
                continue
            exact = span == (start, end) and self._is_code(child)
            if exact:
                yield child
            inner = list(self._spanning(child, start, end))
            yield from inner
            if exact or inner:
                return

    def _children(self, node: Cursor) -> list[tuple[Cursor, tuple[int, int] | None]]:
        key = (node.kind, *node.data)
        found = self._child_lists.get(key)
        if found is None:
            found = self._child_lists[key] = [(c, self._span(c)) for c in self._visit(node)]
        return found

    @cached_property
    def _child_lists(self) -> dict[tuple[int, ...], list[tuple[Cursor, tuple[int, int] | None]]]:
        return {}

    def _visit(self, node: Cursor) -> list[Cursor]:
        found: list[Cursor] = []

        def visit(child: Cursor, _parent: Cursor, _data: object) -> int:
            found.append(Cursor.from_buffer_copy(child))
            return CONTINUE

        self._clang.clang_visitChildren(node, VISITOR(visit), None)
        self.counters["visited"] += len(found)
        return found

    def field_owner(self, offset: int) -> str:
        """The struct that the member at this byte belongs to; '' when clang cannot tell."""
        cursor = self._cursor(offset)
        target = self._clang.clang_getCursorReferenced(cursor)
        if target.kind in _INVALID or self._spelling(target) != self._name_at(offset):
            return ""
        parent = self._clang.clang_getCursorSemanticParent(target)
        return self._spelling(parent) if parent.kind in (2, 3, 4, 31, 32) else ""

    # -- initialisers

    def type_at(self, offset: int) -> tuple[int, Type]:
        """The kind of the node at this byte, and its canonical type."""
        cursor = self._cursor(offset)
        return cursor.kind, self._clang.clang_getCanonicalType(self._clang.clang_getCursorType(cursor))

    def type_name(self, given: Type) -> str:
        """How clang spells a type."""
        return self._clang.text(self._clang.clang_getTypeSpelling(given))

    def element_type(self, array: Type) -> Type:
        """The canonical type of an array's elements."""
        element: Type = self._clang.clang_getCanonicalType(self._clang.clang_getArrayElementType(array))
        return element

    def members_of(self, record: Type, kinds: Collection[int]) -> Iterator[tuple[int, str, Type]]:
        """Kind, name and canonical type of what a record of one of these kinds declares."""
        clang = self._clang
        declared = clang.clang_getTypeDeclaration(record)
        for child in self._visit(declared) if declared.kind in kinds else ():
            found = clang.clang_getCanonicalType(clang.clang_getCursorType(child))
            yield child.kind, self._spelling(child), found

    # -- functions

    def _scope(self, offset: int) -> Cursor | None:
        """The outermost function (or, outside of functions, declaration) that holds this byte."""
        cursor = self._cursor(offset)
        if cursor.kind in _PLACELESS:
            cursor = self._code_before(offset)
        outer = None
        while cursor.kind not in _INVALID and cursor.kind != _TRANSLATION_UNIT:
            if cursor.kind in _FUNCTION_KINDS or (outer is None and cursor.kind in _DECLARATIONS):
                outer = cursor
            cursor = self._clang.clang_getCursorSemanticParent(cursor)
        span = self._span(outer) if outer is not None else None
        return outer if span is not None and span[0] <= offset < span[1] else None

    def _code_before(self, offset: int) -> Cursor:
        """The cursor of a token before `offset` that knows what holds it: references and macros do not."""
        tokens = self._tokens
        index = tokens.prev(tokens.index_at(offset) - 1)
        cursor = Cursor()
        for _ in range(64):
            if index < 0:
                break
            cursor = self._cursor(tokens.start[index])
            if cursor.kind not in _PLACELESS:
                break
            index = tokens.prev(index - 1)
        return cursor

    def in_device_code(self, offset: int) -> bool | None:
        """Whether this byte is in a `__global__` or `__device__` function; None where clang saw no function."""
        attributes = self._attributes(offset)
        return None if attributes is None else bool(attributes & {_DEVICE_ATTRIBUTE, _GLOBAL_ATTRIBUTE})

    def is_host_device(self, offset: int) -> bool | None:
        """Whether this byte is in a function declared `__host__ __device__`; None where clang saw no function."""
        attributes = self._attributes(offset)
        return None if attributes is None else attributes >= {_DEVICE_ATTRIBUTE, _HOST_ATTRIBUTE}

    def _attributes(self, offset: int) -> set[int] | None:
        scope = self._scope(offset)
        if scope is None or scope.kind not in _FUNCTION_KINDS:
            return None
        return {child.kind for child, _ in self._children(scope)} & {
            _DEVICE_ATTRIBUTE,
            _GLOBAL_ATTRIBUTE,
            _HOST_ATTRIBUTE,
        }

    # -- the preprocessor

    def skipped_ranges(self) -> list[tuple[int, int]]:
        """The byte ranges that the preprocessor left out, from the opening directive to the closing one."""
        clang = self._clang
        found = clang.clang_getSkippedRanges(self._unit.handle, self._main)
        ranges = []
        for i in range(found.contents.count):
            extent = found.contents.ranges[i]
            ranges.append(
                (clang.place(clang.clang_getRangeStart(extent))[1], clang.place(clang.clang_getRangeEnd(extent))[1])
            )
        clang.clang_disposeSourceRangeList(found)
        return ranges

    def missing_headers(self) -> list[tuple[int, str]]:
        """Headers that were not found: offset of the directive's header name (-1 inside another header), and name."""
        found = []
        for text, file, offset in self.diagnostics():
            if text.startswith("'") and text.endswith("' file not found"):
                found.append((offset if file else -1, text.split("'")[1]))
        return found

    def diagnostics(self) -> list[tuple[str, bool, int]]:
        """What clang complains about: the text, whether it is about the main file, and the byte offset."""
        return self._diagnostics

    @cached_property
    def _diagnostics(self) -> list[tuple[str, bool, int]]:
        clang = self._clang
        found = []
        for i in range(clang.clang_getNumDiagnostics(self._unit.handle)):
            diagnostic = clang.clang_getDiagnostic(self._unit.handle, i)
            file, offset = clang.place(clang.clang_getDiagnosticLocation(diagnostic))
            if clang.clang_getDiagnosticSeverity(diagnostic) >= 3:
                found.append((clang.text(clang.clang_getDiagnosticSpelling(diagnostic)), file == self._main, offset))
            clang.clang_disposeDiagnostic(diagnostic)
        return found

"""Functions with names of CUDA's that a project's headers define: the project's own, where those are included.

A header is looked through once a process, and parsed only when its text has such a function at all.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from hipify.parser.branches import Branches
from hipify.parser.source import Source
from hipify.parser.structure import Structure
from hipify.patterns import lazy
from hipify.records import NamedTuple
from hipify.rules.headers import STRING_FUNCTIONS
from hipify.rules.own_names import OwnNames
from hipify.rules.searching import matches, starts_line, starts_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.rules.context import Context

# The patterns begin with what is rare: the matcher passes over the rest of a header quickly. What has to stand in front
# is looked at where one matches.
_CALLED = lazy(rb"(?:cu|nccl|nv|npp)[A-Za-z]\w*[ \t]*\(")
_BEFORE_CALLED = frozenset(b" \t\n\r\f\v*&>")
_TYPE_END = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_>*&")
_STANDS_IN = lazy(rb"#[ \t]*define[ \t]+((?:cu|CU|nccl)[A-Za-z]\w*)")
_INCLUDED = lazy(rb'#[ \t]*include[ \t]*"([^"\n]+)"')
_TYPE = lazy(rb"\b(?:typedef\b[^;{}()]*[\s*&]|(?:struct|class|enum)\s+)(cu\w+|CU\w+)\s*;|\busing\s+(cu\w+|CU\w+)\s*=")
_TYPE_NAME = lazy(rb"(?:cu|CU)\w+\s*[;=]")
_POINTER_ALIAS = lazy(rb"\btypedef\s+CUdeviceptr\s+(\w+)\s*;|\busing\s+(\w+)\s*=\s*CUdeviceptr\s*;")
_DECLARATOR = lazy(rb"[\s&]*(\w+)\s*(?:\[[^\]]*\]\s*)*(?:=.*)?", re.DOTALL)
_HALF = lazy(rb"\b(?:__half2?|half2)\b|\bhalf(?:\s*[*&]|\s+\w+\s*[,;)=\[])")
_BFLOAT = lazy(rb"\b(?:__)?nv_bfloat162?\b")
_STRING_FUNCTION = tuple(
    lazy(start + rb"(?:" + b"|".join(n[3:] for n in STRING_FUNCTIONS if n.startswith(start)) + rb")[ \t]*\(")
    for start in sorted({name[:3] for name in STRING_FUNCTIONS})
)
_STRING_HEADER = lazy(rb"#[ \t]*include[ \t]*[<\"](?:string\.h|cstring|memory\.h)[>\"]")
_ATTRIBUTE = lazy(rb"#[ \t]*define[ \t]+(\w+)[ \t]+((?:[\w \t]|\\\r?\n|__attribute__\(\([\w, ]*\)\))+)")
_HELD = (b"__CUDA_ARCH", b"__CUDACC_", b"CUDA_VERSION", b"CUDART_VERSION")
_DEFINE = lazy(rb"#[ \t]*define[ \t]+(\w+)(\([^()\n]*\))?([^\\\n]*+(?:\\(?:\r?\n|.)[^\\\n]*+)*)")
_PIECE = lazy(rb"\w+|&&|\|\||[=!<]=|<<|[^\s\\]")
_ATTRIBUTES = (b"__device__", b"__global__", b"__host__")
_DEVICE_FUNCTION = lazy(rb"__device__\b[^;{}()=\[\]]*?\b(\w+)\s*\((?!\s*\*)")
_MOST_HEADERS = 64
LARGEST = 1 << 20


class Declared(NamedTuple):
    """A function of a header: the namespaces around it, and the numbers of arguments that it takes."""

    scopes: tuple[bytes, ...]
    least: int
    most: int


class Macro(NamedTuple):
    """A macro of a header: its name, whether it has parameters, the words of its body."""

    name: bytes
    is_called: bool
    words: tuple[bytes, ...]


class Header(NamedTuple):
    """What a header says: functions with names of CUDA's, headers that it includes, CUDA's types declared once more."""

    functions: dict[bytes, list[Declared]]
    includes: tuple[str, ...]
    restated: frozenset[bytes]
    pointer_types: frozenset[bytes]
    pointers: frozenset[bytes]
    """Members, variables and functions of type CUdeviceptr."""
    takers: frozenset[bytes]
    """Functions with a parameter of type CUdeviceptr."""
    device: frozenset[bytes]
    """Names that may be those of its device functions."""
    attributes: tuple[tuple[bytes, frozenset[bytes]], ...]
    """Its macros without parameters that hold nothing but words, where it has attributes of functions."""
    string_function: bytes
    """A C string function that it calls without including their header, if it is no CUDA itself."""
    small_types: tuple[str, ...]
    """HIP's headers of half and bfloat16, where it uses them without including CUDA's."""
    holders: tuple[Macro, ...]
    """Its macros, if one of them holds a macro of CUDA's compiler or version."""
    macros: frozenset[bytes] = frozenset()
    """Names of CUDA's that it defines as macros for ends of its own."""


_NOTHING = Header({}, (), frozenset(), frozenset(), frozenset(), frozenset(), frozenset(), (), b"", (), ())


class IncludedNames:
    """The functions that the headers of one file declare, as far as they are found."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.functions: dict[bytes, list[Declared]] = {}
        self.restated: set[bytes] = set()
        self.pointers: frozenset[bytes] = frozenset()
        self.pointer_types: frozenset[bytes] = frozenset()
        self.takers: frozenset[bytes] = frozenset()
        self.attributes: dict[bytes, frozenset[bytes]] = {}
        """Macros that stand for attributes of functions, and for which."""
        self.device: list[tuple[str, frozenset[bytes]]] = []
        """Headers with device functions, and what those may be called."""
        self.string_function: tuple[bytes, str] = b"", ""
        """A C string function that a header of plain C++ calls without including their header, and that header."""
        self.small_types: set[str] = set()
        self.macros: set[bytes] = set()
        """Names of CUDA's that are macros of the project's."""
        self.holders: list[Macro] = []
        """The macros of headers in which some hold macros of CUDA's compiler or version."""
        path = context.source.path
        folder = None if path.startswith("<") or path in ("", "-") else os.path.dirname(path)
        known = context.library.header
        self._follow(
            [
                (None if i.angled else folder, os.fsdecode(i.name))
                for i in context.structure.includes
                if known(i.name) is None
            ]
        )

    def owns(self, index: int) -> bool:
        """Whether token `index` speaks of a function of a header."""
        found = self.functions.get(self._context.text(index))
        if not found:
            return False
        structure = self._context.structure
        call = structure.call_at(index)
        scopes = namespaces_around(structure, index)
        is_outermost = self._context.text(structure.prev_code(index - 1)) == b"::"
        return any(
            (not declared.scopes if is_outermost else scopes[: len(declared.scopes)] == declared.scopes)
            and (call is None or declared.least <= len(call.args) <= declared.most)
            for declared in found
        )

    def _follow(self, pending: list[tuple[str | None, str]]) -> None:
        seen: dict[str, Header] = {}
        while pending and len(seen) < _MOST_HEADERS:
            folder, name = pending.pop()
            path = find_header(folder, name, self._context.options.include_dirs)
            if path is None or path in seen:
                continue
            header = seen[path] = _header(path)
            self.restated |= header.restated
            self.macros |= header.macros
            if header.pointers or header.pointer_types or header.takers:
                self.pointers |= header.pointers | header.pointer_types
                self.pointer_types |= header.pointer_types
                self.takers |= header.takers
            self.small_types.update(header.small_types)
            self.holders += header.holders
            if header.string_function and not self.string_function[0]:
                self.string_function = header.string_function, name
            for function, declared in header.functions.items():
                self.functions.setdefault(function, []).extend(declared)
            pending += [(os.path.dirname(path), inner) for inner in header.includes]
        self.paths = tuple(seen)
        """The headers that were found."""
        self._read_attributes(list(seen.values()))
        marks = frozenset(name for name, said in self.attributes.items() if b"__device__" in said)
        for path, header in seen.items():
            if names := header.device | (_marked(path, marks) if marks else frozenset()):
                self.device.append((path, names))

    def mentions(self, name: bytes) -> bool:
        """Whether a header of the project has a word; where that is no declaration, it is told of the header."""
        return any(_has_word(path, name) for path in self.paths)

    def _read_attributes(self, headers: list[Header]) -> None:
        """The macros whose words are attributes, or macros that stand for some."""
        found: dict[bytes, set[bytes]] = {}
        macros = [macro for header in headers for macro in header.attributes]
        for _ in range(3 if macros else 0):
            for name, words in macros:
                said = words.intersection(_ATTRIBUTES).union(*(found.get(word, ()) for word in words))
                if said:
                    found.setdefault(name, set()).update(said)
        self.attributes = {name: frozenset(said) for name, said in found.items()}


def find_header(folder: str | None, name: str, include_dirs: Sequence[str]) -> str | None:
    """Where a header lies: in the includer's folder (None for `<name>`), or in the first include folder with it."""
    for place in (*(() if folder is None else (folder,)), *include_dirs):
        path = os.path.normpath(os.path.join(place, name))
        if os.path.isfile(path):
            return path
    return None


def _header(path: str) -> Header:
    try:
        state = os.stat(path)
    except OSError:
        return _NOTHING
    return _read(path, state.st_mtime_ns, state.st_size) if state.st_size <= LARGEST else _NOTHING


@lru_cache(maxsize=4096)
def _read(path: str, _changed: int, _size: int) -> Header:
    """What one state of a header declares."""
    from hipify.rules.library import Library

    data = _text_of(path, _changed, _size)
    names = Library.default().names
    includes = tuple(os.fsdecode(m[1]) for m in matches(_INCLUDED, data, starts_line))
    called = ((m[0][:-1].rstrip(b" \t"), m.start()) for m in matches(_CALLED, data, _is_behind_type))
    wanted = {name for name, start in called if name in names and _follows_type(data, start)}
    functions: dict[bytes, list[Declared]] = {}
    again: set[bytes] = set()
    macros: set[bytes] = set()
    defines = any(m[1] in names for m in matches(_STANDS_IN, data, starts_line))
    if wanted or defines:
        structure = Structure(Source(data, path))
        branches = Branches(structure)
        own = OwnNames(structure, branches, names)
        if defines:
            from hipify.rules.macro_reach import stand_ins

            again.update(instead := stand_ins(structure, branches, Library.default()))
            macros = _own_macros(structure, names - instead)
        for name in wanted:
            found = [
                Declared(namespaces_around(structure, o.token), o.least, o.most)
                for o in own.declared(name)
                if o.is_function and (o.is_global or o.in_namespace)
            ]
            if found:
                functions[name] = found
            elif own.says_again(name):
                again.add(name)
    types = {m[1] or m[2] for m in _TYPE.finditer(data)} if _TYPE_NAME.search(data) else set()
    aliases = frozenset(m[1] or m[2] for m in _POINTER_ALIAS.finditer(data)) if b"CUdeviceptr" in data else frozenset()
    string = _string_function(data)
    restated, pointers, small = frozenset(names & types | again), _pointers(data, aliases), tuple(_small_types(data))
    return Header(
        *(functions, includes, restated, aliases, pointers, _takers(data, aliases), _device(data)),
        *(_attributes(data), string, small, tuple(_holders(data)), frozenset(macros)),
    )


def _own_macros(structure: Structure, names: AbstractSet[bytes]) -> set[bytes]:
    """The macros of a header that have one of the names, without those that only lead to HIP's."""
    text = structure.tokens.text
    found = [m for m in structure.macros if text[m.name] in names]
    return {text[m.name] for m in found if not any(t.startswith(b"hip") for t in text[m.first : m.stop])}


def _holders(data: bytes) -> Iterator[Macro]:
    if not any(word in data for word in _HELD):
        return
    found = [Macro(m[1], bool(m[2]), tuple(_PIECE.findall(m[3]))) for m in matches(_DEFINE, data, starts_line)]
    if any(word.startswith(_HELD) for macro in found for word in macro.words):
        yield from found


def _small_types(data: bytes) -> Iterator[str]:
    if b"half" in data and b"fp16.h" not in data and _HALF.search(data):
        yield "hip/hip_fp16.h"
    if b"bfloat16" in data and b"bf16.h" not in data and _BFLOAT.search(data):
        yield "hip/hip_bf16.h"


def _string_function(data: bytes) -> bytes:
    if b"cuda" in data or b"__global__" in data or _STRING_HEADER.search(data):
        return b""
    called = (next(matches(pattern, data, _is_no_member), None) for pattern in _STRING_FUNCTION)
    first = min((m for m in called if m is not None), key=lambda m: m.start(), default=None)
    return first[0][:-1].rstrip(b" \t") if first is not None else b""


def _pointers(data: bytes, aliases: frozenset[bytes]) -> frozenset[bytes]:
    """The names that a header declares as CUdeviceptr, parameters left out."""
    if b"CUdeviceptr" not in data:
        return frozenset()
    found = set()
    types = b"|".join(sorted({b"CUdeviceptr", *aliases}))
    for m in re.finditer(rb"\b(?:" + types + rb")\b([^;(){}<>]*)[;({]", data):
        found |= {d[1] for piece in m[1].split(b",") if (d := _DECLARATOR.fullmatch(piece))}
    return frozenset(found - aliases)


def _takers(data: bytes, aliases: frozenset[bytes]) -> frozenset[bytes]:
    """The names of functions that a header declares with a parameter of type CUdeviceptr."""
    if b"CUdeviceptr" not in data:
        return frozenset()
    types = b"|".join(sorted({b"CUdeviceptr", *aliases}))
    return frozenset(re.findall(rb"\b(\w+)\s*\([^;{}()]*\b(?:" + types + rb")\b", data))


def _device(data: bytes) -> frozenset[bytes]:
    """The names in front of the first parentheses behind each `__device__`."""
    return frozenset(m[1] for m in matches(_DEVICE_FUNCTION, data, starts_word))


def _attributes(data: bytes) -> tuple[tuple[bytes, frozenset[bytes]], ...]:
    if not any(word in data for word in _ATTRIBUTES):
        return ()
    return tuple((m[1], frozenset(m[2].split())) for m in matches(_ATTRIBUTE, data, starts_line))


def _has_word(path: str, name: bytes) -> bool:
    data = text_of(path)
    return name in data and re.search(rb"\b" + re.escape(name) + rb"\b", data) is not None


def text_of(path: str) -> bytes:
    """A header's text; empty where it cannot be read."""
    try:
        state = os.stat(path)
    except OSError:
        return b""
    return _text_of(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=32)
def _text_of(path: str, _changed: int, _size: int) -> bytes:
    try:
        with open(path, "rb") as stream:
            return stream.read(LARGEST)
    except OSError:
        return b""


def _marked(path: str, marks: frozenset[bytes]) -> frozenset[bytes]:
    """The names in front of the first parentheses behind macros that stand for `__device__`."""
    data = text_of(path)
    words = b"|".join(sorted(mark for mark in marks if mark in data))
    return (
        frozenset(re.findall(rb"\b(?:" + words + rb")\b[^;{}()=\[\]#]*?\b(\w+)\s*\((?!\s*\*)", data))
        if words
        else frozenset()
    )


def _is_no_member(data: bytes, at: int) -> bool:
    """Whether a word starts at byte `at` that is neither a member nor qualified."""
    return at == 0 or not (data[at - 1 : at].isalnum() or data[at - 1] in b"_.:>")


def _is_behind_type(data: bytes, at: int) -> bool:
    return at > 0 and data[at - 1] in _BEFORE_CALLED


def _follows_type(data: bytes, start: int) -> bool:
    """Whether the end of a type may stand in front of byte `start`: calls follow `;`, `=` or `(`."""
    before = data[max(0, start - 80) : start].rstrip()[-1:]
    return bool(before) and before[0] in _TYPE_END


def namespaces_around(structure: Structure, index: int) -> tuple[bytes, ...]:
    """The names of the namespaces around a token, the outermost first."""
    text = structure.tokens.text
    found: list[bytes] = []
    opener = structure.enclosing(index)
    while opener is not None:
        word = structure.prev_code(opener - 1)
        if text[opener] == b"{" and word > 0 and text[structure.prev_code(word - 1)] == b"namespace":
            found.append(text[word])
        opener = structure.enclosing(opener)
    return tuple(reversed(found))

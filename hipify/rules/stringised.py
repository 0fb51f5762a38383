"""CUDA source that is a string for the program: a macro makes one of it, or it stands in literals.

`const char* source = STRINGIFY(__global__ void f() { ... });`, `R"(__global__ void f() { ... })"`.
"""

from __future__ import annotations

from hipify.parser.source import Source
from hipify.parser.structure import Macro, Structure
from hipify.patterns import lazy
from hipify.records import NamedTuple
from hipify.rules.context import Context

_MARKS = (b"__global__", b"__device__")
_STRINGISER = lazy(rb"define[ \t]+(\w+)\([^()\n]*\)(?:[^\n\\#]|\\\r?\n|\\[^\n]|##)*?#[ \t]*[A-Za-z_]")
_NEAR = 1000
_KERNEL = lazy(rb"__global__\b[^;{}]*\([^;{}]*\)\s*\{")
_COMPILER = lazy(rb"(?i:jitify|nvrtc|hiprtc|\brtc\b|\bjit\b)")
_INK = lazy(rb"\S")
_REST = (b"...", b"__VA_ARGS__")


class Region(NamedTuple):
    """Bytes [start, end) of a source that are a string for the program, and where the macro's name stands."""

    name: int
    start: int
    end: int


def regions(source: Source) -> list[Region]:
    """The arguments with kernels or device functions in them that macros make strings of, and nothing else."""
    data = source.data
    if not any(mark in data for mark in _MARKS) or not _holds_code(data, {m[1] for m in _STRINGISER.finditer(data)}):
        return []
    structure, found = Structure(source), list[Region]()
    start = structure.tokens.start
    for (name, place), is_rest in _stringisers(structure).items():
        for index in structure.index.get(name, ()):
            call = structure.call_at(index) if structure.directive_at(index) is None else None
            if call is not None and place < len(call.args) and not call.args[place].empty:
                stop = call.close if is_rest else call.args[place].stop
                region = Region(start[index], start[call.args[place].first], start[stop])
                if any(data.find(mark, region.start, region.end) >= 0 for mark in _MARKS):
                    found.append(region)
    return sorted(found, key=lambda region: region.start)


def _holds_code(data: bytes, names: set[bytes]) -> bool:
    """Whether a statement ends in the arguments of one of the macros: a look that costs little, for all sources."""
    for name in names:
        at = data.find(name + b"(")
        while at >= 0:
            stop = data.find(b";", at, at + _NEAR)
            if stop >= 0 and data.count(b"(", at, stop) > data.count(b")", at, stop):
                return True
            at = data.find(name + b"(", at + 1)
    return False


def has_literals(source: Source) -> bool:
    """Whether string literals may hold kernels: a quick look, which finds more than there is."""
    data, mark = source.data, _MARKS[0]
    at = data.find(mark)
    if at < 0 or b'"' not in data or b"nvrtcCreateProgram" in data:
        return False  # the last has a pass of its own
    if b'R"' in data:
        return True
    while at >= 0:
        if data.count(b'"', data.rfind(b"\n", 0, at) + 1, at) % 2:
            return True
        at = data.find(mark, at + 1)
    return False


def without(source: Source, found: list[Region]) -> Source:
    """The source with blanks in the place of the regions: every other byte stands where it stood."""
    data = bytearray(source.data)
    for region in found:
        data[region.start : region.end] = _INK.sub(b" ", source.data[region.start : region.end])
    return Source(bytes(data), source.path)


def embed(context: Context, source: Source, found: list[Region]) -> None:
    """Report what the regions hold, or translate it, as with strings."""
    from hipify.rules.embedded import Embedded
    from hipify.rules.passes.strings import look_into

    for region in found:
        name = context.tokens.index_at(region.name)
        text = source.data[region.start : region.end]
        places, pieces = tuple(range(region.start, region.end + 1)), ((0, len(text), True),)
        look_into(context, Embedded((name,), text, places, pieces), takes_lines=False)


def look_into_literals(context: Context) -> None:
    """Report, or translate, the kernels that string literals hold in a file that calls no compiler itself.

    Where nothing in the file tells of one either, the strings may be texts: then they are named, and no more.
    """
    from hipify.rules.embedded import adjacent, is_string, read_literals
    from hipify.rules.passes.strings import DEVICE_SOURCE, look_into

    done: set[int] = set()
    is_compiled = context.options.translate_strings or bool(_COMPILER.search(context.source.data))
    for token in sorted(t for t in context.tokens.vocabulary if is_string(t) and _MARKS[0] in t):
        for index in context.structure.index.get(token, ()):
            group = adjacent(context, index)
            if group[0] in done or not context.is_code(index):
                continue
            done.add(group[0])
            source = read_literals(context, group)
            if _KERNEL.search(source.text) and is_compiled:
                look_into(context, source)
            elif _KERNEL.search(source.text):
                message = (
                    "CUDA source in a string: left as it is, which matters if it is compiled when the program runs"
                )
                context.find(DEVICE_SOURCE, group[0], group[-1] + 1, message=message)


def _stringisers(structure: Structure) -> dict[tuple[bytes, int], bool]:
    """The parameters that macros only make strings of: macro and place, and whether it is the rest of the arguments."""
    found: dict[tuple[bytes, int], bool] = {}
    macros = [macro for macro in structure.macros if macro.parameters]
    for _ in range(2):  # `#define STR(x) STR_(x)` comes as often in front of STR_ as behind it
        for macro in macros:
            for place, parameter in enumerate(macro.parameters or ()):
                is_rest = parameter == _REST[0]
                if _only_strings(structure, macro, _REST[1] if is_rest else parameter, found):
                    found[structure.tokens.text[macro.name], place] = is_rest
    return found


def _only_strings(structure: Structure, macro: Macro, word: bytes, known: dict[tuple[bytes, int], bool]) -> bool:
    """Whether a macro makes a string of a parameter, itself or through another one, and does nothing else with it."""
    tokens = structure.tokens
    places = [at for at in range(macro.first, macro.stop) if tokens.text[at] == word]
    for at in places:
        before = tokens.prev(at - 1)
        outer = tokens.text[tokens.prev(before - 1)]
        is_only = tokens.text[before] == b"(" and tokens.text[tokens.next(at + 1, macro.stop)] == b")"
        if tokens.text[before] != b"#" and not (is_only and (outer, 0) in known):
            return False
    return bool(places)

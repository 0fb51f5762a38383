"""CUDA source that a macro makes a string of: `const char* source = STRINGIFY(__global__ void f() { ... });`."""

from __future__ import annotations

from hipify.parser.source import Source
from hipify.parser.structure import Macro, Structure
from hipify.patterns import lazy
from hipify.records import NamedTuple
from hipify.rules.context import Context

_MARKS = (b"__global__", b"__device__")
_STRINGISER = lazy(rb"define[ \t]+(\w+)\([^()\n]*\)(?:[^\n\\#]|\\\r?\n|\\[^\n]|##)*?#[ \t]*[A-Za-z_]")
_NEAR = 1000
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

"""libclang by plain ctypes: only the calls we make, without the cost of importing its general Python binding."""

from __future__ import annotations

import ctypes
import functools
import os
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_longlong, c_size_t, c_uint, c_ulong, c_void_p
from importlib.machinery import PathFinder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Cursor(Structure):
    """A node of the syntax tree (or a macro), by value."""

    _fields_ = (("kind", c_int), ("xdata", c_int), ("data", c_void_p * 3))


class Location(Structure):
    """A place in the sources."""

    _fields_ = (("data", c_void_p * 2), ("offset", c_uint))


class Range(Structure):
    """Two places in the sources."""

    _fields_ = (("data", c_void_p * 2), ("begin", c_uint), ("end", c_uint))


class RangeList(Structure):
    """What `clang_getSkippedRanges` hands out."""

    _fields_ = (("count", c_uint), ("ranges", POINTER(Range)))


class Type(Structure):
    """A type, by value."""

    _fields_ = (("kind", c_int), ("data", c_void_p * 2))


class String(Structure):
    """A string that libclang owns until it is disposed of."""

    _fields_ = (("data", c_void_p), ("flags", c_uint))


class UnsavedFile(Structure):
    """The bytes of a file that need not be on disk."""

    _fields_ = (("name", c_char_p), ("contents", c_char_p), ("length", c_ulong))


VISITOR = ctypes.CFUNCTYPE(c_int, Cursor, Cursor, c_void_p)
STOP, CONTINUE, RECURSE = 0, 1, 2

_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "clang_createIndex": (c_void_p, [c_int, c_int]),
    "clang_disposeIndex": (None, [c_void_p]),
    "clang_parseTranslationUnit2": (
        c_int,
        [c_void_p, c_char_p, POINTER(c_char_p), c_int, POINTER(UnsavedFile), c_uint, c_uint, POINTER(c_void_p)],
    ),
    "clang_saveTranslationUnit": (c_int, [c_void_p, c_char_p, c_uint]),
    "clang_disposeTranslationUnit": (None, [c_void_p]),
    "clang_getFile": (c_void_p, [c_void_p, c_char_p]),
    "clang_getFileName": (String, [c_void_p]),
    "clang_getCString": (c_char_p, [String]),
    "clang_disposeString": (None, [String]),
    "clang_getLocationForOffset": (Location, [c_void_p, c_void_p, c_uint]),
    "clang_getFileLocation": (
        None,
        [Location, POINTER(c_void_p), POINTER(c_uint), POINTER(c_uint), POINTER(c_uint)],
    ),
    "clang_Location_isInSystemHeader": (c_int, [Location]),
    "clang_getRangeStart": (Location, [Range]),
    "clang_getRangeEnd": (Location, [Range]),
    "clang_getSkippedRanges": (POINTER(RangeList), [c_void_p, c_void_p]),
    "clang_disposeSourceRangeList": (None, [POINTER(RangeList)]),
    "clang_getCursor": (Cursor, [c_void_p, Location]),
    "clang_getCursorLocation": (Location, [Cursor]),
    "clang_getCursorExtent": (Range, [Cursor]),
    "clang_getCursorReferenced": (Cursor, [Cursor]),
    "clang_getCursorSpelling": (String, [Cursor]),
    "clang_getCursorType": (Type, [Cursor]),
    "clang_getCursorSemanticParent": (Cursor, [Cursor]),
    "clang_isInvalidDeclaration": (c_uint, [Cursor]),
    "clang_getFileContents": (c_void_p, [c_void_p, c_void_p, POINTER(c_size_t)]),
    "clang_getNumOverloadedDecls": (c_uint, [Cursor]),
    "clang_getOverloadedDecl": (Cursor, [Cursor, c_uint]),
    "clang_visitChildren": (c_uint, [Cursor, VISITOR, c_void_p]),
    "clang_getCanonicalType": (Type, [Type]),
    "clang_getTypeSpelling": (String, [Type]),
    "clang_getTypeDeclaration": (Cursor, [Type]),
    "clang_getArrayElementType": (Type, [Type]),
    "clang_Cursor_Evaluate": (c_void_p, [Cursor]),
    "clang_EvalResult_getKind": (c_int, [c_void_p]),
    "clang_EvalResult_getAsLongLong": (c_longlong, [c_void_p]),
    "clang_EvalResult_isUnsignedInt": (c_uint, [c_void_p]),
    "clang_EvalResult_getAsUnsigned": (ctypes.c_ulonglong, [c_void_p]),
    "clang_EvalResult_dispose": (None, [c_void_p]),
    "clang_getNumDiagnostics": (c_uint, [c_void_p]),
    "clang_getDiagnostic": (c_void_p, [c_void_p, c_uint]),
    "clang_disposeDiagnostic": (None, [c_void_p]),
    "clang_getDiagnosticSpelling": (String, [c_void_p]),
    "clang_getDiagnosticSeverity": (c_int, [c_void_p]),
    "clang_getDiagnosticLocation": (Location, [c_void_p]),
    "clang_getDiagnosticNumRanges": (c_uint, [c_void_p]),
    "clang_getDiagnosticRange": (Range, [c_void_p, c_uint]),
    "clang_getChildDiagnostics": (c_void_p, [c_void_p]),
    "clang_getNumDiagnosticsInSet": (c_uint, [c_void_p]),
    "clang_getDiagnosticInSet": (c_void_p, [c_void_p, c_uint]),
    "clang_getClangVersion": (String, []),
}

PARSE_DETAILED_RECORD, PARSE_INCOMPLETE, PARSE_FOR_SERIALIZATION, PARSE_KEEP_GOING = 0x1, 0x2, 0x10, 0x200


class LibClang:
    """The loaded library; its functions are attributes, named as in C."""

    def __init__(self, path: str) -> None:
        library = ctypes.CDLL(path)
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(library, name)
            function.restype = result
            function.argtypes = arguments
            setattr(self, name, function)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)

    def text(self, string: String) -> str:
        """The text of a libclang string, which is given back to libclang."""
        raw: bytes | None = self.clang_getCString(string)
        self.clang_disposeString(string)
        return raw.decode("utf-8", "replace") if raw else ""

    @functools.cached_property
    def version(self) -> str:
        """What this library calls itself."""
        return self.text(self.clang_getClangVersion())

    def place(self, location: Location) -> tuple[int | None, int]:
        """The file (libclang's handle) and byte offset where a location is spelled or, in a macro body, expanded."""
        file, offset = c_void_p(), c_uint()
        self.clang_getFileLocation(location, byref(file), None, None, byref(offset))
        return file.value, offset.value

    def text_behind(self, unit: int, file: int | None, offset: int, size: int) -> bytes:
        """Up to `size` bytes of a file of the unit from an offset on."""
        length = c_size_t()
        start = self.clang_getFileContents(unit, file, byref(length))
        return ctypes.string_at(start + offset, max(0, min(size, length.value - offset))) if start else b""

    def parse(
        self, index: int, path: bytes, args: list[bytes], unsaved: tuple[bytes, bytes] | None, options: int
    ) -> int | None:
        """Parse one file; None when libclang gives nothing back."""
        unit = c_void_p()
        files = (UnsavedFile * 1)(UnsavedFile(*unsaved, len(unsaved[1]))) if unsaved else None
        vector = (c_char_p * len(args))(*args)
        self.clang_parseTranslationUnit2(
            index, path, vector, len(args), files, 1 if unsaved else 0, options, byref(unit)
        )
        return unit.value


@functools.cache
def load() -> LibClang | None:
    """The libclang of PyPI's package, else one that the system's linker finds; None when there is none."""
    for path in _candidates():
        try:
            return LibClang(path)
        except (OSError, AttributeError):
            continue
    return None


def _candidates() -> list[str]:
    found: list[str] = []
    spec = PathFinder.find_spec("clang")
    for folder in spec.submodule_search_locations or () if spec else ():
        for name in ("libclang.so", "libclang.dylib", "libclang.dll"):
            path = os.path.join(folder, "native", name)
            if os.path.exists(path):
                found.append(path)
    return [*found, "libclang.so", "libclang.so.1", "libclang-18.so.1", "libclang.dylib", "libclang.dll"]

"""Parse one CUDA source with libclang, with no CUDA SDK and no compiler on the machine."""

from __future__ import annotations

import os
from collections.abc import Sequence

from hipify.parser import libclang_fast as fast
from hipify.parser import pch
from hipify.parser.libclang_fast import LibClang
from hipify.parser.owner import Owner
from hipify.parser.semantics import Places, Semantics, Unit
from hipify.parser.source import Source
from hipify.parser.tokens import Tokens, tokenize
from hipify.parser.toolchain import system_include_dirs
from hipify.patterns import lazy
from hipify.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.model import Options
    from hipify.parser.faults import Fault

__all__ = ["Owner", "ParseFlags", "Semantics", "analyse"]

DEFAULT_STD = "c++17"
DEFAULT_CUDA = "12090"
_LONG_LINE = 4096
_STD = lazy(r"(?:c|gnu)\+\+(98|03|0x|11|1[47yz]|2[03abc]|26)")
_OPTIONS = fast.PARSE_DETAILED_RECORD | fast.PARSE_INCOMPLETE | fast.PARSE_KEEP_GOING

_WHOLE = fast.PARSE_KEEP_GOING


class ParseFlags(NamedTuple):
    """How a file is compiled, as far as its meaning goes."""

    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    std: str = ""
    cuda_version: str = ""

    @staticmethod
    def of(options: Options) -> ParseFlags:
        """The flags that the user's options ask for."""
        return ParseFlags(
            include_dirs=options.include_dirs,
            defines=options.defines,
            args=options.clang_args,
            cuda_version=options.cuda_version or options.cuda_assumed,
        )


def analyse(source: Source, tokens: Tokens, flags: ParseFlags | Options) -> Semantics | None:
    """Parse a source. None when libclang cannot be loaded or gives nothing back; bad input never raises."""
    clang = fast.load()
    if clang is None:
        return None
    opened = _open(clang, source, tokens, flags, "")
    if opened is None:
        return None
    unit, prepared, path = opened
    neutral = (prepared.folder, *system_include_dirs())
    places = Places(_told(prepared.header), tuple(map(_told, neutral)))
    return Semantics(unit, tokens, path, places)


def pointer_faults(source: Source, flags: ParseFlags | Options) -> list[Fault] | None:
    """What clang rejects in a source where CUDA's device addresses are pointers, as in HIP; None without clang."""
    clang = fast.load()
    opened = _open(clang, source, None, flags, pch.POINTERS) if clang is not None else None
    if opened is None:
        return None
    from hipify.parser.faults import faults

    return faults(opened[0], opened[2])


def _open(
    clang: LibClang, source: Source, tokens: Tokens | None, flags: ParseFlags | Options, flag: str
) -> tuple[Unit, pch.Prepared, bytes] | None:
    """The parsed source, the declarations that it was parsed with, and clang's name for it."""
    given = flags if isinstance(flags, ParseFlags) else ParseFlags.of(flags)
    extra, std = _split_std(given.args, given.std)
    prepared = pch.prepare(std, _cuda_number(given.cuda_version), flag)
    if prepared is None:
        return None
    path = _virtual_path(source.path)
    user = [*(f"-I{d}" for d in given.include_dirs), *(f"-D{d}" for d in given.defines), *extra]
    data = source.data
    if any(data.find(b"\n", at, at + _LONG_LINE) < 0 for at in range(0, len(data) - _LONG_LINE, _LONG_LINE)):
        from hipify.parser.long_lines import break_lines

        data = break_lines(data, tokens if tokens is not None else tokenize(source))
    base = [*pch.base_arguments(prepared.folder, std), *([flag] if flag else ())]
    if flag:  # what is printed as an integer is no error; and templates' bodies are looked at, too
        base = [*(a for a in base if a != "-w"), "-Wno-everything", "-Wformat"]
    unit = _parse(clang, data, path, prepared, base, user, _OPTIONS if not flag else _WHOLE)
    return (unit, prepared, path) if unit is not None else None


def _parse(
    clang: LibClang, data: bytes, path: bytes, prepared: pch.Prepared, base: list[str], user: list[str], options: int
) -> Unit | None:
    """Parse with the precompiled declarations; without them, or without the user's flags, when libclang refuses."""
    index = clang.clang_createIndex(0, 0)
    attempts: list[Sequence[str]] = []
    if prepared.precompiled:
        attempts.append(["-include-pch", prepared.precompiled, *base, *user])
    attempts += [["-include", prepared.header, *base, *user], ["-include", prepared.header, *base]]
    for arguments in attempts:
        raw = [os.fsencode(argument) for argument in arguments]
        handle = clang.parse(index, path, raw, (path, data), options)
        if handle is not None:
            return _unit(clang, index, handle)
        if arguments[0] == "-include-pch" and not user:
            pch.discard(prepared)
    clang.clang_disposeIndex(index)
    return None


def _told(path: str) -> str:
    """A path as clang's answers are read: what is no UTF-8 is replaced."""
    return os.fsencode(path).decode("utf-8", "replace")


def _unit(clang: LibClang, index: int, handle: int) -> Unit:
    def release() -> None:
        clang.clang_disposeTranslationUnit(handle)
        clang.clang_disposeIndex(index)

    return Unit(clang, index, handle, release)


def _split_std(args: Sequence[str], std: str) -> tuple[list[str], str]:
    """The arguments without `-std=`, and the standard to use: one that clang knows and our declarations need."""
    rest = []
    for arg in args:
        if arg.startswith(("-std=", "--std=")):
            std = arg.partition("=")[2]
        else:
            rest.append(arg)
    match = _STD.fullmatch(std)
    if match is None:
        return rest, DEFAULT_STD
    return rest, "c++14" if match[1] in ("98", "03", "0x", "11") else std


def _cuda_number(version: str) -> str:
    """CUDA's own number of a version: `12.9` is 12090."""
    if not version:
        return DEFAULT_CUDA
    major, _, minor = version.partition(".")
    if major.isdigit() and len(major) >= 4:
        return major
    return (
        str(int(major) * 1000 + int(minor or 0) * 10) if major.isdigit() and (minor or "0").isdigit() else DEFAULT_CUDA
    )


def _virtual_path(path: str) -> bytes:
    """The name under which clang knows the source: its real place, so that `#include "local.h"` resolves."""
    name = "stdin.cu" if path.startswith("<") or path in ("", "-") else path
    return os.fsencode(os.path.abspath(name))

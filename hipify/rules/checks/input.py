"""The input itself: headers that clang did not find."""

from __future__ import annotations

import os

from hipify.model import Confidence, Severity
from hipify.patterns import lazy
from hipify.rules.context import Context
from hipify.rules.kinds import FindingKind

MISSING_HEADER = FindingKind(
    "HPY902",
    Severity.WARNING,
    "project header not found",
    "Names that the header declares are unknown here, so that some readings rest on the tokens alone. The file is "
    "translated all the same.",
    "Give its folder with -I, or the build's compile_commands.json with -p.",
    '#include "no_such_local_header.cuh"\n__global__ void k() {}\n',
)
LONE_RETURN = FindingKind(
    "HPY904",
    Severity.WARNING,
    "carriage returns without line feeds",
    "nvcc's preprocessor reads on over a carriage return that stands alone, and so does this translation: a comment or "
    "directive goes on behind it. hipcc ends the line there.",
    "Write the file's line ends as line feeds (`tr '\\r' '\\n'`, `mac2unix`), and translate it again.",
)
_LONE = lazy(rb"\r(?!\r*\n)")
# Of the C library, on every machine: quotes make them no project's.
_C = frozenset(
    b"assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h signal.h "
    b"stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h tgmath.h "
    b"threads.h time.h uchar.h wchar.h wctype.h dirent.h fcntl.h malloc.h memory.h pthread.h strings.h sys/stat.h "
    b"sys/time.h sys/types.h unistd.h".split()
)


def run(context: Context) -> None:
    """Report lone carriage returns, and headers that were not found."""
    data = context.source.data
    if b"\r" in data and (found := [match.start() for match in _LONE.finditer(data)]):
        # Where there are no other line ends, all is one line: the translation is none.
        severity = Severity.ERROR if b"\n" not in data.rstrip() else Severity.WARNING
        many = "1 carriage return" if len(found) == 1 else f"{len(found)} carriage returns"
        message = f"{many} without line feeds: line ends to hipcc, and not to nvcc"
        context.find_bytes(LONE_RETURN, found[0], found[0] + 1, message=message, severity=severity)
    _missing_headers(context)


def _missing_headers(context: Context) -> None:
    """Report each quoted include of a file that neither the source's folder nor an include folder holds."""
    if context.source.path in ("", "-", "<stdin>"):
        folders: list[str] = []
    else:
        folders = [os.path.dirname(context.source.path)]
    folders += context.options.include_dirs
    for include in context.structure.includes:
        name = include.name.decode("utf-8", "surrogateescape")
        if (
            include.angled
            or include.name in _C
            or context.library.header(include.name) is not None
            or name.startswith("hip")
        ):
            continue
        if any(os.path.exists(os.path.join(folder, name)) for folder in folders):
            continue
        context.find_bytes(
            MISSING_HEADER, include.start, include.end, message=f'"{name}" was not found', confidence=Confidence.LEXICAL
        )

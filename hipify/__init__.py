"""hipify-py: translate CUDA C++ to HIP C++ and name every construct that a person must still port.

The public API. Nothing here prints, and importing it loads nothing else of the package.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any

    from hipify.errors import HipifyError, InputError, OutputError, UsageError
    from hipify.model import Confidence, Edit, Finding, Options, Reference, Severity, Translation

__version__ = "0.1.0"

__all__ = [
    "Confidence",
    "Edit",
    "Finding",
    "HipifyError",
    "InputError",
    "Options",
    "OutputError",
    "Reference",
    "Severity",
    "Translation",
    "UsageError",
    "__version__",
    "scan",
    "translate_file",
    "translate_source",
]

_HOMES = {
    "hipify.errors": ("HipifyError", "InputError", "OutputError", "UsageError"),
    "hipify.model": ("Confidence", "Edit", "Finding", "Options", "Reference", "Severity", "Translation"),
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    for home, names in _HOMES.items():
        if name in names:
            value = getattr(import_module(home), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'hipify' has no attribute {name!r}")


def translate_source(data: bytes | str, path: str = "<stdin>", options: Options | None = None) -> Translation:
    """Translate source text. A `str` is taken as UTF-8; the output is bytes, so that nothing is lost.

    Raises InputError when the data is no source text.
    """
    from hipify.pipeline import translate

    return translate(data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data, path, options)


def translate_file(path: str | os.PathLike[str], options: Options | None = None) -> Translation:
    """Translate a file; nothing is written. Raises InputError when it cannot be read or is no source text."""
    from hipify.pipeline import read, translate

    return translate(read(path), str(path), options)


def scan(paths: Iterable[str | os.PathLike[str]], options: Options | None = None) -> Iterator[Translation]:
    """The findings and references of files, one after the other, with no edit applied."""
    from hipify.pipeline import read, survey

    for path in paths:
        yield survey(read(path), str(path), options)

"""What a result depends on, as one key: the file and what it includes, the options, and the tool itself."""

from __future__ import annotations

import os
import sys

from hipify import __version__
from hipify.fingerprints import file_states, fingerprint
from hipify.included import SEARCHED, Headers
from hipify.model import Options
from hipify.parser.toolchain import system_include_dirs

_PACKAGE = os.path.dirname(__file__)
_NOT_ASKED = ("__pycache__", "templates", "report")


class Keys:
    """The keys of many files: the tool is looked at once, and each header is read once."""

    def __init__(self, tool: str = "") -> None:
        self._headers = Headers()
        self._tool = tool or tool_state()

    def of(self, path: str, data: bytes, options: Options, kind: str) -> str | None:
        """The key of one kind of result of a file; None when it cannot be told what that depends on."""
        try:
            headers = self._headers.digest(path, data, options)
            rules = [fingerprint(_content(name)) for name in options.rule_files]
        except (OSError, ValueError):
            return None
        if headers is None:
            return None
        asked = (self._tool, kind, os.path.realpath(path), path, tuple(options), headers, rules, len(data))
        return fingerprint(repr(asked).encode("utf-8", "surrogateescape") + data)


def tool_state() -> str:
    """A fingerprint of the tool's files by name, size and time, of libclang, and of where the system's headers are."""
    state = [__version__, str(sys.implementation.cache_tag)]
    state += [os.environ.get(name, "") for name in SEARCHED]
    for folder in system_include_dirs():
        state += (folder, str(os.stat(folder).st_mtime_ns))
    state += file_states(_PACKAGE, _NOT_ASKED)
    for place in sys.path:
        native = os.path.join(place, "clang", "native")
        if os.path.isdir(native):
            state += file_states(native, _NOT_ASKED)
    return fingerprint("\0".join(state).encode("utf-8", "surrogateescape"))


def _content(path: str) -> bytes:
    with open(path, "rb") as stream:
        return stream.read()

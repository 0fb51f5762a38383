"""The failures that a user can cause. Their text is one line, ready to be printed after the tool's name."""

from __future__ import annotations


class HipifyError(Exception):
    """Anything that ends in exit status 2."""


class UsageError(HipifyError):
    """The command line (or the call) asks for something impossible."""


class InputError(HipifyError):
    """An input cannot be read, or is no source file."""


class OutputError(HipifyError):
    """An output cannot be written."""


def os_reason(error: OSError) -> str:
    """The operating system's reason in lower case, without the errno and path that Python adds."""
    return (error.strerror or str(error)).lower()

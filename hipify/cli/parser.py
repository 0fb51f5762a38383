"""An argument parser that takes every option with one or two dashes and says what is wrong in one line."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from hipify.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

# Options whose value may follow without a space, as compilers take them.
_JOINED = ("-I", "-D", "-j")


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Help with the value named once after all spellings of an option."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_terminal_width() - 2)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}"


def _terminal_width() -> int:
    """Columns of the terminal; argparse's own way imports shutil, on every run."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdigit() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80 if sys.__stdout__ else 80
    except (OSError, ValueError):
        return 80


class Parser(argparse.ArgumentParser):
    """Options and inputs in any order; what follows `--` is for clang (`clang_args`)."""

    def __init__(self, prog: str, description: str, epilog: str | None = None) -> None:
        super().__init__(
            prog=prog,
            usage="%(prog)s [OPTION ...] [FILE ...] [-- CLANG-OPTION ...]",
            description=description,
            epilog=epilog,
            allow_abbrev=False,
            formatter_class=Formatter,
        )

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage."""
        raise UsageError(message)

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Parse a command line without the program's name."""
        own = list(arguments)
        clang: list[str] = []
        if "--" in own:
            at = own.index("--")
            own, clang = own[:at], own[at + 1 :]
        namespace = self.parse_args(self._canonical(own))
        namespace.clang_args = tuple(clang)
        return namespace

    def _canonical(self, arguments: list[str]) -> list[str]:
        """The same command line in one spelling: `--name=value`, inputs last."""
        options: list[str] = []
        inputs: list[str] = []
        rest = iter(arguments)
        for argument in rest:
            if argument == "-" or not argument.startswith("-"):
                inputs.append(argument)
                continue
            typed, action, value = self._option(argument)
            long = next(name for name in action.option_strings if name.startswith("--"))
            if action.nargs == 0:
                if value is not None:
                    self.error(f"{typed} takes no value")
                options.append(long)
                continue
            if value is None:
                value = next(rest, None)
                if value is None or self._is_option(value):
                    self.error(f"{typed} needs a value")
            options.append(f"{long}={value}")
        return options + inputs

    def _option(self, argument: str) -> tuple[str, argparse.Action, str | None]:
        """The option as typed, what it stands for, and the value that came with it."""
        name, equals, value = argument.partition("=")
        action = self._named(name)
        if action is not None:
            return name, action, value if equals else None
        single = argument[1:] if argument.startswith("--") else argument
        for prefix in _JOINED:
            if single.startswith(prefix) and prefix in self._option_string_actions:
                return prefix, self._option_string_actions[prefix], single[len(prefix) :]
        suggestion = self._suggestion(name)
        # `-oFILE` too, as long as it is no slip of the pen: many long options begin with an o, and may have one dash.
        output = self._option_string_actions.get("-o") if argument.startswith("-o") and not equals else None
        if output is not None and not suggestion:
            return "-o", output, argument[2:]
        raise UsageError(f"unknown option {name}{suggestion}")

    def _is_option(self, argument: str) -> bool:
        return argument.startswith("-") and self._named(argument.partition("=")[0]) is not None

    def _named(self, name: str) -> argparse.Action | None:
        """The option of this name, written with one dash or two."""
        for spelling in (name, f"-{name}", name[1:] if name.startswith("--") else name):
            if spelling in self._option_string_actions:
                return self._option_string_actions[spelling]
        return None

    def _suggestion(self, name: str) -> str:
        from difflib import get_close_matches

        near = get_close_matches(f"--{name.lstrip('-')}", self._option_string_actions, 1, 0.75)
        return f"; did you mean {near[0]}?" if near else ""

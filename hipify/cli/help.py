"""The page of help, laid out by argparse."""

from __future__ import annotations

import argparse
import os
import sys

from hipify.cli.parser import HIDDEN, Option, Parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Help with the value named once after all spellings of an option."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_terminal_width() - 2)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}"


def print_help(parser: Parser) -> None:
    """Print what a parser takes."""
    page = argparse.ArgumentParser(
        prog=parser.prog,
        usage=_usage(parser),
        description=parser.description,
        epilog=parser.epilog,
        formatter_class=Formatter,
    )
    for group in parser.groups:
        shown = page if group is parser else page.add_argument_group(group.title)
        for option in group.options:
            if option.action != "help" and option.help != HIDDEN:  # argparse has its own --help
                shown.add_argument(*(option.flags or [option.dest]), **_declared(option))
    page.print_help()


def _usage(parser: Parser) -> str:
    """The order of a command line's parts."""
    named = [option.metavar or "" for option in parser.every if not option.flags]
    inputs = [name if " " in name else f"[{name} ...]" for name in named]
    behind = [f"[-- {parser.behind} ...]"] if parser.behind else []
    return " ".join(["%(prog)s", "[OPTION ...]", *inputs, *behind])


def _declared(option: Option) -> dict[str, Any]:
    """An option in argparse's words."""
    declared: dict[str, Any] = {"action": option.action, "default": option.default, "help": option.help}
    if not option.flags:
        declared["nargs"] = "*"
    if not option.is_switch:
        declared["metavar"] = option.metavar
        declared["choices"] = option.choices or None
    return declared


def _terminal_width() -> int:
    """Columns of the terminal; argparse's own way imports shutil."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdigit() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80 if sys.__stdout__ else 80
    except (OSError, ValueError):
        return 80

"""An argument parser that takes every option with one or two dashes and says what is wrong in one line.

It declares options in argparse's words and leaves the page of help to it; all else is done here, since importing
argparse and making its parser takes as long as reading a short source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from hipify.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

# Options whose value may follow without a space, as compilers take them.
_JOINED = ("-I", "-D", "-j")

HIDDEN = "(hidden)"
"""The help of an option that the page of help leaves out."""


class Arguments:
    """What a command line says, by attributes."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: object) -> None: ...


class Option:
    """One option or, without flags, the inputs."""

    __slots__ = ("action", "choices", "default", "dest", "flags", "help", "metavar", "type")

    def __init__(
        self,
        *names: str,
        action: str = "store",
        default: object = None,
        choices: Iterable[str] = (),
        type: Callable[[str], object] | None = None,
        dest: str = "",
        metavar: str | None = None,
        help: str = "",
        nargs: str | None = None,
    ) -> None:
        self.flags = () if nargs else names
        """How it may be written; nothing for the inputs, which are any number."""
        self.dest = dest or next((name for name in names if name[:2] == "--"), names[0]).lstrip("-").replace("-", "_")
        self.action = action
        self.default = False if action == "store_true" else default
        self.choices = choices
        self.type = type
        self.metavar = metavar
        self.help = help

    @property
    def is_switch(self) -> bool:
        """Whether it takes no value."""
        return self.action in ("store_true", "help")

    def checked(self, text: str) -> object:
        """The value of a text; raises UsageError when it has none."""
        value: object = text
        if self.type is not None:
            try:
                value = self.type(text)
            except ValueError:
                raise UsageError(
                    f"argument {'/'.join(self.flags)}: invalid {self.type.__name__} value: {text!r}"
                ) from None
        if self.choices and text not in self.choices:
            known = ", ".join(map(repr, self.choices))
            raise UsageError(f"argument {'/'.join(self.flags)}: invalid choice: {text!r} (choose from {known})")
        return value


class Group:
    """Options under one title in the page of help."""

    def __init__(self, parser: Parser, title: str) -> None:
        self.title = title
        self.options: list[Option] = []
        self._parser = parser

    def add_argument(self, *names: str, **declared: Any) -> Option:
        """Declare an option, or the inputs, as argparse does."""
        option = Option(*names, **declared)
        self.options.append(option)
        for flag in option.flags:
            if flag in self._parser.named:
                raise ValueError(f"{flag} is declared twice")
            self._parser.named[flag] = option
        return option


class Parser(Group):
    """Options and inputs in any order.

    What follows `--` is for a compiler (`clang_args`) where `behind` says how the page of help calls it, else inputs.
    """

    def __init__(self, prog: str, description: str, epilog: str | None = None) -> None:
        super().__init__(self, "")
        self.prog = prog
        self.description = description
        self.epilog = epilog
        self.behind = ""
        self.groups: list[Group] = [self]
        self.named: dict[str, Option] = {}
        self.add_argument("-h", "--help", action="help")

    def add_argument_group(self, title: str) -> Group:
        """A new group of options."""
        self.groups.append(Group(self, title))
        return self.groups[-1]

    @property
    def every(self) -> list[Option]:
        """All options of all groups."""
        return [option for group in self.groups for option in group.options]

    def set_defaults(self, **values: object) -> None:
        """Other defaults for options that are declared already."""
        for option in self.every:
            option.default = values.get(option.dest, option.default)

    def error(self, message: str) -> NoReturn:
        """What is wrong."""
        raise UsageError(message)

    def parse(self, arguments: Sequence[str]) -> Arguments:
        """Parse a command line without the program's name; SystemExit behind a page of help."""
        own = list(arguments)
        clang: list[str] = []
        if "--" in own:
            at = own.index("--")
            own, clang = own[:at], own[at + 1 :]
        given, inputs = self._split(own)
        if not self.behind:
            inputs, clang = inputs + clang, []
        every = self.every
        values = {option.dest: option.default for option in every if option.action != "help"}
        for option, text in given:
            if option.action == "help":
                from hipify.cli.help import print_help

                print_help(self)
                raise SystemExit(0)
            if option.action == "append":
                before = values[option.dest]
                assert isinstance(before, list)
                values[option.dest] = [*before, option.checked(text)]
            else:
                values[option.dest] = True if option.is_switch else option.checked(text)
        place = next((option.dest for option in every if not option.flags), None)
        if place is not None:
            values[place] = inputs
        elif inputs:
            self.error(f"unrecognized arguments: {' '.join(inputs)}")
        parsed = Arguments()
        vars(parsed).update(values, clang_args=tuple(clang))
        return parsed

    def _split(self, arguments: list[str]) -> tuple[list[tuple[Option, str]], list[str]]:
        """The options with their values, and the inputs."""
        options: list[tuple[Option, str]] = []
        inputs: list[str] = []
        rest = iter(arguments)
        for argument in rest:
            if argument == "-" or not argument.startswith("-"):
                inputs.append(argument)
                continue
            typed, option, value = self._option(argument)
            if option.is_switch:
                if value is not None:
                    self.error(f"{typed} takes no value")
            elif value is None:
                value = next(rest, None)
                if value is None or self._is_option(value):
                    self.error(f"{typed} needs a value")
            options.append((option, value or ""))
        return options, inputs

    def _option(self, argument: str) -> tuple[str, Option, str | None]:
        """The option as typed, what it stands for, and the value that came with it."""
        name, equals, value = argument.partition("=")
        option = self._named(name)
        if option is not None:
            return name, option, value if equals else None
        single = argument[1:] if argument.startswith("--") else argument
        for prefix in _JOINED:
            if single.startswith(prefix) and prefix in self.named:
                return prefix, self.named[prefix], single[len(prefix) :]
        suggestion = self._suggestion(name)
        # `-oFILE` too, as long as it is no slip of the pen: many long options begin with an o, and may have one dash.
        output = self.named.get("-o") if argument.startswith("-o") and not equals else None
        if output is not None and not suggestion:
            return "-o", output, argument[2:]
        raise UsageError(f"unknown option {name}{suggestion}")

    def _is_option(self, argument: str) -> bool:
        return argument.startswith("-") and self._named(argument.partition("=")[0]) is not None

    def _named(self, name: str) -> Option | None:
        """The option of this name, written with one dash or two."""
        for spelling in (name, f"-{name}", name[1:] if name.startswith("--") else name):
            if spelling in self.named:
                return self.named[spelling]
        return None

    def _suggestion(self, name: str) -> str:
        from difflib import get_close_matches

        near = get_close_matches(f"--{name.lstrip('-')}", self.named, 1, 0.75)
        return f"; did you mean {near[0]}?" if near else ""

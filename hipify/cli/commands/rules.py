"""Check rule files, or show the rules for a name.

`rules --check FILE ...` reads rule files and says what is wrong with them; `rules NAME ...` shows the rules that are
tried for calls of a function, in their order; `rules` alone counts the built-in ones. Exit status: 0 done, 1 a name
that no rule is about, 2 a mistake in a rule file.
"""

from __future__ import annotations

from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.cli.parser import Arguments, Parser


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("names", nargs="*", metavar="NAME|FILE", help="names of functions; with --check: rule files")
    parser.add_argument("--check", action="store_true", help="check rule files")
    parser.add_argument("--rules", metavar="FILE", action="append", default=[], help="a rule file of one's own")


def run(args: Arguments) -> int:
    """Do the work; gives the exit status."""
    from hipify.rules import rulebook

    if args.check:
        return _check(args.names)
    book = rulebook.load(args.rules)
    if not args.names:
        _count(book)
        return 0
    missing = [name for name in args.names if not book.rules(name)]
    for name in args.names:
        for rule in book.rules(name):
            print(_source(rule.where))
        if name in missing:
            print(f"{name}: no rule")
    return 1 if missing else 0


def _check(paths: list[str]) -> int:
    from hipify.errors import UsageError
    from hipify.rules import rulebook

    if not paths:
        raise UsageError("--check needs a rule file")
    for path in paths:
        number = len(rulebook.load([path]).users)
        print(f"{path}: {number} rule{'' if number == 1 else 's'}")
    return 0


def _count(book: object) -> None:
    from hipify.rules.rulebook import CALLS, Rulebook

    assert isinstance(book, Rulebook)
    counts: dict[str, int] = {}
    for rule in book.all_rules():
        name = rule.where.rpartition(":")[0]
        counts[name] = counts.get(name, 0) + 1
    for name, count in counts.items():
        folder = "calls/" if Path(CALLS, name).is_file() else ""
        print(f"{count:5}  {folder}{name}")


def _source(where: str) -> str:
    """The text of the rule at `file:line`, up to the next one, with its place."""
    from hipify.rules.rulebook import CALLS

    name, _, line = where.rpartition(":")
    path = Path(CALLS, name) if Path(CALLS, name).is_file() else Path(name)
    lines = path.read_text("utf-8").splitlines()
    stop = first = int(line) - 1
    while stop + 1 < len(lines) and lines[stop + 1][:1].isspace():
        stop += 1
    return "\n".join([f"{where}:", *(f"    {text}" for text in lines[first : stop + 1])])

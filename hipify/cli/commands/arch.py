"""Print what AMD's GPU architectures can do: the table behind every finding that depends on one.

`hipify-py arch gfx90a gfx942` prints those. Exit status: 0 done, 2 an architecture that the table does not hold.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.cli.parser import Arguments, Parser


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("archs", nargs="*", metavar="GFX", help="only these (default: all)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: Arguments) -> int:
    """Print the table; gives the exit status."""
    from hipify.build.arch_table import as_json, as_text
    from hipify.errors import UsageError
    from hipify.rules.arch import ARCHS, find_arch

    chosen = []
    for name in args.archs:
        arch = find_arch(name)
        if arch is None:
            raise UsageError(f"{name}: is not in the table, which has {', '.join(arch.name for arch in ARCHS)}")
        chosen.append(arch)
    print((as_json if args.json else as_text)(chosen or ARCHS), end="")
    return 0

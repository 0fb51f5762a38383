"""Say what this machine has to build and run HIP programs with, and what installs the rest.

Exit status: 0 programs can be built for AMD GPUs here, 1 they cannot.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.cli.parser import Arguments, Parser


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("--hipcc", metavar="FILE", default="", help="the hipcc to look at")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: Arguments) -> int:
    """Look and tell; gives the exit status."""
    from hipify.build.doctor import Health, as_text, as_values
    from hipify.build.toolchain import this_machine

    health = Health.of(this_machine(), args.hipcc)
    if args.json:
        import json

        print(json.dumps(as_values(health), indent=2))
    else:
        print(as_text(health), end="")
    return 0 if health.builds else 1

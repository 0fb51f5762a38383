"""Translate CUDA files, compile them with hipcc to a program, and show its errors at the CUDA lines.

Behind `--` stand nvcc's or hipcc's flags; with --run the program's arguments (`-- FLAGS -- ARGUMENTS` gives both).
Exit status: 0 built, 1 the compiler found errors, 2 a usage or input/output error or no hipcc, 3 built and not run for
want of a GPU; with --run the program's own.
"""

from __future__ import annotations

from hipify.cli import arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.cli.parser import Arguments, Parser

# What the translate command has options for, and this one has not.
_UNUSED = {
    "output": "",
    "in_place": False,
    "no_backup": False,
    "no_cache": True,  # compiling costs far more
    "examine": False,
    "annotate": False,
    "print_stats": False,
    "print_stats_csv": False,
    "o_stats": "",
}


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    from hipify.config import mark_defaults

    parser.add_argument("files", nargs="*", metavar="FILE", help="CUDA sources; their headers are found")
    add = parser.add_argument_group("output").add_argument
    add("-o", "--program", metavar="PROG", default="", help="the program (default: the first source's name)")
    add("--out-dir", "--o-dir", metavar="DIR", default="", help="keep the translations as DIR/NAME.hip")
    add("--exclude-files", metavar="NAMES", action="append", default=[], help="comma list of files to leave out")
    add("--exclude-dirs", metavar="DIRS", action="append", default=[], help="comma list of folders to leave out")
    arguments.add_build_options(parser)
    arguments.add_translation_options(parser)
    parser.behind = "FLAG"
    arguments.add_report_options(parser)
    arguments.add_config_options(parser)
    mark_defaults(parser)


def run(args: Arguments) -> int:
    """Build; gives the exit status."""
    from hipify.cli.build_session import run as build

    for name, value in _UNUSED.items():
        setattr(args, name, value)
    args.no_output = not args.out_dir
    args.build = not args.check
    return build(args)

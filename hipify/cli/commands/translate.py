"""Translate CUDA C++ files to HIP. One file without an output option goes to standard output.

Exit status: 0 done, 1 a finding at or above --fail-on, 2 a usage or input/output error.
"""

from __future__ import annotations

import sys

from hipify.cli import arguments
from hipify.config import mark_defaults, settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.cli.parser import Arguments, Parser


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="CUDA sources and headers; - is standard input")
    group = parser.add_argument_group("output")
    add = group.add_argument
    add("-o", "--output", metavar="FILE", default="", help="write the translation of one input to FILE (- is stdout)")
    add("--out-dir", "--o-dir", metavar="DIR", default="", help="write DIR/NAME.hip for each input, in no subfolders")
    add("--in-place", "--inplace", action="store_true", help="overwrite the inputs; each is kept as FILE.prehip")
    add("--no-backup", action="store_true", help="with --in-place: keep no FILE.prehip")
    add("--no-output", action="store_true", help="write no translation")
    add("--examine", action="store_true", help="--no-output and --print-stats together")
    add("--no-cache", action="store_true", help="translate anew what an earlier run has translated")
    add("--annotate", action="store_true", help="put `// HPY301: message` above each spot with a finding")
    add("--exclude-files", metavar="NAMES", action="append", default=[], help="comma list of files to leave out")
    add("--exclude-dirs", metavar="DIRS", action="append", default=[], help="comma list of folders to leave out")
    group = parser.add_argument_group("statistics")
    add = group.add_argument
    add("--print-stats", action="store_true", help="print what was converted and what was not")
    add("--print-stats-csv", action="store_true", help="write that to NAME.csv (sum_stat.csv for several inputs)")
    add("--o-stats", metavar="FILE", default="", help="the file for --print-stats-csv")
    arguments.add_translation_options(parser)
    arguments.add_report_options(parser)
    arguments.add_config_options(parser)
    parser.add_argument("--build", action="store_true", help="compile the translation with hipcc to a program")
    parser.add_argument(
        "--program", metavar="FILE", default="", help="where --build puts it (default: the input's name)"
    )
    arguments.add_build_options(parser)
    add = parser.add_argument_group("other").add_argument
    add("--version", action="store_true", help="print the version")
    add("--versions", action="store_true", help="print the versions that are known and used")
    mark_defaults(parser)


def run(args: Arguments) -> int:
    """Translate; gives the exit status."""
    if args.version or args.versions:
        from hipify.cli.versions import print_versions

        print_versions(everything=args.versions)
        if not args.files:
            return 0
    if args.build or args.run or args.check or args.source_map:
        from hipify.cli.build_session import run as build

        return build(args)
    from hipify.cli.plan import plan
    from hipify.cli.session import Session

    settings = settle(args, leave=("fail_on",))
    session = Session(plan(args, settings), args, settings)
    for note in arguments.notes_on(args):
        print(f"hipify-py: note: {note}", file=sys.stderr)
    return session.run()

"""Report what will not compile or will run wrong on AMD GPUs; write no code.

PATHs are files and folders; without any, the repository is linted. Folders give their CUDA and HIP sources, by ending
and by content, without what .gitignore leaves out. The code is judged as it stands: --warp and --guards are `report`
unless they are given. Settings come from hipify.toml or [tool.hipify] of pyproject.toml; docs/lint.md tells all.

Exit status: 0 done, 1 a finding at or above --fail-on, 2 a usage or input/output error.
"""

from __future__ import annotations

from hipify.cli import arguments
from hipify.config import SEVERITIES, mark_defaults

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.cli.parser import Arguments, Parser


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and folders; - is standard input")
    group = parser.add_argument_group("which findings")
    add = group.add_argument
    add("--select", metavar="IDS", action="append", default=[], help="only these ids or families (HPY3), a comma list")
    add("--ignore", metavar="IDS", action="append", default=[], help="all but these ids or families")
    add("--severity", choices=SEVERITIES, default="note", help="findings from here on (default: %(default)s)")
    add("--baseline", metavar="FILE", default="", help="leave out the findings that this file accepts")
    add("--write-baseline", metavar="FILE", default="", help="accept all findings of now, and write them to FILE")
    add("--diff", metavar="REF", default="", help="only findings on lines that changed since a git ref")
    add("--no-suppressions", action="store_true", help="tell what comments in the source silence, too")
    group = parser.add_argument_group("which files")
    add = group.add_argument
    add("--include", metavar="PATTERN", action="append", default=[], help="in folders only files that this fits")
    add("--exclude", metavar="PATTERN", action="append", default=[], help="leave out files, as .gitignore would")
    add("--language", choices=("auto", "cuda", "hip"), default="auto", help="what the files are (default: each tells)")
    add("-j", "--jobs", metavar="N", type=int, default=0, help="processes (default: as many as the work is worth)")
    add("--no-cache", action="store_true", help="look at every file anew")
    group = parser.add_argument_group("settings and output")
    add = group.add_argument
    add("--format", metavar="NAME", default="text", help="what standard output, or -o, gets (default: %(default)s)")
    add("-o", "--output", metavar="FILE", default="", help="write that to FILE instead")
    add("--statistics", action="store_true", help="count the findings by id at the end")
    arguments.add_translation_options(parser)
    arguments.add_report_options(parser, fail_on="error")
    arguments.add_config_options(parser)
    parser.set_defaults(warp="report", guards="report")
    mark_defaults(parser)


def run(args: Arguments) -> int:
    """Lint; gives the exit status."""
    from hipify.lint.session import Session

    return Session(args).run()

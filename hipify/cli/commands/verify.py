"""Compile a converted tree and print the port rate, the causes of errors, and what is still missing.

`verify DIR` takes the folder that `convert` made (or any tree of HIP sources). Errors are shown at the lines of the
CUDA input. Exit status: 0 everything compiles, 1 something does not, 2 a usage or input/output error or no hipcc.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.cli.parser import Arguments, Parser


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.behind = "HIPCC-OPTION"
    add = parser.add_argument
    add("folders", nargs="*", metavar="DIR", help="the converted tree")
    add("--full", action="store_true", help="make code for the GPUs, too, instead of looking for errors only")
    add("--offload-arch", metavar="GFX", action="append", default=[], help="GPUs to compile for")
    add("--hipcc", metavar="FILE", default="", help="the hipcc to use (default: HIPCC, ROCM_PATH, HIP_PATH, PATH, ...)")
    add(
        "-p",
        "--compile-commands",
        metavar="DIR",
        default="",
        help="flags of this compile_commands.json (default: DIR's)",
    )
    add("--makefiles", action="store_true", help="flags of the tree's makefiles, by make -n")
    add("-j", "--jobs", metavar="N", default="0", help="compilers at a time (default: one for each processor)")
    add("--timeout", metavar="SECONDS", default="600", help="time for one source (default: %(default)s)")
    add("--warnings", action="store_true", help="report the compiler's warnings, too")
    add("--report", metavar="FILE", action="append", default=[], help="write a report; the ending chooses its format")
    add("--report-format", metavar="NAME", default="", help="the format of --report, whatever its ending")
    add("-v", "--verbose", action="store_true", help="print every error with both texts")


def run(args: Arguments) -> int:
    """Verify; gives the exit status."""
    from hipify.cli.verifying import run as verify

    return verify(args)

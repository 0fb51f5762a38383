"""Print the hipcc command for an nvcc command: `hipify-py flags -- nvcc -arch=sm_70 a.cu`.

What is lost is said on standard error. Exit status: 0 done, 1 an option or library without a counterpart, 2 a usage
error.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.cli.parser import Arguments, Parser


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.behind = "NVCC-COMMAND"
    parser.add_argument("--offload-arch", metavar="GFX", action="append", default=[], help="GPU to build for")
    parser.add_argument(
        "--target", metavar="X.Y", default="", help="the ROCm release (default: that of hipcc, or newest)"
    )
    parser.add_argument("--roc", action="store_true", help="roc libraries where they exist")


def run(args: Arguments) -> int:
    """Translate; gives the exit status."""
    import shlex
    import sys

    from hipify.cli import releases
    from hipify.cli.arguments import comma_list
    from hipify.errors import UsageError
    from hipify.project.build_files.flags import LOST, UNKNOWN_LIBRARY, is_nvcc, translate_command
    from hipify.project.build_files.needs import defines_for, options_for

    words = list(args.clang_args)
    if not words:
        raise UsageError("flags needs a command behind --, as in: hipify-py flags -- nvcc -arch=sm_70 a.cu")
    if words[0].startswith("-"):
        words.insert(0, "nvcc")
    target = releases.target_of(args)
    releases.check(target, releases.Choice("", ""))
    made, changes = translate_command(words, comma_list(args.offload_arch), args.roc)
    behind = 1 + next((i for i, word in enumerate(words) if is_nvcc(word)), 0)
    made[behind:behind] = options_for(defines_for(words, target.release))
    print(shlex.join(made))
    for change in changes:
        if change.why:
            print(f"hipify-py: note: {change.why}", file=sys.stderr)
    return 1 if any(change.level in (LOST, UNKNOWN_LIBRARY) for change in changes) else 0

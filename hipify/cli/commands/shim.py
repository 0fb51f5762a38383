"""Write one header that gives CUDA's names to HIP: the code stays CUDA, and compiles for both.

PATHs are files and folders. The header holds just the names that they use, under #if defined(__HIP_PLATFORM_AMD__),
and includes CUDA's headers otherwise, so that builds for NVIDIA stay as they are. What a header cannot change is listed
with its place and what to write there; docs/shim.md tells all.

Exit status: 0 done, 1 with --check when the code uses a name that the header lacks or the header is out of date,
2 a usage or input/output error.
"""

from __future__ import annotations

import sys

from hipify.cli import arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.cli.parser import Arguments, Parser
    from hipify.shim.project import Project

_NAME = "cuda_to_hip.h"


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default: .)")
    group = parser.add_argument_group("the header")
    add = group.add_argument
    add("-o", "--output", metavar="FILE", default=_NAME, help="where it is (default: %(default)s)")
    add("--check", action="store_true", help="write nothing; exit with 1 when the header does not serve the code")
    add("--exclude", metavar="PATTERN", action="append", default=[], help="leave out files, as .gitignore would")
    add("--no-guards", action="store_true", help="list places without what to write there")
    add("-q", "--quiet", action="store_true", help="list nothing")
    arguments.add_translation_options(parser)


def run(args: Arguments) -> int:
    """Write or check the header; gives the exit status."""
    from hipify.shim import session

    options = arguments.options_from(args)._replace(launch_syntax="cuda")
    outcome = session.run(args.paths, args.output, options, check=args.check, exclude=args.exclude)
    if args.check:
        for line in outcome.missing:
            print(line)
        _summary(outcome.project, args, "is up to date" if not outcome.missing else "does not serve")
        return 1 if outcome.missing else 0
    if not args.quiet:
        _list(outcome.project, guards=not args.no_guards)
    _summary(outcome.project, args, "")
    return 0


def _list(project: Project, *, guards: bool) -> None:
    last = ""
    for obstacle in project.obstacles:
        print(f"{obstacle.place}: {obstacle.kind}: {obstacle.message}")
        here = f"{obstacle.place.path}:{obstacle.place.line}:{obstacle.guard}"
        if obstacle.guard and guards and here != last:
            last = here  # what is to be done with a line is said once
            print("\n".join(f"    {line}".rstrip() for line in obstacle.guard.splitlines()))


def _summary(project: Project, args: Arguments, verdict: str) -> None:
    if args.quiet:
        return
    shim = project.shim
    parts = (
        _number(len(shim.macros), "macro"),
        _number(len(shim.types), "type"),
        _number(len(shim.wrappers), "wrapper"),
        _number(len(shim.namespaces), "namespace"),
    )
    held = ", ".join(part for part in parts if part) or "no names"
    line = f"{args.output}: {verdict + ': ' if verdict else ''}{held} for {_number(project.files, 'file')}"
    if not verdict:
        line += f"; {_number(len(project.obstacles), 'place') or 'no place'} left to you"
    print(f"hipify-py: {line}", file=sys.stderr)
    if project.others and not verdict:
        more = _number(project.others, "further finding")
        print(f"hipify-py: {more} about how it will run: hipify-py lint", file=sys.stderr)


def _number(count: int, word: str) -> str:
    return f"{count} {word}{'s' * (count != 1)}" if count else ""

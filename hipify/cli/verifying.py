"""What `hipify-py verify` does."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hipify.build import advice, tell
from hipify.build.builder import CHECK, OBJECTS, Settings
from hipify.build.compiler import Amd, environment
from hipify.build.flags import Sources
from hipify.build.machine import Machine
from hipify.build.toolchain import AMD, find, target_for, this_machine
from hipify.build.tree import Tree
from hipify.build.verify import commands, lines, verify
from hipify.cli import arguments
from hipify.cli.releases import NO_HIPCC
from hipify.emit import files
from hipify.emit.report import Report, writer
from hipify.errors import InputError, UsageError
from hipify.model import Options
from hipify.project.build_files.flags import DEFAULT_ARCHS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipify.cli.parser import Arguments


def run(args: Arguments, machine: Machine | None = None) -> int:
    """Compile the tree and tell; gives the exit status."""
    machine = machine or this_machine()
    if len(args.folders) != 1:
        raise UsageError("verify needs one folder")
    writers = [(path, writer(path, args.report_format)) for path in args.report]
    compiler = _compiler(args, machine)
    tree = Tree.load(Path(args.folders[0]))
    if not tree.units:
        raise InputError(f"{args.folders[0]}: holds no HIP source")
    database, notes = commands(tree, machine, args.compile_commands, args.makefiles)
    settings = Settings(
        compiler,
        Sources(database, args.clang_args),
        OBJECTS if args.full else CHECK,
        jobs=int(arguments.number("-j", args.jobs)) or os.cpu_count() or 1,
        timeout=arguments.number("--timeout", args.timeout) or None,
        warnings=args.warnings,
    )
    verdict = verify(tree, settings)
    unknown = advice.unknown_gpus(verdict.arrivals)
    if unknown:
        raise InputError(f"{compiler.label} does not know {', '.join(unknown)}; --offload-arch chooses")
    for note in notes:
        print(f"hipify-py: note: {note}", file=sys.stderr)
    if args.verbose:
        for line in tell.lines(verdict.arrivals):
            print(line, file=sys.stderr)
    for line in lines(verdict, compiler, (machine.distribution, machine.distribution_release), args.full):
        print(line.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    options = Options(target=target_for(compiler.tool.hip), offload_arch=compiler.archs)
    for path, format_writer in writers:
        made = Report(options, tuple(verdict.results()), target_origin=f"hipcc's HIP {compiler.tool.hip}")
        files.write(path, format_writer.render(made))
    return 0 if verdict.ok else 1


def _compiler(args: Arguments, machine: Machine) -> Amd:
    tool = find(machine, args.hipcc)
    if tool is None:
        raise InputError(NO_HIPCC)
    if not tool.usable:
        raise InputError(f"{tool.path} does not start ({tool.problem}) and no clang++ takes its place")
    chosen = arguments.comma_list(args.offload_arch)
    advice.check_archs(chosen, AMD)
    archs = chosen or machine.gpus.distinct or DEFAULT_ARCHS
    return Amd(tool, archs, environment(machine))

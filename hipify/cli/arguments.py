"""The options that several subcommands share, and what they mean for a translation."""

from __future__ import annotations

import os

from hipify.cli.parser import HIDDEN
from hipify.errors import UsageError
from hipify.model import DEFAULT_TARGET, Options, Severity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from hipify.cli.parser import Arguments, Parser

FAIL_ON = ("error", "warning", "note", "never")

# Options of hipify-clang that decide nothing here: name, whether it takes a value, why.
_WITHOUT_EFFECT = (
    ("temp-dir", True, "temporary files lie beside the output"),
    ("save-temps", False, "no temporary files are kept"),
    ("amap", False, "every #if branch is translated anyway"),
    ("cuda-gpu-arch", True, "the input is read for no single GPU"),
    ("clang-resource-directory", True, "clang needs no resource folder here"),
    ("no-undocumented-features", False, "none is relied on"),
    ("no-warnings-on-undocumented-features", False, "none is relied on"),
)


def add_translation_options(parser: Parser) -> None:
    """What decides the translation of a file."""
    parser.behind = "CLANG-OPTION"
    group = parser.add_argument_group("translation")
    add = group.add_argument
    add("--target", metavar="X.Y", default="", help="the ROCm release to write for (default: that of hipcc, or newest)")
    add("--cuda-version", metavar="X.Y", default="", help="the CUDA release that the input is written for")
    add("--roc", action="store_true", help="roc names (rocBLAS, ...) instead of hip names where they exist")
    add("--miopen", action="store_true", help="MIOpen names for cuDNN, and roc names where they exist")
    add("--experimental", action="store_true", help="use HIP APIs that are marked experimental")
    add("--hip-kernel-execution-syntax", action="store_true", help="launches become hipLaunchKernelGGL (default)")
    add("--cuda-kernel-execution-syntax", action="store_true", help="launches keep <<<...>>>")
    add(
        "--skip-excluded-preprocessor-conditional-blocks",
        "--default-preprocessor",
        dest="skip_excluded",
        action="store_true",
        help="leave #if branches alone that are not compiled",
    )
    add(
        "--warp",
        choices=("preserve", "native", "report"),
        default="preserve",
        help="keep warps of 32 lanes (default), widen masks only, or change nothing there",
    )
    add(
        "--guards",
        choices=("widen", "report"),
        default="widen",
        help="let #ifdef __CUDACC__ and the like know HIP (default), or only report them",
    )
    add("--offload-arch", metavar="GFX", action="append", default=[], help="GPUs that findings are judged for")
    add("--translate-strings", action="store_true", help="translate CUDA source in strings for NVRTC too")
    add("--inline-headers", action="store_true", help="put the helper headers into the output, not beside it")
    add("--rules", metavar="FILE", action="append", default=[], help="a file of rules of your own (docs/rules.md)")
    add("--whitelist", metavar="NAMES", action="append", default=[], help="names (comma list) that are no finding")
    group = parser.add_argument_group("how the input is read")
    add = group.add_argument
    add("-I", "--include-dir", metavar="DIR", action="append", default=[], help="folder with headers of the program")
    add("-D", "--define", metavar="NAME[=VALUE]", action="append", default=[], help="macro that the build defines")
    add("-p", "--compile-commands", metavar="DIR", default="", help="folder of compile_commands.json")
    add("--cuda-path", metavar="DIR", default="", help="a CUDA installation; none is needed")
    add("--no-clang", action="store_true", help="read tokens only: faster, and every answer is lexical")
    for name, has_value, _ in _WITHOUT_EFFECT:
        if has_value:
            add(f"--{name}", help=HIDDEN)
        else:
            add(f"--{name}", action="store_true", help=HIDDEN)


def add_build_options(parser: Parser) -> None:
    """How a translation is compiled and run."""
    group = parser.add_argument_group("compiling and running (docs/build.md)")
    add = group.add_argument
    add("--check", action="store_true", help="let hipcc look for errors in the translation, where it is here")
    add("--run", action="store_true", help="build, and run the program with the arguments behind --")
    add("--timeout", metavar="SECONDS", default="", help="end the program (without --run: a compiler) after that time")
    add("--hipcc", metavar="FILE", default="", help="the hipcc to use (default: HIPCC, ROCM_PATH, HIP_PATH, PATH, ...)")
    add("--platform", choices=("amd", "nvidia"), default="", help="HIP's platform (default: amd)")
    add("--hip-include", metavar="DIR", default="", help="HIP's headers for --platform nvidia")
    add("--makefile", metavar="FILE", default="", help="take flags (and files) from what make would run")
    add("-j", "--jobs", metavar="N", default="0", help="compilers at a time (default: one for each processor)")
    add("--source-map", metavar="FILE", default="", help="write which line of the output is which line of the input")
    add("--compare", metavar="CUDA_PROGRAM", default="", help="run this, too (or read its output), and compare outputs")
    add("--tolerance", metavar="X", default="1e-5", help="for numbers that --compare compares (default: %(default)s)")
    add("--ignore-lines", metavar="REGEX", action="append", default=[], help="lines that --compare leaves out")
    add("--no-warnings", action="store_true", help="leave the compiler's warnings out")


def add_config_options(parser: Parser) -> None:
    """Which settings file is read."""
    add = parser.add_argument_group("settings of the project (docs/lint.md)").add_argument
    add("--config", metavar="FILE", default="", help="settings from FILE, whatever its name")
    add("--no-config", action="store_true", help="read no hipify.toml and no pyproject.toml")


def add_report_options(parser: Parser, fail_on: str = "never") -> None:
    """What is told about a run, and when findings make it fail."""
    group = parser.add_argument_group("reports")
    add = group.add_argument
    add("--report", metavar="FILE", action="append", default=[], help="write a report; the ending chooses its format")
    add("--report-format", metavar="NAME", default="", help="the format of --report, whatever its ending")
    add("--fail-on", choices=FAIL_ON, default=fail_on, help="findings from here on exit with 1 (default: %(default)s)")
    add("--quiet-warnings", action="store_true", help="print findings that are errors only")
    add("-v", "--verbose", action="store_true", help="print why and fix of each finding, and how files were read")


def number(option: str, text: str) -> float:
    """The value of an option that is a number."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e9:
        raise UsageError(f"{option} {text}: a number is expected")
    return value


def comma_list(values: list[str]) -> tuple[str, ...]:
    """The names of an option that may be repeated and holds comma lists."""
    return tuple(name for value in values for name in value.split(",") if name)


def options_from(args: Arguments, project: Path | None = None) -> Options:
    """The translation options that a command line asks for; `args.target_taken` and `cuda_taken` say whose releases.

    `project` is the tree whose CMake files may name a CUDA release.
    """
    from hipify.cli import releases

    if args.cuda_kernel_execution_syntax and args.hip_kernel_execution_syntax:
        raise UsageError("--cuda-kernel-execution-syntax and --hip-kernel-execution-syntax exclude each other")
    args.target_taken, args.cuda_taken = releases.target_of(args), releases.cuda_of(args, project)
    releases.check(args.target_taken, args.cuda_taken)
    return Options(
        target=args.target_taken.release,
        cuda_version=args.cuda_version,
        roc=args.roc,
        miopen=args.miopen,
        experimental=args.experimental,
        launch_syntax="cuda" if args.cuda_kernel_execution_syntax else "hip",
        clang=not args.no_clang,
        include_dirs=tuple(args.include_dir),
        defines=tuple(args.define),
        clang_args=args.clang_args,
        skip_excluded=args.skip_excluded,
        whitelist=comma_list(args.whitelist),
        rule_files=tuple(args.rules),
        warp=args.warp,
        guards=args.guards,
        offload_arch=comma_list(args.offload_arch),
        translate_strings=args.translate_strings,
        inline_headers=args.inline_headers,
        cuda_path=args.cuda_path,
        cuda_assumed="" if args.cuda_version else args.cuda_taken.release,
    )


def notes_on(args: Arguments) -> list[str]:
    """What the user should know about options that were accepted and change nothing."""
    notes = [
        f"--{name} has no effect: {why}" for name, _, why in _WITHOUT_EFFECT if getattr(args, name.replace("-", "_"))
    ]
    target, cuda = args.target_taken, args.cuda_taken
    if args.verbose or (target.found and target.release != DEFAULT_TARGET):
        notes.append(f"the target is ROCm {target.release}: {target.origin}")
    if args.verbose:
        notes.append(f"the input is for CUDA {cuda.release or 'of no known release'}: {cuda.origin}")
    if args.cuda_path and not os.path.isdir(args.cuda_path):
        notes.append(f"--cuda-path {args.cuda_path} is not there, and is not needed")
    if args.offload_arch:
        from hipify.rules.arch import find_arch

        strange = [name for name in comma_list(args.offload_arch) if find_arch(name) is None and "-generic" not in name]
        notes += [f"--offload-arch {name}: `hipify-py arch` has no such GPU, findings may miss it" for name in strange]
    return notes


def origins(args: Arguments) -> dict[str, str]:
    """Whose the releases of `options_from` are, as reports take it."""
    return {"target_origin": args.target_taken.origin, "cuda_origin": args.cuda_taken.origin}


def threshold(fail_on: str) -> Severity | None:
    """The severity from which on findings make a run fail."""
    return None if fail_on == "never" else Severity[fail_on.upper()]

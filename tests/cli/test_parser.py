"""One or two dashes, values joined or apart, inputs anywhere, and one line for what is wrong."""

from __future__ import annotations

import pytest

from hipify.cli.commands import translate
from hipify.cli.parser import Arguments, Parser
from hipify.errors import UsageError


def parse(*arguments: str) -> Arguments:
    parser = Parser("hipify-py", "")
    translate.add_arguments(parser)
    return parser.parse(arguments)


@pytest.mark.parametrize(
    ("flag", "name"),
    [
        ("inplace", "in_place"),
        ("in-place", "in_place"),
        ("no-backup", "no_backup"),
        ("no-output", "no_output"),
        ("examine", "examine"),
        ("print-stats", "print_stats"),
        ("print-stats-csv", "print_stats_csv"),
        ("quiet-warnings", "quiet_warnings"),
        ("experimental", "experimental"),
        ("roc", "roc"),
        ("miopen", "miopen"),
        ("cuda-kernel-execution-syntax", "cuda_kernel_execution_syntax"),
        ("hip-kernel-execution-syntax", "hip_kernel_execution_syntax"),
        ("skip-excluded-preprocessor-conditional-blocks", "skip_excluded"),
        ("default-preprocessor", "skip_excluded"),
        ("no-clang", "no_clang"),
        ("version", "version"),
        ("versions", "versions"),
    ],
)
def test_switches_take_one_or_two_dashes(flag: str, name: str) -> None:
    assert getattr(parse("a.cu"), name) is False
    assert getattr(parse(f"-{flag}", "a.cu"), name) is True
    assert getattr(parse("a.cu", f"--{flag}"), name) is True


@pytest.mark.parametrize(
    ("flag", "name"),
    [
        ("o", "output"),
        ("o-dir", "out_dir"),
        ("out-dir", "out_dir"),
        ("o-stats", "o_stats"),
        ("cuda-path", "cuda_path"),
        ("target", "target"),
        ("cuda-version", "cuda_version"),
        ("p", "compile_commands"),
        ("report-format", "report_format"),
    ],
)
def test_values_may_be_apart_or_after_an_equals_sign(flag: str, name: str) -> None:
    assert getattr(parse(f"-{flag}", "value", "a.cu"), name) == "value"
    assert getattr(parse("a.cu", f"-{flag}=value"), name) == "value"
    assert getattr(parse("a.cu", f"--{flag}", "value"), name) == "value"
    assert getattr(parse(f"--{flag}=value=1", "a.cu"), name) == "value=1"


def test_include_folders_and_macros_are_taken_as_compilers_take_them() -> None:
    args = parse("-Iinc", "a.cu", "-I", "more", "-DA", "-D", "B=1", "-DC=x=y", "--Ithird")
    assert args.include_dir == ["inc", "more", "third"]
    assert args.define == ["A", "B=1", "C=x=y"]
    assert args.files == ["a.cu"]


def test_inputs_may_stand_anywhere_and_dash_is_one() -> None:
    assert parse("a.cu", "-roc", "b.cu", "-o", "-", "-").files == ["a.cu", "b.cu", "-"]


def test_after_two_dashes_everything_is_clangs() -> None:
    args = parse("a.cu", "--", "-std=c++17", "--bogus", "x")
    assert args.clang_args == ("-std=c++17", "--bogus", "x")
    assert args.files == ["a.cu"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-bogus"], "unknown option -bogus"),
        (["-inplce"], "unknown option -inplce; did you mean --inplace?"),
        (["--no-bakup"], "did you mean --no-backup?"),
        (["a.cu", "-o"], "-o needs a value"),
        (["a.cu", "-o", "-inplace"], "-o needs a value"),
        (["-roc=1", "a.cu"], "-roc takes no value"),
        (["--fail-on", "sometimes"], "invalid choice: 'sometimes'"),
    ],
)
def test_what_is_wrong_is_one_line(arguments: list[str], message: str) -> None:
    with pytest.raises(UsageError) as error:
        parse(*arguments)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_an_option_is_declared_once() -> None:
    parser = Parser("hipify-py", "")
    parser.add_argument("-x", "--exact", action="store_true")
    with pytest.raises(ValueError, match="-x"):
        parser.add_argument_group("more").add_argument("-x", default="")


def test_numbers_lists_and_choices_are_checked() -> None:
    parser = Parser("hipify-py", "")
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--name", action="append", default=["first"])
    parser.add_argument("--how", choices=("fast", "slow"), default="fast")
    args = parser.parse(["--jobs=3", "--name", "second", "--how=slow"])
    assert (args.jobs, args.name, args.how, args.clang_args) == (3, ["first", "second"], "slow", ())
    assert vars(parser.parse([])) == {"jobs": 0, "name": ["first"], "how": "fast", "clang_args": ()}
    for wrong, message in (
        ("--jobs=many", "argument --jobs: invalid int value: 'many'"),
        ("--how=never", r"argument --how: invalid choice: 'never' \(choose from 'fast', 'slow'\)"),
        ("input", "unrecognized arguments: input"),
    ):
        with pytest.raises(UsageError, match=message):
            parser.parse([wrong])


def test_the_output_may_be_joined_to_its_option() -> None:
    arguments = parse("a.cu", "-oout/a.hip")
    assert (arguments.output, arguments.files) == ("out/a.hip", ["a.cu"])


@pytest.mark.parametrize("typo", ["-oupput-dir", "-oout=x", "--oout", "-offload-arhc"])
def test_a_mistyped_option_is_no_joined_output(typo: str) -> None:
    with pytest.raises(UsageError, match="unknown option"):
        parse("a.cu", typo)


def test_words_behind_the_dashes_are_inputs_where_no_compiler_wants_them() -> None:
    parser = Parser("hipify-py explain", "")
    parser.add_argument("ids", nargs="*", metavar="ID")
    parsed = parser.parse(["a", "--", "-b"])
    assert (parsed.ids, parsed.clang_args) == (["a", "-b"], ())
    assert parse("a.cu", "--", "-b").clang_args == ("-b",)

"""From flags to translation options."""

from __future__ import annotations

import pytest

from hipify.cli.arguments import notes_on, options_from
from hipify.errors import UsageError
from hipify.model import Options

from .test_parser import parse


def options(*arguments: str) -> Options:
    return options_from(parse(*arguments, "a.cu"))


def test_without_flags_they_are_the_defaults() -> None:
    assert options() == Options()


def test_each_flag_sets_its_option() -> None:
    flags = ("-roc", "-miopen", "-experimental", "-cuda-kernel-execution-syntax", "-no-clang", "-default-preprocessor")
    given = options(*flags, "-Ia", "-DX", "-whitelist", "cudaA,cudaB", "-whitelist=cudaC", "-target=6.4")
    assert given == Options(
        roc=True,
        miopen=True,
        experimental=True,
        launch_syntax="cuda",
        clang=False,
        skip_excluded=True,
        include_dirs=("a",),
        defines=("X",),
        whitelist=("cudaA", "cudaB", "cudaC"),
        target="6.4",
    )


def test_hip_launches_are_the_default_and_may_be_asked_for() -> None:
    assert options("-hip-kernel-execution-syntax").launch_syntax == "hip"


@pytest.mark.parametrize(
    "flags",
    [
        ("-hip-kernel-execution-syntax", "-cuda-kernel-execution-syntax"),
        ("-target=1.0",),
        ("-target=new",),
        ("-cuda-version=x",),
    ],
)
def test_impossible_options_are_usage_errors(flags: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        options(*flags)


def test_flags_without_effect_are_accepted_and_named() -> None:
    args = parse("-save-temps", "-temp-dir", "/tmp", "-cuda-gpu-arch=sm_70", "-cuda-path=/no/such", "a.cu")
    options_from(args)
    notes = " / ".join(notes_on(args))
    for flag in ("--save-temps", "--temp-dir", "--cuda-gpu-arch", "--cuda-path /no/such"):
        assert flag in notes
    plain = parse("a.cu", "-roc")
    options_from(plain)
    assert notes_on(plain) == []

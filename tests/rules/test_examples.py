"""Every kind of finding proves itself: its CUDA example gives it and nothing else, its HIP example does not give it."""

import re

import pytest

from hipify.model import Options
from hipify.parser.source import Source
from hipify.project.build_files import BuildContext, convert
from hipify.project.kinds import build_kind
from hipify.rules.engine import analyse
from hipify.rules.kinds import FindingKind, all_kinds

KINDS = all_kinds()
_ID = re.compile(r"HPY[1-9]\d\d")


def found_ids(text: str, clang: bool = False) -> set[str]:
    """The ids that the rules give for a source, or for a build file, whose first line names it."""
    name = text.partition("\n")[0].removeprefix("# ")
    if text.startswith("# ") and build_kind(name):
        build_file = convert(build_kind(name), text.encode(), name, BuildContext(Options()))
        return {f.id for f in build_file.findings}
    source = Source(text.encode(), "example.cu")
    return {f.id for f in analyse(source, Options(clang=clang)).findings}


@pytest.mark.parametrize("kind", [k for k in KINDS.values() if k.before], ids=lambda k: k.id)
def test_the_cuda_example_gives_exactly_its_finding(kind: FindingKind) -> None:
    assert (found_ids(kind.before) or found_ids(kind.before, clang=True)) == {kind.id}  # a few are clang's to tell


@pytest.mark.parametrize("kind", [k for k in KINDS.values() if k.after], ids=lambda k: k.id)
def test_the_hip_example_does_not_give_it(kind: FindingKind) -> None:
    assert kind.id not in found_ids(kind.after)


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda k: k.id)
def test_a_kind_says_what_why_and_what_to_do(kind: FindingKind) -> None:
    assert _ID.fullmatch(kind.id)
    assert kind.title and not kind.title.endswith(".")
    assert kind.why.endswith(".") and kind.fix.endswith(".")


def test_most_kinds_have_an_example() -> None:
    without = [k.id for k in KINDS.values() if not k.before]
    assert len(without) * 4 <= len(KINDS), without

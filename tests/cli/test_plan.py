"""What goes where, and what is refused before anything is written."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hipify.cli.plan import Plan, plan
from hipify.errors import HipifyError, UsageError

from .test_parser import parse


def planned(*arguments: str) -> Plan:
    return plan(parse(*arguments))


def outputs(*arguments: str) -> list[str | None]:
    return [job.output for job in planned(*arguments).jobs]


@pytest.mark.usefixtures("folder")
def test_where_outputs_go() -> None:
    Path("out").mkdir()
    assert outputs("good.cu") == ["-"]
    assert outputs("-") == ["-"]
    assert outputs("good.cu", "-o", "x.hip") == ["x.hip"]
    assert outputs("good.cu", "-o", "-") == ["-"]
    assert outputs("good.cu", "-inplace") == ["good.cu"]
    assert outputs("good.cu", "-no-output") == [None]
    assert outputs("good.cu", "-examine") == [None]
    assert outputs("./good.cu", "-o-dir", "out") == ["out/good.cu.hip"]
    assert outputs("good.cu", "-o-dir", "out", "-o", "x.hip") == ["out/x.hip"]
    assert outputs("good.cu", "unknown.cu", "-out-dir=out") == ["out/good.cu.hip", "out/unknown.cu.hip"]
    assert outputs("-", "-out-dir=out") == ["out/stdin.hip"]


@pytest.mark.usefixtures("folder")
def test_several_inputs_go_beside_themselves() -> None:
    assert outputs("good.cu", "unknown.cu") == ["good.cu.hip", "unknown.cu.hip"]


@pytest.mark.usefixtures("folder")
def test_where_statistics_go() -> None:
    Path("out").mkdir()
    assert planned("good.cu", "-print-stats").statistics is None
    assert planned("good.cu", "-print-stats-csv").statistics == "good.cu.csv"
    assert planned("good.cu", "unknown.cu", "-print-stats-csv").statistics == "sum_stat.csv"
    assert planned("good.cu", "-o-stats", "s.csv").statistics == "s.csv"
    assert planned("good.cu", "-o-stats", "s.csv", "-o-dir", "out").statistics == "out/s.csv"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "no input file"),
        ("good.cu unknown.cu -o x.hip", "-o takes one input"),
        ("good.cu -o x.hip -inplace", "-o and --in-place"),
        ("good.cu -o x.hip -no-output", "-o and --no-output"),
        ("good.cu -o x.hip -examine", "-o and --no-output"),
        ("good.cu -inplace -no-output", "--in-place and --no-output"),
        ("good.cu -inplace -examine", "--in-place and --no-output"),
        ("good.cu -inplace -o-dir .", "--in-place and --out-dir"),
        ("good.cu -o - -o-dir .", "-o - and --out-dir"),
        ("- -inplace", "not standard input"),
        ("- -", "only once"),
        ("- good.cu", "cannot be mixed"),
        (".", "hipify-py convert ."),
        ("good.cu .", "hipify-py convert ."),
        ("good.cu -report-format json", "needs --report"),
    ],
)
def test_conflicts_are_usage_errors(arguments: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        planned(*arguments.split())
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("good.cu -o good.cu", "is an input"),
        ("good.cu -o link.cu", "is an input"),
        ("good.cu -o hard.cu", "is an input"),
        ("good.cu -report good.cu", "is an input"),
        ("good.cu -o-stats good.cu", "is an input"),
        ("good.cu deep/good.cu -o-dir out", "out/good.cu.hip: two files"),
        ("good.cu ./good.cu -inplace", "good.cu: two files"),
        ("good.cu link.cu -inplace", "link.cu: two files"),
        ("good.cu -o x -report x", "two files"),
        ("good.cu -report x.json -o-stats out/../x.json", "two files"),
        ("good.cu -o missing/x.hip", "there is no folder missing"),
        ("good.cu -o-dir missing", "there is no folder missing"),
        ("good.cu -report missing/x.json", "there is no folder missing"),
        ("good.cu -o-dir unknown.cu", "unknown.cu is no folder"),
        ("good.cu -o out", "is a directory"),
        ("good.cu -p missing", "missing: cannot be read"),
    ],
)
def test_impossible_outputs_are_refused(folder: Path, arguments: str, message: str) -> None:
    (folder / "out").mkdir()
    (folder / "deep").mkdir()
    (folder / "deep" / "good.cu").write_bytes(b"")
    (folder / "link.cu").symlink_to("good.cu")
    os.link("good.cu", "hard.cu")
    with pytest.raises(HipifyError) as error:
        planned(*arguments.split())
    assert message in str(error.value)
    assert list((folder / "out").iterdir()) == []


@pytest.mark.usefixtures("folder")
def test_devices_may_be_written_by_many() -> None:
    assert outputs("good.cu", "-o", "/dev/null", "-report=/dev/null", "-o-stats=/dev/null") == ["/dev/null"]


@pytest.mark.parametrize(
    ("flag", "left"),
    [
        ("-exclude-files=good.cu", ["deep/a.cu", "deep/er/b.cu"]),
        ("-exclude-files=a.cu,b.cu", ["good.cu"]),
        ("-exclude-files=deep/*", ["good.cu"]),
        ("-exclude-dirs=deep", ["good.cu"]),
        ("-exclude-dirs=other,deep/er/", ["good.cu", "deep/a.cu"]),
        ("-exclude-dirs=er", ["good.cu", "deep/a.cu", "deep/er/b.cu"]),
    ],
)
def test_excluded_inputs(folder: Path, flag: str, left: list[str]) -> None:
    (folder / "deep" / "er").mkdir(parents=True)
    done = planned("good.cu", "deep/a.cu", "deep/er/b.cu", flag)
    assert [job.path for job in done.jobs] == left
    assert len(done.excluded) == 3 - len(left)


def test_a_database_names_the_inputs_and_gives_each_its_options(folder: Path) -> None:
    command = "nvcc -Iinc -DA=1 -c good.cu"
    (folder / "compile_commands.json").write_text(
        json.dumps([{"file": "good.cu", "directory": str(folder), "command": command}])
    )
    (job,) = planned("-p", ".", "-I", "mine", "-DB").jobs
    assert job.path == str(folder / "good.cu")
    assert job.output == str(folder / "good.cu.hip")
    assert job.in_database
    assert job.options.include_dirs == ("mine", str(folder / "inc"))
    assert job.options.defines == ("B", "A=1")
    (other,) = planned("-p", ".", "unknown.cu").jobs
    assert not other.in_database
    assert other.options.include_dirs == ()

"""What the rules seldom bring about: helper headers, defects of our own, names that are no text."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from hipify.cli import session
from hipify.cli.main import main
from hipify.model import Options, Translation
from hipify.pipeline import translate

from .runner import CUDA, command, environment, names

HELPER = b"// made by hipify-py\nint helper;\n"


@pytest.fixture
def with_helper(monkeypatch: pytest.MonkeyPatch) -> None:
    def translate_with_helper(data: bytes, path: str, options: Options, **asked: bool) -> Translation:
        return translate(data, path, options)._replace(helper_headers={"helper.h": HELPER})

    monkeypatch.setattr(session, "translate", translate_with_helper)


@pytest.mark.usefixtures("with_helper")
def test_a_helper_header_lies_beside_the_output(folder: Path) -> None:
    (folder / "out").mkdir()
    assert main(["good.cu", "-o", "out/x.hip"]) == 0
    assert (folder / "out" / "helper.h").read_bytes() == HELPER
    (folder / "out" / "helper.h").write_bytes(b"// made by hipify-py\nint older;\n")
    assert main(["good.cu", "-o-dir", "out"]) == 0
    assert (folder / "out" / "helper.h").read_bytes() == HELPER
    assert names(folder / "out") == ["good.cu.hip", "helper.h", "x.hip"]


@pytest.mark.usefixtures("with_helper")
def test_a_helper_header_replaces_no_file_of_the_user(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "helper.h").write_bytes(b"int mine;\n")
    assert main(["good.cu", "-inplace"]) == 2
    assert "helper.h: exists and is not hipify-py's" in capsys.readouterr().err
    assert (folder / "helper.h").read_bytes() == b"int mine;\n"
    assert (folder / "good.cu").read_bytes() == CUDA


@pytest.mark.usefixtures("with_helper")
def test_standard_output_names_the_helper_header(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["good.cu"]) == 0
    assert "the output includes helper.h" in capfd.readouterr().err
    assert names(folder) == ["good.cu", "unknown.cu"]


def test_a_defect_costs_one_file_and_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(data: bytes, path: str, options: Options, **asked: bool) -> Translation:
        if path == "good.cu":
            raise RecursionError("too\ndeep")
        return translate(data, path, options, **asked)

    monkeypatch.setattr(session, "translate", broken)
    assert main(["good.cu", "unknown.cu", "-inplace"]) == 2
    errors = [line for line in capsys.readouterr().err.splitlines() if "error: good.cu" in line]
    assert errors == ["hipify-py: error: good.cu: internal error: RecursionError: too deep"]
    assert (folder / "good.cu").read_bytes() == CUDA
    assert b"hip/hip_runtime.h" in (folder / "unknown.cu").read_bytes()
    main(["good.cu", "-v"])
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize("locale", ["C", "en_US.ISO-8859-1", "C.UTF-8"])
def test_a_name_that_is_no_text(folder: Path, locale: str) -> None:
    name = os.fsdecode(b"\xff\xe9.cu")
    (folder / name).write_bytes(b"int x = cudaGetFlyingSaucerCount(0);\n" + CUDA)
    env = {**environment(), "LC_ALL": locale, "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    flags = ("-inplace", "--report", "r.json", "-print-stats")
    done = subprocess.run(command(name, *flags), cwd=folder, env=env, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert b".cu:1:9: " in done.stderr
    assert b"hipMalloc" in (folder / name).read_bytes()
    assert (folder / f"{name}.prehip").exists()
    assert (folder / "r.json").read_bytes().isascii()

"""docs/shim.md shows what the command prints and writes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from hipify.shim.project import _UNITS
from hipify.shim.records import WORDS
from tests.cli.runner import run

PAGE = Path(__file__).resolve().parents[2] / "docs" / "shim.md"
TEXT = PAGE.read_text(encoding="utf-8")
SOURCES = re.findall(r"^`([\w.]+)`:\n\n```cuda\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
SESSIONS = re.findall(r"^```console\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The files of the page's example."""
    for name, text in SOURCES:
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def console(folder: Path) -> list[str]:
    """The page's console blocks as they are today."""
    found = []
    for block in SESSIONS:
        out = []
        for command in re.findall(r"^\$ (.+)$", block, re.MULTILINE):
            out.append(f"$ {command}\n")
            words = shlex.split(command)
            if words[0] == "hipify-py":
                done = run(folder, *words[1:])
                out.append(done.stdout.decode() + done.stderr.decode())
            else:
                assert words[0] == "echo", "the page's other commands add a line to a file"
                with (folder / words[-1]).open("a", encoding="utf-8") as stream:
                    stream.write(words[1] + "\n")
        found.append("".join(out))
    return found


def test_the_commands_print_what_the_page_says(project: Path) -> None:
    assert len(SOURCES) == 2
    assert len(SESSIONS) == 2
    assert console(project) == SESSIONS


def test_the_header_is_the_pages(project: Path) -> None:
    run(project, "shim", ".")
    (shown,) = re.findall(r"for AMD and for NVIDIA\):\n\n```cuda\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    written = (project / "cuda_to_hip.h").read_text(encoding="utf-8")
    assert (
        written.partition("#if defined(__HIP_PLATFORM_AMD__)\n")[1:]
        == shown.partition("#if defined(__HIP_PLATFORM_AMD__)\n")[1:]
    )


def test_the_page_explains_the_words_of_the_list() -> None:
    explained = set(re.findall(r"^\| `([a-z ]+)` \|", TEXT, re.MULTILINE))
    assert {"include", "own name", "own macro", "address", "value"} < explained
    assert {WORDS[name] for name in ("calls", "fields", "guards", "warp")} < explained
    assert ".cu" in _UNITS

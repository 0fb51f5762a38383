"""What README.md shows is what the commands print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT)}
BLOCKS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
COMMANDS = [line[2:] for block in BLOCKS for line in block.splitlines() if line.startswith("$ ")]


def hipify_py(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "scale.cu").write_text(re.findall(r"```cuda\n(.*?)```", README, re.DOTALL)[0])
    arguments = command.split()[1:]
    return subprocess.run(
        [sys.executable, "-m", "hipify", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env=ENVIRONMENT,
    )


def test_the_two_commands_stand_first_and_exist() -> None:
    targets = [command.split("#")[0].split()[1] for command in COMMANDS[:2]]
    assert targets == ["demo", "test"]
    assert all(f"\n{target}:" in MAKEFILE for target in targets)


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("hipify-py")])
def test_command_runs(command: str, tmp_path: Path) -> None:
    done = hipify_py(command, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_shown_output_is_real(tmp_path: Path) -> None:
    block = next(b for b in BLOCKS if b.startswith("$ hipify-py scale.cu"))
    done = hipify_py("hipify-py scale.cu", tmp_path)
    shown = block.split("\n", 1)[1]
    assert shown.startswith(done.stdout)
    assert set(shown[len(done.stdout) :].splitlines()) <= set(done.stderr.splitlines())


def test_python_example_runs(tmp_path: Path) -> None:
    example = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[0]
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True, check=True, env=ENVIRONMENT
    )
    assert "hipFree(p)" in done.stdout

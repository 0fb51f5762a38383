"""Every mapped name of the tables, used once, translated and compiled against a release's real headers."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.support.hip import ROOT, rocm_folder


@pytest.mark.parametrize("release", ["7.2", "6.4"])
def test_no_line_fails_to_compile_in_silence(release: str) -> None:
    tool = ROOT / "tools" / "check_calls.py"
    command = [sys.executable, str(tool), f"{release}={rocm_folder(release)}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    counted = [int(number) for number in re.findall(r"tables \((\d+) ", done.stdout)]
    assert len(counted) == 3
    assert counted[0] > 2000 and counted[1] > 500 and counted[2] > 1800, done.stdout

"""The index of names and argument counts, made again from real headers: it is what they hold."""

from __future__ import annotations

import subprocess
import sys

from tests.support.hip import ROOT, rocm_folder


def test_the_index_is_what_the_headers_hold() -> None:
    command = [sys.executable, str(ROOT / "tools" / "api_index.py"), "--check", str(ROOT / "tests/data/api_index.tsv")]
    done = subprocess.run([*command, f"7.2={rocm_folder('7.2')}"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stdout + done.stderr
    assert "7.2: 10" in done.stderr
